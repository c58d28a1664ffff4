//! Guarantees of the search, judged by verification.

use crate::searched::seeded;
use anytime::{Conclusion, Control, Limits, Offer, Record, Sink, Stop};
use patrol::generate::{grid, line, museum, ring, staying, walking};
use patrol::problem::{Objective, PROBABILITY_ONE};
use patrol::{Cost, Entry, Motion, Params, Plan, Problem, Strategy, solve};
use proptest::prelude::*;

fn search(problem: &Problem, strategy: Strategy, iterations: u64) -> Record<Plan, Cost> {
    let params = Params {
        strategy,
        ..Params::default()
    };
    seeded(problem, &params, Limits::iterations(iterations), 1)
}

fn caught(recorded: &Record<Plan, Cost>) -> f64 {
    let cost = recorded.cost().expect("there is a plan");
    1.0 - cost.0 as f64 / PROBABILITY_ONE as f64
}

#[test]
fn the_published_optima_on_a_line_are_found_and_proved() {
    for (t_p, optimum) in [(9, 0.30143), (14, 0.43842)] {
        let spec = walking(line(21, 1), Motion::BorderStay, t_p);
        let problem = Problem::new(spec).expect("the problem is valid");
        let recorded = search(&problem, Strategy::Auto, 100_000);
        assert_eq!(recorded.conclusion, Conclusion::Optimal, "{t_p}");
        assert!(
            (caught(&recorded) - optimum).abs() < 5e-6,
            "{t_p}: {}",
            caught(&recorded)
        );
    }
}

#[test]
fn no_intruder_escapes_where_guards_are_everywhere_in_time() {
    for spec in [
        staying(ring(15, 3), 4),
        staying(grid(5, 5, 1), 25),
        staying(grid(5, 5, 1), 50),
    ] {
        let problem = Problem::new(spec).expect("the problem is valid");
        let recorded = search(&problem, Strategy::Auto, 200_000);
        assert_eq!(recorded.conclusion, Conclusion::Optimal);
        assert_eq!(recorded.cost(), Some(Cost(0)));
    }
}

#[test]
fn different_guards_share_the_work_against_idleness() {
    // Nine rooms in a row. A slow guard walks to and fro between three, a fast one between six: out
    // of sight for 7 and 9 ticks. The fast one alone takes 15.
    let mut spec = line(9, 2);
    for edge in &mut spec.edges {
        edge.length = 2;
    }
    spec.guards[1].start = 8;
    spec.guards[1].speed_milli = 2_000;
    spec.objective = Objective {
        escape: 0,
        worst_idleness: 1,
        mean_idleness: 0,
    };
    let problem = Problem::new(spec).expect("the problem is valid");
    let recorded = search(&problem, Strategy::Auto, 20_000);
    let (plan, _) = recorded.offers.last().expect("there is a plan");
    let terms = patrol::verify::terms(&problem, plan).expect("the plan is valid");
    assert!(terms.worst_idleness <= 9, "{}", terms.worst_idleness);
}

#[test]
fn idleness_is_minimised_where_it_has_a_weight() {
    let mut spec = staying(grid(4, 4, 2), 3);
    spec.objective = Objective {
        escape: 0,
        worst_idleness: 1,
        mean_idleness: 0,
    };
    let problem = Problem::new(spec).expect("the problem is valid");
    let recorded = search(&problem, Strategy::Auto, 10_000);
    let (plan, cost) = recorded.offers.last().expect("there is a plan");
    // Two guards half of a round of 16 apart: each vertex is seen every 8 ticks.
    assert!(
        cost.0 <= 8 * u128::from(PROBABILITY_ONE),
        "{cost:?} {plan:?}"
    );
}

#[test]
fn repeated_sightings_do_not_overflow_a_bound() {
    // A walk of 201 instants comes to the middle a hundred times, where all are.
    let mut spec = staying(line(3, 1), 200);
    spec.weights_micro = vec![1, 1_000_000, 1];
    let problem = Problem::new(spec).expect("the problem is valid");
    let recorded = search(&problem, Strategy::Auto, 2_000);
    assert_eq!(recorded.conclusion, Conclusion::Optimal);
    assert_eq!(recorded.bound(), Some(Cost(0)));
}

#[test]
fn trees_with_cycles_find_what_trees_without_cannot() {
    let problem = Problem::new(staying(ring(6, 2), 2)).expect("the problem is valid");
    let with = search(&problem, Strategy::MctsUc, 20_000);
    assert_eq!(caught(&with), 1.0);
    let without = search(&problem, Strategy::Mcts, 20_000);
    assert!(caught(&without) < 1.0, "{}", caught(&without));
}

