//! Every variation alone, and all together, on one world with a known optimum.

use crate::tour::{Hints, ShortestWays, Tour};
use crate::{found, least_cost, run};
use mcts::{Bound, Guide, NoBound, Plain, Search, Settings};

const CITIES: usize = 7;
const SEED: u64 = 3;

/// Enough to close all 1,957 partial tours, each once, from the leaves up.
const ITERATIONS: u64 = 200_000;

fn proves_the_optimum(guide: impl Guide<Tour>, bound: impl Bound<Tour>) -> u64 {
    let tour = Tour::random(SEED, CITIES);
    let mut search = Search::new(&tour, guide, bound, Settings::default());
    assert!(run(&mut search, ITERATIONS), "not finished");
    assert!(search.is_exhausted());
    assert_eq!(found(&search), Some(least_cost(&tour)));
    assert_eq!(search.proved_bound(None), Some(least_cost(&tour)));
    search.iterations()
}

#[test]
fn plain_search_proves_the_optimum() {
    proves_the_optimum(Plain, NoBound);
}

#[test]
fn every_hint_alone_and_all_together_prove_the_optimum() {
    let none = Hints::default();
    for hints in [
        Hints {
            nearest: true,
            ..none.clone()
        },
        Hints {
            history: true,
            ..none.clone()
        },
        Hints {
            two_opt: true,
            ..none.clone()
        },
        Hints {
            nearest: true,
            history: true,
            two_opt: true,
            ..none
        },
    ] {
        proves_the_optimum(hints.clone(), NoBound);
        proves_the_optimum(hints, ShortestWays);
    }
}

/// A guide that prefers the worst and spoils every terminal state costs time only.
#[test]
fn wrong_hints_do_not_make_proofs_wrong() {
    let wrong = Hints {
        wrong: true,
        ..Hints::default()
    };
    proves_the_optimum(wrong.clone(), NoBound);
    proves_the_optimum(wrong, ShortestWays);
}

#[test]
fn a_bound_makes_the_proof_shorter() {
    let (without, with) = (
        proves_the_optimum(Plain, NoBound),
        proves_the_optimum(Plain, ShortestWays),
    );
    assert!(2 * with < without, "{with} with, {without} without");
}

/// The first terminal state after local search is better than without, from the same seed.
#[test]
fn what_is_polished_is_what_is_kept() {
    let tour = Tour::random(SEED, 12);
    let first = |two_opt| {
        let hints = Hints {
            two_opt,
            ..Hints::default()
        };
        let mut search = Search::new(&tour, hints, NoBound, Settings::default());
        run(&mut search, 1);
        let (state, cost) = search.best().unwrap();
        assert_eq!(mcts::Domain::outcome(&tour, state).cost, cost);
        cost
    };
    assert!(first(true) < first(false));
}

#[test]
fn a_guide_learns_from_every_sample() {
    let tour = Tour::random(SEED, 12);
    let mut search = Search::new(&tour, Hints::default(), NoBound, Settings::default());
    run(&mut search, 100);
    assert_eq!(search.guide().learnt, 100);
}

/// Good hints find in ten iterations what plain search has not found in a hundred.
#[test]
fn hints_help() {
    let tour = Tour::random(SEED, 14);
    let after = |hints, iterations| {
        let mut search = Search::new(&tour, hints, NoBound, Settings::default());
        run(&mut search, iterations);
        found(&search).unwrap()
    };
    let nearest = Hints {
        nearest: true,
        ..Hints::default()
    };
    assert!(after(nearest, 10) < after(Hints::default(), 100));
}

/// Says that one action is good and all others are not.
struct Partial(u8);

impl Guide<Tour> for Partial {
    fn value(&self, action: u8, _mean: f64, _visits: u32) -> f64 {
        f64::from(u8::from(action == self.0))
    }
}

#[test]
fn a_guides_values_decide_where_visits_go() {
    let tour = Tour::random(SEED, 12);
    let settings = Settings {
        exploration: 0.5,
        ..Settings::default()
    };
    for city in [1, 5, 11] {
        let mut search = Search::new(&tour, Partial(city), NoBound, settings);
        run(&mut search, 1000);
        assert_eq!(search.policy().first(), Some(&city));
    }
}

#[test]
fn actions_are_tried_in_the_guides_order() {
    /// The highest first.
    struct Downwards;
    impl Guide<Tour> for Downwards {
        fn order(
            &mut self,
            _: &Tour,
            _: &crate::tour::Route,
            actions: &mut [u8],
            _: &mut mcts::Rng,
        ) {
            actions.sort_unstable_by(|a, b| b.cmp(a));
        }
        fn learn(&mut self, _: &Tour, actions: &[u8], _: &mcts::Outcome<u32>) {
            TRIED.with_borrow_mut(|tried| tried.push(actions[0]));
        }
    }
    thread_local! {
        static TRIED: std::cell::RefCell<Vec<u8>> = const { std::cell::RefCell::new(Vec::new()) };
    }
    let tour = Tour::random(SEED, 6);
    let mut search = Search::new(&tour, Downwards, NoBound, Settings::default());
    run(&mut search, 6);
    // The first iteration is the root's own rollout.
    assert_eq!(TRIED.take()[1..], [5, 4, 3, 2, 1]);
}

#[test]
fn exploration_decides_how_evenly_visits_are_spread() {
    // The deeper the policy reaches, the more visits went to few.
    let tour = Tour::random(SEED, 14);
    let depth = |exploration| {
        let settings = Settings {
            exploration,
            ..Settings::default()
        };
        let mut search = Search::new(&tour, Plain, NoBound, settings);
        run(&mut search, 5000);
        search.policy().len()
    };
    assert!(depth(0.01) > depth(std::f64::consts::SQRT_2));
}
