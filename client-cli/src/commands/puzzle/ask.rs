//! Having the server make, solve and rate levels.

use super::super::ask::{Answered, Asking};
use super::Maker;
use crate::args::SearchArgs;
use stratagem_proto::v1::{
    GeneratePuzzleRequest, GeneratePuzzleResponse, PuzzleBoard, PuzzleProblem, SolvePuzzleRequest,
    SolvePuzzleResponse,
};

impl Maker<'_> {
    /// Levels: the answer to one request or, if `streams`, the end of a stream.
    pub(super) async fn made(
        &self,
        problem: &PuzzleProblem,
        search: &SearchArgs,
        streams: bool,
    ) -> Answered<GeneratePuzzleResponse> {
        let request = GeneratePuzzleRequest {
            problem: Some(problem.clone()),
            options: Some(search.options()),
        };
        let asking = Asking::new(self.server, self.display, search);
        asking.ask(&request, streams, Vec::new()).await
    }

    /// The same of a solution of a board on which something was done already.
    pub(super) async fn solved(
        &self,
        rows: &[String],
        played: &str,
        search: &SearchArgs,
        streams: bool,
    ) -> Answered<SolvePuzzleResponse> {
        let request = SolvePuzzleRequest {
            problem: Some(PuzzleBoard {
                rows: rows.to_vec(),
            }),
            options: Some(search.options()),
            played_moves: played.to_owned(),
        };
        let asking = Asking::new(self.server, self.display, search);
        asking.ask(&request, streams, Vec::new()).await
    }
}
