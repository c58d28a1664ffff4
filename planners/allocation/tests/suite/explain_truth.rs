//! Reasons why tasks are left out are true: by trying, and by looking at all plans.

use crate::world;
use allocation::Plan;
use allocation::Problem;
use allocation::explain::{Obstacle, Reason, explain};
use allocation::generate::{Shape, generate};
use allocation::verify::{schedule, verify};
use anytime::Pulse;
use proptest::prelude::*;

/// All plans that come from putting a task in one place of a route of `plan`, after what is under
/// way.
fn insertions(problem: &Problem, plan: &Plan, agent: usize, task: usize) -> Vec<Plan> {
    let order = |r: &allocation::Route| (r.agent, r.stops.iter().map(|s| s.task).collect());
    let mut orders: Vec<(usize, Vec<usize>)> = plan.routes.iter().map(order).collect();
    if !orders.iter().any(|(a, _)| *a == agent) {
        orders.push((agent, Vec::new()));
        orders.sort();
    }
    let route = orders
        .iter()
        .position(|(a, _)| *a == agent)
        .expect("it is there");
    let places = problem.committed(agent).len()..=orders[route].1.len();
    let with = |at: usize| {
        let mut orders = orders.clone();
        orders[route].1.insert(at, task);
        schedule(problem, &orders)
    };
    places.map(with).collect()
}

/// Whether a reason that was found by trying is what trying finds.
fn is_true(problem: &Problem, plan: &Plan, reason: &Reason) -> bool {
    let agent = reason.agent.expect("what is not proved is about one agent");
    let cost = verify(problem, plan).expect("the plan is valid");
    let all = insertions(problem, plan, agent, reason.task);
    let tried: Vec<_> = all.iter().map(|p| verify(problem, p)).collect();
    let best = tried.iter().flatten().min();
    let only = |codes: &[&str]| {
        let wrong = |v: &anytime::Fault| codes.contains(&v.code);
        tried
            .iter()
            .all(|t| t.as_ref().is_err_and(|all| all.iter().any(wrong)))
    };
    match reason.obstacle {
        Obstacle::Fits => best.is_some_and(|best| *best < cost),
        Obstacle::Price => best.is_some_and(|best| *best >= cost),
        Obstacle::Changes => only(&["TOO_MANY_CHANGES"]),
        Obstacle::Capacity { .. } => only(&["CAPACITY_EXCEEDED"]),
        Obstacle::NoRoom { shortfall_us } => {
            shortfall_us > 0
                && only(&[
                    "START_TOO_LATE",
                    "SHIFT_EXCEEDED",
                    "NO_WAY",
                    "NO_WAY_TO_END",
                ])
        }
        Obstacle::Unreachable => only(&["NO_WAY", "NO_WAY_TO_END"]),
        _ => false,
    }
}

proptest! {
    /// Every task that is left out has its reasons; what is called proved holds in every plan, what
    /// was tried is so.
    #[test]
    fn reasons_are_true(seed: u64, pick: usize, tasks in 0_usize..5, agents in 1_usize..4) {
        let problem = generate(seed, &Shape::varied(tasks, agents));
        let mut plans = Vec::new();
        world::each_plan(&problem, &mut |plan, _| plans.push(plan.clone()));
        let best = world::best(&problem).map(|(_, plan)| plan);
        let any = plans.get(pick % plans.len().max(1)).cloned();
        for plan in [best, any].into_iter().flatten() {
            let reasons = explain(&problem, &plan, &Pulse::unbounded());
            let done = |task| plan.routes.iter().flat_map(|r| &r.stops).any(|s| s.task == task);
            let is_load = |r: &Reason| matches!(r.obstacle, Obstacle::TotalLoad { .. });
            if reasons.iter().any(is_load) {
                let mandatory = |t: &usize| problem.tasks()[*t].drop_penalty_micro.is_none();
                let does = |plan: &Plan, task| {
                    let mut stops = plan.routes.iter().flat_map(|route| &route.stops);
                    stops.any(|stop| stop.task == task)
                };
                let does_all = |p: &Plan| (0..tasks).filter(mandatory).all(|t| does(p, t));
                prop_assert!(!plans.iter().any(does_all));
            }
            let reasons: Vec<_> = reasons.into_iter().filter(|r| !is_load(r)).collect();
            for task in 0..tasks {
                let own: Vec<_> = reasons.iter().filter(|r| r.task == task).collect();
                let all = own.len() == agents || (own.len() == 1 && own[0].agent.is_none());
                prop_assert!(if done(task) { own.is_empty() } else { all }, "{own:?}");
            }
            for reason in &reasons {
                let by = |p: &Plan| {
                    let about = |agent| reason.agent.is_none_or(|one| one == agent);
                    let mut routes = p.routes.iter().filter(|r| about(r.agent));
                    routes.any(|r| r.stops.iter().any(|s| s.task == reason.task))
                };
                if reason.proved {
                    prop_assert!(!plans.iter().any(by), "{reason:?}");
                } else {
                    prop_assert!(is_true(&problem, &plan, reason), "{reason:?} in {plan:?}");
                }
            }
        }
    }
}
