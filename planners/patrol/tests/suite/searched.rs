//! Searches, recorded from beginning to end, for several tests.

use anytime::{Limits, Record, record};
use patrol::{Cost, Params, Plan, Problem, solve};

/// All that a search from a seed says.
pub(crate) fn seeded(
    problem: &Problem,
    params: &Params,
    limits: Limits,
    seed: u64,
) -> Record<Plan, Cost> {
    let found = record(limits, seed, |control| solve(problem, params, control));
    found.expect("it is supported")
}

/// All that a search with usual parameters says.
pub(crate) fn searched(problem: &Problem, iterations: u64) -> Record<Plan, Cost> {
    seeded(
        problem,
        &Params::default(),
        Limits::iterations(iterations),
        1,
    )
}
