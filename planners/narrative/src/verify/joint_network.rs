//! The joint network: what policies share until they are distinguished.

use super::JOINT_MAX;
use super::network::outcomes;
use super::non_anticipativity::non_anticipativity;
use super::story_tree::{Set, StoryTree};
use crate::plan::{Plan, Policy};
use crate::problem::{Chooser, Narrative, Node, ORIGIN};
use petgraph::unionfind::UnionFind;
use stn::Difference;
use stn::check::Network;

/// Which policies have which nodes in common.
#[derive(Debug)]
pub(crate) struct JointNetwork {
    /// Nodes of the joint network.
    pub(crate) nodes: usize,
    /// By policy and node the node of the joint network.
    of: Vec<Vec<Option<Node>>>,
    /// What waits for choices.
    turns: Vec<Difference>,
}

impl JointNetwork {
    /// Finds the nodes that policies share. The policies are well formed; O(policies^2 * nodes)
    /// time. `None`: the check was stopped.
    pub(super) fn new(story: &StoryTree, plan: &Plan) -> Option<Self> {
        let narrative = story.narrative;
        let policies = &plan.policies;
        let mut joint = Self {
            nodes: 1,
            of: vec![vec![None; narrative.nodes()]; policies.len()],
            turns: Vec::new(),
        };
        let sharing = Sharing::new(story, policies);
        // By node: policies that share it, directly or by others.
        let mut groups = vec![UnionFind::new(policies.len()); narrative.nodes()];
        for second in 0..policies.len() {
            if !story.goes_on() {
                return None;
            }
            for first in 0..second {
                let separate = sharing.unshared_nodes(first, second);
                for (node, groups) in groups.iter_mut().enumerate() {
                    if !separate.holds(node) && sharing.are_both_present(first, second, node) {
                        groups.union(first, second);
                    }
                }
            }
        }
        for (node, groups) in groups.iter().enumerate() {
            let mut names = vec![None; policies.len()];
            for policy in 0..policies.len() {
                if node == ORIGIN {
                    joint.of[policy][node] = Some(ORIGIN);
                } else if sharing.are_both_present(policy, policy, node) {
                    let group = groups.find(policy);
                    let name = *names[group].get_or_insert_with(|| {
                        joint.nodes += 1;
                        joint.nodes - 1
                    });
                    joint.of[policy][node] = Some(name);
                }
            }
        }
        // Larger ones are refused: nobody asks what they have to keep.
        if joint.nodes <= JOINT_MAX {
            joint.turns = non_anticipativity(story, policies, &joint.of);
        }
        Some(joint)
    }

    /// Strands of groups side by side, with the origin in common: the groups' own networks, each
    /// with the indices that its policies have among all `policies`. Policies of several groups
    /// have no nodes yet.
    pub(super) fn side_by_side(parts: &[(&Self, &[usize])], policies: usize, nodes: usize) -> Self {
        let mut all = Self {
            nodes: 1,
            of: vec![vec![None; nodes]; policies],
            turns: Vec::new(),
        };
        for (part, at) in parts {
            let before = all.nodes - 1;
            let moved = |node: Node| {
                if node == ORIGIN {
                    ORIGIN
                } else {
                    before + node
                }
            };
            all.nodes += part.nodes - 1;
            for (policy, of) in at.iter().zip(&part.of) {
                all.of[*policy] = of.iter().map(|node| node.map(moved)).collect();
            }
            let turns = part.turns.iter();
            all.turns.extend(turns.map(|bound| bound.renamed(moved)));
        }
        all
    }

    /// Gives a policy the nodes of two others.
    pub(super) fn share(&mut self, policy: usize, [one, other]: [usize; 2]) {
        let both = self.of[one].iter().zip(&self.of[other]);
        self.of[policy] = both.map(|(one, other)| one.or(*other)).collect();
    }

    /// The node of the joint network that is a node of a policy; `None`: the policy does not have
    /// it.
    pub(crate) fn node(&self, policy: usize, node: Node) -> Option<Node> {
        self.of[policy][node]
    }

    /// A policy that has a node of the joint network, and which node of the narrative that is.
    pub(super) fn named(&self, node: Node) -> (usize, Node) {
        let policies = self.of.iter().enumerate();
        let mut all = policies.filter_map(|(policy, of)| {
            let at = of.iter().position(|name| *name == Some(node))?;
            Some((policy, at))
        });
        all.next().unwrap_or((0, node))
    }

    /// All bounds of all policies, until `go_on` returns false. `own` gives the network of each
    /// policy.
    pub(super) fn network<'a>(
        &self,
        own: impl Iterator<Item = &'a Network>,
        go_on: &dyn Fn() -> bool,
    ) -> Network {
        let name = |policy: usize, node: Node| {
            self.of[policy][node].expect("bounds of a policy are between its nodes")
        };
        let mut all = union(own.enumerate(), self.nodes, &name, go_on);
        if !self.turns.is_empty() {
            all.bounds.extend(&self.turns);
            all.bounds.sort_unstable();
            all.bounds.dedup();
        }
        all
    }
}

/// Bounds that are added before those that are there twice are sorted out.
const ADDED_BETWEEN: usize = 1 << 14;

