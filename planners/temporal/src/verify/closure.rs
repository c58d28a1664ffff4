//! The closure of a network, and the precedence of its events.

use super::Stopped;
use super::differences::{Arc, arcs, potentials};
use crate::problem::{Micros, Network, Node, ORIGIN, Owner};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// No bound. Real bounds stay below 2^59 either way: see
/// [`TIME_MAX_US`](crate::problem::TIME_MAX_US).
const NONE: Micros = Micros::MAX;

/// The tightest bounds between all nodes of a consistent network.
pub(crate) struct Closure {
    nodes: usize,
    /// By from and to, row by row.
    distances: Vec<Micros>,
    /// Which nodes are teammates', by node.
    theirs: Vec<bool>,
}

impl Closure {
    /// Johnson: Bellman-Ford makes all weights 0 or more, Dijkstra from each node does the rest.
    /// O(nodes * bounds * log nodes) time, O(nodes^2) memory. `None`: the network is inconsistent.
    ///
    /// # Errors
    /// `go_on`, called once a node, returned false.
    pub(crate) fn new(
        network: &Network,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Self>, Stopped> {
        let nodes = network.nodes();
        let mut arcs = arcs(network);
        let Some(times) = potentials(nodes, &arcs) else {
            return Ok(None);
        };
        // The first of several bounds between the same nodes is the tightest.
        arcs.sort_unstable();
        arcs.dedup_by_key(|(from, to, _)| (*from, *to));
        for (from, to, weight) in &mut arcs {
            *weight += times[*from] - times[*to];
        }
        let mut distances = vec![NONE; nodes * nodes];
        for (from, row) in distances.chunks_exact_mut(nodes).enumerate() {
            Stopped::unless(go_on())?;
            nearest(&arcs, from, row);
            for (to, least) in row
                .iter_mut()
                .enumerate()
                .filter(|(_, least)| **least != NONE)
            {
                *least += times[to] - times[from];
            }
        }
        let is_theirs = |node| network.owner(node) == Some(Owner::Uncontrollable);
        Ok(Some(Self {
            nodes,
            distances,
            theirs: (0..nodes).map(is_theirs).collect(),
        }))
    }

    /// The largest difference `time(to) - time(from)`: the paper's c(from, to).
    ///
    /// # Panics
    /// When nothing bounds it. With teammates every node has a window, so something does.
    pub(crate) fn bound(&self, from: Node, to: Node) -> Micros {
        let bound = self.distances[from * self.nodes + to];
        assert!(bound != NONE, "with teammates every node has a window");
        bound
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
        (0..self.nodes).filter(|node| self.theirs[*node])
    }

    pub(crate) fn is_theirs(&self, node: Node) -> bool {
        self.theirs.get(node) == Some(&true)
    }

    /// Whether a node is ours, the origin included.
    pub(crate) fn is_ours(&self, node: Node) -> bool {
        self.theirs.get(node) == Some(&false)
    }

    pub(crate) fn nodes(&self) -> usize {
        self.nodes
    }
}

/// Dijkstra from `start` over arcs in order, none below 0. `least` comes as [`NONE`] everywhere.
fn nearest(arcs: &[Arc], start: Node, least: &mut [Micros]) {
    least[start] = 0;
    let mut open = BinaryHeap::from([Reverse((0, start))]);
    while let Some(Reverse((so_far, node))) = open.pop() {
        if so_far > least[node] {
            continue;
        }
        let first = arcs.partition_point(|(from, _, _)| *from < node);
        let leaving = arcs[first..]
            .iter()
            .take_while(|(from, _, _)| *from == node);
        for &(_, to, weight) in leaving {
            let sum = so_far + weight;
            if sum < least[to] {
                least[to] = sum;
                open.push(Reverse((sum, to)));
            }
        }
    }
}
