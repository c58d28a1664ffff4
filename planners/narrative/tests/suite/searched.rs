//! Searches, recorded from beginning to end, for several tests.

use anytime::{Conclusion, Limits, Record, record};
use narrative::plan::Relaxation;
use narrative::problem::Spec;
use narrative::solve::{Params, solve};
use narrative::{Answer, Conflict, Cost, Narrative, Plan, verify};

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

/// Why there is proved to be no plan, and what would help: by the last answer, verified as all
/// before it.
pub(crate) fn refused(
    spec: &Spec,
    params: &Params,
    iterations: u64,
) -> (Conflict, Vec<Relaxation>) {
    let narrative = Narrative::new(spec.clone()).expect("the story is valid");
    match concluded(&narrative, params, iterations) {
        (
            Some(Answer::Infeasible {
                conflict,
                relaxations,
            }),
            Conclusion::Infeasible,
        ) => (conflict, relaxations),
        other => panic!("{other:?} {spec:?}"),
    }
}

/// A plan, if one is found.
pub(crate) fn planned(narrative: &Narrative, params: &Params, iterations: u64) -> Option<Plan> {
    match unverified(narrative, params, iterations).plan() {
        Some(Answer::Plan(plan)) => Some(plan),
        _ => None,
    }
}
