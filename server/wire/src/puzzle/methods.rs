//! The methods: levels, solutions, and ratings.

use super::answer::{answer, found_objective, step};
use super::info;
use super::objective::levels;
use super::rate::{ToRate, rated, to_rate};
use super::request::{request, to_solve};
use super::solution::{solution_answer, solution_objective, solution_step};
use crate::contract::RatePuzzles;
use crate::method::Question;
use crate::mistakes::Mistakes;
use crate::searches::searches;
use ::puzzle::{Puzzle, Solver};
use anytime::Found;
use anytime::Pulse;

searches! {
    GeneratePuzzle: Puzzle, () {
        strategies: info::strategies,
        limits: info::limits,
        read: |message, _: &_| request(message),
        answer: answer,
        step: step,
        objective: |asked: &_, found: &_, _| Some(found_objective(asked, found)),
        levels: |_: &_, cost: &_| Some(levels(*cost).into()),
    }

    SolvePuzzle: Solver, () {
        strategies: info::solver_strategies,
        limits: info::board_limits,
        read: |message, _: &_| to_solve(message),
        answer: solution_answer,
        step: solution_step,
        objective: |_: &_, found: &Found<Solver>, _| Some(solution_objective(&found.plan)),
        levels: |_: &_, pushes: &u32| Some(vec![(*pushes).into()]),
    }
}

impl Question for RatePuzzles {
    type Read = ToRate;

    fn read(message: Self::Request) -> Result<Self::Read, Mistakes> {
        to_rate(message)
    }

    fn answer(read: Self::Read, wanted: &Pulse) -> Result<Option<Self::Answer>, Mistakes> {
        rated(read, || !wanted.beats())
    }
}
