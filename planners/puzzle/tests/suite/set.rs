//! Sets of levels: as good as their levels one by one, and judged once.

use crate::searched::searched;
use anytime::{CancelToken, Conclusion, Fault, Planner, Pulse};
use puzzle::{Cost, Goal, Params, Plan, Problem, Puzzle, Spec, Weights, verify};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

fn problem(levels: usize, goal: Goal) -> Problem {
    let weights = Weights {
        effort_log: 1_000_000,
        divisor: 1_000_000,
        ..Weights::default()
    };
    Problem::new(Spec {
        boxes_min: 3,
        boxes_max: 3,
        weights,
        goal,
        levels,
        difference_min_percent: 20,
        ..Spec::thesis(7, 7)
    })
    .expect("a problem")
}

fn hard() -> Goal {
    Goal::Hit {
        easiest_micro: 8_000_000,
        hardest_micro: 8_000_000,
        tolerance_percent: 5,
    }
}

/// How it ends, after how many iterations, and all offers.
fn run(problem: &Problem, iterations: u64, seed: u64) -> (Conclusion, u64, Vec<(Plan, Cost)>) {
    let found = searched(problem, &Params::default(), iterations, seed);
    let found = found.expect("supported");
    (found.conclusion, found.iterations, found.offers)
}

#[test]
fn a_set_is_as_good_as_its_levels_one_by_one_in_as_many_iterations() {
    const LEVELS: usize = 8;
    let (mut whole, mut alone) = (0, 0);
    for seed in 0..3 {
        let (end, iterations, offers) = run(&problem(LEVELS, hard()), 200_000, seed);
        assert_eq!(end, Conclusion::Optimal, "seed {seed}");
        let cost = offers.last().expect("a plan").1;
        assert_eq!((cost.missing, cost.miss_micro), (0, 0));
        whole += iterations;
        for one in 0..LEVELS as u64 {
            let (end, iterations, _) = run(&problem(1, hard()), 200_000, 100 * seed + one);
            assert_eq!(end, Conclusion::Optimal, "seed {seed}, level {one}");
            alone += iterations;
        }
        // Few offers, each of which is judged: the first of each level, and few steps up.
        assert!(offers.len() <= 6 * LEVELS, "{} offers", offers.len());
    }
    assert!(2 * whole <= 3 * alone, "{whole} iterations, {alone} alone");
}

#[test]
fn the_hardest_set_goes_on_climbing_after_a_gain() {
    let (_, _, offers) = run(&problem(3, Goal::Most), 1_500, 1);
    let levels = &offers.last().expect("a plan").0.levels;
    assert_eq!(levels.len(), 3);
    assert!(levels[2].value_micro > 9_000_000, "{levels:?}");
}

#[test]
fn a_set_that_is_stopped_offers_what_it_has() {
    for iterations in [100, 1_000, 3_000] {
        let (_, _, offers) = run(&problem(6, hard()), iterations, 5);
        let mut passed: Option<Plan> = None;
        for (plan, cost) in offers {
            let once = Puzzle::verify_next(
                &problem(6, hard()),
                &plan,
                passed.as_ref(),
                &Pulse::unbounded(),
            );
            assert_eq!(once, Some(Ok(cost)));
            assert_eq!(verify(&problem(6, hard()), &plan), Ok(cost));
            passed = Some(plan);
        }
        assert!(passed.is_some());
    }
}

/// The judge's answer, and how often it looked at the stop signal: it does so while it solves a
/// level.
fn judged(
    problem: &Problem,
    plan: &Plan,
    passed: Option<&Plan>,
) -> (Result<Cost, Vec<Fault>>, u32) {
    let looks = Arc::new(AtomicU32::new(0));
    let seen = Arc::clone(&looks);
    let token = CancelToken::observed(move || {
        seen.fetch_add(1, Ordering::Relaxed);
        None
    });
    let pulse = Pulse::new(None, token);
    let verdict = Puzzle::verify_next(problem, plan, passed, &pulse).expect("nothing stops it");
    (verdict, looks.load(Ordering::Relaxed))
}

#[test]
fn a_level_that_passed_is_not_judged_again_and_any_other_is() {
    let problem = problem(4, hard());
    let (_, _, offers) = run(&problem, 200_000, 2);
    let (plan, cost) = offers.last().expect("a plan");
    let (verdict, all) = judged(&problem, plan, None);
    assert_eq!(verdict, Ok(*cost));
    assert!(all > 8);
    assert_eq!(judged(&problem, plan, Some(plan)), (Ok(*cost), 0));
    // A level less passed: that one is judged.
    let mut fewer = plan.clone();
    fewer.levels.remove(2);
    let (verdict, one) = judged(&problem, plan, Some(&fewer));
    assert_eq!(verdict, Ok(*cost));
    assert!(0 < one && one < all);
    // Claims and solutions that did not pass are not believed.
    let mut other = plan.clone();
    other.levels[1].effort = other.levels[1].effort.map(|effort| effort + 1);
    let (verdict, _) = judged(&problem, &other, Some(plan));
    let given = plan.levels[1].effort.expect("it is counted");
    let wrong = &verdict.expect_err("a claim is wrong")[0];
    let text = format!(
        "levels[1].features.effort is {} instead of {given}",
        given + 1
    );
    assert_eq!((wrong.code, wrong.to_string()), ("EFFORT_WRONG", text));
    let mut other = plan.clone();
    other.levels[3].solution.pop();
    let (verdict, _) = judged(&problem, &other, Some(plan));
    assert!(verdict.is_err());
}
