//! More tasks than are compared in pairs.

use crate::searched::{continued, searched};
use allocation::explain::explain;
use allocation::generate::{Shape, generate, spec};
use allocation::problem::{Level, MICRO, Previous, Problem, Spec, Term};
use allocation::solve::Strategy;
use allocation::travel::{Rounding, StraightLines, Travel};
use allocation::{Cost, Params, Plan, certificates, impossible, lower_bound, solve};
use anytime::{Conclusion, Control, Limits, Pulse, Record, SolveError, Stop};

const TASKS: usize = 1_200;

fn depot(change: impl FnOnce(&mut Spec)) -> Problem {
    let mut spec = spec(1, &Shape::depot(TASKS, 200));
    change(&mut spec);
    Problem::new(spec).expect("the change keeps it valid")
}

/// The record of a search. Its plans are valid and become better.
fn plans(problem: &Problem, iterations: u64) -> Record<Plan, Cost> {
    let found = searched(problem, &Params::default(), Limits::iterations(iterations));
    assert!(found.offers.windows(2).all(|two| two[1].1 < two[0].1));
    let bound = found.bound().unwrap_or_default();
    assert!(found.cost().is_none_or(|cost| bound <= cost));
    found
}

#[test]
fn plans_with_and_without_a_matrix_are_the_same() {
    let with_matrix = depot(|_| ());
    let without = depot(|s| s.travel = Travel::along(s.travel.lines.take().unwrap()));
    assert!(!with_matrix.travel().durations_us.is_empty());
    let both = [&with_matrix, &without].map(|problem| plans(problem, 3).offers);
    assert_eq!(both[0], both[1]);
    let (_, cost) = both[0].last().unwrap();
    assert_eq!(cost.0[0], 0, "all tasks are served");
    assert!(lower_bound(&with_matrix) > Cost::default());
}

/// A good plan, of which every second agent has begun some tasks.
fn begun(changes_max: Option<usize>, count: usize) -> Previous {
    let plan = plans(&depot(|_| ()), 0).plan().expect("a plan");
    continued(&plan, changes_max, count)
}

#[test]
fn what_islands_do_not_support_is_improved_all_the_same() {
    let level = |term| Level {
        terms: vec![(term, 1)],
    };
    let problems = [
        depot(|s| {
            s.objective = vec![
                level(Term::Unserved),
                level(Term::Makespan),
                level(Term::TravelCost),
            ];
        }),
        depot(|s| s.previous = Some(begun(Some(5), 0))),
    ];
    for problem in problems {
        assert_improved(&problem, 30);
    }
}

fn assert_improved(problem: &Problem, iterations: u64) {
    let found = plans(problem, iterations);
    assert_eq!(found.conclusion, Conclusion::Stopped(Stop::Iterations));
    let first = found.offers.iter().position(|(_, cost)| cost.0[0] == 0);
    let first = first.expect("a complete plan");
    assert!(
        found.offers.len() > first + 1,
        "complete plans become better"
    );
}

#[test]
fn islands_plan_what_comes_after_begun_tasks() {
    let problem = depot(|s| s.previous = Some(begun(None, 2)));
    assert_improved(&problem, 8);
    let mut found_by = String::new();
    let mut sink = FoundBy(&mut found_by);
    let mut control = Control::new(Limits::iterations(8), 1, &mut sink);
    solve(&problem, &Params::default(), &mut control).unwrap();
    assert_eq!(found_by, "iterated local search");
}

struct FoundBy<'a>(&'a mut String);

impl anytime::Sink<Plan, Cost> for FoundBy<'_> {
    fn offer(&mut self, offer: anytime::Offer<'_, Plan, Cost>) {
        offer.found_by.clone_into(self.0);
    }
}

/// The cost of leaving out thousands of tasks fits.
#[test]
fn far_too_few_agents_do_what_they_can() {
    let problem = generate(1, &Shape::depot(4_000, 20));
    let found = plans(&problem, 2);
    let served = |(plan, _): &(Plan, Cost)| plan.routes.iter().map(|route| route.stops.len()).sum();
    let counts: Vec<usize> = found.offers.iter().map(served).collect();
    assert!(counts.last() > Some(&200), "{counts:?}");
    assert!(matches!(
        found.conclusion,
        Conclusion::Stopped(_) | Conclusion::Partial(_)
    ));
}

#[test]
fn lines_have_a_point_for_each_location() {
    let is_wrong = |change: &dyn Fn(&mut Travel)| {
        let mut spec = spec(1, &Shape::depot(9, 2));
        spec.travel = Travel::along(spec.travel.lines.take().unwrap());
        change(&mut spec.travel);
        Problem::new(spec).is_err_and(|faults| faults[0].code == "WRONG_SIZE")
    };
    assert!(!is_wrong(&|_| ()));
    assert!(is_wrong(&|travel| travel.locations += 1));
    assert!(is_wrong(&|travel| travel.costs_micro = Some(vec![0; 100])));
    // Lines of other points than those of a matrix, too.
    assert!(is_wrong(&|travel| {
        let few = StraightLines::new(vec![(0.0, 0.0); 2], Rounding::Exact);
        travel.durations_us = vec![0; travel.locations * travel.locations];
        travel.lines = Some(few);
    }));
}

#[test]
fn trees_are_for_fewer_tasks() {
    let problem = depot(|_| ());
    let params = Params {
        strategy: Strategy::Mcts,
        ..Params::default()
    };
    let mut ignore = |_: &Plan, _: Cost| {};
    let mut control = Control::new(Limits::iterations(1), 1, &mut ignore);
    let unsupported = SolveError::Unsupported {
        strategy: "mcts",
        feature: "more than 1,000 tasks".to_owned(),
    };
    assert_eq!(solve(&problem, &params, &mut control), Err(unsupported));
}

#[test]
fn tasks_that_stay_undone_are_explained() {
    let problem = depot(|s| {
        s.agents.truncate(40);
        // Rounding to decimals takes more from a path of many arcs than any distance.
        let points = s.travel.lines.take().unwrap().points().to_vec();
        s.travel = Travel::euclidean(&points, Rounding::Exact);
        // Too far to be done before the shift ends, and too heavy.
        s.tasks[7].service_us = s.agents[0].shift_end_us - MICRO;
        s.tasks[7].windows.clear();
        s.tasks[8].demands = vec![201];
    });
    let found = plans(&problem, 1);
    let (plan, cost) = found.offers.last().unwrap();
    assert!(cost.0[0] > 100 * MICRO, "40 agents are too few");
    let proved: Vec<usize> = explain(&problem, plan, &Pulse::unbounded())
        .into_iter()
        .filter(|reason| reason.proved)
        .map(|reason| reason.task)
        .collect();
    for task in [7, 8] {
        assert!(proved.contains(&task), "{task}");
        assert!(impossible(&problem).contains(&task), "{task}");
    }
    for certificate in certificates(&problem) {
        let checked = allocation::verify::certificate(&problem, &certificate);
        assert_eq!(checked, Ok(()));
    }
}
