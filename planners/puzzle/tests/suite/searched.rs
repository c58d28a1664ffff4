//! Searches, recorded from beginning to end, for several tests.

use anytime::{Limits, Record, SolveError, record};
use puzzle::{Board, Cost, Params, Plan, Problem, Solution, solve, solve_board};

/// The record of a search for levels.
pub(crate) fn searched(
    problem: &Problem,
    params: &Params,
    iterations: u64,
    seed: u64,
) -> Result<Record<Plan, Cost>, SolveError> {
    record(Limits::iterations(iterations), seed, |control| {
        solve(problem, params, control)
    })
}

/// The record of a search for a solution.
pub(crate) fn solved(board: &Board, iterations: u64) -> Record<Solution, u32> {
    let search = record(Limits::iterations(iterations), 0, |control| {
        solve_board(board, control)
    });
    search.expect("supported")
}
