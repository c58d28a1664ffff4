//! Searches, recorded from beginning to end, for several tests.

use allocation::{Cost, Params, Plan, Problem, solve};
use anytime::{Limits, Record, record};

/// All that a search from a seed says.
pub(crate) fn seeded(
    problem: &Problem,
    params: &Params,
    limits: Limits,
    seed: u64,
) -> Record<Plan, Cost> {
    let found = record(limits, seed, |control| solve(problem, params, control));
    found.expect("all problems are supported")
}

/// All that a search from seed 1 says.
pub(crate) fn searched(problem: &Problem, params: &Params, limits: Limits) -> Record<Plan, Cost> {
    seeded(problem, params, limits, 1)
}
