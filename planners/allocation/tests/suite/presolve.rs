//! What does not matter costs nothing: tasks that no plan does, couplings that hold anyway, breaks
//! that take no time, levels that only break ties. And a previous plan that is valid comes first.

use crate::line::previous;
use crate::searched::{continued, searched};
use allocation::generate::{Shape, generate, spec};
use allocation::problem::{Break, Level, MICRO, Order, Preference, Problem, Spec, Term, Window};
use allocation::{Cost, Params, Plan, impossible, verify};
use anytime::{CancelToken, Conclusion, Limits};
use proptest::prelude::*;

const ITERATIONS: u64 = 600;

fn run(problem: &Problem, limits: Limits) -> (Vec<(Plan, Cost)>, Conclusion) {
    let found = searched(problem, &Params::default(), limits);
    (found.offers, found.conclusion)
}

fn cost(spec: &Spec) -> Cost {
    let problem = Problem::new(spec.clone()).expect("the problem is valid");
    let (offers, _) = run(&problem, Limits::iterations(ITERATIONS));
    offers.last().expect("a plan was offered").1
}

/// Thirty tasks, whose first ten have to start before the last ten may.
fn plain(seed: u64) -> Spec {
    let mut spec = spec(seed, &Shape::depot(30, 10));
    let end_us = spec.agents[0].shift_end_us;
    for (index, task) in spec.tasks.iter_mut().enumerate() {
        let half_us = end_us / 2 - task.service_us;
        let (open_us, close_us) = match index {
            0..10 => (0, half_us),
            20..30 => (half_us + task.service_us, end_us),
            _ => (0, end_us),
        };
        task.windows = vec![Window { open_us, close_us }];
    }
    spec
}

/// After each change the plain problem costs the same at the second level, up to 0.3 %, and leaves
/// nothing out.
fn cost_nothing<F: FnOnce(&mut Spec)>(seed: u64, changes: impl IntoIterator<Item = F>) {
    let spec = plain(seed);
    let before = cost(&spec);
    for (index, change) in changes.into_iter().enumerate() {
        let mut changed = spec.clone();
        change(&mut changed);
        let after = cost(&changed);
        assert_eq!(before.0[0], after.0[0], "seed {seed}, change {index}");
        assert!(
            after.0[1] * 1_000 <= before.0[1] * 1_003,
            "seed {seed}, change {index}: {before:?} {after:?}"
        );
    }
}

/// Each of the first ten tasks before another one.
fn orders() -> Vec<Order> {
    let order = |first| Order {
        first,
        second: first + 20,
        gap_min_us: 0,
        gap_max_us: None,
        same_agent: false,
    };
    (0..10).map(order).collect()
}

#[test]
fn orders_that_hold_anyway_cost_nothing() {
    for seed in 0..3 {
        cost_nothing(seed, [|spec: &mut Spec| spec.couplings.orders = orders()]);
    }
}

#[test]
fn breaks_that_take_no_time_cost_nothing() {
    for seed in 0..3 {
        let breaks = |spec: &mut Spec| {
            let end_us = spec.agents[0].shift_end_us;
            spec.couplings.breaks = (0..spec.agents.len())
                .map(|agent| Break {
                    agent,
                    length_us: 0,
                    earliest_us: end_us / 4,
                    latest_us: end_us / 2,
                })
                .collect();
        };
        cost_nothing(seed, [breaks]);
    }
}

/// A level that breaks ties, after those of the default.
fn with_tie(term: Term) -> impl Fn(&mut Spec) {
    move |spec| {
        let of = |term| Level {
            terms: vec![(term, 1)],
        };
        spec.objective = [Term::Unserved, Term::TravelCost, term].map(of).to_vec();
        spec.couplings.preferences = vec![Preference {
            task: 15,
            from_us: 0,
            until_us: 1,
            early_micro: 0,
            late_micro: MICRO,
        }];
    }
}

fn ties_cost_nothing(seed: u64) {
    let terms = [
        Term::Balance,
        Term::Makespan,
        Term::Preferences,
        Term::TasksMoved,
    ];
    cost_nothing(seed, terms.map(with_tie));
}

