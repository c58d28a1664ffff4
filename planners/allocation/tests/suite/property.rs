//! Properties of all searches on generated problems.

use crate::searched::{continued, searched, seeded};
use allocation::generate::{Shape, generate, spec};
use allocation::problem::Spec;
use allocation::solve::{Params, STRATEGIES, Strategy};
use allocation::{Cost, Plan, Problem, solve, verify};
use anytime::{CancelToken, Conclusion, Control, Limits, Record, Stop};
use proptest::prelude::*;

fn strategies() -> impl Iterator<Item = Params> {
    let of = |strategy| Params {
        strategy,
        ..Params::default()
    };
    STRATEGIES.iter().map(move |info| of(info.strategy))
}

fn problem(spec: Spec) -> Problem {
    Problem::new(spec).expect("generated problems stay valid")
}

/// All plans offered are valid, and threads do not change them.
fn assert_same_on_any_number_of_threads(problem: &Problem, seed: u64, iterations: u64) {
    let with = |threads| {
        let limits = Limits::iterations(iterations).with_threads(threads);
        // Several islands, so that there is something to exchange.
        let params = Params {
            width: 3,
            ..Params::default()
        };
        seeded(problem, &params, limits, seed).offers
    };
    assert_eq!(with(1), with(2));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4, ..ProptestConfig::default() })]

    /// The same where `auto` is iterated local search, with agents to spare or too few.
    #[test]
    fn iterated_local_search_is_legal_honest_and_the_same_on_any_number_of_threads(
        seed: u64, agents in 15_usize..80, is_depot: bool,
    ) {
        let shape = if is_depot { Shape::depot } else { Shape::varied };
        assert_same_on_any_number_of_threads(&generate(seed, &shape(400, agents)), seed, 4);
    }
}

proptest! {
    /// Plans are legal, and costs are honest.
    #[test]
    fn offers_are_legal_and_honest(seed: u64, tasks in 0_usize..30, agents in 1_usize..6) {
        for shape in [Shape::varied(tasks, agents), Shape::coupled(tasks.min(24), agents)] {
            let problem = generate(seed, &shape);
            for params in strategies() {
                let is_tree = matches!(params.strategy, Strategy::Mcts | Strategy::MctsUniform);
                if !(is_tree && problem.is_coupled()) {
                    let iterations = if problem.is_coupled() { 60 } else { 40 };
                    searched(&problem, &params, Limits::iterations(iterations));
                }
            }
        }
    }

    /// Threads carry the trees, they do not change them; the same seed gives the same offers.
    #[test]
    fn threads_do_not_change_the_answer(seed: u64, tasks in 0_usize..18, agents in 1_usize..5) {
        let problem = generate(seed, &Shape::varied(tasks, agents));
        for params in strategies().map(|params| Params { width: 3, ..params }) {
            let with = |threads| {
                let limits = Limits::iterations(12).with_threads(threads);
                seeded(&problem, &params, limits, seed)
            };
            let one = with(1);
            for threads in [1, 2, 4] {
                prop_assert_eq!(&with(threads), &one);
            }
        }
    }

    /// The same where `auto` searches on islands, which it does with many tasks only.
    #[test]
    fn islands_are_legal_honest_and_the_same_on_any_number_of_threads(
        seed: u64, tasks in 25_usize..50, agents in 1_usize..9,
    ) {
        let problem = generate(seed, &Shape::varied(tasks, agents));
        assert_same_on_any_number_of_threads(&problem, seed, 60);
    }

    /// A previous plan that is still valid is never answered by a worse one, what is under way
    /// stays, and no more tasks change hands than may.
    #[test]
    fn previous_plans_are_kept(seed: u64, tasks in 1_usize..20, changes_max in 0_usize..4) {
        let mut spec = spec(seed, &Shape::depot(tasks, 3));
        let before = problem(spec.clone());
        let params = Params::default();
        let Record { offers, .. } = searched(&before, &params, Limits::iterations(3));
        let (plan, _) = offers.last().expect("a plan was offered");
        for changes_max in [None, Some(changes_max)] {
            spec.previous = Some(continued(plan, changes_max, 1));
            let after = problem(spec.clone());
            let still = verify(&after, plan).expect("what was legal is legal");
            for params in strategies() {
                let found = searched(&after, &params, Limits::iterations(6));
                let cost = found.cost().expect("a plan was offered");
                prop_assert!(cost <= still, "{:?}", params.strategy);
            }
        }
    }

    /// A search that may do nothing still says something legal.
    #[test]
    fn no_iterations_and_a_cancelled_token_still_end_with_a_plan(
        seed: u64, tasks in 0_usize..40, agents in 1_usize..6,
    ) {
        let problem = generate(seed, &Shape::varied(tasks, agents));
        let cancel = CancelToken::new();
        cancel.cancel();
        let stopped = [
            Limits::iterations(0),
            Limits::iterations(u64::MAX).with_cancel(cancel),
        ];
        for limits in stopped {
            for params in strategies() {
                prop_assert!(has_answer(&problem, &params, limits.clone()));
            }
        }
    }

    /// What improves on insertion is never worse than insertion.
    #[test]
    fn auto_is_never_worse_than_insertion(seed: u64, tasks in 0_usize..40, agents in 1_usize..6) {
        let problem = generate(seed, &Shape::varied(tasks, agents));
        let last = |strategy| {
            let params = Params { strategy, ..Params::default() };
            searched(&problem, &params, Limits::iterations(5)).cost()
        };
        prop_assert!(last(Strategy::Auto) <= last(Strategy::Insertion));
    }
}

/// Whether a search ends with a plan, or with a proof that there is none.
fn has_answer(problem: &Problem, params: &Params, limits: Limits) -> bool {
    let Record {
        offers, conclusion, ..
    } = searched(problem, params, limits);
    !offers.is_empty() || conclusion == Conclusion::Infeasible
}

#[test]
fn a_cancelled_search_still_finds_a_way_to_the_end_of_a_shift() {
    // An agent reaches its end in time only if it serves more than it is committed to.
    let problem = generate(6_448_879_421_298_391_113, &Shape::varied(36, 3));
    let cancel = CancelToken::new();
    cancel.cancel();
    let limits = Limits::iterations(u64::MAX).with_cancel(cancel);
    for params in strategies() {
        assert!(has_answer(&problem, &params, limits.clone()));
    }
}

#[test]
fn a_target_ends_the_search() {
    let problem = generate(3, &Shape::depot(20, 4));
    let mut sink = |_: &Plan, _: Cost| ();
    let reached = Cost([i64::MAX; 6]);
    let mut control = Control::new(Limits::iterations(1_000), 1, &mut sink).with_target(reached);
    let conclusion = solve(&problem, &Params::default(), &mut control);
    assert_eq!(conclusion, Ok(Conclusion::Stopped(Stop::Target)));
}
