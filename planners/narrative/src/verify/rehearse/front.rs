//! What can happen next, and when.

use super::super::network::{Bound, Network, possible};
use crate::plan::{Policy, Wait};
use crate::problem::{Contingent, Micros, Narrative, Node};

/// Rules of all policies that are still possible, and what the times so far leave of them.
pub(super) struct Front {
    /// By node: the bounds that begin or end there.
    bounds: Vec<Vec<Bound>>,
    /// By node: what it waits for.
    waits: Vec<Vec<Wait>>,
    /// By node: nodes that have to happen before it, or with it.
    before: Vec<usize>,
    earliest: Vec<Micros>,
    latest: Vec<Micros>,
    /// By node: all nodes that can only happen with it, itself included.
    together: Vec<Vec<Node>>,
}

/// Nodes that we decide about, and ends of links that take no time from them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Ours {
    nodes: Vec<bool>,
    /// From start to end and back, of each such link.
    instant: Vec<Bound>,
}

impl Ours {
    pub(super) fn new(narrative: &Narrative) -> Self {
        let links = &narrative.spec().contingent;
        let mut ours = Self {
            nodes: vec![true; narrative.nodes()],
            instant: Vec::new(),
        };
        for link in links {
            ours.nodes[link.to] = false;
        }
        loop {
            let mut all = links.iter().enumerate();
            let next = all.find(|(contingent, link)| {
                let instant = possible(narrative, *contingent).1 == 0;
                instant && ours.nodes[link.from] && !ours.nodes[link.to]
            });
            let Some((_, link)) = next else {
                return ours;
            };
            ours.nodes[link.to] = true;
            for (from, to) in [(link.from, link.to), (link.to, link.from)] {
                ours.instant.push(Bound { from, to, most: 0 });
            }
        }
    }
}

impl Front {
    /// `times`: what has happened.
    pub(super) fn new<'a>(
        policies: impl Iterator<Item = (&'a Network, &'a Policy)>,
        times: &[Option<Micros>],
        ours: &Ours,
    ) -> Self {
        let nodes = times.len();
        let mut all = ours.instant.clone();
        let mut waits = vec![Vec::new(); nodes];
        for (network, policy) in policies {
            all.extend(network.bounds.iter().copied());
            for wait in &policy.waits {
                waits[wait.node].push(*wait);
            }
        }
        all.sort_unstable();
        all.dedup();
        // What has happened waits for nothing any more.
        let open = ours.nodes.iter().zip(times);
        let open: Vec<bool> = open.map(|(ours, time)| *ours && time.is_none()).collect();
        let together = together(&all, &open);
        let mut front = Self {
            bounds: vec![Vec::new(); nodes],
            waits,
            before: vec![0; nodes],
            earliest: vec![Micros::MIN; nodes],
            latest: vec![Micros::MAX; nodes],
            together,
        };
        for bound in all {
            if front.is_before(&bound) {
                front.before[bound.from] += 1;
            }
            for node in [bound.from, bound.to] {
                front.bounds[node].push(bound);
            }
        }
        for (node, time) in times.iter().enumerate() {
            if let Some(time) = time {
                front.happens(node, *time);
            }
        }
        front
    }

    /// Whether a bound makes its first node wait for its second.
    fn is_before(&self, bound: &Bound) -> bool {
        bound.most <= 0 && !self.together[bound.from].contains(&bound.to)
    }

    /// Notes the time of a node.
    pub(super) fn happens(&mut self, node: Node, time: Micros) {
        for at in 0..self.bounds[node].len() {
            let bound = self.bounds[node][at];
            if bound.to == node {
                let earliest = &mut self.earliest[bound.from];
                *earliest = (*earliest).max(time - bound.most);
                if self.is_before(&bound) {
                    self.before[bound.from] -= 1;
                }
            } else {
                let latest = &mut self.latest[bound.to];
                *latest = (*latest).min(time + bound.most);
            }
        }
    }

    /// What happens together with a node.
    pub(super) fn with(&self, node: Node) -> &[Node] {
        &self.together[node]
    }

    /// The latest time of a node, as far as it is known.
    pub(super) fn latest(&self, node: Node) -> Micros {
        self.latest[node]
    }

    /// The earliest time of a node and of all that happen with it; `None`: not yet known.
    pub(super) fn earliest(
        &self,
        node: Node,
        times: &[Option<Micros>],
        links: &[Contingent],
    ) -> Option<Micros> {
        let mut earliest = Micros::MIN;
        let open = self.together[node].iter().copied();
        // What has happened, as the origin has, waits for nothing.
        for node in open.filter(|node| times[*node].is_none()) {
            if self.before[node] > 0 {
                return None;
            }
            earliest = earliest.max(self.earliest[node]);
            for wait in &self.waits[node] {
                let link = links[wait.contingent];
                if times[link.to].is_none() {
                    earliest = earliest.max(times[link.from]? + wait.least_us);
                }
            }
        }
        Some(earliest)
    }
}

/// For each node those nodes of ours, open ones, that have to happen at the same time because each has to happen at
/// or before another.
fn together(bounds: &[Bound], open: &[bool]) -> Vec<Vec<Node>> {
    let mut next = vec![Vec::new(); open.len()];
    for bound in bounds {
        if bound.most == 0 && open[bound.from] && open[bound.to] {
            next[bound.from].push(bound.to);
        }
    }
    let reached = |from: Node| {
        let mut reached = vec![false; open.len()];
        let mut left = vec![from];
        while let Some(node) = left.pop() {
            for &to in &next[node] {
                if !std::mem::replace(&mut reached[to], true) {
                    left.push(to);
                }
            }
        }
        reached
    };
    let all: Vec<Vec<bool>> = (0..open.len()).map(reached).collect();
    let with = |node: Node| {
        let others = 0..open.len();
        let with = others.filter(|other| *other == node || all[node][*other] && all[*other][node]);
        with.collect()
    };
    (0..open.len()).map(with).collect()
}
