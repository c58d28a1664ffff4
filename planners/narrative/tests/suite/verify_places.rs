//! False claims say which part of an answer they are about.

use crate::verify_stories::{duet, kept, plan, policy, wait};
use narrative::plan::{Answer, Change, Flexibility, HandOver, Outcomes, Plan, Relaxation};
use narrative::problem::Source;
use narrative::verify::answer;

/// Where the first false claim is after one change of a plan that is right, of two policies.
fn place(change: impl FnOnce(&mut Plan)) -> String {
    let mut plan = plan(60, &[policy(&[0], &[]), policy(&[1], &[])]);
    change(&mut plan);
    let wrong = answer(&duet(), &Answer::Plan(plan)).expect_err("the plan is wrong");
    wrong.first().map(|one| one.field()).expect("something is")
}

#[test]
fn each_part_of_a_policy_is_a_place() {
    let outcomes = |lower_us, upper_us| Outcomes {
        contingent: 0,
        lower_us,
        upper_us,
    };
    assert_eq!(
        place(|plan| plan.policies[1].picks.clear()),
        "policies[1].picks"
    );
    assert_eq!(
        place(|plan| plan.policies[1].outcomes = vec![outcomes(9, 1)]),
        "policies[1].outcomes[0]"
    );
    assert_eq!(
        place(|plan| plan.policies[1].order = vec![(0, 1), (1, 1)]),
        "policies[1].orders[1]"
    );
    assert_eq!(
        place(|plan| plan.policies[1].bounds = vec![kept(0, 1, 60), kept(1, 1, 0)]),
        "policies[1].dispatch.bounds[1]"
    );
    assert_eq!(
        place(|plan| plan.policies[1].waits = vec![wait(0, 0, 1)]),
        "policies[1].dispatch.waits[0]"
    );
    let hand = HandOver {
        resource: 0,
        from: None,
        to: 0,
        amount: 0,
    };
    assert_eq!(
        place(|plan| plan.policies[1].hand_overs = vec![hand]),
        "policies[1].hand_overs[0]"
    );
    let little = HandOver { amount: 1, ..hand };
    assert_eq!(
        place(|plan| plan.policies[1].hand_overs = vec![little]),
        "policies[1].hand_overs"
    );
}

#[test]
fn a_cyclic_order_is_reported_by_a_pair_of_the_cycle() {
    let found = place(|plan| plan.policies[1].order = vec![(1, 0), (0, 1)]);
    let pairs = ["policies[1].orders[0]", "policies[1].orders[1]"];
    assert!(pairs.contains(&&*found), "{found}");
}

#[test]
fn each_number_of_the_plan_is_a_place() {
    assert_eq!(place(|plan| plan.makespan_us = -1), "makespan_offset");
    assert_eq!(place(|plan| plan.makespan_us = 1), "makespan_offset");
    assert_eq!(place(|plan| plan.slack_us = 1_000), "slack_duration");
    assert_eq!(place(|plan| plan.idle_us = -1), "idle_duration");
    let stretch = Flexibility {
        contingent: 9,
        shortest_us: 0,
        longest_us: 0,
    };
    assert_eq!(
        place(|plan| plan.flexibilities = vec![stretch]),
        "stretches[0]"
    );
    assert_eq!(place(|plan| plan.policies.clear()), "policies");
}

#[test]
fn a_policy_that_cannot_be_kept_by_itself_is_a_place() {
    let alone = "policies[1]";
    assert_eq!(
        place(|plan| plan.policies[1].bounds = vec![kept(1, 3, 7)]),
        alone
    );
    // Each is fine, but nobody knows which it will be when node 1 happens.
    let apart = |plan: &mut Plan| {
        plan.policies[0].bounds = vec![kept(0, 1, 3)];
        plan.policies[1].bounds = vec![kept(1, 0, -4)];
    };
    assert_eq!(place(apart), "policies");
}

#[test]
fn changes_are_places() {
    let refused = Answer::Infeasible {
        conflict: Default::default(),
        relaxations: vec![Relaxation {
            changes: vec![Change::Bound {
                source: Source::LinkUpper(99),
                old_us: 0,
                new_us: 1,
            }],
            plan: None,
        }],
    };
    let wrong = answer(&duet(), &refused).expect_err("it is wrong");
    let places: Vec<String> = wrong.iter().map(|one| one.field()).collect();
    assert_eq!(places, ["conflict", "relaxations[0].changes[0]"]);
}
