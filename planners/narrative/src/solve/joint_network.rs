//! The joint network: a simple temporal network with uncertainty (STNU) for several policies, with
//! one node for each event in all policies that share it.

mod components;
mod strand_groups;

pub(crate) use strand_groups::{Compete, StrandGroups};

use super::story::{Fork, OpenLink, Story, Tree};
use crate::plan::Outcomes;
use crate::problem::{Chooser, Micros, Node, ORIGIN, Source};
use std::collections::BTreeMap;
use stn::Edge;
use stn::uncertain::{Contingent, Stnu, StnuError};

/// No node: the event is not part of the policy.
pub(crate) const ABSENT: u32 = u32::MAX;

/// A policy before times and orders are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PolicyOutline {
    /// Index of the storyline.
    pub(crate) line: usize,
    /// Sorted by link; those that are not named have all their outcomes.
    pub(crate) outcomes: Vec<Outcomes>,
}

impl PolicyOutline {
    /// The policy of a storyline for all outcomes.
    pub(crate) fn whole(line: usize) -> Self {
        Self {
            line,
            outcomes: Vec::new(),
        }
    }

    /// The policy of a storyline for these outcomes of the story's open links, as far as it has the
    /// links.
    pub(crate) fn narrowed(story: &Story<'_>, line: usize, ranges: &[(Micros, Micros)]) -> Self {
        let present = &story.lines[line].present;
        let open = story.open.iter().zip(ranges);
        let narrowed = open.filter(|(open, range)| {
            let link = story.narrative.spec().contingent[open.contingent];
            present[link.to] && (open.lower, open.upper) != **range
        });
        let outcomes = narrowed.map(|(open, (lower, upper))| Outcomes {
            contingent: open.contingent,
            lower_us: *lower,
            upper_us: *upper,
        });
        Self {
            line,
            outcomes: outcomes.collect(),
        }
    }

    /// The durations of a link for which the policy is meant.
    pub(crate) fn range(&self, open: &OpenLink) -> (Micros, Micros) {
        let narrowed = self.outcomes_of(open.contingent);
        narrowed.map_or((open.lower, open.upper), |o| (o.lower_us, o.upper_us))
    }

    fn outcomes_of(&self, contingent: usize) -> Option<&Outcomes> {
        let mut outcomes = self.outcomes.iter();
        outcomes.find(|outcomes| outcomes.contingent == contingent)
    }
}

/// Nodes that policies share, and what is between them.
#[derive(Debug, Clone)]
pub(crate) struct JointNetwork {
    pub(crate) nodes: usize,
    /// By policy and node of the narrative, or [`ABSENT`].
    pub(crate) place: Vec<Vec<u32>>,
    /// The same where policies share only what they have to, if nodes here are shared by more of
    /// them.
    pub(crate) finest: Option<Vec<Vec<u32>>>,
    /// The id of each is its index here and in `sources`.
    pub(crate) requirements: Vec<Edge>,
    pub(crate) sources: Vec<Source>,
    /// The id of each is that of the narrative.
    pub(crate) contingents: Vec<Contingent>,
    /// Of strands of groups: who competes.
    pub(crate) strands: Option<StrandGroups>,
}

impl JointNetwork {
    /// What policies share by what is decided about a plan.
    pub(crate) fn new(story: &Story<'_>, skeletons: &[PolicyOutline]) -> JointNetwork {
        Self::new_while(story, skeletons, &mut || true).expect("nothing stops it")
    }

