//! Relaxations: with each of them a search, or all plans, confirms that the task can be done.

use crate::line::{self, S, agent, previous, task};
use crate::searched::searched;
use crate::world;
use allocation::explain::{Change, Relaxation, relaxations, relaxed};
use allocation::generate::{Shape, generate};
use allocation::problem::{Problem, Spec, Window};
use allocation::verify::{schedule, verify};
use allocation::{Plan, Route};
use anytime::Limits;
use anytime::Pulse;
use proptest::prelude::*;
use std::collections::BTreeSet;

pub(crate) fn does(plan: &Plan, task: usize) -> bool {
    let mut stops = plan.routes.iter().flat_map(|route| &route.stops);
    stops.any(|stop| stop.task == task)
}

/// The changes that are offered for the only task that a plan leaves out.
fn offers(spec: Spec, orders: &[(usize, Vec<usize>)]) -> Vec<Vec<Change>> {
    let problem = Problem::new(spec).expect("the problem is valid");
    let plan = schedule(&problem, orders);
    let found = relaxations(&problem, &plan, &Pulse::unbounded());
    for one in &found {
        helps(&problem, &plan, one);
    }
    found.into_iter().map(|one| one.changes).collect()
}

/// A relaxation's plan is valid, does the task and leaves all else where it was.
fn helps(problem: &Problem, plan: &Plan, one: &Relaxation) {
    let changed = relaxed(problem, &one.changes).expect("the change is one of the problem");
    assert_eq!(verify(&changed, &one.plan), Ok(one.cost), "{one:?}");
    assert!(
        does(&one.plan, one.task) && !does(plan, one.task),
        "{one:?}"
    );
    let order = |route: &Route| {
        let tasks = route.stops.iter().map(|stop| stop.task);
        let tasks: Vec<usize> = tasks.filter(|task| *task != one.task).collect();
        (route.agent, tasks)
    };
    let kept = one.plan.routes.iter().map(order);
    let kept: Vec<_> = kept.filter(|(_, tasks)| !tasks.is_empty()).collect();
    let before: Vec<_> = plan.routes.iter().map(order).collect();
    assert_eq!(kept, before, "{one:?}");
}

/// An agent at 0 that can carry 10 and does the task at 10; the one at 4 is left out.
fn world() -> (Spec, [(usize, Vec<usize>); 1]) {
    let spec = line::spec(vec![agent(0)], vec![task(4), task(10)]);
    (spec, [(0, vec![1])])
}

#[test]
fn what_fits_needs_no_change() {
    let (spec, orders) = world();
    assert_eq!(offers(spec, &orders), Vec::<Vec<Change>>::new());
}

#[test]
fn a_window_may_close_later_or_somebody_help() {
    let (mut spec, orders) = world();
    for (task, close_s) in spec.tasks.iter_mut().zip([3, 10]) {
        task.windows = vec![Window::new(0, close_s * S)];
    }
    let late = Change::Window { task: 0, by_us: S };
    assert_eq!(offers(spec.clone(), &orders), [vec![late]]);
    // Where it is in time alone, but not on the way.
    (spec.tasks[0].windows[0].close_us, spec.tasks[0].service_us) = (4 * S, 3 * S);
    let other = Change::Window {
        task: 1,
        by_us: 3 * S,
    };
    let help = Change::Agent { like: 0 };
    assert_eq!(offers(spec, &orders), [vec![other], vec![help]]);
}

