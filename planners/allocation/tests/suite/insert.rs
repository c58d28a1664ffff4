//! Where one task more can go in a plan that is kept.

use crate::searched::{continued, searched};
use allocation::generate::{Shape, generate, spec};
use allocation::insert::{INSERTIONS_MAX, Insertion, insert, insertions};
use allocation::{Cost, Params, Plan, Problem, Strategy, verify};
use anytime::Limits;
use proptest::prelude::*;

/// The plan of one regret insertion.
fn planned(problem: &Problem) -> Option<Plan> {
    let params = Params {
        strategy: Strategy::Insertion,
        ..Params::default()
    };
    searched(problem, &params, Limits::iterations(0)).plan()
}

/// The plan without a task, everything as early as possible.
fn remove(problem: &Problem, plan: &Plan, task: usize) -> Plan {
    let mut rest = Vec::new();
    for route in &plan.routes {
        let kept = route.stops.iter().map(|stop| stop.task);
        let kept: Vec<usize> = kept.filter(|other| *other != task).collect();
        if !kept.is_empty() {
            rest.push((route.agent, kept));
        }
    }
    allocation::schedule(problem, &rest)
}

/// All places, tried one by one by the check.
fn tried(problem: &Problem, plan: &Plan, task: usize) -> Vec<Insertion> {
    let mut found = Vec::new();
    for agent in 0..problem.agents().len() {
        let route = plan.routes.iter().find(|route| route.agent == agent);
        for stop in 0..=route.map_or(0, |route| route.stops.len()) {
            let mut place = Insertion {
                cost: Cost::default(),
                agent,
                stop,
            };
            if let Ok(cost) = verify(problem, &insert(problem, plan, task, &place)) {
                place.cost = cost;
                found.push(place);
            }
        }
    }
    found.sort_unstable();
    found
}

/// The same problem, when this plan is being carried out and so much may change.
fn under_way(seed: u64, plan: &Plan, changes_max: usize) -> Problem {
    let mut spec = spec(seed, &Shape::varied(12, 4));
    spec.previous = Some(continued(plan, Some(changes_max), 1));
    Problem::new(spec).expect("it stays valid")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn every_place_is_found_with_what_it_costs(
        seed: u64, task in 0_usize..12, changes_max in 0_usize..4,
    ) {
        let mut problem = generate(seed, &Shape::varied(12, 4));
        let whole = planned(&problem);
        prop_assume!(whole.is_some(), "what is under way cannot be done");
        let whole = whole.unwrap();
        let plan = remove(&problem, &whole, task);
        let mut looked = 0;
        for again in [false, true] {
            if again {
                problem = under_way(seed, &whole, changes_max);
            }
            if verify(&problem, &plan).is_err() {
                continue;
            }
            let found = insertions(&problem, &plan, task, INSERTIONS_MAX);
            let mut all = tried(&problem, &plan, task);
            all.truncate(INSERTIONS_MAX);
            prop_assert_eq!(found, Ok(all));
            looked += 1;
        }
        prop_assume!(looked > 0, "no valid plan to insert into");
    }
}

#[test]
fn a_task_that_is_planned_or_unknown_and_a_broken_plan_are_refused() {
    let problem = generate(1, &Shape::depot(8, 3));
    let tasks = problem.tasks().len();
    let plan = planned(&problem).expect("nothing is under way");
    let there = plan.routes[0].stops[0].task;
    let refused = |plan: &Plan, task| {
        let faults = insertions(&problem, plan, task, 1).expect_err("it is wrong");
        faults[0].to_string()
    };
    let unknown = format!("task_id is task {tasks}, which does not exist");
    assert_eq!(refused(&plan, tasks), unknown);
    assert_eq!(refused(&plan, there), "task_id is in the plan already");
    let mut broken = plan;
    broken.routes[0].stops[0].start_us = -1;
    assert!(refused(&broken, 0).starts_with("plan.routes[0].stops[0]"));
}
