//! Puzzle: levels, solutions, and what players find hard.

mod answer;
mod board;
mod errors;
mod explanation;
mod info;
mod objective;
mod plan;
mod played;
mod problem;
mod rate;
mod read;
mod request;
mod solution;
mod violations;

pub(crate) use answer::{answer, update};
pub(crate) use info::{board_limits, limits, solver_strategies, strategies};
pub(crate) use problem::problem;
pub(crate) use rate::rated;
pub(crate) use read::plan;
pub(crate) use request::{request, to_solve};
pub(crate) use solution::{solution_answer, solution_update};
pub(crate) use violations::verdict;