/// The networks of policies, given with their indices, in one of this number of nodes, until
/// `go_on` returns false. What they share is there once.
pub(super) fn union<'a>(
    own: impl Iterator<Item = (usize, &'a Network)>,
    nodes: usize,
    name: &dyn Fn(usize, Node) -> Node,
    go_on: &dyn Fn() -> bool,
) -> Network {
    let mut all = Network {
        nodes,
        ..Network::default()
    };
    let mut known = 0;
    for (policy, network) in own.take_while(|_| go_on()) {
        all.add_renamed(network, |node| name(policy, node));
        if all.bounds.len() > 2 * known + ADDED_BETWEEN {
            all.bounds.sort_unstable();
            all.bounds.dedup();
            known = all.bounds.len();
        }
    }
    all.bounds.sort_unstable();
    all.bounds.dedup();
    all.contingents.sort_unstable();
    all.contingents.dedup();
    all
}

/// The nodes that each two policies share.
struct Sharing<'a> {
    story: &'a StoryTree<'a>,
    policies: &'a [Policy],
    /// By policy: its storyline, and the nodes that are part of it.
    lines: Vec<(usize, Set)>,
    /// By policy and choice: the nodes at or after its moment.
    after: Vec<Vec<Option<Set>>>,
    /// Nodes at which a contingent link ends, and that link.
    ending: Vec<Option<usize>>,
}

impl<'a> Sharing<'a> {
    fn new(story: &'a StoryTree<'a>, policies: &'a [Policy]) -> Self {
        let narrative = story.narrative;
        let mut sharing = Self {
            story,
            policies,
            lines: Vec::new(),
            after: Vec::new(),
            ending: vec![None; narrative.nodes()],
        };
        for (contingent, link) in narrative.spec().contingent.iter().enumerate() {
            sharing.ending[link.to] = Some(contingent);
        }
        for policy in policies {
            let line = story.storyline(&policy.picks);
            let line = line.expect("policies are well formed");
            sharing.lines.push((line, present(narrative, policy)));
            let choices = 0..policy.picks.len();
            let after = choices.map(|choice| sharing.after_moment(policy, line, choice));
            let after = after.collect();
            sharing.after.push(after);
        }
        sharing
    }

    /// The nodes that a policy with this storyline may have for itself from a choice on.
    fn after_moment(&self, policy: &Policy, line: usize, choice: usize) -> Option<Set> {
        let before = &policy.picks[..choice];
        let moment = self.story.moment(before)?;
        let mut after = self.story.after_all(line, moment.events.members());
        for node in moment.past.members() {
            after.remove(node);
        }
        if self.story.chooser(before) == Chooser::Player {
            // The player picks when these have happened: they cannot depend on it. What others end
            // does not depend on anything we decide.
            let ours = |node: &Node| self.ending[*node].is_none();
            for node in moment.events.members().filter(ours) {
                after.remove(node);
            }
        }
        Some(after)
    }

    /// Whether a node is part of both policies.
    fn are_both_present(&self, first: usize, second: usize, node: Node) -> bool {
        self.lines[first].1.holds(node) && self.lines[second].1.holds(node)
    }

    /// The nodes that two policies have one each of.
    fn unshared_nodes(&self, first: usize, second: usize) -> Set {
        let narrative = self.story.narrative;
        let links = &narrative.spec().contingent;
        let (one, other) = (&self.policies[first], &self.policies[second]);
        let named = one.outcomes.iter().chain(&other.outcomes);
        let both = |link: &usize| self.are_both_present(first, second, links[*link].to);
        let named = named.map(|named| named.contingent).filter(both);
        let of = |link: usize| {
            let of = |policy| outcomes(narrative, policy, link);
            (of(one), of(other))
        };
        let differ = named.filter(|link| of(*link).0 != of(*link).1);
        let differ: Vec<usize> = differ.collect();
        let ends = differ.iter().map(|link| links[*link].to);
        let picks = one.picks.iter().zip(&other.picks);
        let mut separate = match picks.into_iter().position(|(one, other)| one != other) {
            Some(choice) => self.after_choice(first, second, choice),
            None => self.after_all(first, second, ends.clone()),
        };
        for link in &differ {
            let (one, other) = of(*link);
            if one.1 < other.0 || other.1 < one.0 {
                // One of them is no longer possible, whatever was or will be picked.
                let end = std::iter::once(links[*link].to);
                separate.add(&self.after_all(first, second, end));
            }
        }
        ends.for_each(|end| separate.insert(end));
        // What begins at nodes of their own ends at nodes of their own.
        loop {
            let starts = |from: Node| from != ORIGIN && separate.holds(from);
            let next = links
                .iter()
                .find(|link| starts(link.from) && !separate.holds(link.to));
            let Some(link) = next else {
                return separate;
            };
            separate.insert(link.to);
        }
    }

    /// What both put at or after the moment of a choice.
    fn after_choice(&self, first: usize, second: usize, choice: usize) -> Set {
        let after = |policy: usize| self.after[policy][choice].clone();
        match (after(first), after(second)) {
            (Some(mut after), Some(others)) => {
                after.keep(&others);
                after
            }
            // Picks differ only where there is something to pick.
            _ => Set::empty(self.story.narrative.nodes()),
        }
    }

    /// What both put at or after all of these nodes.
    fn after_all(
        &self,
        first: usize,
        second: usize,
        nodes: impl Iterator<Item = Node> + Clone,
    ) -> Set {
        let mut after = self.story_after(first, nodes.clone());
        after.keep(&self.story_after(second, nodes));
        after
    }

    fn story_after(&self, policy: usize, ends: impl Iterator<Item = Node>) -> Set {
        self.story.after_all(self.lines[policy].0, ends)
    }
}

fn present(narrative: &Narrative, policy: &Policy) -> Set {
    let mut set = Set::empty(narrative.nodes());
    for node in 0..narrative.nodes() {
        if narrative.present(&policy.picks, node) {
            set.insert(node);
        }
    }
    set
}
