//! The methods: levels, solutions, and ratings.

use super::answer::{answer, update};
use super::info;
use super::rate::{ToRate, rated, to_rate};
use super::request::{request, to_solve};
use super::solution::{solution_answer, solution_update};
use crate::rpc::contract::RatePuzzles;
use crate::rpc::method::searches;
use crate::rpc::question::Question;
use crate::status::Refusal;
use crate::wire::mistakes::Mistakes;
use ::puzzle::{Puzzle, Solver};
use anytime::Pulse;

searches! {
    GeneratePuzzle: Puzzle, () {
        strategies: info::strategies,
        limits: info::limits,
        read: |message, _: &_| request(message),
        answer: answer,
        update: update,
    }

    SolvePuzzle: Solver, () {
        strategies: info::solver_strategies,
        limits: info::board_limits,
        read: |message, _: &_| to_solve(message),
        answer: solution_answer,
        update: solution_update,
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
