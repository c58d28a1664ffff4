//! Evaluation for the search agrees with verification.

use super::{evaluate, evaluate_until, exact_cost};
use crate::context::Context;
use crate::generate::{grid, museum};
use crate::plan::{Cost, Plan, Route, Stop};
use crate::problem::{Entry, Gap, Motion, Pause, Problem};
use crate::verify::{captures, captures_until, terms, terms_until, verify};
use anytime::{CancelToken, Control, Limits, Pulse};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Museum with different guards and a random intruder.
fn world(seed: u64) -> Problem {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let guards = rng.random_range(1..4);
    let mut spec = museum(3, 2, guards, seed).spec().clone();
    for guard in &mut spec.guards {
        guard.speed_milli = [400, 1_000, 1_000, 2_500][rng.random_range(0..4)];
        guard.sight = rng.random_bool(0.5).then_some(0);
    }
    let mut see = || {
        (0..rng.random_range(0..3))
            .map(|_| rng.random_range(0..6))
            .collect()
    };
    spec.sights = vec![(0..6).map(|_| see()).collect()];
    spec.intruder.motion = [
        Motion::Still,
        Motion::Lazy,
        Motion::Moving,
        Motion::BorderStay,
    ][rng.random_range(0..4)];
    spec.intruder.instants = rng.random_range(1..12);
    spec.intruder.entry = [Entry::Start, Entry::Mission(20), Entry::Steady][rng.random_range(0..3)];
    spec.objective.worst_idleness = rng.random_range(0..2);
    spec.objective.mean_idleness = rng.random_range(0..2);
    spec.may_swap = rng.random_bool(0.7);
    if rng.random_bool(0.3) {
        spec.gaps = vec![Gap {
            vertex: rng.random_range(0..6),
            ticks: rng.random_range(1..8),
        }];
    }
    if rng.random_bool(0.3) {
        spec.pauses = vec![Pause {
            vertex: rng.random_range(0..6),
            ticks: 2,
        }];
    }
    Problem::new(spec).expect("the problem is valid")
}

/// Random walks and back, after a prefix.
fn plan(problem: &Problem, rng: &mut Xoshiro256PlusPlus) -> Plan {
    let mut route = |guard: usize| {
        let start = problem.guards()[guard].start;
        let mut walk = |from: usize, steps: usize| {
            let mut path = vec![from];
            for _ in 0..steps {
                let edges = problem.out_edges(path[path.len() - 1]);
                path.push(edges[rng.random_range(0..edges.len())].to);
            }
            path
        };
        let (there, away) = (walk(start, guard % 3), 2);
        let turn = there[there.len() - 1];
        let out = walk(turn, away);
        let home = out.iter().rev().skip(1).take(out.len() - 2).copied();
        let cycle: Vec<usize> = out.iter().copied().chain(home).collect();
        let mut stop =
            |vertex: usize| Stop::new(vertex, problem.pause(vertex) + rng.random_range(0..3));
        Route {
            prefix: there[..there.len() - 1].iter().map(|v| stop(*v)).collect(),
            cycle: cycle.into_iter().map(&mut stop).collect(),
        }
    };
    Plan::new((0..problem.guards().len()).map(&mut route).collect())
}

/// Round over 8 rows of 20 against dynamic intruders that enter at any time: 6.6 million steps.
fn long() -> (Problem, Plan) {
    let mut spec = grid(20, 20, 1);
    spec.intruder.motion = Motion::Lazy;
    spec.intruder.instants = 100;
    let problem = Problem::new(spec).expect("the problem is valid");
    let along = |row: usize| {
        let columns: Vec<usize> = (0..20).map(|column| 20 * row + column).collect();
        match row % 2 {
            0 => columns,
            _ => columns.into_iter().rev().collect(),
        }
    };
    let there: Vec<usize> = (0..8).flat_map(along).collect();
    let home = (1..7).rev().map(|row| 20 * row);
    let stops = there.into_iter().chain(home);
    let stop = |vertex| Stop::new(vertex, 0);
    let cycle = stops.map(stop).collect();
    let route = Route::cyclic(cycle);
    (problem, Plan::new(vec![route]))
}

/// Whether `exact_cost` evaluates a plan, and the slices of work that it takes.
fn slices(problem: &Problem, plan: &Plan, cancel: &CancelToken) -> (bool, u64) {
    let context = Context::new(problem).with_pulse(Pulse::new(None, cancel.clone()));
    let judged = exact_cost(&context, plan).is_some();
    let mut sink = |_: &Plan, _: Cost| {};
    let mut control = Control::new(Limits::iterations(u64::MAX), 1, &mut sink);
    context.work.report_iterations(&mut control);
    (judged, control.iterations())
}

#[test]
fn a_long_evaluation_checks_the_stop_condition_in_each_slice() {
    let (problem, plan) = long();
    verify(&problem, &plan).expect("the plan is sound");
    let cancel = CancelToken::new();
    let (judged, all) = slices(&problem, &plan, &cancel);
    assert!(judged && all > 30, "{all}");
    cancel.cancel();
    assert_eq!(slices(&problem, &plan, &cancel), (false, 1));
}

#[test]
fn a_long_verification_can_be_stopped() {
    let (problem, plan) = long();
    let cancel = CancelToken::new();
    let pulse = Pulse::new(None, cancel.clone());
    let judged = || {
        let terms = terms_until(&problem, &plan, &pulse);
        let captures = captures_until(&problem, &plan, &pulse);
        let evaluation = evaluate_until(&problem, &plan, &pulse);
        (terms, captures, evaluation)
    };
    let whole = (
        Some(terms(&problem, &plan)),
        Some(captures(&problem, &plan)),
        Some(evaluate(&problem, &plan)),
    );
    assert_eq!(judged(), whole);
    cancel.cancel();
    assert_eq!(judged(), (None, None, None));
}

#[test]
fn links_count_where_there_are_many() {
    // Complete graph of 60 rooms: a step of an intruder moves 3,540 parts.
    let ends = |one: usize| (one + 1..60).map(move |other| [one, other]);
    let edges: Vec<[usize; 2]> = (0..60).flat_map(ends).collect();
    let mut spec = crate::generate::world(60, &edges, 1);
    spec.intruder.motion = Motion::Lazy;
    spec.intruder.instants = 300;
    let problem = Problem::new(spec).expect("the problem is valid");
    let stop = |tick: usize| Stop::new(tick % 2, 0);
    let plan = |ticks: usize| Plan::new(vec![Route::cyclic((0..ticks).map(stop).collect())]);
    assert!(verify(&problem, &plan(180)).is_ok());
    let broken = verify(&problem, &plan(200)).expect_err("200 * 300 * 2 * 3,540 steps");
    assert_eq!(broken[0].code, "TOO_MUCH_WORK");
    assert_eq!(exact_cost(&Context::new(&problem), &plan(200)), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn search_and_verification_agree(seed in any::<u64>()) {
        let problem = world(seed);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed ^ 1);
        let plan = plan(&problem, &mut rng);
        let judged = exact_cost(&Context::new(&problem), &plan).map(|(_, cost)| cost);
        prop_assert_eq!(judged, verify(&problem, &plan).ok());
    }
}
