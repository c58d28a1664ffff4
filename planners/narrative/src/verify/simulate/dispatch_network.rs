//! The joint network of all policies that are still possible.

use super::super::joint_network::union;
use super::super::network::outcomes;
use super::super::story_tree::Set;
use super::Simulator;
use crate::problem::{Contingent, Micros, Node};
use std::collections::BTreeMap;
use stn::check::{Closure, Network};

/// A wait, regressed to a node that has to be no more than some time before the one that waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RegressedWait {
    /// Index of the contingent link.
    pub(super) contingent: usize,
    /// From its start, unless it has ended.
    pub(super) least: Micros,
}

/// The joint network of some policies, with all that follows from it: what one policy asks for may
/// bind an event that all share by way of events that only this one has.
#[derive(Debug)]
pub(super) struct DispatchNetwork {
    /// By node of the narrative: its nodes here, one for each group of policies that share one.
    copies: Vec<Vec<usize>>,
    /// By node of the narrative: whether all these policies share it.
    shared: Vec<bool>,
    /// Which nodes here are ours to decide about, or ends of links that take no time from such, for
    /// the outcomes that their policies are meant for.
    ours: Vec<bool>,
    /// By node here.
    waits: Vec<Vec<RegressedWait>>,
    /// Both ways, so that what is about one node is together in memory.
    closure: Closure,
    transposed: Closure,
    /// By node here that all share: which nodes here it waits for.
    before: Vec<Set>,
}

impl DispatchNetwork {
    /// Of the policies with these indices.
    pub(super) fn new(simulator: &Simulator, policies: &[usize]) -> Self {
        let narrative = simulator.parts.narrative;
        let count = narrative.nodes();
        // Node of the joint network to node here; the origin is the first in both.
        let mut here: BTreeMap<Node, usize> = BTreeMap::new();
        let mut rules = Self {
            copies: vec![Vec::new(); count],
            shared: vec![true; count],
            ours: Vec::new(),
            waits: Vec::new(),
            closure: Closure::default(),
            transposed: Closure::default(),
            before: Vec::new(),
        };
        for node in 0..count {
            for &policy in policies {
                let Some(joint) = simulator.known.joint.node(policy, node) else {
                    rules.shared[node] &= !simulator.known.concerns[policy].holds(node);
                    continue;
                };
                let next = here.len();
                let copy = *here.entry(joint).or_insert(next);
                if copy == next {
                    rules.copies[node].push(copy);
                }
            }
            rules.shared[node] &= rules.copies[node].len() == 1;
        }
        let name = |policy: usize, node: Node| {
            let joint = simulator.known.joint.node(policy, node);
            joint.map(|joint| here[&joint])
        };
        let go_on = simulator.parts.parts[0].story.go_on;
        let own = policies
            .iter()
            .map(|policy| (*policy, &simulator.known.own[*policy]));
        let sure = |policy: usize, node: Node| {
            name(policy, node).expect("bounds of a policy are between its nodes")
        };
        let network = union(own, here.len(), &sure, go_on);
        rules.ours = ours(&network);
        rules.closure = match (policies, simulator.known.closures.as_slice()) {
            // Of one policy alone it is known: all that differs are the names of nodes.
            (&[only], closures) if !closures.is_empty() => {
                let present = (0..count).filter(|node| rules.shared[*node]);
                closures[only].restricted_to(&present.collect::<Vec<Node>>())
            }
            _ => {
                Closure::new(&network, go_on).unwrap_or_else(|| Closure::strictest_bounds(&network))
            }
        };
        rules.transposed = rules.closure.transposed(go_on);
        rules.before = vec![Set::empty(0); here.len()];
        for node in (0..count).take_while(|_| go_on()) {
            if let Some(here) = rules.shared(node) {
                rules.before[here] = rules.all_before(here);
            }
        }
        rules.waits = rules.regressed(&waits(simulator, policies, &name), go_on);
        rules
    }

    /// What every node has to wait for, so that those that wait can still follow it in time.
    /// Nothing once `go_on` returns false.
    fn regressed(
        &self,
        waits: &BTreeMap<(usize, usize), Micros>,
        go_on: &dyn Fn() -> bool,
    ) -> Vec<Vec<RegressedWait>> {
        let all = 0..self.ours.len();
        let until = |node: usize| {
            let is_on = go_on();
            let mut found: BTreeMap<usize, Micros> = BTreeMap::new();
            let waits = waits.iter().take_while(|_| is_on);
            for (&(waiting, contingent), &least) in waits {
                let after = self.closure.distance(node, waiting);
                // A node that has to be later than one that waits follows it in any case.
                if let Some(after) = after.filter(|after| *after >= 0)
                    && (after == 0 || least > after)
                {
                    let known = found.entry(contingent).or_insert(Micros::MIN);
                    *known = (least - after).max(*known);
                }
            }
            let found = found.into_iter();
            let found = found.map(|(contingent, least)| RegressedWait { contingent, least });
            found.collect()
        };
        all.map(until).collect()
    }

