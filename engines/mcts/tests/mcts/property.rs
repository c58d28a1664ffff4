//! Properties of all domains and all limits.

use crate::digits::{CheapestNext, Digits};
use crate::tour::{Hints, ShortestWays, Tour};
use crate::{found, least_cost};
use mcts::{LINKS_PER_NODE, Search, Settings, Step};
use proptest::prelude::*;

proptest! {
    /// Memory is limited, proofs are right, bounds are sound and do not fall.
    #[test]
    fn digits_are_searched_within_limits_and_proved(
        seed: u64,
        length in 0_usize..6,
        base in 1_usize..5,
        nodes_max in 1_usize..2000,
        exploration in 0.0..3.0,
    ) {
        let digits = Digits::random(seed, length, base);
        let least = least_cost(&digits);
        let settings = Settings { exploration, nodes_max, seed, ..Settings::default() };
        let mut search = Search::new(&digits, mcts::Plain, CheapestNext, settings);
        let mut proved = None;
        for _ in 0..20_000 {
            let before = found(&search);
            match search.step(None) {
                Step::Finished => break,
                step => {
                    let improved = before.is_none_or(|before| found(&search) < Some(before));
                    prop_assert_eq!(step == Step::Improved, improved && found(&search).is_some());
                }
            }
            prop_assert!(search.nodes() <= nodes_max);
            prop_assert!(search.links() <= (nodes_max * LINKS_PER_NODE).max(base));
            let bound = search.proved_bound(None);
            prop_assert!(bound >= proved && bound <= Some(least), "{bound:?} after {proved:?}");
            proved = bound;
        }
        // A tree with room for all states closes them all; a smaller one may, or goes on sampling.
        let states: usize = (0..=length as u32).map(|depth| base.pow(depth)).sum();
        prop_assert!(search.is_exhausted() || nodes_max < states);
        if search.is_exhausted() {
            prop_assert_eq!(found(&search), Some(least));
        }
    }

    /// Whatever the hints, whatever somebody else has already found.
    #[test]
    fn tours_are_proved_with_any_hints_and_incumbent(
        seed: u64,
        cities in 1_usize..7,
        hints: [bool; 4],
        extra in 0_u32..60,
        committed in 0_u32..2,
    ) {
        let tour = Tour::random(seed, cities);
        let least = least_cost(&tour);
        let [nearest, history, two_opt, wrong] = hints;
        let guide = Hints { nearest, history, two_opt, wrong, ..Hints::default() };
        let settings = Settings { nodes_max: 1000, seed, ..Settings::default() };
        let mut search = Search::new(&tour, guide, ShortestWays, settings);
        let incumbent = Some(least + extra);
        for iteration in 0..100_000 {
            if search.step(incumbent) == Step::Finished {
                break;
            }
            if iteration == 50 && committed > 0 {
                search.commit();
            }
        }
        prop_assert!(search.is_finished());
        let best = found(&search).into_iter().chain(incumbent).min();
        prop_assert!(best >= Some(least));
        if search.is_exhausted() {
            prop_assert_eq!(best, Some(least));
        } else {
            prop_assert!(committed > 0);
        }
    }
}
