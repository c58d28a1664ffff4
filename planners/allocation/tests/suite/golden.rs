//! Instances worked out by hand, and what each strategy makes of them.

use crate::line::{self, agent, previous, task, three_tasks};
use crate::searched::searched;
use allocation::generate::{Shape, generate};
use allocation::problem::{Level, MICRO, Problem, Spec, Term, Window};
use allocation::solve::{Params, STRATEGIES, Strategy};
use allocation::travel::Travel;
use allocation::{Cost, Plan, verify};
use anytime::{Conclusion, Limits, Stop};

/// The last plan with its cost, and the conclusion.
fn run(problem: &Problem, params: &Params) -> (Option<(Plan, Cost)>, Conclusion) {
    run_for(20_000, problem, params)
}

fn run_for(
    iterations: u64,
    problem: &Problem,
    params: &Params,
) -> (Option<(Plan, Cost)>, Conclusion) {
    let mut found = searched(problem, params, Limits::iterations(iterations));
    (found.offers.pop(), found.conclusion)
}

fn searching() -> impl Iterator<Item = Params> {
    let of = |strategy| Params {
        strategy,
        ..Params::default()
    };
    STRATEGIES
        .iter()
        .filter(|info| info.proves)
        .map(move |info| of(info.strategy))
}

/// Every strategy that proves proves this: level 0 in tasks, level 1 in units, and who does what.
fn all_prove(spec: &Spec, levels: [i64; 2], orders: &[(usize, &[usize])]) {
    let problem = Problem::new(spec.clone()).expect("the problem is valid");
    for params in searching() {
        let (last, conclusion) = run(&problem, &params);
        let (plan, cost) = last.expect("a plan was offered");
        assert_eq!(conclusion, Conclusion::Optimal, "{params:?}");
        assert_eq!(
            [cost.0[0], cost.0[1]],
            levels.map(|level| level * MICRO),
            "{params:?}"
        );
        let found = plan.routes.iter().map(|route| {
            (
                route.agent,
                route.stops.iter().map(|stop| stop.task).collect::<Vec<_>>(),
            )
        });
        let found: Vec<_> = found.collect();
        let wanted: Vec<_> = orders
            .iter()
            .map(|(a, tasks)| (*a, tasks.to_vec()))
            .collect();
        assert_eq!(found, wanted, "{params:?}");
    }
}

#[test]
fn nobody_crosses_the_line() {
    // 10 to the right, 2 to the left.
    all_prove(&three_tasks(), [0, 12], &[(0, &[0, 1]), (1, &[2])]);
}

#[test]
fn an_optional_task_is_left_out_when_it_costs_more_than_its_penalty() {
    let mut spec = three_tasks();
    // Going to 18 costs 2.
    spec.tasks[2].drop_penalty_micro = Some(MICRO);
    all_prove(&spec, [0, 11], &[(0, &[0, 1])]);
    spec.tasks[2].drop_penalty_micro = Some(3 * MICRO);
    all_prove(&spec, [0, 12], &[(0, &[0, 1]), (1, &[2])]);
}

#[test]
fn windows_decide_the_order() {
    let mut spec = line::spec(vec![agent(0)], vec![task(4), task(10)]);
    // 10 must be started by 10: there, then back.
    spec.tasks[1].windows = vec![Window::new(0, 10 * MICRO)];
    spec.tasks[0].windows = vec![Window::new(16 * MICRO, 20 * MICRO)];
    all_prove(&spec, [0, 16], &[(0, &[1, 0])]);
}

#[test]
fn skills_and_capacities_decide_who() {
    let mut spec = three_tasks();
    spec.tasks[0].skills = 1;
    spec.agents[1].skills = 1;
    // Only the one from the right can do the task at 4: 16 past all others.
    all_prove(&spec, [0, 16], &[(1, &[2, 1, 0])]);
    let mut spec = three_tasks();
    for task in &mut spec.tasks {
        task.demands = vec![2];
    }
    spec.agents[0].capacities = vec![2];
    spec.agents[1].capacities = vec![4];
    // The one from the left carries one task only: 4 and 10.
    all_prove(&spec, [0, 14], &[(0, &[0]), (1, &[2, 1])]);
}

#[test]
fn agents_first_means_one_agent() {
    let mut spec = three_tasks();
    let level = |term| Level {
        terms: vec![(term, 1)],
    };
    spec.objective = vec![
        level(Term::Unserved),
        level(Term::AgentsUsed),
        level(Term::TravelCost),
    ];
    all_prove(&spec, [0, 1], &[(1, &[2, 1, 0])]);
}

