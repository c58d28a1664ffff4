//! What can happen next, and when.

use super::rules::Rules;
use crate::problem::{Contingent, Micros, Node};
use std::rc::Rc;

/// What the times so far leave of the rules of all policies that are still possible.
pub(super) struct Front {
    rules: Rc<Rules>,
    /// Nodes that all share and that have not happened, and which nodes these are in the rules.
    open: Vec<(Node, usize)>,
    /// By node that all share: how many nodes have to happen before it, or at the same time.
    before: Vec<usize>,
    earliest: Vec<Micros>,
    latest: Vec<Micros>,
}

impl Front {
    /// `times`: what has happened.
    pub(super) fn new(rules: Rc<Rules>, times: &[Option<Micros>]) -> Self {
        let nodes = times.len();
        let shared = (0..nodes).filter_map(|node| Some((node, rules.shared(node)?)));
        let mut front = Self {
            open: shared.collect(),
            before: rules.before().to_vec(),
            earliest: vec![Micros::MIN; nodes],
            latest: vec![Micros::MAX; nodes],
            rules,
        };
        for (node, time) in times.iter().enumerate() {
            if let Some(time) = time {
                front.happens(node, *time);
            }
        }
        front
    }

    /// Notes the time of a node.
    pub(super) fn happens(&mut self, node: Node, time: Micros) {
        self.open.retain(|(open, _)| *open != node);
        for &copy in self.rules.copies(node) {
            for &(open, here) in &self.open {
                if let Some(least) = self.rules.least(copy, here) {
                    let earliest = &mut self.earliest[open];
                    *earliest = (*earliest).max(time + least);
                }
                if let Some(most) = self.rules.most(copy, here) {
                    let latest = &mut self.latest[open];
                    *latest = (*latest).min(time + most);
                }
                if self.rules.waits_for(here, copy) {
                    self.before[open] -= 1;
                }
            }
        }
    }

    /// The latest time of a node that all share, as far as it is known.
    pub(super) fn latest(&self, node: Node) -> Micros {
        self.latest[node]
    }

    /// Nodes that all share and that have not happened.
    pub(super) fn open(&self) -> impl Iterator<Item = Node> {
        self.open.iter().map(|(node, _)| *node)
    }

    /// The earliest time of a node when all that has to happen before it has; `None`: not yet
    /// known, or not a node that all share.
    pub(super) fn earliest(
        &self,
        node: Node,
        times: &[Option<Micros>],
        links: &[Contingent],
    ) -> Option<Micros> {
        let here = self.rules.shared(node).filter(|_| self.before[node] == 0)?;
        let wait = self.rules.wait(here, times, links)?;
        Some(self.earliest[node].max(wait))
    }
}
