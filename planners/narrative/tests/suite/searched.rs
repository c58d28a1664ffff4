//! Searches, recorded from beginning to end, for several tests.

use anytime::{Conclusion, Limits, Record, record};
use narrative::solve::{Params, solve};
use narrative::{Answer, Cost, Narrative, Plan, verify};

/// The record of a search.
pub(crate) fn unverified(
    narrative: &Narrative,
    params: &Params,
    iterations: u64,
) -> Record<Answer, Cost> {
    let found = record(Limits::iterations(iterations), 1, |control| {
        solve(narrative, params, control)
    });
    found.expect("the strategy is built in")
}

/// The same; every answer is verified at its cost.
pub(crate) fn searched(
    narrative: &Narrative,
    params: &Params,
    iterations: u64,
) -> Record<Answer, Cost> {
    let found = unverified(narrative, params, iterations);
    let spec = narrative.spec();
    for (answer, cost) in &found.offers {
        let verified = verify::answer(narrative, answer);
        assert_eq!(verified, Ok(*cost), "{answer:?} of {spec:?}");
    }
    found
}

/// The last answer, verified as all before it, and how the search ended.
pub(crate) fn concluded(
    narrative: &Narrative,
    params: &Params,
    iterations: u64,
) -> (Option<Answer>, Conclusion) {
    let found = searched(narrative, params, iterations);
    (
        found.offers.last().map(|(answer, _)| answer.clone()),
        found.conclusion,
    )
}

/// The last answer, verified as all before it, where it is proved that there is no plan.
pub(crate) fn refused(narrative: &Narrative, params: &Params, iterations: u64) -> Answer {
    let (answer, conclusion) = concluded(narrative, params, iterations);
    assert_eq!(conclusion, Conclusion::Infeasible, "{:?}", narrative.spec());
    answer.expect("a refusal has reasons")
}

/// A plan, if one is found.
pub(crate) fn planned(narrative: &Narrative, params: &Params, iterations: u64) -> Option<Plan> {
    match unverified(narrative, params, iterations).plan() {
        Some(Answer::Plan(plan)) => Some(plan),
        _ => None,
    }
}
