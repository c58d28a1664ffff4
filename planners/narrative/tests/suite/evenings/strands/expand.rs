//! A plan by strands for a few groups is one for each of their storylines: the check for those is
//! the judge.

use super::{OURS, PLAYERS, planned};
use narrative::plan::{Plan, Policy};
use narrative::problem::Picks;
use narrative::{Narrative, verify};

/// What a plan has for some groups.
pub(super) fn of_groups(narrative: &Narrative, plan: &Plan, groups: &[usize]) -> Plan {
    let mut plan = plan.clone();
    plan.policies.retain(|policy| {
        let of = narrative.groups_of(&policy.picks);
        of.iter().all(|group| groups.contains(group))
    });
    plan.peaks.clear();
    plan
}

/// Whether a policy is for the picks and outcomes of another, as far as it names any.
fn agrees(narrative: &Narrative, part: &Policy, whole: &Policy) -> bool {
    let picks = part.picks.iter().zip(&whole.picks);
    let named = |contingent: usize| {
        let to = narrative.spec().contingent[contingent].to;
        narrative
            .groups_of(&part.picks)
            .contains(&narrative.group_of(to).expect("links end at events"))
    };
    let whole_outcomes = whole.outcomes.iter().filter(|o| named(o.contingent));
    picks
        .into_iter()
        .all(|(part, whole)| part.is_none() || part == whole)
        && whole_outcomes.eq(&part.outcomes)
}

/// One policy for each combination of strands of two groups.
pub(super) fn expanded(narrative: &Narrative, plan: &Plan, [one, other]: [usize; 2]) -> Plan {
    let of = |group: usize| {
        let policies = plan.policies.iter();
        policies.filter(move |p| narrative.groups_of(&p.picks) == [group])
    };
    let mut policies = Vec::new();
    for first in of(one) {
        for second in of(other) {
            let picks: Picks = Narrative::merge_picks(&first.picks, &second.picks);
            let mut whole = Policy {
                picks,
                outcomes: [&first.outcomes[..], &second.outcomes].concat(),
                ..Policy::default()
            };
            for part in plan
                .policies
                .iter()
                .filter(|part| agrees(narrative, part, &whole))
                .cloned()
                .collect::<Vec<_>>()
            {
                whole.order.extend(part.order);
                whole.bounds.extend(part.bounds);
                whole.waits.extend(part.waits);
            }
            whole.order.sort_unstable();
            whole.bounds.sort_unstable();
            whole.waits.sort_unstable();
            policies.push(whole);
        }
    }
    policies.sort_by(|one, other| one.picks.cmp(&other.picks));
    Plan {
        policies,
        ..plan.clone()
    }
}

#[test]
fn strands_of_two_groups_make_a_plan_for_all_their_storylines() {
    let mut checked = 0;
    for seed in PLAYERS.into_iter().chain(OURS) {
        let (narrative, plan) = planned(seed);
        for groups in [[0, 1], [2, 3], [0, 2]] {
            let part = narrative.restricted_to(&groups);
            let plan = of_groups(&narrative, &plan, &groups);
            assert!(verify::strategy(&part, &plan).is_ok(), "{seed}");
            let whole = expanded(&narrative, &plan, groups);
            let judged = verify::answer(&part, &narrative::Answer::Plan(whole));
            assert!(judged.is_ok(), "{seed} {groups:?} {judged:?}");
            checked += 1;
        }
    }
    assert_eq!(checked, 3 * (PLAYERS.len() + OURS.len()));
}
