//! Bounds by column generation are below every plan of problems small enough to go through all, and
//! so are those that pass the check.

use crate::searched::searched;
use crate::world;
use allocation::bound::columns::{End, Memory, dual_bounds};
use allocation::generate::{Shape, spec};
use allocation::verify::{Refuted, dual_bound};
use allocation::{Cost, DualBound, Params, Plan, Problem};
use anytime::{CancelToken, Conclusion, Limits, Pulse, Stop};
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
        found.push(bound);
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
        looks in prop_oneof![Just(300), 1_u64..60], knows_best: bool,
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
            let verdict = dual_bound(&problem, &proof, &impatient(20));
            prop_assert!(matches!(verdict, Ok(()) | Err(Refuted::Unfinished)), "{verdict:?}");
        }
    }

    /// What passes the check holds, wherever it comes from.
    #[test]
    fn a_changed_proof_is_refuted_or_holds(
        seed: u64, tasks in 1_usize..5, agents in 1_usize..4, memory in 1_usize..4,
        by in prop_oneof![Just(1_i64), 1_i64..100_000_000],
    ) {
        let problem = problem(seed, tasks, agents);
        let Some((least, _)) = world::best(&problem) else {
            return Ok(());
        };
        let (found, _) = bounds(&problem, memory, &Plan::default(), &impatient(100));
        let Some(proof) = found.last() else {
            return Ok(());
        };
        for changed in changed(proof, by) {
            // Cycles of negative cost may have no end.
            let verdict = dual_bound(&problem, &changed, &impatient(2));
            prop_assert!(verdict.is_err() || changed.bound <= least, "{changed:?} {least:?}");
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

/// A proof with each number changed, the bound raised to what would follow, and with lists changed.
fn changed(proof: &DualBound, by: i64) -> Vec<DualBound> {
    let mut all = Vec::new();
    let mut add = |change: &dyn Fn(&mut DualBound)| {
        let mut changed = proof.clone();
        change(&mut changed);
        all.push(changed.clone());
        let level = proof.bound.0.iter().position(|level| *level > 0);
        for rise in [1, by, by * proof.classes.len() as i64] {
            let mut higher = changed.clone();
            higher.bound.0[level.unwrap_or(0)] += rise;
            all.push(higher);
        }
    };
    add(&|_| {});
    for task in 0..proof.duals.len() {
        add(&|changed| changed.duals[task] += by);
        add(&|changed| changed.duals[task] -= by);
        add(&|changed| changed.neighbours[task].clear());
        add(&|changed| changed.neighbours[task] = (0..proof.duals.len()).collect());
    }
    for class in 0..proof.classes.len() {
        add(&|changed| changed.classes[class].least += by);
        add(&|changed| changed.classes[class].agents.truncate(1));
        add(&|changed| changed.classes[class].agents.clear());
        add(&|changed| drop(changed.classes.remove(class)));
        add(&|changed| {
            let agents = changed.classes[class].agents.clone();
            changed.classes[0].agents.extend(agents);
        });
    }
    add(&|changed| changed.bound.0.rotate_right(1));
    all
}

/// 26 tasks at a depot, where the linear program has an integral optimum.
fn depot() -> Problem {
    Problem::new(spec(4, &Shape::depot(26, 8))).expect("valid")
}

#[test]
fn a_proof_is_refuted_where_one_of_its_numbers_is_too_high() {
    let problem = depot();
    let (found, _) = bounds(&problem, 8, &Plan::default(), &Pulse::unbounded());
    let proof = found.last().expect("a bound");
    let check = |proof: &DualBound| dual_bound(&problem, proof, &Pulse::unbounded());
    assert_eq!(check(proof), Ok(()));
    let mut higher = proof.clone();
    higher.bound.0[1] += 100_000;
    assert_eq!(check(&higher), Err(Refuted::Number("the bound")));
    higher.duals[3] += 20_000_000;
    assert_eq!(check(&higher), Err(Refuted::Number("a least reduced cost")));
    let cancel = CancelToken::new();
    cancel.cancel();
    let verdict = dual_bound(&problem, proof, &Pulse::new(None, cancel));
    assert_eq!(verdict, Err(Refuted::Unfinished));
}

/// Methods of the bounds of a search, and how it ends.
fn search(limits: Limits) -> (Vec<&'static str>, Conclusion) {
    let found = searched(&depot(), &Params::default(), limits);
    let methods = found.bounds.iter().map(|(_, method)| *method);
    (methods.collect(), found.conclusion)
}

#[test]
fn a_long_search_on_two_threads_proves_its_plan() {
    let open = Limits {
        iterations_max: None,
        ..Limits::iterations(0)
    };
    let (methods, end) = search(open.with_threads(2));
    assert_eq!(
        (methods.last(), end),
        (Some(&"ng_routes"), Conclusion::Optimal)
    );
}

#[test]
fn a_limit_on_iterations_leaves_bounds_reproducible() {
    let (methods, end) = search(Limits::iterations(300).with_threads(2));
    assert_eq!(
        (&*methods, end),
        (&["arrival"][..], Conclusion::Stopped(Stop::Iterations))
    );
}
