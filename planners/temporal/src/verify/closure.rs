//! The closure of a network, and the precedence of its events.

use crate::problem::{Bound, Micros, Network, Node, ORIGIN, Owner};
use anytime::{Pulse, Stop};
use stn::check;

/// The tightest bounds between all nodes of a consistent network.
pub(crate) struct Closure {
    distances: check::Closure,
    /// Which nodes are teammates', by node.
    theirs: Vec<bool>,
}

impl Closure {
    /// O(nodes * bounds * log nodes) time, O(nodes^2) memory. `None`: the network is inconsistent.
    ///
    /// # Errors
    /// When stopped.
    pub(crate) fn new(network: &Network, pulse: &Pulse) -> Result<Option<Self>, Stop> {
        let all = check::Network {
            nodes: network.nodes(),
            bounds: network.bounds().map(Bound::difference).collect(),
            ..check::Network::default()
        };
        let distances = check::Closure::new(&all, || pulse.beats());
        pulse.check()?;
        let is_theirs = |node| network.owner(node) == Some(Owner::Uncontrollable);
        Ok(distances.map(|distances| Self {
            distances,
            theirs: (0..network.nodes()).map(is_theirs).collect(),
        }))
    }

    /// The largest difference `time(to) - time(from)`: the paper's c(from, to).
    ///
    /// # Panics
    /// When nothing bounds it. With teammates every node has a window, so something does.
    pub(crate) fn bound(&self, from: Node, to: Node) -> Micros {
        let bound = self.distances.distance(from, to);
        bound.expect("with teammates every node has a window")
    }

    /// Whether `first` precedes `second`: it is never later. Nodes that are always at the same time
    /// stand in a row: ours before the teammates', then by index. The origin precedes everything.
    pub(crate) fn precedes(&self, first: Node, second: Node) -> bool {
        if first == ORIGIN || second == ORIGIN {
            return second != ORIGIN;
        }
        let (after, before) = (self.bound(first, second), self.bound(second, first));
        if after == 0 && before == 0 {
            let rank = |node: Node| (self.theirs[node], node);
            return rank(first) < rank(second);
        }
        before <= 0
    }

    /// The teammates' nodes.
    pub(crate) fn theirs(&self) -> impl Iterator<Item = Node> {
        (0..self.nodes()).filter(|node| self.theirs[*node])
    }

    pub(crate) fn is_theirs(&self, node: Node) -> bool {
        self.theirs.get(node) == Some(&true)
    }

    /// Whether a node is ours, the origin included.
    pub(crate) fn is_ours(&self, node: Node) -> bool {
        self.theirs.get(node) == Some(&false)
    }

    pub(crate) fn nodes(&self) -> usize {
        self.theirs.len()
    }
}
