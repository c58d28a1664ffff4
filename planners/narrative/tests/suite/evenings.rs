//! Whole evenings of several groups, written as clients send them.

mod given;
mod in_turn;
mod strands;

use crate::searched::concluded;
use anytime::Conclusion;
use given::Evening;
use narrative::plan::{Plan, Policy};
use narrative::solve::Params;
use narrative::{Answer, Narrative, verify};

/// The last answer, each of them verified at its cost.
fn answer(narrative: &Narrative, iterations: u64) -> (Option<Answer>, Conclusion) {
    concluded(narrative, &Params::default(), iterations)
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
    let narrative = Evening::parse(include_str!("evenings/makespan.json")).narrative();
    let mut plan = plan(&narrative, 10_000);
    for policy in &mut plan.policies {
        policy.bounds.retain(|kept| kept.from != 0);
    }
    let loose = verify::answer(&narrative, &Answer::Plan(plan.clone()));
    let codes = loose.map_err(|faults| faults.iter().map(|one| one.code).collect::<Vec<_>>());
    assert_eq!(codes, Err(vec!["MAKESPAN_BROKEN"]));
}

#[test]
fn four_groups_half_an_hour_apart_are_planned() {
    let evening = Evening::parse(include_str!("evenings/groups.json")).groups(4, 1_800_000_000);
    let plan = plan(&evening.narrative(), 3_000);
    assert_eq!(plan.policies.len(), 256);
}

#[test]
fn a_plan_with_fixed_picks_of_ours_is_found_before_nobody_knows() {
    let narrative = Evening::parse(include_str!("evenings/own-pick.json")).narrative();
    assert!(!plan(&narrative, 100_000).policies.is_empty());
}

#[test]
fn two_groups_at_once_clash_over_few_rules_and_a_change_helps() {
    let narrative = Evening::parse(include_str!("evenings/at-once.json")).narrative();
    match answer(&narrative, 1_000_000) {
        (
            Some(Answer::Infeasible {
                conflict,
                relaxations,
            }),
            Conclusion::Infeasible,
        ) => {
            assert!(
                conflict.minimal && conflict.members.len() <= 16,
                "{conflict:?}"
            );
            assert_eq!(conflict.needed, conflict.members.len());
            assert!(!relaxations.is_empty());
        }
        other => panic!("{other:?}"),
    }
}

/// The most by which nodes are after one another, by what a policy keeps and what others pick.
fn closure(narrative: &Narrative, policy: &Policy) -> Vec<Vec<i64>> {
    let nodes = narrative.nodes();
    let mut most = vec![vec![i64::MAX / 4; nodes]; nodes];
    for kept in &policy.bounds {
        most[kept.from][kept.to] = most[kept.from][kept.to].min(kept.upper_us);
    }
    for link in &narrative.spec().contingent {
        let present = |node| narrative.present(&policy.picks, node);
        if present(link.from) && present(link.to) {
            most[link.from][link.to] = most[link.from][link.to].min(link.upper_us);
            most[link.to][link.from] = most[link.to][link.from].min(-link.lower_us);
        }
    }
    for by in 0..nodes {
        for from in 0..nodes {
            for to in 0..nodes {
                let through = most[from][by] + most[by][to];
                most[from][to] = most[from][to].min(through);
            }
        }
    }
    most
}

/// Whether the second of two activities comes after the first by the orders of a policy.
fn is_ordered(policy: &Policy, first: usize, second: usize) -> bool {
    let mut seen = vec![first];
    let mut at = 0;
    while at < seen.len() {
        let next = policy.order.iter().filter(|pair| pair.0 == seen[at]);
        let next: Vec<usize> = next
            .map(|pair| pair.1)
            .filter(|to| !seen.contains(to))
            .collect();
        seen.extend(next);
        at += 1;
    }
    seen.contains(&second)
}

#[test]
fn orders_say_what_is_sure_of_activities_that_need_the_same() {
    let mut pairs = 0;
    for evening in [
        include_str!("evenings/makespan.json"),
        include_str!("evenings/own-pick.json"),
    ] {
        let narrative = Evening::parse(evening).narrative();
        let activities = &narrative.spec().activities;
        for policy in &plan(&narrative, 10_000).policies {
            let most = closure(&narrative, policy);
            let present = |at: &usize| narrative.present(&policy.picks, activities[*at].start);
            let here: Vec<usize> = (0..activities.len()).filter(present).collect();
            for (first, second) in here.iter().flat_map(|a| here.iter().map(|b| (*a, *b))) {
                let (one, other) = (&activities[first], &activities[second]);
                let needs = |resource| other.demands.iter().any(|d| d.resource == resource);
                let shares = one.demands.iter().any(|d| needs(d.resource));
                // All resources are there once here.
                if first != second && shares && most[other.start][one.end] <= 0 {
                    pairs += 1;
                    assert!(
                        is_ordered(policy, first, second),
                        "{first} {second} {policy:?}"
                    );
                }
            }
        }
    }
    assert!(pairs > 50, "{pairs}");
}
