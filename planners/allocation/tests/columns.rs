//! Bounds by column generation are below every plan of problems small enough to go through all.
#![cfg(feature = "milp")]

mod world;

use allocation::bound::columns::{End, Memory, dual_bounds};
use allocation::generate::{Shape, spec};
use allocation::{Cost, DualBound, Plan, Problem};
use anytime::{CancelToken, Pulse, Stop};
use proptest::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A pulse that stops at the look after `looks`.
fn impatient(looks: u64) -> Pulse {
    let seen = AtomicU64::new(0);
    let stop = move || (seen.fetch_add(1, Relaxed) >= looks).then_some(Stop::Cancelled);
    Pulse::new(None, CancelToken::observed(stop))
}

/// All bounds, and how the search ended.
fn bounds(problem: &Problem, memory: usize, start: &Plan, pulse: &Pulse) -> (Vec<DualBound>, End) {
    let mut found = Vec::new();
    let memory = Memory {
        first: memory,
        most: memory + 2,
    };
    let end = dual_bounds(problem, memory, start, pulse, &mut |bound| {
        found.push(bound)
    });
    (found, end)
}

/// A problem without tasks under way.
fn problem(seed: u64, tasks: usize, agents: usize) -> Problem {
    let mut spec = spec(seed, &Shape::varied(tasks, agents));
    for route in spec.previous.iter_mut().flat_map(|p| &mut p.routes) {
        route.committed = 0;
    }
    Problem::new(spec).expect("valid")
}

proptest! {
    #[test]
    fn no_plan_costs_less_than_a_bound(
        seed: u64, tasks in 1_usize..5, agents in 1_usize..4, memory in 1_usize..5,
        looks in prop_oneof![Just(u64::MAX), 1_u64..60], knows_best: bool,
    ) {
        let problem = problem(seed, tasks, agents);
        let Some((least, best)) = world::best(&problem) else {
            return Ok(());
        };
        let start = if knows_best { best } else { Plan::default() };
        let (found, _) = bounds(&problem, memory, &start, &impatient(looks));
        prop_assert!(found.is_sorted_by(|a, b| a.bound < b.bound));
        for proof in found {
            prop_assert!(proof.bound <= least, "{proof:?} {least:?}");
        }
    }
}

#[test]
fn the_bound_of_an_integral_optimum_is_the_cost_of_the_best_plan() {
    let mut plans = 0;
    for seed in 0..150 {
        let mut spec = spec(seed, &Shape::varied(5, 2));
        (spec.previous, spec.objective) = (None, Vec::new());
        let problem = Problem::new(spec).expect("valid");
        let (found, end) = bounds(&problem, 5, &Plan::default(), &Pulse::unbounded());
        let (least, best) = world::best(&problem).expect("a plan");
        let is_complete = least.0[0] == 0;
        if end != (End::Optimal { is_plan: true }) || !is_complete || least.0[1] == 0 {
            continue;
        }
        plans += 1;
        let bound = found.last().map_or(Cost::default(), |proof| proof.bound);
        // Dual values are rounded down to millionths.
        assert!(
            least.0[1] - bound.0[1] < 100,
            "{seed}: {bound:?} {least:?} {best:?}"
        );
    }
    assert!(plans > 50, "{plans}");
}
