//! How solves end: a test for each status of the table that can be provoked.

use crate::instances::long;
use crate::{calm, heard, solved};
use anytime::{CancelToken, Pulse, Stop};
use milp::{Improvement, Listener, Model, Params, Verdict, constraint, solve, variable};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// A box of integers that no integers reach: 2x - 2y = 1.
fn odd_and_even() -> Model {
    let mut model = Model::new();
    let whole = variable().integer().clamp(0, 50);
    let (x, y) = (model.add(whole.clone()), model.add(whole));
    model.require(constraint!(2 * x - 2 * y == 1));
    model
}

#[test]
fn infeasible_rows_are_proved_to_be() {
    let outcome = solved(&odd_and_even());
    assert_eq!(outcome.verdict, Verdict::Infeasible);
    assert_eq!(outcome.solution, None);

    let mut linear = Model::new();
    let x = linear.add(variable().min(0));
    linear.require(constraint!(x <= 3));
    linear.require(constraint!(x >= 4));
    assert_eq!(solved(&linear).verdict, Verdict::Infeasible);
}

#[test]
fn bounds_that_cross_are_infeasible_and_no_mistake() {
    let mut model = Model::new();
    let x = model.add(variable().clamp(3, 2));
    assert_eq!(solved(&model).verdict, Verdict::Infeasible);

    let mut model = Model::new();
    model.add(variable());
    model.require_between(x, 3.0, 2.0);
    assert_eq!(solved(&model).verdict, Verdict::Infeasible);

    let mut model = Model::new();
    model.add(variable().integer().clamp(0.2, 0.8));
    assert_eq!(solved(&model).verdict, Verdict::Infeasible);
}

#[test]
fn a_row_without_variables_decides_too() {
    for (factor, low, verdict) in [(0, 2, Verdict::Infeasible), (0, 0, Verdict::Optimal)] {
        for whole in [false, true] {
            let mut model = Model::new();
            let x = variable().clamp(0, 9);
            let x = model.add(if whole { x.integer() } else { x });
            model.require_between(factor * x + 1, f64::from(low), 3.0);
            model.minimise(x);
            assert_eq!(solved(&model).verdict, verdict);
        }
    }
}

#[test]
fn a_limit_of_no_nodes_stops_at_once() {
    let params = Params {
        nodes_max: Some(0),
        ..Params::default()
    };
    let outcome = heard(&long(), &params, &mut ());
    assert_eq!(outcome.verdict, Verdict::Stopped(Stop::Iterations));
    assert_eq!(outcome.effort.nodes, 0);
}

#[test]
fn a_linear_program_without_end_is_unbounded() {
    let mut model = Model::new();
    let (x, y) = (model.add(variable().min(0)), model.add(variable().min(0)));
    model.require(constraint!(x - y <= 1));
    model.maximise(x);
    let outcome = solved(&model);
    assert_eq!(outcome.verdict, Verdict::Unbounded);
    assert_eq!(outcome.bound, None);
}

#[test]
fn an_integer_program_without_end_is_not_called_optimal() {
    let mut model = Model::new();
    let whole = variable().integer().min(0);
    let (x, y) = (model.add(whole.clone()), model.add(whole));
    model.require(constraint!(3 * x - 2 * y <= 1));
    model.maximise(x);
    let verdict = solved(&model).verdict;
    let honest = [Verdict::Unbounded, Verdict::InfeasibleOrUnbounded];
    assert!(honest.contains(&verdict), "{verdict:?}");
}

#[test]
fn a_limit_on_nodes_stops_with_the_best_so_far_and_its_bound() {
    let params = Params {
        nodes_max: Some(20),
        ..Params::default()
    };
    let outcome = heard(&long(), &params, &mut ());
    assert_eq!(outcome.verdict, Verdict::Stopped(Stop::Iterations));
    let solution = outcome.solution.expect("found at the root");
    assert!(outcome.bound.expect("proved at the root") < solution.objective);
    assert!(outcome.effort.nodes >= 1, "{:?}", outcome.effort);
    assert!(outcome.effort.nodes < 200, "{:?}", outcome.effort);
    let model = long();
    assert_eq!(model.check(&solution.values, 0.0), Ok(solution.objective));
}

