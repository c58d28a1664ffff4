//! Whole evenings of several groups, written as clients send them.

mod given;

use anytime::{Conclusion, Control, Limits};
use given::Evening;
use narrative::plan::Plan;
use narrative::solve::{Params, solve};
use narrative::{Answer, Cost, Narrative, verify};

/// The last answer, each of them verified at its cost.
fn answer(narrative: &Narrative, iterations: u64) -> (Option<Answer>, Conclusion) {
    let mut last = None;
    let mut sink = |answer: &Answer, cost: Cost| {
        assert_eq!(verify::answer(narrative, answer), Ok(cost));
        last = Some(answer.clone());
    };
    let mut control = Control::new(Limits::iterations(iterations), 1, &mut sink);
    let conclusion = solve(narrative, &Params::default(), &mut control);
    (last, conclusion.expect("it is built in"))
}

fn plan(narrative: &Narrative, iterations: u64) -> Plan {
    match answer(narrative, iterations) {
        (Some(Answer::Plan(plan)), _) => plan,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_policies_keep_says_that_they_are_over_by_the_makespan() {
    // All policies together were over before each of them by itself.
    let narrative = Evening::of(include_str!("makespan.json")).narrative();
    let mut plan = plan(&narrative, 10_000);
    for policy in &mut plan.policies {
        policy.kept.retain(|kept| kept.from != 0);
    }
    let loose = verify::answer(&narrative, &Answer::Plan(plan.clone()));
    let makespan_us = plan.makespan_us;
    assert_eq!(
        loose,
        Err(vec![narrative::Violation::MakespanBroken { makespan_us }])
    );
}

#[test]
fn four_groups_half_an_hour_apart_are_planned() {
    let evening = Evening::of(include_str!("groups.json")).groups(4, 1_800_000_000);
    let plan = plan(&evening.narrative(), 3_000);
    assert_eq!(plan.policies.len(), 256);
}

#[test]
fn a_plan_with_fixed_picks_of_ours_is_found_before_nobody_knows() {
    let narrative = Evening::of(include_str!("own-pick.json")).narrative();
    let plan = plan(&narrative, 100_000);
}

#[test]
fn two_groups_at_once_clash_over_few_rules_and_a_change_helps() {
    let narrative = Evening::of(include_str!("at-once.json")).narrative();
    match answer(&narrative, 1_000_000) {
        (
            Some(Answer::Infeasible {
                conflict,
                relaxations,
            }),
            Conclusion::Infeasible,
        ) => {
            eprintln!(
                "{} {} {:?}",
                conflict.members.len(),
                conflict.needed,
                relaxations
                    .iter()
                    .map(|r| r.changes.clone())
                    .collect::<Vec<_>>()
            );
            assert!(conflict.minimal && !relaxations.is_empty());
        }
        other => panic!("{other:?}"),
    }
}
