//! False claims say which part of an answer they are about.

mod verify_stories;

use narrative::Violation;
use narrative::plan::{Answer, Change, Flexibility, HandOver, Outcomes, Plan, Relaxation};
use narrative::problem::Source;
use narrative::verify::{Part, Place, answer};
use verify_stories::{duet, kept, plan, policy, wait};

/// Where the first false claim is after one change of a plan that is right, of two policies.
fn place(change: impl FnOnce(&mut Plan)) -> Place {
    let mut plan = plan(60, &[policy(&[0], &[]), policy(&[1], &[])]);
    change(&mut plan);
    let wrong = answer(&duet(), &Answer::Plan(plan)).expect_err("the plan is wrong");
    wrong.first().map(Violation::place).expect("something is")
}

#[test]
fn each_part_of_a_policy_is_a_place() {
    let second = |part| Place::Policy { policy: 1, part };
    let outcomes = |lower_us, upper_us| Outcomes {
        contingent: 0,
        lower_us,
        upper_us,
    };
    assert_eq!(
        place(|plan| plan.policies[1].picks.clear()),
        second(Part::Picks)
    );
    assert_eq!(
        place(|plan| plan.policies[1].outcomes = vec![outcomes(9, 1)]),
        second(Part::Outcomes(0))
    );
    assert_eq!(
        place(|plan| plan.policies[1].order = vec![(0, 1), (1, 1)]),
        second(Part::Order(1))
    );
    assert_eq!(
        place(|plan| plan.policies[1].bounds = vec![kept(0, 1, 60), kept(1, 1, 0)]),
        second(Part::DispatchBound(1))
    );
    assert_eq!(
        place(|plan| plan.policies[1].waits = vec![wait(0, 0, 1)]),
        second(Part::Wait(0))
    );
    let hand = HandOver {
        resource: 0,
        from: None,
        to: 0,
        amount: 0,
    };
    assert_eq!(
        place(|plan| plan.policies[1].hand_overs = vec![hand]),
        second(Part::HandOver(0))
    );
    let little = HandOver { amount: 1, ..hand };
    assert_eq!(
        place(|plan| plan.policies[1].hand_overs = vec![little]),
        second(Part::HandOvers)
    );
}

#[test]
fn an_order_in_a_circle_is_told_by_a_pair_of_the_circle() {
    let found = place(|plan| plan.policies[1].order = vec![(1, 0), (0, 1)]);
    assert!(matches!(
        found,
        Place::Policy {
            policy: 1,
            part: Part::Order(0..=1)
        }
    ));
}

#[test]
fn each_number_of_the_plan_is_a_place() {
    assert_eq!(place(|plan| plan.makespan_us = -1), Place::Makespan);
    assert_eq!(place(|plan| plan.makespan_us = 1), Place::Makespan);
    assert_eq!(place(|plan| plan.slack_us = 1_000), Place::Slack);
    assert_eq!(place(|plan| plan.idle_us = -1), Place::Idle);
    let stretch = Flexibility {
        contingent: 9,
        shortest_us: 0,
        longest_us: 0,
    };
    assert_eq!(
        place(|plan| plan.flexibilities = vec![stretch]),
        Place::Flexibility(0)
    );
    assert_eq!(place(|plan| plan.policies.clear()), Place::Policies);
}

#[test]
fn a_policy_that_cannot_be_kept_by_itself_is_a_place() {
    let alone = Place::Policy {
        policy: 1,
        part: Part::Whole,
    };
    assert_eq!(
        place(|plan| plan.policies[1].bounds = vec![kept(1, 3, 7)]),
        alone
    );
    // Each is fine, but nobody knows which it will be when node 1 happens.
    let apart = |plan: &mut Plan| {
        plan.policies[0].bounds = vec![kept(0, 1, 3)];
        plan.policies[1].bounds = vec![kept(1, 0, -4)];
    };
    assert_eq!(place(apart), Place::Policies);
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
    let places: Vec<Place> = wrong.iter().map(Violation::place).collect();
    let change = Place::Change {
        relaxation: 0,
        change: 0,
    };
    assert_eq!(places, [Place::Conflict, change]);
}
