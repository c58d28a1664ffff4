//! Plans by strands: policies of single groups, and what two of them have between them.

use std::borrow::Cow;
use std::collections::BTreeSet;
use stratagem_proto::v1::{NarrativePlan, NarrativePolicy, NarrativeProblem};

/// Groups of which a policy picks something.
pub(super) fn groups(policy: &NarrativePolicy) -> BTreeSet<&str> {
    let picks = policy.picks.iter();
    let groups = picks.filter_map(|pick| Some(pick.choice_id.split_once('/')?.0));
    groups.collect()
}

/// Whether policies of a plan say nothing of some groups.
pub(super) fn is_by_strands(problem: &NarrativeProblem, plan: &NarrativePlan) -> bool {
    let all = problem.groups.len();
    let mut policies = plan.policies.iter();
    all > 1 && policies.any(|policy| (1..all).contains(&groups(policy).len()))
}

/// Returns the storylines of a plan for people: those of single groups if the plan is by strands.
#[must_use]
pub fn storylines<'p>(
    problem: &NarrativeProblem,
    plan: &'p NarrativePlan,
) -> Cow<'p, NarrativePlan> {
    if !is_by_strands(problem, plan) {
        return Cow::Borrowed(plan);
    }
    let alone = plan.policies.iter().filter(|one| groups(one).len() == 1);
    Cow::Owned(NarrativePlan {
        policies: alone.cloned().collect(),
        ..plan.clone()
    })
}
