//! Searches, recorded from beginning to end, for several tests.

use anytime::{Limits, Record, record};
use patrol::{Cost, Params, Plan, Problem, solve, verify};

/// The record of a search from a seed. Every plan passes the check at its cost.
pub(crate) fn seeded(
    problem: &Problem,
    params: &Params,
    limits: Limits,
    seed: u64,
) -> Record<Plan, Cost> {
    let found = record(limits, seed, |control| solve(problem, params, control));
    let found = found.expect("it is supported");
    for (plan, cost) in &found.offers {
        assert_eq!(verify(problem, plan), Ok(*cost), "{plan:?}");
    }
    found
}

/// The record of a search with default parameters.
pub(crate) fn searched(problem: &Problem, iterations: u64) -> Record<Plan, Cost> {
    seeded(
        problem,
        &Params::default(),
        Limits::iterations(iterations),
        1,
    )
}
