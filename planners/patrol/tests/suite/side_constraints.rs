//! Side constraints are satisfied, or proved infeasible.

use crate::searched::searched;
use anytime::Conclusion;
use patrol::generate::{grid, line, ring, staying, walking, world};
use patrol::problem::{Gap, PROBABILITY_ONE, Pause};
use patrol::{Cost, Motion, Plan, Problem, Spec, evaluate};
use proptest::prelude::*;

/// The last plan, how likely it catches the intruder, and the conclusion; every plan passes the
/// check.
fn search(problem: &Problem, iterations: u64) -> (Option<(Plan, f64)>, Conclusion) {
    let mut found = searched(problem, iterations);
    let caught = |cost: Cost| 1.0 - cost.0 as f64 / PROBABILITY_ONE as f64;
    let last = found.offers.pop().map(|(plan, cost)| (plan, caught(cost)));
    (last, found.conclusion)
}

pub(crate) fn checked(spec: Spec) -> Problem {
    Problem::new(spec).expect("the problem is valid")
}

#[test]
fn a_gap_is_left_and_the_other_vertices_are_guarded() {
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
    let seen = evaluate(&checked(spec), &plan).expect("the plan is valid");
    assert!(
        seen.vertices[3]
            .worst_idleness
            .is_none_or(|ticks| ticks >= 6)
    );
}

#[test]
fn a_gap_is_left_against_dynamic_intruders() {
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
fn a_gap_that_is_always_in_sight_is_infeasible() {
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
fn guards_that_may_not_pass_each_other_do_more_than_stand() {
    let mut spec = staying(line(8, 2), 7);
    spec.may_swap = false;
    spec.guards[1].start = 7;
    let (found, _) = search(&checked(spec), 200_000);
    let (_, caught) = found.expect("there is a plan");
    // Each guards its half.
    assert!((caught - 1.0).abs() < 1e-9, "{caught}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn combinations_of_side_constraints_are_satisfied(
        guards in 1..4_usize,
        gaps in prop::collection::vec((0..9_usize, 1..9_u32), 0..3),
        pauses in prop::collection::btree_map(0..9_usize, 1..4_u32, 0..3),
        may_swap: bool,
        walks: bool,
    ) {
        let spec = grid(3, 3, guards);
        let mut spec = if walks {
            walking(spec, Motion::Moving, 8)
        } else {
            staying(spec, 4)
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

/// Longest walk of joint states with a vertex out of sight, up to 20, on edges of length 1.
fn longest_unseen(spec: &Spec, vertex: usize) -> usize {
    let problem = checked(spec.clone());
    let steps = |from: &[usize]| -> Vec<Vec<usize>> {
        let mut all = vec![Vec::new()];
        for (guard, here) in from.iter().enumerate() {
            let edges = problem.out_edges(*here).iter().map(|edge| edge.to);
            let to: Vec<usize> = edges.chain(spec.may_stay.then_some(*here)).collect();
            let longer = all.iter().flat_map(|some: &Vec<usize>| {
                let meets = |to: &usize| {
                    (0..guard).any(|one| some[one] == *here && from[one] == *to && to != here)
                };
                let free = to.iter().filter(move |to| spec.may_swap || !meets(to));
                free.map(|to| some.iter().copied().chain([*to]).collect())
            });
            all = longer.collect();
        }
        all
    };
    let root: Vec<usize> = spec.guards.iter().map(|guard| guard.start).collect();
    if steps(&root).is_empty() {
        return 0;
    }
    // From anywhere else guards can go back.
    let mut known = std::collections::BTreeSet::from([root.clone()]);
    let mut open = vec![root];
    while let Some(here) = open.pop() {
        open.extend(
            steps(&here)
                .into_iter()
                .filter(|to| known.insert(to.clone())),
        );
    }
    let hidden = |state: &&Vec<usize>| !state.contains(&vertex);
    let mut last: std::collections::BTreeSet<_> = known.iter().filter(hidden).cloned().collect();
    let mut long = 0;
    while !last.is_empty() && long < 20 {
        long += 1;
        let next = last.iter().flat_map(|state| steps(state));
        last = next.filter(|state| hidden(&state)).collect();
    }
    long
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn a_gap_is_left_exactly_where_it_is_feasible(
        joins: [usize; 4],
        more in prop::collection::vec((0..5_usize, 0..5_usize), 0..2),
        starts in prop::collection::vec(0..5_usize, 1..3),
        (vertex, ticks) in (0..5_usize, 1..9_u32),
        may_stay: bool,
        may_swap: bool,
        walks: bool,
    ) {
        let tree = joins.iter().enumerate().map(|(index, join)| [join % (index + 1), index + 1]);
        let mut edges: Vec<[usize; 2]> = tree.collect();
        for (one, other) in more {
            let edge = [one.min(other), one.max(other)];
            if one != other && !edges.contains(&edge) {
                edges.push(edge);
            }
        }
        let spec = world(5, &edges, starts.len());
        let mut spec = if walks {
            walking(spec, Motion::Lazy, 4)
        } else {
            staying(spec, 3)
        };
        for (guard, start) in spec.guards.iter_mut().zip(starts) {
            guard.start = start;
        }
        (spec.may_stay, spec.may_swap) = (may_stay, may_swap);
        spec.gaps = vec![Gap { vertex, ticks }];
        let (found, end) = search(&checked(spec.clone()), 50);
        let can = longest_unseen(&spec, vertex) >= ticks as usize;
        prop_assert_eq!(found.is_some(), can);
        prop_assert_eq!(end == Conclusion::Infeasible, !can);
    }
}
