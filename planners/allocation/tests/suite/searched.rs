//! Searches, recorded from beginning to end, for several tests.

use allocation::problem::{Previous, PreviousRoute};
use allocation::{Cost, Params, Plan, Problem, solve, verify};
use anytime::{Limits, Record, record};

/// The record of a search from a seed. Every plan passes the check at its cost.
pub(crate) fn seeded(
    problem: &Problem,
    params: &Params,
    limits: Limits,
    seed: u64,
) -> Record<Plan, Cost> {
    let found = record(limits, seed, |control| solve(problem, params, control));
    let found = found.expect("all problems are supported");
    for (plan, cost) in &found.offers {
        assert_eq!(verify(problem, plan), Ok(*cost), "{plan:?}");
    }
    found
}

/// The record of a search from seed 1.
pub(crate) fn searched(problem: &Problem, params: &Params, limits: Limits) -> Record<Plan, Cost> {
    seeded(problem, params, limits, 1)
}

/// A plan as the one that a next problem starts from, with this many committed tasks of every
/// second agent.
pub(crate) fn continued(plan: &Plan, changes_max: Option<usize>, committed: usize) -> Previous {
    let routes = plan.routes.iter().map(|route| PreviousRoute {
        agent: route.agent,
        tasks: route.stops.iter().map(|stop| stop.task).collect(),
        committed: (route.agent % 2 * committed).min(route.stops.len()),
    });
    Previous {
        routes: routes.collect(),
        changes_max,
    }
}
