//! The same again.

use crate::instances::{Assignment, long};
use crate::{calm, heard};
use milp::{Effort, Improvement, Outcome, Params, solve};
use std::ops::ControlFlow;

/// A limited solve, and all that its listener heard.
fn run(seed: u64) -> (Outcome, Vec<(Vec<f64>, Effort)>) {
    let params = Params {
        seed,
        nodes_max: Some(30),
        ..Params::default()
    };
    let mut improvements = Vec::new();
    let mut listener = |found: Improvement<'_>| {
        improvements.push((found.solution.values.clone(), found.effort));
        ControlFlow::Continue(())
    };
    let outcome = solve(&long(), &params, &calm(), &mut listener).unwrap();
    (outcome, improvements)
}

#[test]
fn the_same_seed_makes_the_same_run_alone_and_beside_others() {
    let first = run(5);
    assert!(!first.1.is_empty());
    assert_eq!(first, run(5));
    let beside: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| run(5))).collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    assert!(beside.iter().all(|other| *other == first));
}

#[test]
fn another_seed_makes_another_run() {
    let efforts: Vec<u64> = (1..5).map(|seed| run(seed).0.effort.pivots).collect();
    assert!(efforts.iter().any(|e| *e != efforts[0]), "{efforts:?}");
}

#[test]
fn a_start_is_the_first_solution_heard() {
    let assignment = Assignment::new(3, 4, 12);
    let (model, _) = assignment.model();
    let best = heard(&model, &Params::default(), &mut ()).solution.unwrap();
    let params = Params {
        start: Some(best.values.clone()),
        ..Params::default()
    };
    let mut objectives = Vec::new();
    let mut listener = |found: Improvement<'_>| {
        objectives.push(found.solution.objective);
        ControlFlow::Continue(())
    };
    let outcome = solve(&model, &params, &calm(), &mut listener).unwrap();
    assert_eq!(outcome.solution.map(|s| s.objective), Some(best.objective));
    assert_eq!(objectives, [best.objective]);
}
