//! Conflicts of a few groups of a narrative that has too many storylines.

use crate::plan::{Conflict, Member};
use crate::problem::{Narrative, Node, Source};

/// The groups that a conflict is about, sorted.
pub(super) fn groups(narrative: &Narrative, conflict: &Conflict) -> Vec<usize> {
    let spec = narrative.spec();
    let mut nodes: Vec<Node> = Vec::new();
    for member in &conflict.members {
        match member {
            Member::Bound(source) => nodes.extend(ends(narrative, *source)),
            Member::Capacity { activities, .. } => {
                let given = activities.iter();
                let given = given.filter_map(|activity| spec.activities.get(*activity));
                nodes.extend(given.map(|activity| activity.end));
            }
            Member::Choice { choice } => {
                let given = spec.choices.get(*choice);
                nodes.extend(
                    given
                        .iter()
                        .flat_map(|choice| choice.options.iter().flatten()),
                );
            }
        }
    }
    let mut groups: Vec<usize> = nodes
        .into_iter()
        .filter(|node| *node < narrative.nodes())
        .filter_map(|node| narrative.group_of(node))
        .collect();
    if let Some(witness) = &conflict.uncovered
        && witness.picks.len() <= spec.choices.len()
    {
        groups.extend(narrative.groups_of(&witness.picks));
        let links = witness.durations_us.iter();
        let links = links.filter_map(|(contingent, _)| spec.contingent.get(*contingent));
        groups.extend(links.filter_map(|link| narrative.group_of(link.to)));
    }
    groups.sort_unstable();
    groups.dedup();
    groups
}

/// Nodes that a bound is about.
fn ends(narrative: &Narrative, source: Source) -> Vec<Node> {
    let spec = narrative.spec();
    match source {
        Source::LinkUpper(at) | Source::LinkLower(at) => {
            let link = spec.links.get(at);
            link.map_or(Vec::new(), |link| vec![link.from, link.to])
        }
        Source::ContingentUpper(at) | Source::ContingentLower(at) => {
            let link = spec.contingent.get(at);
            link.map_or(Vec::new(), |link| vec![link.from, link.to])
        }
        Source::Horizon(node) | Source::Start(node) | Source::Happened(node) => vec![node],
    }
}
