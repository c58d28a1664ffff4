//! Searches for one story, recorded from beginning to end, for several tests.

use crate::oracle::best::best_within;
use anytime::{Conclusion, Limits, Record, record};
use story::{Cost, Params, Plan, Problem, solve, verify};

/// The record of a search. Every story passes the check at its cost.
pub(crate) fn searched(
    problem: &Problem,
    params: &Params,
    limits: Limits,
    seed: u64,
) -> Record<Plan, Cost> {
    let found = record(limits, seed, |control| solve(problem, params, control));
    let found = found.expect("supported");
    for (plan, cost) in &found.offers {
        assert_eq!(verify(problem, plan), Ok(*cost), "{plan:?}");
    }
    found
}

/// The cost of the best of all stories of a small domain.
pub(crate) fn best_of_few(problem: &Problem) -> Cost {
    let best = best_within(problem, usize::MAX);
    Cost::of_score(best.expect("without a limit"))
}

/// Asserts that what a search concludes is true where the best story of all costs this.
pub(crate) fn assert_true(found: &Record<Plan, Cost>, best: Cost) {
    match found.conclusion {
        // What has to happen cannot: no story is worth anything.
        Conclusion::Infeasible => assert_eq!((found.cost(), best), (None, Cost::of_score(0.0))),
        Conclusion::Optimal => assert_eq!(found.cost(), Some(best)),
        Conclusion::Partial(_) | Conclusion::Stopped(_) => {}
    }
    assert!(found.bound() <= Some(best), "{:?} {best:?}", found.bound());
}