#[test]
fn what_is_under_way_stays_and_changes_are_limited() {
    let mut spec = three_tasks();
    // The one from the left has gone past: to 18 first.
    let routes: [(usize, &[usize], usize); 2] = [(0, &[2, 1], 1), (1, &[0], 0)];
    spec.previous = previous(&routes, None);
    // 18, back over 10 to 4: 32. Or the other does 10 and 4, for 16, together 34.
    all_prove(&spec, [0, 32], &[(0, &[2, 1, 0])]);
    // No task may change hands: 18 + 8 and 16.
    spec.previous = previous(&routes, Some(0));
    all_prove(&spec, [0, 42], &[(0, &[2, 1]), (1, &[0])]);
}

#[test]
fn a_task_that_nobody_can_do_makes_the_problem_infeasible_and_the_rest_is_planned() {
    let mut spec = three_tasks();
    spec.tasks[0].windows = vec![Window::new(0, 2 * MICRO)];
    let problem = Problem::new(spec).expect("the problem is valid");
    for info in STRATEGIES {
        let params = Params {
            strategy: info.strategy,
            ..Params::default()
        };
        let (last, conclusion) = run(&problem, &params);
        assert_eq!(conclusion, Conclusion::Infeasible, "{params:?}");
        let (plan, cost) = last.expect("a plan was offered");
        assert_eq!(verify(&problem, &plan), Ok(cost));
    }
    let params = Params {
        strategy: Strategy::Insertion,
        ..Params::default()
    };
    let (last, _) = run(&problem, &params);
    let done = last.map(|(plan, _)| plan.routes.iter().map(|r| r.stops.len()).sum::<usize>());
    assert_eq!(done, Some(2), "the other two are done");
}

/// From task 0, which is under way, the only way home leads over task 1.
#[test]
fn whoever_is_under_way_finds_a_way_home_that_is_not_direct() {
    let mut spec = line::spec(vec![agent(0)], vec![task(4), task(10), task(18)]);
    let (far, none) = (5 * MICRO, -1);
    // Location 0 is home, then the tasks.
    let durations_us = vec![
        0, far, none, none, //
        none, 0, far, none, //
        far, none, 0, none, //
        none, none, none, 0,
    ];
    spec.travel = Travel {
        locations: 4,
        durations_us,
        costs_micro: None,
        lines: None,
    };
    (spec.agents[0].start, spec.agents[0].end) = (0, Some(0));
    for (index, task) in spec.tasks.iter_mut().enumerate() {
        task.location = index + 1;
        task.drop_penalty_micro = Some(MICRO);
    }
    spec.previous = previous(&[(0, &[0], 1)], None);
    all_prove(&spec, [0, 16], &[(0, &[0, 1])]);
}

/// Two agents, one of which is better left idle.
#[test]
fn an_agent_stays_idle_where_that_is_cheaper() {
    let mut spec = line::spec(vec![agent(0), agent(20)], vec![task(4), task(10), task(18)]);
    for agent in &mut spec.agents {
        agent.end = Some(20);
    }
    all_prove(&spec, [0, 20], &[(0, &[0, 1, 2])]);
}

/// An impossible task costs the others nothing: with it the search goes on as long as without it,
/// and finds the same plan for them.
fn spoils_nothing(seed: u64) {
    let whole = generate(seed, &Shape::depot(30, 10));
    let mut spec = whole.spec().clone();
    let mut impossible = spec.tasks[0].clone();
    impossible.skills = 1;
    spec.agents.iter_mut().for_each(|agent| agent.skills = 0);
    spec.tasks.push(impossible);
    let partial = Problem::new(spec).expect("the problem is valid");
    let (best, conclusion) = run_for(1_500, &whole, &Params::default());
    let (found, partial_conclusion) = run_for(1_500, &partial, &Params::default());
    let levels = |last: Option<(Plan, Cost)>| last.expect("a plan was offered").1.0;
    let (best, found) = (levels(best), levels(found));
    assert_eq!(conclusion, Conclusion::Stopped(Stop::Iterations));
    assert_eq!(partial_conclusion, Conclusion::Partial(Stop::Iterations));
    assert_eq!((best[0], found[0]), (0, MICRO));
    assert_eq!(found[1], best[1]);
}

/// A test for each depot: they run at the same time.
mod what_is_impossible_spoils_nothing_else {
    use super::spoils_nothing;

    #[test]
    fn in_the_first_depot() {
        spoils_nothing(0);
    }

    #[test]
    fn in_the_second_depot() {
        spoils_nothing(1);
    }

    #[test]
    fn in_the_third_depot() {
        spoils_nothing(2);
    }

    #[test]
    fn in_the_fourth_depot() {
        spoils_nothing(3);
    }
}
