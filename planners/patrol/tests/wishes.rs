//! What designers wish for is kept to, and searched for.

use anytime::{Conclusion, Control, Limits};
use patrol::generate::{grid, line, ring, staying, walking};
use patrol::problem::{CERTAIN, Gap, Pause};
use patrol::{Cost, Motion, Params, Plan, Problem, Spec, evaluate, solve, verify};
use proptest::prelude::*;

/// The last plan, how likely it catches the intruder, and the conclusion; every plan passes the check.
fn search(problem: &Problem, iterations: u64) -> (Option<(Plan, f64)>, Conclusion) {
    let mut last = None;
    let mut sink = |plan: &Plan, cost: Cost| {
        assert_eq!(verify(problem, plan), Ok(cost));
        last = Some((plan.clone(), 1.0 - cost.0 as f64 / CERTAIN as f64));
    };
    let mut control = Control::new(Limits::iterations(iterations), 1, &mut sink);
    let end = solve(problem, &Params::default(), &mut control).expect("it is supported");
    (last, end)
}

fn checked(spec: Spec) -> Problem {
    Problem::new(spec).expect("it makes sense")
}

#[test]
fn a_gap_is_left_and_the_rest_is_guarded() {
    let mut spec = staying(ring(8, 2), 3);
    let (free, _) = search(&checked(spec.clone()), 30_000);
    assert!((free.expect("there is a plan").1 - 1.0).abs() < 1e-9);
    spec.gaps.push(Gap {
        vertex: 3,
        ticks: 6,
    });
    let (with, _) = search(&checked(spec.clone()), 30_000);
    let (plan, caught) = with.expect("there is a plan");
    assert!(caught > 0.8 && caught < 1.0, "{caught}");
    let seen = evaluate(&checked(spec), &plan).expect("it is sound");
    assert!(
        seen.vertices[3]
            .worst_idleness
            .is_none_or(|ticks| ticks >= 6)
    );
}

#[test]
fn a_gap_is_left_by_who_waits_for_walkers() {
    let mut spec = walking(grid(3, 3, 2), Motion::Lazy, 12);
    spec.gaps.push(Gap {
        vertex: 4,
        ticks: 40,
    });
    let (with, _) = search(&checked(spec), 5_000);
    let (_, caught) = with.expect("there is a plan");
    assert!(caught > 0.6, "{caught}");
}

#[test]
fn a_gap_where_everybody_always_looks_is_impossible() {
    let mut spec = staying(line(3, 1), 2);
    spec.sights = vec![vec![vec![0, 1, 2]; 3]];
    spec.guards[0].sight = Some(0);
    spec.gaps.push(Gap {
        vertex: 1,
        ticks: 1,
    });
    let (none, end) = search(&checked(spec), 1_000);
    assert_eq!((none, end), (None, Conclusion::Infeasible));
}

#[test]
fn guards_who_may_not_pass_each_other_do_more_than_stand() {
    let mut spec = staying(line(8, 2), 7);
    spec.may_swap = false;
    spec.guards[1].start = 7;
    let (found, _) = search(&checked(spec), 200_000);
    let (_, caught) = found.expect("there is a plan");
    // Each goes to and fro on its half.
    assert!((caught - 1.0).abs() < 1e-9, "{caught}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn wishes_in_any_mixture_are_kept(
        guards in 1..4_usize,
        gaps in prop::collection::vec((0..9_usize, 1..9_u32), 0..3),
        pauses in prop::collection::btree_map(0..9_usize, 1..4_u32, 0..3),
        may_swap: bool,
        walks: bool,
    ) {
        let spec = grid(3, 3, guards);
        let mut spec = match walks {
            true => walking(spec, Motion::Moving, 8),
            false => staying(spec, 4),
        };
        spec.may_swap = may_swap;
        spec.gaps = gaps.into_iter().map(|(vertex, ticks)| Gap { vertex, ticks }).collect();
        let mut seen = Vec::new();
        spec.gaps.retain(|gap| {
            let fresh = !seen.contains(&gap.vertex);
            seen.push(gap.vertex);
            fresh
        });
        spec.pauses = pauses.into_iter().map(|(vertex, ticks)| Pause { vertex, ticks }).collect();
        let (found, _) = search(&checked(spec), 400);
        prop_assert!(found.is_some());
    }
}