    /// The same; `None`: stopped by `go_on`, which is called now and then.
    pub(crate) fn new_while(
        story: &Story<'_>,
        skeletons: &[PolicyOutline],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<JointNetwork> {
        let apart = |one: &PolicyOutline, other: &PolicyOutline| unshared_nodes(story, one, other);
        Self::sharing(story, skeletons, &apart, go_on)
    }

    /// The same with other nodes of which two policies have one each.
    pub(crate) fn sharing(
        story: &Story<'_>,
        skeletons: &[PolicyOutline],
        apart: &dyn Fn(&PolicyOutline, &PolicyOutline) -> Vec<bool>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<JointNetwork> {
        let present = |policy: usize, node: Node| {
            let skeleton: &PolicyOutline = &skeletons[policy];
            story.lines[skeleton.line].present[node]
        };
        let apart = |one: usize, other: usize| apart(&skeletons[one], &skeletons[other]);
        Self::build(story, skeletons, &present, &apart, go_on)
    }

    /// The same with given functions for the nodes that a policy has, and for the nodes that two
    /// policies, given by index, have one each of.
    pub(crate) fn build(
        story: &Story<'_>,
        skeletons: &[PolicyOutline],
        present: &Present<'_>,
        apart: &dyn Fn(usize, usize) -> Vec<bool>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Option<JointNetwork> {
        let (nodes, place) = places(story, skeletons.len(), present, apart, go_on)?;
        let mut bounds: BTreeMap<(u32, u32, Source), Micros> = BTreeMap::new();
        let mut links: BTreeMap<u32, Contingent> = BTreeMap::new();
        for (policy, skeleton) in skeletons.iter().enumerate() {
            if !go_on() {
                return None;
            }
            let at = |node: Node| place[policy][node];
            for bound in &story.bounds {
                let (from, to) = (at(bound.from), at(bound.to));
                if from != ABSENT && to != ABSENT {
                    bounds.insert((from, to, bound.source), bound.most);
                }
            }
            for open in &story.open {
                let link = story.narrative.spec().contingent[open.contingent];
                let (from, to) = (at(link.from), at(link.to));
                if from == ABSENT || to == ABSENT {
                    continue;
                }
                let (lower, upper) = skeleton.range(open);
                let id = open.contingent as u32;
                let link = Contingent::new(from, to, lower, upper, id);
                links.insert(to, link);
            }
        }
        let edges = (0_u32..).zip(&bounds);
        let edges = edges.map(|(id, ((from, to, _), most))| Edge::new(*from, *to, *most, id));
        Some(JointNetwork {
            nodes,
            place,
            finest: None,
            requirements: edges.collect(),
            sources: bounds.keys().map(|(_, _, source)| *source).collect(),
            contingents: links.into_values().collect(),
            strands: None,
        })
    }

    /// The network with more requirements.
    ///
    /// # Errors
    /// When it is larger than the engine allows.
    pub(crate) fn network(&self, more: &[Edge]) -> Result<Stnu, Vec<StnuError>> {
        let edges = [&self.requirements[..], more].concat();
        Stnu::new(self.nodes, edges, self.contingents.clone())
    }
}

/// Whether a policy, given by index, has a node.
pub(crate) type Present<'p> = dyn Fn(usize, Node) -> bool + 'p;

/// How many nodes there are, and by policy and node of the narrative which it is.
fn places(
    story: &Story<'_>,
    policies: usize,
    present: &Present<'_>,
    apart: &dyn Fn(usize, usize) -> Vec<bool>,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<(usize, Vec<Vec<u32>>)> {
    let row = |one| {
        let pair = |other| go_on().then(|| apart(one, other));
        (0..one).map(pair).collect::<Option<Vec<_>>>()
    };
    let apart: Vec<Vec<Vec<bool>>> = (0..policies).map(row).collect::<Option<_>>()?;
    let is_apart = |one: usize, other: usize, node: Node| {
        let apart: &[bool] = &apart[one][other];
        apart[node]
    };
    // The origin is everybody's.
    let mut place = vec![vec![0_u32]; policies];
    let mut nodes = 1_u32;
    for node in 1..story.narrative.nodes() {
        if !go_on() {
            return None;
        }
        let group = groups(policies, &|one, other| {
            present(one, node) && present(other, node) && !is_apart(one, other, node)
        });
        let mut name = vec![ABSENT; policies];
        for policy in 0..policies {
            if !present(policy, node) {
                place[policy].push(ABSENT);
                continue;
            }
            let name = &mut name[group[policy]];
            if *name == ABSENT {
                *name = nodes;
                nodes += 1;
            }
            place[policy].push(*name);
        }
    }
    Some((nodes as usize, place))
}

/// By policy, the least index in its connected component; pairs of a larger and a smaller index
/// that share are connected.
fn groups(policies: usize, shares: &dyn Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut group: Vec<usize> = (0..policies).collect();
    for one in 0..policies {
        for other in 0..one {
            let (a, b) = (group[one], group[other]);
            if a != b && shares(one, other) {
                let (least, most) = (a.min(b), a.max(b));
                let joined = group.iter_mut().filter(|group| **group == most);
                joined.for_each(|group| *group = least);
            }
        }
    }
    group
}

/// The nodes of which two policies have one each.
pub(crate) fn unshared_nodes(
    story: &Story<'_>,
    one: &PolicyOutline,
    other: &PolicyOutline,
) -> Vec<bool> {
    let links = &story.narrative.spec().contingent;
    let pair = Pair::new(story, [one, other]);
    let parted = distinguishing_ends(story, one, other);
    let is_apart = |node: Node| {
        let ruled_out = || parted.iter().any(|end| pair.after(&[*end], node));
        let is_known = pair.is_known(node) || pair.is_known_by_strand(node);
        pair.both_have(node) && (is_known || ruled_out() || pair.ends.contains(&node))
    };
    let mut apart: Vec<bool> = (0..story.narrative.nodes()).map(is_apart).collect();
    apart[ORIGIN] = false;
    // What begins at nodes of their own ends at nodes of their own.
    while let Some(link) = links
        .iter()
        .find(|link| apart[link.from] && !apart[link.to])
    {
        apart[link.to] = true;
    }
    apart
}

/// Two policies.
struct Pair<'s> {
    story: &'s Story<'s>,
    /// Their storylines.
    lines: [usize; 2],
    /// Where links end of which they do not have the same outcomes.
    ends: Vec<Node>,
    fork: Option<&'s Fork>,
}

impl<'s> Pair<'s> {
    fn new(story: &'s Story<'s>, [one, other]: [&PolicyOutline; 2]) -> Self {
        let mut pair = Self {
            story,
            lines: [one.line, other.line],
            ends: Vec::new(),
            fork: fork_between(&story.tree, one.line, other.line),
        };
        let links = &story.narrative.spec().contingent;
        let differ = story.open.iter().filter(|open| {
            pair.both_have(links[open.contingent].to) && one.range(open) != other.range(open)
        });
        pair.ends = differ.map(|open| links[open.contingent].to).collect();
        pair
    }

    fn both_have(&self, node: Node) -> bool {
        let mut lines = self.lines.iter();
        lines.all(|line| self.story.lines[*line].present[node])
    }

    /// Whether both have a node at or after all of these.
    fn after(&self, events: &[Node], node: Node) -> bool {
        let mut lines = self.lines.iter();
        lines.all(|line| {
            let mut events = events.iter();
            events.all(|event| self.story.at_or_before(*line, *event, node))
        })
    }

    /// Whether it is known which of the two it is when a node happens.
    fn is_known(&self, node: Node) -> bool {
        match self.fork {
            Some(fork) => self.is_after(fork, node),
            None => self.after(&self.ends, node),
        }
    }

    /// The same in the strands of the node's group, by its own choices and links, where plans by
    /// strands count.
    fn is_known_by_strand(&self, node: Node) -> bool {
        let narrative = self.story.narrative;
        let is_own = |node: Node, group: usize| narrative.group_of(node) == Some(group);
        let mut all = self.story.strands.iter();
        let Some(strands) = all.find(|strands| is_own(node, strands.group)) else {
            return false;
        };
        match strands.fork_between(self.lines) {
            Some(fork) => self.is_after(fork, node),
            None => {
                let ends = self.ends.iter().copied();
                let ends: Vec<Node> = ends.filter(|end| is_own(*end, strands.group)).collect();
                !ends.is_empty() && self.after(&ends, node)
            }
        }
    }

    /// Whether a node may depend on a choice. What an earlier choice waits for happens before the
    /// pick is known; where a player picks, so do events of ours at that very moment.
    fn is_after(&self, fork: &Fork, node: Node) -> bool {
        let mut links = self.story.narrative.spec().contingent.iter();
        let mut is_ours = || !links.any(|link| link.to == node);
        let is_unknown =
            fork.chooser == Chooser::Player && fork.moment.contains(&node) && is_ours();
        let is_past = fork.past.binary_search(&node).is_ok();
        !is_past && !is_unknown && self.after(&fork.moment, node)
    }
}

/// The ends of links of which two policies have no outcome in common: one of them is ruled out when
/// the link ends.
pub(crate) fn distinguishing_ends(
    story: &Story<'_>,
    one: &PolicyOutline,
    other: &PolicyOutline,
) -> Vec<Node> {
    let lines = [one.line, other.line];
    let end = |open: &OpenLink| story.narrative.spec().contingent[open.contingent].to;
    let both = |node: Node| lines.iter().all(|line| story.lines[*line].present[node]);
    let parted = story.open.iter().filter(|open| {
        let (one, other) = (one.range(open), other.range(open));
        both(end(open)) && (one.1 < other.0 || other.1 < one.0)
    });
    parted.map(end).collect()
}

/// Where two storylines part; `None` when they are the same.
pub(crate) fn fork_between(tree: &Tree, one: usize, other: usize) -> Option<&Fork> {
    let Tree::Fork(fork) = tree else {
        return None;
    };
    let holds = |option: &&Tree, line: usize| match option {
        Tree::Line(only) => *only == line,
        Tree::Fork(later) => later.lines.contains(&line),
    };
    let next = fork.options.iter().find(|option| holds(option, one));
    match next {
        Some(next) if holds(&next, other) => fork_between(next, one, other),
        _ => Some(fork),
    }
}