/// A test for each problem: they run at the same time.
mod levels_that_break_ties_cost_nothing {
    use super::ties_cost_nothing;

    #[test]
    fn in_the_first_problem() {
        ties_cost_nothing(0);
    }

    #[test]
    fn in_the_second_problem() {
        ties_cost_nothing(1);
    }

    #[test]
    fn in_the_third_problem() {
        ties_cost_nothing(2);
    }
}

/// Levels that break ties are improved where the levels before them allow it.
#[test]
fn ties_are_broken() {
    let mut spec = plain(1);
    let of = |term| Level {
        terms: vec![(term, 1)],
    };
    spec.objective = [Term::Unserved, Term::TravelCost].map(of).to_vec();
    // Travel costs nothing at all: every complete plan is as good, and only the tie counts.
    spec.travel.costs_micro = Some(vec![0; spec.travel.durations_us.len()]);
    let problem = Problem::new(spec.clone()).expect("the problem is valid");
    spec.objective.push(of(Term::Makespan));
    let tied = Problem::new(spec).expect("the problem is valid");
    let (first, _) = run(&problem, Limits::iterations(ITERATIONS));
    let (best, _) = run(&tied, Limits::iterations(ITERATIONS));
    let plain = verify(&tied, &first.last().expect("a plan").0).expect("valid there too");
    assert!(best.last().expect("a plan").1 < plain);
}

/// No bound is above a plan, and what is optimal has the cost of its bound.
fn bounds_are_true(problem: &Problem) {
    let found = searched(problem, &Params::default(), Limits::iterations(ITERATIONS));
    let (best, bound) = (found.cost(), found.bound());
    assert!(best.is_some(), "{:?}", found.conclusion);
    assert!(bound <= best, "{best:?} {bound:?}");
}

/// What an objective forgets until after its ties is not put in front of it.
#[test]
fn bounds_hold_where_tasks_not_done_count_after_ties() {
    let mut spec = plain(1);
    spec.objective = [&[Term::TravelCost][..], &[Term::Makespan, Term::Unserved]]
        .map(|terms| Level {
            terms: terms.iter().map(|term| (*term, 1)).collect(),
        })
        .to_vec();
    spec.tasks[3].skills = 1 << 40;
    spec.travel.costs_micro = Some(vec![1; spec.travel.durations_us.len()]);
    spec.previous = previous(&[(0, &[0], 1)], None);
    bounds_are_true(&Problem::new(spec).expect("the problem is valid"));
}

/// Leaving out what others wait for is cheap, but then they are left out, too.
#[test]
fn orders_bind_where_optional_tasks_come_first() {
    let mut spec = plain(1);
    spec.couplings.orders = orders();
    for task in &mut spec.tasks[..10] {
        task.drop_penalty_micro = Some(1);
    }
    assert_eq!(cost(&spec).0[0], 0, "all mandatory tasks can be done");
    // Some that others wait for are too many for the agents.
    for task in &mut spec.tasks[..10] {
        task.drop_penalty_micro = None;
        task.windows = vec![Window::new(0, 1)];
    }
    let problem = Problem::new(spec).expect("the problem is valid");
    let (offers, _) = run(&problem, Limits::iterations(ITERATIONS));
    assert!(!offers.is_empty());
}

/// A break without length is none where work lasts longer than it may wait.
#[test]
fn breaks_bind_where_work_covers_them() {
    let mut spec = plain(1);
    for task in &mut spec.tasks {
        task.service_us = 20 * MICRO;
    }
    let first_us = spec.agents[0].shift_start_us;
    spec.couplings.breaks = (0..spec.agents.len())
        .map(|agent| Break {
            agent,
            length_us: 0,
            earliest_us: first_us + 60 * MICRO,
            latest_us: first_us + 60 * MICRO,
        })
        .collect();
    let problem = Problem::new(spec).expect("the problem is valid");
    let (offers, _) = run(&problem, Limits::iterations(ITERATIONS));
    let (_, cost) = offers.last().expect("a plan was offered");
    assert_eq!(cost.0[0], 0);
}

