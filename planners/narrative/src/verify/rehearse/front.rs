//! What can happen next, and when.

use super::super::network::{Bound, Network};
use crate::plan::{Policy, Wait};
use crate::problem::{Contingent, Micros, Node};

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

impl Front {
    /// `times`: what has happened; `ours`: nodes that we decide about.
    pub(super) fn new<'a>(
        policies: impl Iterator<Item = (&'a Network, &'a Policy)>,
        times: &[Option<Micros>],
        ours: &[bool],
    ) -> Self {
        let nodes = times.len();
        let mut all = Vec::new();
        let mut waits = vec![Vec::new(); nodes];
        for (network, policy) in policies {
            all.extend(network.bounds.iter().copied());
            for wait in &policy.waits {
                waits[wait.node].push(*wait);
            }
        }
        all.sort_unstable();
        all.dedup();
        let together = together(&all, ours);
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
        for &node in &self.together[node] {
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

/// For each node those nodes of ours that have to happen at the same time because each has to happen at
/// or before another.
fn together(bounds: &[Bound], ours: &[bool]) -> Vec<Vec<Node>> {
    let mut next = vec![Vec::new(); ours.len()];
    for bound in bounds {
        if bound.most == 0 && ours[bound.from] && ours[bound.to] {
            next[bound.from].push(bound.to);
        }
    }
    let reached = |from: Node| {
        let mut reached = vec![false; ours.len()];
        let mut open = vec![from];
        while let Some(node) = open.pop() {
            for &to in &next[node] {
                if !std::mem::replace(&mut reached[to], true) {
                    open.push(to);
                }
            }
        }
        reached
    };
    let all: Vec<Vec<bool>> = (0..ours.len()).map(reached).collect();
    let with = |node: Node| {
        let others = 0..ours.len();
        let with = others.filter(|other| *other == node || all[node][*other] && all[*other][node]);
        with.collect()
    };
    (0..ours.len()).map(with).collect()
}
