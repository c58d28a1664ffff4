//! Conflicts and relaxations of infeasible narratives, in the author's terms.

mod deletion_filter;
mod relax;
mod story_deletion_filter;

pub(super) use deletion_filter::minimised;
pub(super) use relax::relaxations;
pub(super) use story_deletion_filter::minimised_with_choices;

use super::joint_network::JointNetwork;
use super::story::Story;
use crate::plan::{Conflict, Member, Uncovered};
use crate::problem::Source;
use std::collections::BTreeSet;
use stn::uncertain::{self, Bound, Term};

/// The number of narratives of `nodes` nodes that are tried for an explanation: `most`, and fewer
/// for large ones, since each takes longer.
fn tries_max(nodes: usize, most: usize) -> usize {
    (2_000_000 / (nodes * nodes)).clamp(most / 10, most)
}

/// A proof that one policy cannot be controlled, whatever the resources.
pub(super) fn uncontrollable(joint: &JointNetwork, proof: &uncertain::Conflict) -> Conflict {
    let source = |term: &Term| match term.bound {
        Bound::Requirement(at) => joint.sources[at],
        Bound::Lower(_) => Source::ContingentLower(term.id as usize),
        Bound::Upper(_) => Source::ContingentUpper(term.id as usize),
    };
    let members: BTreeSet<Member> = proof.terms.iter().map(source).map(Member::Bound).collect();
    Conflict {
        members: members.into_iter().collect(),
        ..Conflict::default()
    }
}

/// A proof that no orders exist for one policy: all of its bounds, and activities that need too
/// much simultaneously.
pub(super) fn overloaded(joint: &JointNetwork, sets: &[(usize, Vec<usize>)]) -> Conflict {
    let bounds = joint.sources.iter().copied();
    let links = joint.contingents.iter().flat_map(|link| {
        let link = link.id as usize;
        [Source::ContingentUpper(link), Source::ContingentLower(link)]
    });
    let bounds = bounds.chain(links).map(Member::Bound);
    let capacities = sets.iter().map(|(resource, activities)| Member::Capacity {
        resource: *resource,
        activities: activities.clone(),
    });
    let members: BTreeSet<Member> = bounds.chain(capacities).collect();
    Conflict {
        members: members.into_iter().collect(),
        ..Conflict::default()
    }
}

/// Why outcomes are not covered, from the proofs about single policies.
pub(super) fn uncovered(
    story: &Story<'_>,
    blamed: BTreeSet<Member>,
    uncovered: Uncovered,
) -> Conflict {
    let choices = story.narrative.spec().choices.iter().enumerate();
    let choices = choices.filter(|(_, given)| {
        let mut events = given.options.iter().flatten();
        events
            .next()
            .is_none_or(|event| story.narrative.contains(*event))
    });
    let choices = choices.map(|(choice, _)| Member::Choice { choice });
    let members: BTreeSet<Member> = blamed.into_iter().chain(choices).collect();
    Conflict {
        members: members.into_iter().collect(),
        uncovered: Some(uncovered),
        ..Conflict::default()
    }
}

/// Why policies do not go together, whatever we choose: all bounds, since the sharing of nodes
/// follows from all of them, and the capacities in proofs about sets of policies.
pub(super) fn incompatible_policies(story: &Story<'_>, blamed: BTreeSet<Member>) -> Conflict {
    let bounds = story.bounds.iter().map(|bound| bound.source);
    let links = story.open.iter().map(|open| open.contingent);
    let links = links.flat_map(|at| [Source::ContingentUpper(at), Source::ContingentLower(at)]);
    let all = bounds.chain(links).map(Member::Bound).chain(blamed);
    Conflict {
        uncovered: None,
        ..uncovered(story, all.collect(), Uncovered::default())
    }
}
