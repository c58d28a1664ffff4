//! Hostile plans: verification and evaluation reject or accept them alike, and never panic.

use patrol::generate::museum;
use patrol::{Plan, Route, Stop, evaluate, verify};
use proptest::prelude::*;

fn stops(most: usize) -> impl Strategy<Value = Vec<Stop>> {
    let stay = prop_oneof![0..4_u32, Just(u32::MAX), any::<u32>()];
    let vertex = prop_oneof![8 => 0..9_usize, 1 => Just(usize::MAX), 1 => any::<usize>()];
    let stop = (vertex, stay).prop_map(|(vertex, stay)| Stop::new(vertex, stay));
    prop::collection::vec(stop, 0..most)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn hostile_plans_are_rejected_or_evaluated_alike(
        seed: u64,
        routes in prop::collection::vec((stops(4), stops(6)), 0..4),
    ) {
        let problem = museum(3, 3, 2, seed);
        let routes = routes.into_iter().map(|(prefix, cycle)| Route { prefix, cycle });
        let plan = Plan { routes: routes.collect() };
        match (verify(&problem, &plan), evaluate(&problem, &plan)) {
            (Ok(cost), Ok(seen)) => prop_assert_eq!(cost, seen.cost),
            (Err(one), Err(other)) => {
                prop_assert!(!one.is_empty());
                prop_assert_eq!(one, other);
            }
            (one, other) => prop_assert!(false, "{:?} {:?}", one, other.is_ok()),
        }
    }

    #[test]
    fn a_valid_plan_with_one_stop_changed_is_rejected_or_evaluated_alike(
        seed: u64,
        vertex in 0..9_usize,
        stay in 0..50_u32,
        long in 1..12_usize,
    ) {
        let problem = museum(3, 3, 1, seed);
        // Back and forth along an edge of each vertex, and then one stop is changed.
        let mut walk = vec![problem.guards()[0].start];
        for index in 0..long {
            let edges = problem.out_edges(walk[index]);
            walk.push(edges[index % edges.len()].to);
        }
        let back: Vec<usize> = walk.iter().rev().skip(1).copied().collect();
        walk.extend(&back[..back.len() - 1]);
        let stop = |vertex| Stop::new(vertex, 0);
        let mut cycle: Vec<Stop> = walk.into_iter().map(stop).collect();
        cycle[long] = Stop::new(vertex, stay);
        let plan = Plan { routes: vec![Route::cyclic(cycle)] };
        match (verify(&problem, &plan), evaluate(&problem, &plan)) {
            (Ok(cost), Ok(seen)) => prop_assert_eq!(cost, seen.cost),
            (Err(one), Err(other)) => prop_assert_eq!(one, other),
            (one, other) => prop_assert!(false, "{:?} {:?}", one, other.is_ok()),
        }
    }
}
