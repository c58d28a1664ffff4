//! Searches, recorded from beginning to end, for several tests.

use anytime::{Limits, Record, SolveError, record};
use puzzle::{Board, Cost, Params, Plan, Problem, Solution, solve, solve_board, verify};

/// The record of a search for levels. Every plan passes the check at its cost.
pub(crate) fn searched(
    problem: &Problem,
    params: &Params,
    iterations: u64,
    seed: u64,
) -> Result<Record<Plan, Cost>, SolveError> {
    let found = record(Limits::iterations(iterations), seed, |control| {
        solve(problem, params, control)
    })?;
    for (plan, cost) in &found.offers {
        assert_eq!(verify(problem, plan), Ok(*cost), "{plan:?}");
    }
    Ok(found)
}

/// The record of a search for a solution.
pub(crate) fn solved(board: &Board, iterations: u64) -> Record<Solution, u32> {
    let search = record(Limits::iterations(iterations), 0, |control| {
        solve_board(board, control)
    });
    search.expect("supported")
}
