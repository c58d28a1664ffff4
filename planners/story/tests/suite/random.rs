//! Proofs on small random domains, against the best of all stories.

use crate::searched::{assert_true, best_of_few, searched};
use anytime::{Conclusion, Limits, Record};
use proptest::prelude::*;
use story::generate;
use story::{Caps, Cost, Params, Plan, Problem, Strategy as Way};

fn search(problem: &Problem, strategy: Way, limits: Limits) -> Record<Plan, Cost> {
    let params = Params {
        strategy,
        ..Params::default()
    };
    searched(problem, &params, limits, 1)
}

proptest! {
    /// What `optimal` and `auto` conclude on domains that nobody wrote is what trying everything
    /// comes to.
    #[test]
    fn proofs_are_true_on_random_domains(seed: u64, auto: bool) {
        let problem = Problem::new(&generate::domain(seed)).expect("good");
        let way = if auto { Way::Auto } else { Way::Optimal };
        let found = search(&problem, way, Limits::iterations(1_000_000));
        let is_decided = matches!(found.conclusion, Conclusion::Infeasible | Conclusion::Optimal);
        prop_assert!(is_decided, "{:?}", found.conclusion);
        assert_true(&found, best_of_few(&problem));
    }

    /// However little of a domain is distinguished, no claim is wrong: less is proved, and nothing
    /// false.
    #[test]
    fn what_is_left_out_makes_no_claim_wrong(
        seed: u64,
        values in 1..5_usize,
        choices in 1..8_usize,
        leaves in 1..16_usize,
        contexts in 1..4_usize,
    ) {
        let problem = Problem::new(&generate::domain(seed)).expect("good");
        let caps = Caps {
            values,
            choices,
            leaves,
            contexts,
            ..Caps::default()
        };
        let params = Params {
            strategy: Way::Optimal,
            caps,
            ..Params::default()
        };
        let found = searched(&problem, &params, Limits::iterations(20_000), 1);
        assert_true(&found, best_of_few(&problem));
    }

    /// Stopped early, the bound is still below the best story there is.
    #[test]
    fn bounds_hold_whenever_the_search_is_stopped(seed: u64, iterations in 0..200_u64) {
        let problem = Problem::new(&generate::domain(seed)).expect("good");
        let found = search(&problem, Way::Optimal, Limits::iterations(iterations));
        assert_true(&found, best_of_few(&problem));
    }
}