/// The problem of `seed` with one task more, which needs a skill that nobody has.
fn with_impossible(whole: &Problem) -> Problem {
    let mut spec = whole.spec().clone();
    let mut task = spec.tasks[0].clone();
    (task.skills, task.drop_penalty_micro) = (1 << 40, None);
    // In front, so that all other tasks get other numbers.
    spec.tasks.insert(0, task);
    let couplings = &mut spec.couplings;
    couplings.orders.iter_mut().for_each(|order| {
        order.first += 1;
        order.second += 1;
    });
    couplings.pairs.iter_mut().for_each(|pair| {
        pair.pickup += 1;
        pair.delivery += 1;
    });
    let groups = couplings
        .groups
        .iter_mut()
        .flat_map(|group| &mut group.tasks);
    groups.for_each(|task| *task += 1);
    couplings
        .preferences
        .iter_mut()
        .for_each(|wish| wish.task += 1);
    let routes = spec
        .previous
        .iter_mut()
        .flat_map(|previous| &mut previous.routes);
    routes
        .flat_map(|route| &mut route.tasks)
        .for_each(|task| *task += 1);
    Problem::new(spec).expect("the problem is valid")
}

/// With a task that no agent can do all others are planned as well as without it.
fn is_undisturbed(whole: &Problem) -> Result<(), TestCaseError> {
    let spoiled = with_impossible(whole);
    prop_assert!(impossible(&spoiled).contains(&0));
    let limits = || Limits::iterations(100);
    let ((best, _), (found, conclusion)) = (run(whole, limits()), run(&spoiled, limits()));
    prop_assert_eq!(best.is_empty(), found.is_empty());
    if spoiled.is_strict() {
        let is_proof = matches!(conclusion, Conclusion::Infeasible | Conclusion::Partial(_));
        prop_assert!(is_proof || found.is_empty(), "{conclusion:?}");
    }
    if let Some(((_, best), (plan, _))) = best.last().zip(found.last()) {
        let mut others = plan.clone();
        let stops = others.routes.iter_mut().flat_map(|route| &mut route.stops);
        stops.for_each(|stop| stop.task -= 1);
        let others = verify(whole, &others).expect("valid without the impossible task");
        prop_assert!(others <= *best, "{others:?} {best:?}");
    }
    Ok(())
}

#[test]
fn a_problem_is_small_whose_impossible_tasks_make_it_large() {
    let whole = generate(13_657_282_690_627_222_657, &Shape::varied(24, 4));
    is_undisturbed(&whole).expect("24 tasks are few enough for proofs");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// With a task that no agent can do all others are planned as well as without it, where all of
    /// these are possible.
    #[test]
    fn impossible_tasks_change_nothing_for_the_others(
        seed: u64, tasks in 2_usize..40, agents in 1_usize..5, coupled: bool,
    ) {
        let shape = if coupled { Shape::coupled } else { Shape::varied };
        let shape = shape(tasks, agents);
        let whole = generate(seed, &shape);
        // Otherwise the first insertion, which runs before the presolve, may find a better plan for
        // the given problem.
        prop_assume!(impossible(&whole).is_empty());
        is_undisturbed(&whole)?;
    }

    /// A previous plan that is valid is offered before anything else, also to a client that waits
    /// no more.
    #[test]
    fn a_valid_previous_plan_comes_first(seed: u64, tasks in 1_usize..40, agents in 1_usize..5) {
        let mut spec = spec(seed, &Shape::varied(tasks, agents));
        spec.previous = None;
        let before = Problem::new(spec.clone()).expect("the problem is valid");
        let (offers, _) = run(&before, Limits::iterations(20));
        let (plan, _) = offers.last().expect("a plan was offered");
        let mut before = continued(plan, None, 0);
        before.routes.reverse();
        spec.previous = Some(before);
        let problem = Problem::new(spec).expect("the problem is valid");
        let cancel = CancelToken::new();
        cancel.cancel();
        let (offers, _) = run(&problem, Limits::iterations(0).with_cancel(cancel));
        let expected = verify(&problem, plan).expect("the plan is valid with itself before");
        prop_assert!(plan.routes.is_empty() || offers[0] == (plan.clone(), expected));
    }
}
