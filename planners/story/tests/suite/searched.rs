//! Searches for one story, recorded from beginning to end, for several tests.

use anytime::{Limits, Record, record};
use story::{Cost, Params, Plan, Problem, solve};

/// The record of a search.
pub(crate) fn searched(
    problem: &Problem,
    params: &Params,
    limits: Limits,
    seed: u64,
) -> Record<Plan, Cost> {
    let found = record(limits, seed, |control| solve(problem, params, control));
    found.expect("supported")
}