    fn all_before(&self, node: usize) -> Set {
        let mut before = Set::empty(self.ours.len());
        for other in (0..self.ours.len()).filter(|other| self.waits_for(node, *other)) {
            before.insert(other);
        }
        before
    }

    /// Which nodes here one that all share waits for.
    pub(super) fn before(&self, node: usize) -> &Set {
        &self.before[node]
    }

    /// How many nodes there are here.
    pub(super) fn nodes(&self) -> usize {
        self.ours.len()
    }

    /// Pairs of nodes.
    pub(super) fn cells(&self) -> usize {
        self.ours.len() * self.ours.len()
    }

    /// The nodes here that are a node of the narrative.
    pub(super) fn copies(&self, node: Node) -> &[usize] {
        &self.copies[node]
    }

    /// The one node here that is a node of the narrative in all policies.
    pub(super) fn shared(&self, node: Node) -> Option<usize> {
        self.copies[node]
            .first()
            .copied()
            .filter(|_| self.shared[node])
    }

    /// By node here the largest time to it from this one.
    pub(super) fn distances_from(&self, from: usize) -> &[Micros] {
        self.closure.row(from)
    }

    /// By node here the largest time from it to this one: negative where it has to be later.
    pub(super) fn distances_to(&self, to: usize) -> &[Micros] {
        self.transposed.row(to)
    }

    /// Whether one node here is sure to be at or after another, and has to wait for it: those that
    /// can only happen together do not wait for each other.
    fn waits_for(&self, node: usize, other: usize) -> bool {
        let after = self.closure.precedes(other, node);
        let before = || self.closure.precedes(node, other);
        after && node != other && !(self.ours[node] && self.ours[other] && before())
    }

    /// The earliest time of a node here by what it waits for; `None`: that has not begun.
    pub(super) fn wait(
        &self,
        node: usize,
        times: &[Option<Micros>],
        links: &[Contingent],
    ) -> Option<Micros> {
        let mut earliest = Micros::MIN;
        for wait in &self.waits[node] {
            let link = links[wait.contingent];
            if times[link.to].is_none() {
                earliest = earliest.max(times[link.from]? + wait.least);
            }
        }
        Some(earliest)
    }

    /// Ends of running links for which a node here waits beyond a time.
    pub(super) fn awaited(
        &self,
        node: usize,
        times: &[Option<Micros>],
        links: &[Contingent],
        now: Micros,
    ) -> Vec<Node> {
        let awaited = self.waits[node].iter().filter_map(|wait| {
            let link = links[wait.contingent];
            let over = times[link.from]? + wait.least;
            (times[link.to].is_none() && over > now).then_some(link.to)
        });
        awaited.collect()
    }
}

/// Nodes that no link ends, and ends of links that take no time from such.
fn ours(network: &Network) -> Vec<bool> {
    let mut ours = vec![true; network.nodes];
    let links = || network.contingents.iter().map(|duration| duration.link);
    links().for_each(|link| ours[link.to] = false);
    let instant = || links().filter(|link| link.upper_us == 0);
    while let Some(next) = instant().find(|next| ours[next.from] && !ours[next.to]) {
        ours[next.to] = true;
    }
    ours
}

/// By node here and contingent link: how long after the link's start some policies wait.
fn waits(
    simulator: &Simulator,
    policies: &[usize],
    name: &dyn Fn(usize, Node) -> Option<usize>,
) -> BTreeMap<(usize, usize), Micros> {
    let mut waits = BTreeMap::new();
    for &policy in policies {
        let asked = &simulator.parts.plan.policies[policy];
        for wait in &asked.waits {
            // By then it has ended; with slack a wait may be longer, as durations may.
            let (_, longest) = outcomes(simulator.parts.narrative, asked, wait.contingent);
            let given = wait.least_us.min(longest);
            if let Some(node) = name(policy, wait.node) {
                let least = waits.entry((node, wait.contingent)).or_insert(given);
                *least = given.max(*least);
            }
        }
    }
    waits
}
