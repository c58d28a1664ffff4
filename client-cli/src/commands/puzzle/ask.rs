//! Having the server make, solve and rate levels.

use super::super::ask::Asking;
use super::super::follow::{Ended, update};
use super::Maker;
use crate::args::SearchArgs;
use crate::connect::Channel;
use crate::connect::{Connection, MESSAGE_BYTES_MAX};
use crate::exit::Failure;
use crate::output::puzzle::deciding;
use stratagem_proto::v1::{
    GeneratePuzzleRequest, GeneratePuzzleResponse, PuzzleBoard, PuzzleHint, PuzzleLoss, PuzzlePlan,
    PuzzleProblem, PuzzleSolution, RatePuzzlesRequest, RatePuzzlesResponse, SolvePuzzleRequest,
    SolvePuzzleResponse, puzzle_service_client::PuzzleServiceClient,
};

const UNARY: &str = "stratagem.v1.PuzzleService/GeneratePuzzle";
const STREAM: &str = "stratagem.v1.PuzzleService/StreamGeneratePuzzle";
const SOLVE: &str = "stratagem.v1.PuzzleService/SolvePuzzle";
const STREAM_SOLVE: &str = "stratagem.v1.PuzzleService/StreamSolvePuzzle";

fn client(channel: Channel) -> PuzzleServiceClient<Channel> {
    PuzzleServiceClient::new(channel).max_decoding_message_size(MESSAGE_BYTES_MAX)
}

impl Maker<'_> {
    fn asking(&self, search: &SearchArgs, interrupted: &'static str) -> Asking<'_> {
        Asking {
            server: self.server,
            display: self.display,
            budget: search.budget,
            interrupted,
        }
    }

    /// The answer to one request.
    pub(super) async fn unary(
        &self,
        problem: &PuzzleProblem,
        search: &SearchArgs,
    ) -> Result<GeneratePuzzleResponse, Failure> {
        let message = GeneratePuzzleRequest {
            problem: Some(problem.clone()),
            options: Some(search.options()),
        };
        let call = async |channel, request| client(channel).generate_puzzle(request).await;
        let hint = "interrupted; with --stream the best levels so far are printed";
        let asking = self.asking(search, hint);
        asking.unary(UNARY, message, call).await
    }

    /// The end of a stream, whatever that is, and why there is no report of the server.
    pub(super) async fn stream(
        &self,
        problem: &PuzzleProblem,
        search: &SearchArgs,
    ) -> Result<(GeneratePuzzleResponse, Option<Failure>), Failure> {
        let message = GeneratePuzzleRequest {
            problem: Some(problem.clone()),
            options: Some(search.options()),
        };
        let call = async |channel, request| client(channel).stream_generate_puzzle(request).await;
        let terms = deciding(problem);
        let asking = self.asking(search, "interrupted");
        let Ended { plan, report, cut } = asking.stream(STREAM, message, terms, call).await?;
        let answer = GeneratePuzzleResponse {
            event: None,
            plan,
            report: Some(report),
        };
        Ok((answer, cut))
    }

    /// A solution of a board on which something was done already.
    pub(super) async fn solved(
        &self,
        rows: &[String],
        played: &str,
        search: &SearchArgs,
    ) -> Result<SolvePuzzleResponse, Failure> {
        let message = SolvePuzzleRequest {
            problem: Some(PuzzleBoard {
                rows: rows.to_vec(),
            }),
            options: Some(search.options()),
            played_moves: played.to_owned(),
        };
        let call = async |channel, request| client(channel).solve_puzzle(request).await;
        let asking = self.asking(search, "interrupted");
        asking.unary(SOLVE, message, call).await
    }

    /// The same from a stream, to its end, and why there is no report of the server.
    pub(super) async fn solved_stream(
        &self,
        rows: &[String],
        played: &str,
        search: &SearchArgs,
    ) -> Result<(SolvePuzzleResponse, Option<Failure>), Failure> {
        let message = SolvePuzzleRequest {
            problem: Some(PuzzleBoard {
                rows: rows.to_vec(),
            }),
            options: Some(search.options()),
            played_moves: played.to_owned(),
        };
        let call = async |channel, request| client(channel).stream_solve_puzzle(request).await;
        let asking = self.asking(search, "interrupted");
        let terms = vec!["pushes".into()];
        let Ended { plan, report, cut } = asking.stream(STREAM_SOLVE, message, terms, call).await?;
        let found = plan.unwrap_or_default();
        let answer = SolvePuzzleResponse {
            event: None,
            plan: found.solution,
            report: Some(report),
            hint: found.hint,
            loss: found.loss,
        };
        Ok((answer, cut))
    }

    /// How hard players find levels.
    pub(super) async fn rated(
        &self,
        request: RatePuzzlesRequest,
    ) -> Result<RatePuzzlesResponse, Failure> {
        let connection = Connection::open(self.server).await?;
        let mut client = client(connection.channel());
        connection.quick(client.rate_puzzles(request)).await
    }
}

update!(GeneratePuzzleResponse, PuzzlePlan, |plan| plan);

/// What a step of solving has found.
#[derive(Default)]
pub(in crate::commands) struct Found {
    solution: Option<PuzzleSolution>,
    hint: Option<PuzzleHint>,
    loss: Option<PuzzleLoss>,
}

update!(SolvePuzzleResponse, Found, |plan, hint, loss| {
    let is_some = plan.is_some() || loss.is_some();
    is_some.then_some(Found {
        solution: plan,
        hint,
        loss,
    })
});