#[test]
fn a_limit_on_pivots_stops_a_linear_program() {
    // Chains of rows that presolve cannot fold away: a transport of 12 by 12.
    let mut model = Model::new();
    let ways: Vec<Vec<_>> = (0..12)
        .map(|_| (0..12).map(|_| model.add(variable().min(0))).collect())
        .collect();
    let mut cost = milp::Expression::default();
    for (i, row) in ways.iter().enumerate() {
        let out: milp::Expression = row.iter().sum();
        model.require(constraint!(out == 10));
        let into: milp::Expression = ways.iter().map(|row| row[i]).sum();
        model.require(constraint!(into == 10));
        for (j, way) in row.iter().enumerate() {
            let price = i32::try_from((i * 7 + j * j * 5 + i * j * 3) % 23).unwrap();
            cost += price * *way;
        }
    }
    model.minimise(cost);
    let few = Params {
        pivots_max: Some(3),
        ..Params::default()
    };
    let outcome = heard(&model, &few, &mut ());
    assert_eq!(outcome.verdict, Verdict::Stopped(Stop::Iterations));
    let outcome = solved(&model);
    assert_eq!(outcome.verdict, Verdict::Optimal);
    assert!(outcome.effort.pivots > 3, "{:?}", outcome.effort);
}

#[test]
fn what_is_stopped_before_it_begins_does_nothing() {
    let token = CancelToken::new();
    token.drain();
    let pulse = Pulse::new(None, token);
    let outcome = solve(&long(), &Params::default(), &pulse, &mut ()).unwrap();
    assert_eq!(outcome.verdict, Verdict::Stopped(Stop::Draining));
    assert_eq!((outcome.solution, outcome.effort.pivots), (None, 0));
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "a deadline needs the clock; nothing is asserted about how long it takes"
)]
fn a_deadline_ends_what_takes_longer() {
    // 20 agents, 100 jobs: minutes at least.
    let model = crate::instances::Assignment::new(1, 20, 100).model().0;
    let deadline = Instant::now() + Duration::from_millis(200);
    let pulse = Pulse::new(Some(deadline), CancelToken::new());
    let outcome = solve(&model, &Params::default(), &pulse, &mut ()).unwrap();
    assert_eq!(outcome.verdict, Verdict::Stopped(Stop::Deadline));
}

/// Does something at the first solution.
struct AtFirst<F>(Option<F>);

impl<F: FnOnce() -> ControlFlow<()>> Listener for AtFirst<F> {
    fn improved(&mut self, _: Improvement<'_>) -> ControlFlow<()> {
        self.0.take().map_or(ControlFlow::Break(()), |act| act())
    }
}

#[test]
fn cancelling_while_a_solution_is_heard_ends_the_solve_and_keeps_it() {
    let token = CancelToken::new();
    let pulse = Pulse::new(None, token.clone());
    let mut first = AtFirst(Some(|| {
        token.cancel();
        ControlFlow::Continue(())
    }));
    let outcome = solve(&long(), &Params::default(), &pulse, &mut first).unwrap();
    assert_eq!(outcome.verdict, Verdict::Stopped(Stop::Cancelled));
    assert!(outcome.solution.is_some());
}

#[test]
fn a_thread_elsewhere_ends_a_solve() {
    let token = CancelToken::new();
    let pulse = Pulse::new(None, token.clone());
    let (heard, hears) = std::sync::mpsc::channel();
    let elsewhere = std::thread::spawn(move || {
        hears.recv().expect("a first solution");
        token.cancel();
    });
    let mut listener = move |_: Improvement<'_>| {
        // The receiver is gone after the first.
        let _ = heard.send(());
        ControlFlow::Continue(())
    };
    let outcome = solve(&long(), &Params::default(), &pulse, &mut listener).unwrap();
    elsewhere.join().unwrap();
    assert_eq!(outcome.verdict, Verdict::Stopped(Stop::Cancelled));
}

#[test]
fn a_listener_that_has_had_enough_ends_the_solve() {
    let mut listener = |_: Improvement<'_>| ControlFlow::Break(());
    let outcome = solve(&long(), &Params::default(), &calm(), &mut listener).unwrap();
    assert_eq!(outcome.verdict, Verdict::Stopped(Stop::Target));
    assert!(outcome.solution.is_some());
}

#[test]
fn enough_at_the_optimum_is_still_the_optimum() {
    let mut model = Model::new();
    let x = model.add(variable().clamp(0, 4));
    model.maximise(x);
    let mut listener = |_: Improvement<'_>| ControlFlow::Break(());
    let outcome = heard(&model, &Params::default(), &mut listener);
    assert_eq!(outcome.verdict, Verdict::Optimal);
}
