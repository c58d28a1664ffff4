//! Diverse plans have the requested distances, and each is as good as possible.

use crate::side_constraints::checked;
use anytime::{Conclusion, Control, Fault, Limits};
use patrol::diverse::{
    DiverseCost, DiverseParams, DiversePlans, DiverseProblem, distance, find_diverse_plans, verify,
};
use patrol::generate::{grid, line, museum, ring, staying, walking};
use patrol::problem::PROBABILITY_ONE;
use patrol::{Cost, Motion, Plan, Route, Stop};
use proptest::prelude::*;

fn search(
    variety: &DiverseProblem,
    iterations: u64,
) -> (Vec<(DiversePlans, DiverseCost)>, Conclusion) {
    let mut all = Vec::new();
    let mut sink = |one: &DiversePlans, cost: DiverseCost| {
        assert_eq!(verify(variety, one), Ok(cost));
        all.push((one.clone(), cost));
    };
    let mut control = Control::new(Limits::iterations(iterations), 1, &mut sink);
    let params = DiverseParams {
        iterations: iterations / 10,
        ..DiverseParams::default()
    };
    let end = find_diverse_plans(variety, &params, &mut control).expect("it is supported");
    (all, end)
}

/// Codes and fields of faults.
fn codes(faults: &[Fault]) -> Vec<(&'static str, String)> {
    faults
        .iter()
        .map(|fault| (fault.code, fault.field()))
        .collect()
}

/// Cycle past these vertices.
fn round(vertices: &[usize]) -> Plan {
    let stop = |vertex: &usize| Stop::new(*vertex, 0);
    Plan::new(vec![Route::cyclic(vertices.iter().map(stop).collect())])
}

#[test]
fn a_ring_has_two_rounds_without_escape() {
    let variety = DiverseProblem::new(checked(staying(ring(6, 1), 5)), 2, 1_000_000);
    let (all, end) = search(&variety.expect("the problem is valid"), 40_000);
    assert_eq!(end, Conclusion::Optimal);
    let (plans, cost) = all.last().expect("there are plans");
    assert_eq!((plans.plans.len(), *cost), (2, DiverseCost::default()));
}

#[test]
fn distances_are_shares_of_time_on_other_arcs() {
    let problem = checked(staying(grid(3, 2, 1), 3));
    let (there, back) = (round(&[0, 1, 4, 3]), round(&[0, 3, 4, 1]));
    let apart = |one, other| distance(&problem, [one, other]).expect("both plans are valid");
    assert_eq!(apart(&there, &there), 0);
    // The direction differs, hence all arcs.
    assert_eq!(apart(&there, &back), 1_000_000);
    // Three edges are the same, with a sixth of the longer round on each.
    let wide = round(&[0, 1, 2, 5, 4, 3]);
    assert_eq!(apart(&there, &wide), 500_000);
    assert_eq!(apart(&wide, &there), 500_000);
}

#[test]
fn faults_are_found() {
    let problem = checked(staying(ring(4, 1), 1));
    let wrong = DiverseProblem::new(problem.clone(), 17, 1_000_001).expect_err("both are too many");
    assert_eq!(
        codes(&wrong),
        [
            ("OUT_OF_RANGE", "plan_count".to_owned()),
            ("OUT_OF_RANGE", "min_distance".to_owned())
        ]
    );
    let variety = DiverseProblem::new(problem, 2, 1).expect("the request is valid");
    let same = DiversePlans {
        plans: vec![round(&[0, 1, 2, 3]); 2],
    };
    let alike = verify(&variety, &same).expect_err("the plans are equal");
    assert_eq!(codes(&alike), [("PLANS_ALIKE", "plans[1]".to_owned())]);
    let none = verify(&variety, &DiversePlans::default()).expect_err("there is no plan");
    assert_eq!(codes(&none), [("PLAN_COUNT", "plans".to_owned())]);
}

#[test]
fn standing_still_is_no_diverse_plan() {
    // Only who stands shares no step with who goes to and fro past all of it.
    let variety = DiverseProblem::new(checked(staying(line(5, 1), 8)), 2, 1_000_000);
    let variety = variety.expect("the problem is valid");
    let (all, _) = search(&variety, 20_000);
    let (plans, cost) = all.last().expect("there is a plan");
    assert_eq!((plans.plans.len(), cost.worst), (1, Cost(0)));
    let stands = Plan::new(vec![Route::cyclic(vec![Stop::new(0, 1)])]);
    let both = DiversePlans {
        plans: vec![stands, plans.plans[0].clone()],
    };
    let far = verify(&variety, &both).expect_err("it catches a fifth");
    assert_eq!(codes(&far), [("PLAN_POOR", "plans[0]".to_owned())]);
}

#[test]
fn dynamic_intruders_meet_diverse_patrols() {
    let problem = checked(walking(grid(4, 4, 2), Motion::Lazy, 12));
    let variety = DiverseProblem::new(problem, 3, 400_000).expect("the problem is valid");
    let (all, _) = search(&variety, 40_000);
    let (plans, cost) = all.last().expect("there are plans");
    assert_eq!((plans.plans.len(), cost.missing), (3, 0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn plans_have_the_requested_distance(
        seed: u64,
        guards in 1..3_usize,
        plans in 1..4_usize,
        apart in 0..600_000_u32,
    ) {
        let problem = museum(3, 3, guards, seed);
        let variety = DiverseProblem::new(problem, plans, apart).expect("the problem is valid");
        let (all, _) = search(&variety, 6_000);
        for (offered, _) in &all {
            let costs = offered.plans.iter().map(|plan| patrol::verify(variety.problem(), plan));
            let costs = costs.map(|cost| cost.expect("the plan is valid").0);
            let caught = costs.map(|cost| u128::from(PROBABILITY_ONE) - cost);
            let caught: Vec<u128> = caught.collect();
            let best = caught.iter().max().expect("there is a plan");
            prop_assert!(caught.iter().all(|one| 5 * one + 5 >= 4 * best), "{caught:?}");
        }
        let (last, cost) = all.last().expect("there is a plan");
        prop_assert_eq!(cost.missing, plans - last.plans.len());
        prop_assert!(cost.worst <= Cost(cost.sum.0));
        for (index, one) in last.plans.iter().enumerate() {
            for other in &last.plans[..index] {
                let given = distance(variety.problem(), [one, other]);
                let given = given.expect("both plans are valid");
                prop_assert!(given >= apart, "{given} {apart}");
            }
        }
    }
}
