//! The methods: levels, solutions, and ratings.

use super::answer::{answer, update};
use super::info;
use super::rate::{ToRate, rated, to_rate};
use super::request::{request, to_solve};
use super::solution::{solution_answer, solution_update};
use crate::rpc::contract::{GeneratePuzzle, RatePuzzles, SolvePuzzle};
use crate::rpc::method::{Asked, Method, Reading, RequestOf};
use crate::rpc::question::Question;
use crate::rpc::{Now, Streamed};
use crate::run::Outcome;
use crate::status::Refusal;
use crate::wire::mistakes::Mistakes;
use ::puzzle::{Puzzle, Solver};
use anytime::Pulse;
use stratagem_proto::v1 as pb;

impl Method for GeneratePuzzle {
    type Planner = Puzzle;
    type Names = ();

    fn strategies() -> Vec<pb::StrategyInfo> {
        info::strategies()
    }

    fn limits() -> Vec<pb::ServerLimit> {
        info::limits()
    }

    fn read(message: Self::Request, _: &Reading<'_>) -> Result<RequestOf<Self>, Mistakes> {
        request(message)
    }

    fn encode(asked: &Asked<Self>, outcome: &Outcome<Puzzle>) -> Self::Answer {
        answer(asked, outcome)
    }
}

impl Streamed for GeneratePuzzle {
    fn update(asked: &Asked<Self>, event: pb::SolveEvent, now: &Now<'_, Self>) -> Self::Answer {
        update(asked, event, now)
    }
}

impl Method for SolvePuzzle {
    type Planner = Solver;
    type Names = ();

    fn strategies() -> Vec<pb::StrategyInfo> {
        info::solver_strategies()
    }

    fn limits() -> Vec<pb::ServerLimit> {
        info::board_limits()
    }

    fn read(message: Self::Request, _: &Reading<'_>) -> Result<RequestOf<Self>, Mistakes> {
        to_solve(message)
    }

    fn encode(asked: &Asked<Self>, outcome: &Outcome<Solver>) -> Self::Answer {
        solution_answer(asked, outcome)
    }
}

impl Streamed for SolvePuzzle {
    fn update(asked: &Asked<Self>, event: pb::SolveEvent, now: &Now<'_, Self>) -> Self::Answer {
        solution_update(asked, event, now)
    }
}

impl Question for RatePuzzles {
    type Read = ToRate;

    fn read(message: Self::Request) -> Result<Self::Read, Mistakes> {
        to_rate(message)
    }

    fn answer(read: Self::Read, wanted: &Pulse) -> Result<Self::Answer, Refusal> {
        let rated = rated(read, || !wanted.beats());
        rated.map_err(Refusal::Mistakes)?.ok_or(Refusal::Expired)
    }
}
