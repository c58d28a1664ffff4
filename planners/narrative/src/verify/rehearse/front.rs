//! What can happen next, and when.

use super::rules::Rules;
use crate::problem::{Contingent, Micros, Node};
use std::rc::Rc;

/// What the times so far leave of the rules of all policies that are still possible.
pub(super) struct Front {
    rules: Rc<Rules>,
    /// By node that all share: how many nodes have to happen before it, or at the same time.
    before: Vec<usize>,
    earliest: Vec<Micros>,
    latest: Vec<Micros>,
}

impl Front {
    /// `times`: what has happened.
    pub(super) fn new(rules: Rc<Rules>, times: &[Option<Micros>]) -> Self {
        let nodes = times.len();
        let mut front = Self {
            before: vec![0; nodes],
            earliest: vec![Micros::MIN; nodes],
            latest: vec![Micros::MAX; nodes],
            rules,
        };
        for node in 0..nodes {
            if let Some(here) = front.rules.shared(node) {
                let copies = (0..nodes).flat_map(|other| front.rules.copies(other));
                let waits = copies.filter(|other| front.rules.waits_for(here, **other));
                front.before[node] = waits.count();
            }
        }
        for (node, time) in times.iter().enumerate() {
            if let Some(time) = time {
                front.happens(node, *time);
            }
        }
        front
    }

    /// Notes the time of a node.
    pub(super) fn happens(&mut self, node: Node, time: Micros) {
        for other in 0..self.before.len() {
            let Some(here) = self.rules.shared(other) else {
                continue;
            };
            for &copy in self.rules.copies(node) {
                if let Some(most) = self.rules.most(here, copy) {
                    let earliest = &mut self.earliest[other];
                    *earliest = (*earliest).max(time - most);
                }
                if let Some(most) = self.rules.most(copy, here) {
                    let latest = &mut self.latest[other];
                    *latest = (*latest).min(time + most);
                }
                if self.rules.waits_for(here, copy) {
                    self.before[other] -= 1;
                }
            }
        }
    }

    /// The latest time of a node that all share, as far as it is known.
    pub(super) fn latest(&self, node: Node) -> Micros {
        self.latest[node]
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
