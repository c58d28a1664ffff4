//! Claims of optimality and bounds, compared with all walks in tiny worlds.

use crate::searched::searched;
use crate::walks::{closed, once, tiny, walks};
use anytime::Conclusion;
use patrol::generate::{staying, walking};
use patrol::{Cost, Motion, Problem};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn no_closed_walk_undercuts_a_bound_or_an_optimal_cost(
        joins: [usize; 4],
        more in prop::collection::vec((0..5_usize, 0..5_usize), 0..4),
        weights in prop::array::uniform5(1..6_u64),
        t_p in 1..6_u32,
        sees in prop::collection::vec((0..5_usize, 0..5_usize), 0..5),
    ) {
        let mut spec = staying(tiny(&joins, &more, &weights), t_p);
        let seen = |from: usize| sees.iter().filter(move |pair| pair.0 == from).map(|pair| pair.1);
        spec.sights = vec![(0..5).map(|from| seen(from).collect()).collect()];
        spec.guards[0].sight = Some(0);
        let problem = Problem::new(spec);
        let problem = problem.expect("the problem is valid");
        let recorded = searched(&problem, 12_000);
        let start = problem.guards()[0].start;
        for ticks in 1..=6 {
            for walk in walks(&problem, ticks).iter().filter(|walk| walk[ticks] == start) {
                let cost = closed(&problem, walk);
                prop_assert!(recorded.bound() <= Some(cost), "{:?} undercuts the bound", walk);
                // Optimal within two in a billion.
                let about = Cost(cost.0 + (1 << 60) / 500_000_000);
                let is_optimal = recorded.cost() <= Some(about);
                let claims = recorded.conclusion == Conclusion::Optimal;
                prop_assert!(!claims || is_optimal, "{:?}", walk);
            }
        }
    }

}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn the_best_of_all_walks_is_found_and_proved(
        joins: [usize; 4],
        more in prop::collection::vec((0..5_usize, 0..5_usize), 0..4),
        weights in prop::array::uniform5(1..6_u64),
        t_p in 1..6_u32,
        motion in 0..3_usize,
    ) {
        let motion = [Motion::Lazy, Motion::Moving, Motion::BorderStay][motion];
        let problem = Problem::new(walking(tiny(&joins, &more, &weights), motion, t_p));
        let problem = problem.expect("the problem is valid");
        let recorded = searched(&problem, 100_000);
        prop_assert_eq!(recorded.conclusion, Conclusion::Optimal);
        let all = walks(&problem, t_p as usize);
        let least = all.iter().map(|walk| once(&problem, walk)).min();
        // Proofs are by doubles, exact to 10^-11.
        let (best, least) = (recorded.cost().expect("a plan"), least.expect("a walk"));
        prop_assert!(best.0.abs_diff(least.0) < 1 << 24, "{} {}", best.0, least.0);
    }
}