/// Cancels at the second offer, and records iterations.
struct Enough {
    cancel: anytime::CancelToken,
    offers: Vec<u64>,
}

impl Sink<Plan, Cost> for Enough {
    fn offer(&mut self, offer: Offer<'_, Plan, Cost>) {
        self.offers.push(offer.iterations);
        if self.offers.len() == 2 {
            self.cancel.cancel();
        }
    }
}

#[test]
fn a_cancellation_at_an_offer_is_noticed_within_some_slices_of_work() {
    // Each plan takes millions of steps to judge, an iteration at most some slices of 200,000.
    for entry in [Entry::Steady, Entry::Mission(5_000)] {
        let mut spec = walking(grid(12, 12, 2), Motion::Lazy, 120);
        spec.intruder.entry = entry;
        let problem = Problem::new(spec).expect("the problem is valid");
        let limits = Limits::iterations(1_000_000);
        let mut sink = Enough {
            cancel: limits.cancel.clone(),
            offers: Vec::new(),
        };
        let mut control = Control::new(limits, 1, &mut sink);
        let end = solve(&problem, &Params::default(), &mut control).expect("it is supported");
        assert_eq!(end, Conclusion::Stopped(anytime::Stop::Cancelled));
        let made = control.iterations();
        assert_eq!(sink.offers.len(), 2);
        assert!(made <= sink.offers[1] + 50, "{made} {:?}", sink.offers);
    }
}

#[test]
fn the_same_seed_gives_the_same_plans() {
    let problem = museum(4, 3, 2, 5);
    for strategy in [
        Strategy::Auto,
        Strategy::Mcts,
        Strategy::MctsUc,
        Strategy::Iterative,
    ] {
        let [one, other] = [0, 1].map(|_| search(&problem, strategy, 3_000).offers);
        assert_eq!(one, other);
        assert!(!one.is_empty(), "{strategy:?}");
    }
}

#[test]
fn threads_do_not_change_plans() {
    let mut walked = museum(4, 3, 2, 5).spec().clone();
    walked.intruder.motion = Motion::Lazy;
    for spec in [
        museum(5, 4, 3, 7).spec().clone(),
        staying(grid(6, 6, 2), 9),
        walked,
    ] {
        let problem = Problem::new(spec).expect("the problem is valid");
        let plans = |threads: usize| {
            let limits = Limits::iterations(20_000).with_threads(threads);
            seeded(&problem, &Params::default(), limits, 3)
        };
        let one = plans(1);
        assert!(one.offers.len() > 1);
        for threads in [2, 3, 8] {
            assert!(plans(threads) == one, "{threads}");
        }
    }
}

/// A walk of 29 ticks is committed to within 29,000 iterations.
#[test]
fn a_tree_that_has_committed_is_followed_by_another() {
    let spec = walking(line(21, 1), Motion::BorderStay, 29);
    let problem = Problem::new(spec).expect("the problem is valid");
    let recorded = search(&problem, Strategy::Iterative, 60_000);
    assert_eq!(recorded.conclusion, Conclusion::Stopped(Stop::Iterations));
    assert!(!recorded.offers.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_offer_passes_the_check_at_its_cost_and_none_undercuts_the_bound(
        seed in any::<u64>(),
        guards in 1..4_usize,
        strategy in 0..4_usize,
        motion in 0..4_usize,
    ) {
        let mut spec = museum(3, 3, guards, seed).spec().clone();
        let motions = [Motion::Still, Motion::Lazy, Motion::Moving, Motion::BorderStay];
        spec.intruder.motion = motions[motion];
        if motion > 0 {
            spec.intruder.entry = patrol::Entry::Start;
        }
        spec.may_stay = seed % 5 > 0;
        spec.may_swap = seed % 3 > 0;
        let problem = Problem::new(spec).expect("the problem is valid");
        let strategies =
            [Strategy::Auto, Strategy::Mcts, Strategy::MctsUc, Strategy::Iterative];
        let strategy = strategies[strategy];
        let recorded = search(&problem, strategy, 600);
        prop_assert!(recorded.bound() <= recorded.cost());
        // Each is below the one before also in doubles, as callers see them.
        prop_assert!(recorded.offers.is_sorted_by(|one, next| next.1.level() < one.1.level()));
        let captures = recorded.offers.iter().map(|(_, cost)| 1.0 - cost.level());
        prop_assert!(captures.is_sorted_by(|one, next| one < next));
    }
}
