//! Pictures of plans by strands.

use super::{NARROW, evening, page, planned, svg, text};
use stratagem_proto::v1::{NarrativePlan, NarrativePolicy, NarrativeProblem};
use stratagem_render::narrative::storylines;

/// What a policy has for one group.
fn of_group(policy: &NarrativePolicy, group: &str) -> NarrativePolicy {
    let own = |id: &str| id.starts_with(&format!("{group}/"));
    let mut policy = policy.clone();
    policy.picks.retain(|pick| own(&pick.choice_id));
    policy.outcomes.retain(|outcomes| own(&outcomes.link_id));
    policy.ranges.retain(|range| own(&range.event_id));
    policy.hand_overs.clear();
    policy.orders.clear();
    policy.dispatch = None;
    policy
}

/// The plan of an evening by strands: policies of single groups, and of pairs of groups.
fn strands() -> (NarrativeProblem, NarrativePlan) {
    let (problem, mut plan) = evening();
    let mut alone: Vec<NarrativePolicy> = Vec::new();
    for group in &problem.groups {
        for policy in &plan.policies {
            let own = of_group(policy, &group.id);
            if alone.iter().all(|known| known.picks != own.picks) {
                alone.push(own);
            }
        }
    }
    plan.policies.splice(0..0, alone);
    (problem, plan)
}

#[test]
fn each_group_has_a_tree_of_its_own() {
    let (problem, plan) = strands();
    let text = text(&problem, planned(&plan), &NARROW);
    for group in &problem.groups {
        let first = format!("({})", group.id);
        assert!(text.contains("whatever happens"), "{text}");
        assert!(text.contains(&first), "{text}");
    }
    assert_eq!(
        text.matches("whatever happens").count(),
        problem.groups.len(),
        "{text}"
    );
    let trees = svg(&problem, planned(&plan));
    assert_eq!(
        trees.matches("whatever happens").count(),
        problem.groups.len()
    );
}

#[test]
fn what_two_groups_have_between_them_is_no_storyline() {
    let (problem, plan) = strands();
    let (_, whole) = evening();
    let read = storylines(&problem, &plan);
    assert_eq!(
        read.policies.len(),
        plan.policies.len() - whole.policies.len()
    );
    assert!(!read.policies.is_empty());
    assert_eq!(*storylines(&problem, &whole), whole);
    let drawn = page(&problem, planned(&plan));
    let alone = page(&problem, planned(&read));
    assert_eq!(drawn, alone);
}
