//! Plans of problems small enough to go through all of them.

use crate::line::{self, agent, previous, task, three_tasks};
use crate::searched::searched;
use crate::world;
use allocation::generate::{Shape, generate, spec};
use allocation::problem::{Level, MICRO, Previous, PreviousRoute, Problem, Spec, Term, Window};
use allocation::verify::{is_partial, schedule, terms, verify};
use allocation::{Cost, Params, Plan, Strategy, infeasible_commitments, is_infeasible};
use anytime::{Conclusion, Limits};
use proptest::prelude::*;

/// Every plan that the oracle finds passes the check with the oracle's terms.
fn agrees(problem: &Problem) {
    world::each_plan(problem, &mut |plan, expected| {
        assert_eq!(terms(problem, plan).as_ref(), Ok(expected), "{plan:?}");
        assert_eq!(verify(problem, plan), Ok(problem.cost(expected)));
        let partial = problem.is_strict() && expected.unserved_micro > 0;
        assert_eq!(is_partial(problem, plan), partial);
    });
}

/// What a start that is too early can be: the first four where nothing is coupled.
const EARLY: [&str; 9] = [
    "START_BEFORE_NOW",
    "START_BEFORE_ARRIVAL",
    "START_OUTSIDE_WINDOWS",
    "START_TOO_LATE",
    "ORDER_TOO_EARLY",
    "ORDER_TOO_LATE",
    "GROUP_STARTS",
    "BREAK_OUTSIDE_WINDOW",
    "BREAK_TOO_EARLY",
];

/// Who does what, in what order.
type Orders = Vec<(usize, Vec<usize>)>;

/// Cost of the best plan, in units, and its orders.
fn best(spec: Spec) -> Option<([i64; 2], Orders)> {
    let problem = Problem::new(spec).expect("the problem is valid");
    let (cost, plan) = world::best(&problem)?;
    assert_eq!(verify(&problem, &plan), Ok(cost));
    let order = |r: &allocation::Route| (r.agent, r.stops.iter().map(|s| s.task).collect());
    let orders = plan.routes.iter().map(order).collect();
    Some(([cost.0[0] / MICRO, cost.0[1] / MICRO], orders))
}

#[test]
fn the_best_plans_on_a_line_are_those_found_on_paper() {
    // 10 to the right, 2 to the left.
    assert_eq!(
        best(three_tasks()),
        Some(([0, 12], vec![(0, vec![0, 1]), (1, vec![2])]))
    );
    // With the way home 20 and 4, or 32 for the other alone: that is no better.
    let mut home = three_tasks();
    (home.agents[0].end, home.agents[1].end) = (Some(0), Some(20));
    assert_eq!(
        best(home),
        Some(([0, 24], vec![(0, vec![0, 1]), (1, vec![2])]))
    );
    // Fewest agents first: one of them has to walk 18 or 16.
    let mut few = three_tasks();
    let level = |term| Level {
        terms: vec![(term, 1)],
    };
    few.objective = vec![level(Term::AgentsUsed), level(Term::TravelCost)];
    let problem = Problem::new(few.clone()).expect("the problem is valid");
    let (cost, _) = world::best(&problem).expect("there are plans");
    assert_eq!(cost.0[..3], [0, MICRO, 16 * MICRO]);
    assert_eq!(best(few), Some(([0, 1], vec![(1, vec![2, 1, 0])])));
}

#[test]
fn the_oracle_leaves_out_what_does_not_pay_or_cannot_be_done() {
    let mut spec = three_tasks();
    spec.tasks[2].drop_penalty_micro = Some(MICRO);
    assert_eq!(best(spec.clone()), Some(([0, 11], vec![(0, vec![0, 1])])));
    // At 4 by 2 s: nobody can. From 20 over 18 to 10 is all the rest, and cheaper than 11.
    let close_us = 2 * MICRO;
    spec.tasks[0].windows = vec![Window::new(0, close_us)];
    let (cost, _) = best(spec.clone()).expect("there are partial plans");
    assert_eq!(cost, [1, 10]);
    // Two seconds late it can be done.
    spec.tasks[0].lateness_max_us = Some(2 * MICRO);
    assert_eq!(best(spec), Some(([0, 11], vec![(0, vec![0, 1])])));
}

/// The tasks under way are done at 4, from where there is no way home but over 10. That such a plan
/// exists shows that neither the bound nor the search may look at the tasks under way alone.
fn home_over_another_task() -> Problem {
    let mut spec = line::spec(vec![agent(0)], vec![task(4), task(10)]);
    spec.agents[0].end = Some(0);
    spec.travel.durations_us[4 * line::PLACES] = -1;
    spec.previous = previous(&[(0, &[0], 1)], None);
    Problem::new(spec).expect("the problem is valid")
}

#[test]
fn a_way_home_over_another_task_is_no_proof_of_infeasibility() {
    let problem = home_over_another_task();
    let (cost, _) = world::best(&problem).expect("there is a plan");
    assert_eq!(cost.0[..2], [0, 20 * MICRO]);
    assert_eq!(
        (infeasible_commitments(&problem), is_infeasible(&problem)),
        (vec![], false)
    );
}

