//! `PuzzleService`.

use super::letter::wanted;
use super::method::{Asked, Method, RequestOf};
use super::stream::{Now, Streamed, Updates};
use super::{Letter, Parts, stubs};
use crate::codec::Encoded;
use crate::run::{Outcome, PuzzlePlanner, SolverPlanner};
use crate::status::Refusal;
use crate::wire::mistakes::Mistakes;
use crate::wire::puzzle::{self as wire, rated};
use stratagem_proto::v1 as pb;
use tonic::{Request, Response, Status};

/// The service.
pub(crate) struct Puzzle(pub(super) Parts);

/// Both methods that make levels: the stream ends with the answer of the unary one.
pub(crate) struct GeneratePuzzle;

impl Method for GeneratePuzzle {
    const NAME: &'static str = "stratagem.v1.PuzzleService/GeneratePuzzle";
    type Planner = PuzzlePlanner;
    type Names = ();
    type Request = pb::GeneratePuzzleRequest;
    type Answer = pb::GeneratePuzzleResponse;

    fn strategies() -> Vec<pb::StrategyInfo> {
        wire::strategies()
    }

    fn limits() -> Vec<pb::ServerLimit> {
        wire::limits()
    }

    fn decode(message: Self::Request) -> Result<RequestOf<Self>, Mistakes> {
        wire::request(message)
    }

    fn encode(asked: &Asked<Self>, outcome: &Outcome<PuzzlePlanner>) -> Self::Answer {
        wire::answer(asked, outcome)
    }
}

impl Streamed for GeneratePuzzle {
    const STREAM: &'static str = "stratagem.v1.PuzzleService/StreamGeneratePuzzle";

    fn update(asked: &Asked<Self>, event: pb::SolveEvent, now: &Now<'_, Self>) -> Self::Answer {
        wire::update(asked, event, now)
    }
}

/// Both methods that solve boards.
pub(crate) struct SolvePuzzle;

impl Method for SolvePuzzle {
    const NAME: &'static str = "stratagem.v1.PuzzleService/SolvePuzzle";
    type Planner = SolverPlanner;
    type Names = ();
    type Request = pb::SolvePuzzleRequest;
    type Answer = pb::SolvePuzzleResponse;

    fn strategies() -> Vec<pb::StrategyInfo> {
        wire::solver_strategies()
    }

    fn limits() -> Vec<pb::ServerLimit> {
        wire::board_limits()
    }

    fn decode(message: Self::Request) -> Result<RequestOf<Self>, Mistakes> {
        wire::to_solve(message)
    }

    fn encode(asked: &Asked<Self>, outcome: &Outcome<SolverPlanner>) -> Self::Answer {
        wire::solution_answer(asked, outcome)
    }
}

impl Streamed for SolvePuzzle {
    const STREAM: &'static str = "stratagem.v1.PuzzleService/StreamSolvePuzzle";

    fn update(asked: &Asked<Self>, event: pb::SolveEvent, now: &Now<'_, Self>) -> Self::Answer {
        wire::solution_update(asked, event, now)
    }
}

#[tonic::async_trait]
impl stubs::puzzle_service_server::PuzzleService for Puzzle {
    type StreamGeneratePuzzleStream = Updates<GeneratePuzzle>;
    type StreamSolvePuzzleStream = Updates<SolvePuzzle>;

    async fn generate_puzzle(
        &self,
        request: Request<Encoded<pb::GeneratePuzzleRequest>>,
    ) -> Result<Response<Encoded<pb::GeneratePuzzleResponse>>, Status> {
        self.0.unary::<GeneratePuzzle>(request).await
    }

    async fn stream_generate_puzzle(
        &self,
        request: Request<Encoded<pb::GeneratePuzzleRequest>>,
    ) -> Result<Response<Updates<GeneratePuzzle>>, Status> {
        self.0.stream::<GeneratePuzzle>(request).await
    }

    async fn solve_puzzle(
        &self,
        request: Request<Encoded<pb::SolvePuzzleRequest>>,
    ) -> Result<Response<Encoded<pb::SolvePuzzleResponse>>, Status> {
        self.0.unary::<SolvePuzzle>(request).await
    }

    async fn stream_solve_puzzle(
        &self,
        request: Request<Encoded<pb::SolvePuzzleRequest>>,
    ) -> Result<Response<Updates<SolvePuzzle>>, Status> {
        self.0.stream::<SolvePuzzle>(request).await
    }

    async fn rate_puzzles(
        &self,
        request: Request<Encoded<pb::RatePuzzlesRequest>>,
    ) -> Result<Response<Encoded<pb::RatePuzzlesResponse>>, Status> {
        let letter = Letter::of(request)?;
        let (wanted, _guard) = wanted(&letter.call, self.0.config.budget_max.get());
        // No slot, though levels are solved.
        let rate = move |message| {
            let rated = rated(message, || !wanted.beats());
            rated.map_err(Refusal::Mistakes)?.ok_or(Refusal::Expired)
        };
        self.0.answer(letter, rate).await
    }
}
