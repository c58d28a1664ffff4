//! A mixed strategy captures at every vertex with at least the probability of its floor.

use anytime::{Conclusion, Control, Limits};
use patrol::generate::{line, museum, ring, staying};
use patrol::mixed_strategy::{
    MixedStrategy, MixedStrategyParams, best_response, find_mixed_strategy, floor,
};
use patrol::problem::PROBABILITY_ONE;
use patrol::{Cost, Plan, Problem, Route, Stop, evaluate};
use proptest::prelude::*;

fn search(
    problem: &Problem,
    plans_max: usize,
    iterations: u64,
) -> (Vec<(MixedStrategy, f64)>, Conclusion) {
    let mut all = Vec::new();
    let mut sink = |one: &MixedStrategy, cost: Cost| {
        let claimed = PROBABILITY_ONE - u64::try_from(cost.0).expect("at most certain");
        assert_eq!(floor(problem, one), Ok(claimed));
        all.push((one.clone(), claimed as f64 / PROBABILITY_ONE as f64));
    };
    let mut control = Control::new(Limits::iterations(iterations), 1, &mut sink);
    let params = MixedStrategyParams {
        plans_max,
        iterations: 1_000,
        ..MixedStrategyParams::default()
    };
    let end = find_mixed_strategy(problem, &params, &mut control).expect("it is supported");
    (all, end)
}

fn stand(vertex: usize, start: usize) -> Plan {
    let stop = |vertex| Stop::new(vertex, 1);
    let (low, high) = (start.min(vertex), start.max(vertex));
    let prefix = (low..=high)
        .filter(|v| *v != vertex)
        .map(|vertex| Stop::new(vertex, 0));
    Plan::new(vec![Route::new(prefix.collect(), vec![stop(vertex)])])
}

#[test]
fn a_mixed_strategy_guards_what_one_round_cannot() {
    // No guard can be at both ends of a long line in time, but at either with some probability.
    let problem = Problem::new(staying(line(9, 1), 2)).expect("the problem is valid");
    let (all, _) = search(&problem, 12, 40_000);
    let (first, last) = (all[0].1, all[all.len() - 1].1);
    assert!(last > first && last > 0.2, "{first} {last}");
    assert!(last <= 3.0 / 9.0);
}

#[test]
fn a_round_without_escape_is_enough() {
    let problem = Problem::new(staying(ring(6, 2), 2)).expect("the problem is valid");
    let (all, end) = search(&problem, 8, 40_000);
    assert_eq!(end, Conclusion::Optimal);
    assert_eq!(
        all.last().map(|(one, floor)| (one.plans.len(), *floor)),
        Some((1, 1.0))
    );
}

#[test]
fn a_mixed_strategy_is_proved_optimal() {
    // Values of the games: a single round catches less at some vertex.
    for (vertices, t_p, value) in [
        (4, 1, 0.5),
        (5, 1, 1.0 / 3.0),
        (5, 2, 3.0 / 7.0),
        (7, 1, 0.25),
    ] {
        let problem = Problem::new(staying(line(vertices, 1), t_p)).expect("the problem is valid");
        let (all, end) = search(&problem, 12, 40_000);
        let (best, floor) = all.last().expect("there is a mixed strategy");
        assert_eq!(end, Conclusion::Optimal, "{vertices} {t_p}");
        assert!(best.plans.len() > 1 && all[0].1 < value - 0.01);
        assert!((floor - value).abs() < 1e-8, "{vertices} {t_p}: {floor}");
    }
}

#[test]
fn the_floor_of_two_standing_plans_is_exact() {
    let mut spec = staying(line(2, 1), 0);
    spec.guards[0].start = 0;
    let problem = Problem::new(spec).expect("the problem is valid");
    let half = PROBABILITY_ONE / 2;
    let both = MixedStrategy {
        plans: vec![(stand(0, 0), half), (stand(1, 0), half)],
    };
    assert_eq!(floor(&problem, &both), Ok(half));
    let uneven = MixedStrategy {
        plans: vec![(stand(0, 0), half / 2), (stand(1, 0), 3 * (half / 2))],
    };
    assert_eq!(floor(&problem, &uneven), Ok(half / 2));
}

#[test]
fn the_best_response_is_the_weakest_vertex() {
    let mut spec = staying(line(2, 1), 0);
    spec.guards[0].start = 0;
    let problem = Problem::new(spec).expect("the problem is valid");
    let quarter = PROBABILITY_ONE / 4;
    let uneven = MixedStrategy {
        plans: vec![(stand(0, 0), quarter), (stand(1, 0), 3 * quarter)],
    };
    let known = best_response(&problem, &uneven).expect("the plan is valid");
    assert_eq!((known.vertex, known.capture), (0, quarter));
    assert_eq!(known.vertices, [quarter, 3 * quarter]);
    // Each alone never captures where its guard does not stand.
    let alone: Vec<_> = known
        .plans
        .iter()
        .map(|one| (one.vertex, one.floor))
        .collect();
    assert_eq!(alone, [(1, 0), (0, 0)]);
    assert_eq!(
        [known.plans[0].capture, known.plans[1].capture],
        [PROBABILITY_ONE, 0]
    );
}

#[test]
fn broken_rules_of_a_mixed_strategy_are_found() {
    let problem = Problem::new(staying(line(2, 1), 0)).expect("the problem is valid");
    let none = floor(&problem, &MixedStrategy::default()).expect_err("nothing is in it");
    assert_eq!(none[0].code, "PLAN_COUNT");
    let wrong = MixedStrategy {
        plans: vec![(stand(0, 0), 1), (Plan::default(), 1)],
    };
    let wrong = floor(&problem, &wrong).expect_err("neither shares nor plans are right");
    assert_eq!(
        (wrong[0].code, wrong[0].field().as_str()),
        ("SHARES", "parts")
    );
    assert_eq!(
        (wrong[1].code, wrong[1].field().as_str()),
        ("ROUTE_COUNT", "parts[1].plan")
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn no_vertex_is_below_the_floor(seed: u64, guards in 1..3_usize) {
        let problem = museum(3, 3, guards, seed);
        let (all, _) = search(&problem, 4, 8_000);
        prop_assert!(all.is_sorted_by(|one, next| one.1 < next.1));
        let (best, floor) = all.last().expect("there is a mixed strategy");
        for vertex in 0..problem.vertices() {
            let capture: f64 = best.plans.iter().map(|(plan, share)| {
                let seen = evaluate(&problem, plan).expect("the plan is valid");
                seen.vertices[vertex].capture * *share as f64 / PROBABILITY_ONE as f64
            }).sum();
            prop_assert!(capture >= floor - 1e-9, "{} at {}: {}", floor, vertex, capture);
        }
    }
}
