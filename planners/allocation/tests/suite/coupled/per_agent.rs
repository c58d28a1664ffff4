//! Reasons for coupled tasks, agent by agent: with what is missing added, a plan exists in which
//! that agent does the task and all else stays as it was.

use crate::world;
use allocation::explain::{Obstacle, Reason, explain};
use allocation::generate::{Shape, generate};
use allocation::problem::{Problem, Spec};
use allocation::{Plan, verify};
use anytime::Pulse;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// The tasks of each agent, of those that are `kept`.
fn orders(problem: &Problem, plan: &Plan, kept: &BTreeSet<usize>) -> Vec<Vec<usize>> {
    let mut orders = vec![Vec::new(); problem.agents().len()];
    for route in &plan.routes {
        let tasks = route.stops.iter().map(|stop| stop.task);
        orders[route.agent] = tasks.filter(|task| kept.contains(task)).collect();
    }
    orders
}

fn done(plan: &Plan) -> BTreeSet<usize> {
    let stops = plan.routes.iter().flat_map(|route| &route.stops);
    stops.map(|stop| stop.task).collect()
}

/// Whether an agent can do one more task in an otherwise fixed plan, by enumerating all plans.
fn fits(problem: &Problem, plan: &Plan, agent: usize, task: usize) -> bool {
    let kept = done(plan);
    let before = orders(problem, plan, &kept);
    let mut found = false;
    world::each_plan(problem, &mut |other, _| {
        let does = |route: &allocation::Route| {
            route.agent == agent && route.stops.iter().any(|stop| stop.task == task)
        };
        found |= other.routes.iter().any(does) && orders(problem, other, &kept) == before;
    });
    found
}

/// Adds what is missing; `None`: the reason says of nothing how much.
fn helped(spec: &Spec, plan: &Plan, reason: &Reason) -> Option<Spec> {
    let mut spec = spec.clone();
    let agent = &mut spec.agents[reason.agent?];
    let left_out = 0..spec.tasks.len();
    let left_out: Vec<usize> = left_out.filter(|task| !done(plan).contains(task)).collect();
    let mut later = |tasks: &[usize], by_us: i64| {
        for &task in tasks {
            let soft_us = &mut spec.tasks[task].lateness_max_us;
            *soft_us = Some(soft_us.unwrap_or(0) + by_us);
        }
    };
    match reason.obstacle {
        Obstacle::Fits | Obstacle::Price => {}
        Obstacle::NoRoom { shortfall_us } => later(&[reason.task], shortfall_us),
        Obstacle::LateTogether { shortfall_us } => later(&left_out, shortfall_us),
        Obstacle::Shift { shortfall_us } => agent.shift_end_us += shortfall_us,
        Obstacle::Changes => spec.previous.as_mut()?.changes_max = None,
        Obstacle::Capacity { shortfall, .. } => {
            agent.capacities.resize(8, 0);
            agent.capacities.iter_mut().for_each(|c| *c += shortfall);
        }
        _ => return None,
    }
    Some(spec)
}

/// Names of the obstacles that were seen.
fn holds(seed: u64, shape: &Shape, pick: usize) -> BTreeSet<String> {
    let problem = generate(seed, shape);
    if !problem.is_coupled() {
        // There reasons name the first rule that fails, which may not be the only one.
        return BTreeSet::new();
    }
    let mut plans = Vec::new();
    world::each_plan(&problem, &mut |plan, _| plans.push(plan.clone()));
    let mut seen = BTreeSet::new();
    let Some(plan) = plans.get(pick % plans.len().max(1)) else {
        return seen;
    };
    for reason in explain(&problem, plan, &Pulse::unbounded())
        .iter()
        .filter(|reason| !reason.proved)
    {
        let Some(spec) = helped(problem.spec(), plan, reason) else {
            continue;
        };
        let after = Problem::new(spec).expect("more is allowed");
        assert!(verify(&after, plan).is_ok());
        let agent = reason.agent.expect("nothing is added for nobody");
        assert!(
            fits(&after, plan, agent, reason.task),
            "{reason:?} of {plan:?}, seed {seed}"
        );
        let name = format!("{:?}", reason.obstacle);
        seen.extend(name.split(' ').next().map(str::to_owned));
    }
    seen
}

proptest! {
    /// That it is missing at all is not claimed: places that a unit has only as a whole may be
    /// overlooked.
    #[test]
    fn what_is_said_to_be_missing_is_enough(
        seed: u64, tasks in 1_usize..4, agents in 1_usize..3, pick: usize,
    ) {
        holds(seed, &Shape::coupled(tasks, agents), pick);
    }
}

#[test]
fn tasks_in_order_are_not_helped_by_each_other() {
    // Found by the property above: the delivery was said to lack the time that the task before it
    // lacks.
    holds(28_557_014_542_960_814, &Shape::coupled(3, 2), 0);
}

#[test]
fn every_kind_of_reason_is_found() {
    let mut seen = BTreeSet::new();
    for seed in 0..600_u64 {
        let shape = Shape::coupled(2 + (seed % 3) as usize, 1 + (seed % 2) as usize);
        seen.extend(holds(seed, &shape, seed as usize * 7));
    }
    let expected = [
        "Capacity",
        "Changes",
        "Fits",
        "LateTogether",
        "NoRoom",
        "Price",
        "Shift",
    ];
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), expected);
}