#[test]
fn the_search_finds_a_way_home_over_another_task() {
    let problem = home_over_another_task();
    for strategy in [Strategy::Auto, Strategy::Mcts, Strategy::MctsUniform] {
        let params = Params {
            strategy,
            ..Params::default()
        };
        let found = searched(&problem, &params, Limits::iterations(10_000));
        assert_eq!(found.conclusion, Conclusion::Optimal, "{strategy:?}");
        assert_eq!(found.cost(), world::best(&problem).map(|(cost, _)| cost));
    }
}

proptest! {
    /// Two programs agree on what plans cost.
    #[test]
    fn the_check_and_the_oracle_agree(seed: u64, tasks in 0_usize..5, agents in 1_usize..4) {
        agrees(&generate(seed, &Shape::varied(tasks, agents)));
        agrees(&generate(seed, &Shape::coupled(tasks, agents)));
    }

    /// The oracle starts everything as early as possible: a microsecond earlier is a violation, at
    /// that stop where nothing is coupled.
    #[test]
    fn nothing_can_start_earlier(seed: u64, tasks in 0_usize..4, agents in 1_usize..3) {
        for shape in [Shape::varied(tasks, agents), Shape::coupled(tasks, agents)] {
            let problem = generate(seed, &shape);
            world::each_plan(&problem, &mut |plan, _| each_is_early(&problem, plan));
        }
    }
}

fn each_is_early(problem: &Problem, plan: &Plan) {
    for (route, one) in plan.routes.iter().enumerate() {
        for stop in 0..one.stops.len() {
            let mut earlier = plan.clone();
            earlier.routes[route].stops[stop].start_us -= 1;
            let wrong = verify(problem, &earlier).expect_err("that is too early");
            assert!(!wrong.is_empty());
            let codes = &EARLY[..if problem.is_coupled() { 9 } else { 4 }];
            for violation in wrong {
                assert!(codes.contains(&violation.code), "{violation}");
                let field = format!("routes[{route}].stops[{stop}]");
                assert!(
                    problem.is_coupled() || violation.field() == field,
                    "{violation}"
                );
            }
        }
        for rest in 0..one.rests.len() {
            let mut earlier = plan.clone();
            earlier.routes[route].rests[rest].start_us -= 1;
            let wrong = verify(problem, &earlier).expect_err("that is too early");
            assert!(!wrong.is_empty());
            assert!(wrong.iter().all(|v| EARLY.contains(&v.code)), "{wrong:?}");
        }
    }
}

/// A plan of which all tasks are begun but the last ones of some routes, and these tasks.
fn nearly_done(seed: u64) -> (Problem, Vec<usize>) {
    let whole = generate(seed, &Shape::depot(32, 12));
    let base = searched(&whole, &Params::default(), Limits::iterations(50));
    let (plan, cost) = base.offers.last().expect("a plan");
    assert_eq!(cost.0[0], 0, "all tasks are served");
    let mut routes = plan.routes.clone();
    let mut free = Vec::new();
    for route in routes
        .iter_mut()
        .take(4)
        .filter(|route| route.stops.len() > 1)
    {
        free.extend(route.stops.pop().map(|stop| stop.task));
    }
    let begun = routes.iter().map(|route| {
        let tasks: Vec<usize> = route.stops.iter().map(|stop| stop.task).collect();
        let count = tasks.len();
        PreviousRoute::new(route.agent, tasks, count)
    });
    let previous = Previous {
        routes: begun.collect(),
        changes_max: None,
    };
    let mut spec = spec(seed, &Shape::depot(32, 12));
    spec.previous = Some(previous);
    (Problem::new(spec).expect("begun tasks are valid"), free)
}

/// The least cost of plans with these tasks after the others, in any order on any route.
fn least_cost(problem: &Problem, orders: &mut Orders, free: &[usize]) -> Option<Cost> {
    let Some((&task, rest)) = free.split_first() else {
        let used = orders.iter().filter(|(_, tasks)| !tasks.is_empty());
        let used: Orders = used.cloned().collect();
        return verify(problem, &schedule(problem, &used)).ok();
    };
    let mut least = None;
    for route in 0..orders.len() {
        let begun = problem.committed(orders[route].0).len();
        for position in begun..=orders[route].1.len() {
            orders[route].1.insert(position, task);
            let cost = least_cost(problem, orders, rest);
            least = least.into_iter().chain(cost).min();
            orders[route].1.remove(position);
        }
    }
    least
}

/// However many tasks are begun, few others are planned with a proof.
#[test]
fn what_is_left_of_a_plan_is_planned_with_a_proof() {
    for seed in 0..6 {
        let (problem, free) = nearly_done(seed);
        let agents = 0..problem.agents().len();
        let mut orders: Orders = agents
            .map(|agent| (agent, problem.committed(agent).to_vec()))
            .collect();
        let least = least_cost(&problem, &mut orders, &free);
        let found = searched(&problem, &Params::default(), Limits::iterations(100_000));
        assert_eq!(found.conclusion, Conclusion::Optimal);
        assert_eq!(found.offers.last().map(|(_, cost)| *cost), least);
    }
}
