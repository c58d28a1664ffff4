//! Parts of a story that have nothing but resources in common, such as groups in one narrative.

use super::{JointNetwork, PolicyOutline, unshared_nodes};
use crate::plan::Outcomes;
use crate::problem::{Narrative, ORIGIN};
use crate::solve::story::Story;
use petgraph::unionfind::UnionFind;

/// What a policy picks and narrows within a component.
type ComponentDecisions<'s> = (Vec<Option<usize>>, Vec<&'s Outcomes>);

impl JointNetwork {
    /// The same policies with less that is decided differently: what comes in one component does
    /// not depend on what is picked, or seen, in others. `None`: the story has one component only.
    ///
    /// The network has about as many nodes as all components together, where that of
    /// [`JointNetwork::new`] has one for each combination of what was picked before. A strategy for
    /// it is one for that network, too: all copies of an event happen at the time of the one that
    /// stands for them, while what was not picked is imagined. No conclusion follows where it has
    /// none.
    pub(crate) fn by_components(
        &self,
        story: &Story<'_>,
        skeletons: &[PolicyOutline],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<JointNetwork> {
        let narrative = story.narrative;
        let component = components(narrative);
        let count = component.iter().max().map_or(0, |last| last + 1);
        // The origin is one by itself.
        if count < 3 {
            return None;
        }
        let of = |skeleton| (0..count).map(move |at| (skeleton, at));
        let decided = |(skeleton, at)| component_decisions(narrative, &component, skeleton, at);
        let all = skeletons
            .iter()
            .map(|one| (one, of(one).map(decided).collect()));
        let all: Vec<(&PolicyOutline, Vec<ComponentDecisions<'_>>)> = all.collect();
        let find = |skeleton: &PolicyOutline| {
            let mut all = all.iter();
            let found = all.find(|(known, _)| std::ptr::eq(*known, skeleton));
            &found.expect("policies are compared with one another").1
        };
        let apart = |one: &PolicyOutline, other: &PolicyOutline| {
            let (here, there) = (find(one), find(other));
            let mut apart = unshared_nodes(story, one, other);
            for (node, apart) in apart.iter_mut().enumerate() {
                *apart &= here[component[node]] != there[component[node]];
            }
            apart
        };
        let joint = JointNetwork::sharing(story, skeletons, &apart, go_on)?;
        Some(JointNetwork {
            finest: Some(self.place.clone()),
            ..joint
        })
    }
}

/// By node, its component: events that links or choices connect are in one.
fn components(narrative: &Narrative) -> Vec<usize> {
    let spec = narrative.spec();
    let mut joined = UnionFind::new(narrative.nodes());
    let links = spec.links.iter().map(|link| (link.from, link.to));
    let contingent = spec.contingent.iter().map(|link| (link.from, link.to));
    for (from, to) in links.chain(contingent) {
        if from != ORIGIN && to != ORIGIN {
            joined.union(from, to);
        }
    }
    for choice in &spec.choices {
        let mut events = choice.options.iter().flatten();
        if let Some(first) = events.next() {
            for event in events {
                joined.union(*first, *event);
            }
        }
    }
    let component = joined.into_labeling();
    let mut names = component.clone();
    names.sort_unstable();
    names.dedup();
    let name = |component: usize| names.partition_point(|name| *name < component);
    component.into_iter().map(name).collect()
}

/// What a policy picks and narrows in a component; choices without events are in all.
fn component_decisions<'s>(
    narrative: &Narrative,
    component: &[usize],
    skeleton: &'s PolicyOutline,
    at: usize,
) -> ComponentDecisions<'s> {
    let spec = narrative.spec();
    let picks = &narrative.storylines()[skeleton.line];
    let here = spec.choices.iter().zip(picks).filter(|(choice, _)| {
        let mut events = choice.options.iter().flatten();
        events.next().is_none_or(|event| component[*event] == at)
    });
    let outcomes = skeleton.outcomes.iter();
    let outcomes = outcomes.filter(|of| component[spec.contingent[of.contingent].to] == at);
    (here.map(|(_, pick)| *pick).collect(), outcomes.collect())
}
