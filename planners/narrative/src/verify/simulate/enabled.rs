//! Enabled events: those that can happen next, with their time windows.

use super::super::story_tree::Set;
use super::dispatch_network::DispatchNetwork;
use crate::problem::{Contingent, Micros, Node};
use std::sync::Arc;

/// What the times so far leave of the rules of all policies that are still possible.
#[derive(Debug, Clone)]
pub(crate) struct EnabledEvents {
    rules: Arc<DispatchNetwork>,
    /// Nodes of ours that wait for others.
    waiting: Vec<Waiting>,
    /// Nodes of ours that may be next, and which nodes these are in the rules.
    ready: Vec<(Node, usize)>,
    /// Nodes of the rules that have happened.
    done: Set,
    /// By node of the rules.
    earliest: Vec<Micros>,
    latest: Vec<Micros>,
}

/// A node that all share and that has not happened.
#[derive(Debug, Clone)]
struct Waiting {
    node: Node,
    /// In the rules.
    here: usize,
    /// A node of the rules that has to happen before it, or at the same time, and has not: the last
    /// by index, as this often is the last to happen.
    last: usize,
}

impl EnabledEvents {
    /// `times`: what has happened; `ours`: the nodes we decide about.
    pub(super) fn new(
        rules: Arc<DispatchNetwork>,
        times: &[Option<Micros>],
        ours: &[bool],
    ) -> Self {
        let nodes = rules.nodes();
        let mut front = Self {
            waiting: Vec::new(),
            ready: Vec::new(),
            done: Set::empty(nodes),
            earliest: vec![Micros::MIN; nodes],
            latest: vec![Micros::MAX; nodes],
            rules,
        };
        for (node, time) in times.iter().enumerate() {
            if let Some(time) = time {
                front.follow(node, *time);
            }
        }
        let open = (0..times.len()).filter(|node| ours[*node] && times[*node].is_none());
        for node in open {
            if let Some(here) = front.rules.shared(node) {
                match front.rules.before(here).last_not_in(&front.done) {
                    Some(last) => front.waiting.push(Waiting { node, here, last }),
                    None => front.ready.push((node, here)),
                }
            }
        }
        front
    }

    /// Notes the time of a node.
    pub(super) fn happens(&mut self, node: Node, time: Micros) {
        self.follow(node, time);
        self.ready.retain(|(ready, _)| *ready != node);
        let (rules, done, ready) = (&self.rules, &self.done, &mut self.ready);
        self.waiting.retain_mut(|waiting| {
            if !done.holds(waiting.last) {
                return true;
            }
            match rules.before(waiting.here).last_not_in(done) {
                Some(last) => waiting.last = last,
                None => ready.push((waiting.node, waiting.here)),
            }
            !done.holds(waiting.last)
        });
    }

    /// What follows from a time for all others.
    fn follow(&mut self, node: Node, time: Micros) {
        for &copy in self.rules.copies(node) {
            self.done.insert(copy);
            // Where there is no bound the sum is further than any time: it is beyond 2^60.
            for (latest, most) in self.latest.iter_mut().zip(self.rules.distances_from(copy)) {
                *latest = (*latest).min(time + most);
            }
            for (earliest, most) in self.earliest.iter_mut().zip(self.rules.distances_to(copy)) {
                *earliest = (*earliest).max(time - most);
            }
        }
    }

    /// The latest time of a node that all share, as far as it is known.
    pub(crate) fn latest(&self, node: Node) -> Micros {
        let here = self.rules.shared(node);
        here.map_or(Micros::MAX, |here| self.latest[here])
    }

    /// Whether a node of ours, which all share, has no open predecessor.
    pub(crate) fn is_ready(&self, node: Node) -> bool {
        self.ready.iter().any(|(ready, _)| *ready == node)
    }

    /// The earliest time of a node that all share, by what has happened; `None`: a contingent link
    /// for which it waits has not begun.
    pub(crate) fn earliest(
        &self,
        node: Node,
        times: &[Option<Micros>],
        links: &[Contingent],
    ) -> Option<Micros> {
        let here = self.rules.shared(node)?;
        let wait = self.rules.wait(here, times, links)?;
        Some(self.earliest[here].max(wait))
    }

    /// Ends of running links for which a node that all share waits beyond a time.
    pub(crate) fn awaited(
        &self,
        node: Node,
        times: &[Option<Micros>],
        links: &[Contingent],
        now: Micros,
    ) -> Vec<Node> {
        let here = self.rules.shared(node);
        here.map_or_else(Vec::new, |here| self.rules.awaited(here, times, links, now))
    }

    /// Whether all policies share a node.
    pub(crate) fn is_shared(&self, node: Node) -> bool {
        self.rules.shared(node).is_some()
    }

    /// The latest time of a node in the policy where it is earliest, as far as it is known.
    pub(crate) fn latest_of_any(&self, node: Node) -> Micros {
        let copies = self.rules.copies(node).iter();
        let latest = copies.map(|copy| self.latest[*copy]).min();
        latest.unwrap_or(Micros::MAX)
    }

    /// Nodes of ours that all share, that have not happened and have no open predecessor, with
    /// their earliest times, as far as these are known.
    pub(crate) fn next(
        &self,
        times: &[Option<Micros>],
        links: &[Contingent],
    ) -> impl Iterator<Item = (Micros, Node)> {
        let ready = self.ready.iter();
        ready.filter_map(|&(node, _)| Some((self.earliest(node, times, links)?, node)))
    }
}