#[test]
fn each_rule_may_be_loosened() {
    let (spec, orders) = world();
    let with = |change: fn(&mut Spec)| {
        let mut spec = spec.clone();
        change(&mut spec);
        offers(spec, &orders)
    };
    let help = vec![Change::Agent { like: 0 }];
    let more = Change::Capacity {
        agent: 0,
        dimension: 0,
        by: 3,
    };
    let heavy = with(|s| (s.tasks[0].demands, s.tasks[1].demands) = (vec![6], vec![7]));
    assert_eq!(heavy, [vec![more], help.clone()]);
    let learned = Change::Skills {
        agent: 0,
        learned: 2,
    };
    assert_eq!(with(|s| s.tasks[0].skills = 2), [[learned]]);
    let longer = Change::Shift {
        agent: 0,
        by_us: 2 * S,
    };
    let long = with(|s| (s.tasks[0].service_us, s.agents[0].shift_end_us) = (5 * S, 13 * S));
    assert_eq!(long, [vec![longer], help]);
    let both = with(|s| (s.tasks[0].skills, s.tasks[0].demands) = (2, vec![11]));
    let too_heavy = Change::Capacity {
        agent: 0,
        dimension: 0,
        by: 1,
    };
    assert_eq!(both, [vec![too_heavy, learned]]);
}

#[test]
fn one_task_more_may_change_its_agent() {
    let (mut spec, orders) = world();
    spec.agents.push(agent(20));
    spec.previous = previous(&[(1, &[0], 0)], Some(0));
    spec.agents[1].shift_end_us = 3 * S;
    let change = Change::Changes { by: 1 };
    let found = offers(spec, &orders);
    assert_eq!(found[0], [change]);
}

/// Checks the relaxations of some plan of a problem by solving the changed problem.
fn checked(problem: &Problem, pick: usize) -> BTreeSet<String> {
    let mut plans = Vec::new();
    world::each_plan(problem, &mut |plan, _| plans.push(plan.clone()));
    let mut seen = BTreeSet::new();
    let Some(any) = plans.get(pick % plans.len().max(1)) else {
        return seen;
    };
    let (_, best) = world::best(problem).expect("there are plans");
    let all = [any, &best].map(|plan| {
        relaxations(problem, plan, &Pulse::unbounded())
            .into_iter()
            .map(move |r| (plan, r))
    });
    for (plan, one) in all.into_iter().flatten() {
        helps(problem, plan, &one);
        let changed = relaxed(problem, &one.changes).expect("it helps");
        let mut is_done = false;
        if changed.agents().len() < 4 {
            world::each_plan(&changed, &mut |plan, _| is_done |= does(plan, one.task));
            assert!(is_done, "{one:?}");
        }
        seen.extend(one.changes.iter().map(|change| {
            let name = format!("{change:?}");
            name.split(' ').next().unwrap_or_default().to_owned()
        }));
    }
    seen
}

#[test]
fn every_kind_is_offered_and_helps() {
    let mut seen = BTreeSet::new();
    for seed in 0..400_u64 {
        let shape = Shape::varied(1 + (seed % 4) as usize, 1 + (seed % 2) as usize);
        seen.extend(checked(&generate(seed, &shape), seed as usize * 5));
    }
    let expected = ["Agent", "Capacity", "Changes", "Shift", "Skills", "Window"];
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), expected);
}

proptest! {
    /// Among all plans of a relaxed problem there is one with the task.
    #[test]
    fn relaxations_help(seed: u64, tasks in 1_usize..5, agents in 1_usize..3, pick: usize) {
        checked(&generate(seed, &Shape::varied(tasks, agents)), pick);
    }

    /// So it is for coupled problems, and for larger ones, with the plan that a search finds.
    #[test]
    fn relaxations_of_larger_problems_help(seed: u64, tasks in 4_usize..25, agents in 1_usize..6) {
        let mut looked = 0;
        for shape in [Shape::coupled(tasks, agents), Shape::varied(tasks, agents)] {
            let problem = generate(seed, &shape);
            let found = searched(&problem, &allocation::Params::default(), Limits::iterations(5));
            if let Some(plan) = found.plan() {
                for one in relaxations(&problem, &plan, &Pulse::unbounded()) {
                    helps(&problem, &plan, &one);
                    looked += 1;
                }
            }
        }
        prop_assume!(looked > 0, "nothing is offered");
    }
}
