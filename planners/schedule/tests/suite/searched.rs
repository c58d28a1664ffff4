//! Searches, recorded from beginning to end, for several tests.

use anytime::{Conclusion, Limits, record};
use schedule::{Params, Plan, Problem, solve, verify};

/// How a search ended, and its last plan, which passes the check as all before.
pub(crate) fn solved(problem: &Problem, iterations: u64) -> (Conclusion, Option<Plan>) {
    let found = record(Limits::iterations(iterations), 1, |control| {
        solve(problem, &Params::default(), control)
    });
    let found = found.expect("it is supported");
    for (plan, cost) in &found.offers {
        assert_eq!(verify(problem, plan), Ok(*cost), "{plan:?}");
    }
    (found.conclusion, found.plan())
}
