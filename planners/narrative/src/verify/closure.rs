//! Longest differences that bounds leave between two times.

use super::network::Network;
use crate::problem::{Micros, Node};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Sums beyond this, either way, are no longer bounds: bounds that can all be kept add up to less
/// than 2^59.
const FAR: Micros = 1 << 61;

/// The shortest paths of a consistent network.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Closure {
    nodes: usize,
    most: Vec<Option<Micros>>,
}

impl Closure {
    /// Returns the closure; `None`: the bounds cannot all be kept.
    ///
    /// Johnson's algorithm: O(nodes * (bounds + nodes) * log nodes) time after Bellman-Ford.
    pub(super) fn new(network: &Network) -> Option<Self> {
        let nodes = network.nodes;
        let potential = potential(network)?;
        let mut out: Vec<Vec<(Node, Micros)>> = vec![Vec::new(); nodes];
        for bound in network.all() {
            // At least 0: a potential is no further down than any bound from another allows.
            let reduced = bound.most + potential[bound.from] - potential[bound.to];
            out[bound.from].push((bound.to, reduced));
        }
        let mut most = Vec::with_capacity(nodes * nodes);
        for from in 0..nodes {
            let reduced = shortest(&out, from);
            most.extend(reduced.iter().enumerate().map(|(to, reduced)| {
                let reached = (*reduced < FAR).then_some(*reduced);
                reached.map(|reduced| reduced - potential[from] + potential[to])
            }));
        }
        Some(Self { nodes, most })
    }

    /// The bounds themselves, none of which need follow from others: for a network that is not
    /// consistent.
    pub(super) fn direct(network: &Network) -> Self {
        let nodes = network.nodes;
        let mut most = vec![None; nodes * nodes];
        for bound in network.all() {
            let known: &mut Option<Micros> = &mut most[bound.from * nodes + bound.to];
            *known = Some(known.map_or(bound.most, |known| known.min(bound.most)));
        }
        Self { nodes, most }
    }

    /// The largest `time(to) - time(from)`; `None`: any.
    pub(super) fn most(&self, from: Node, to: Node) -> Option<Micros> {
        self.most[from * self.nodes + to]
    }

    /// Whether one node is sure to happen at or before another.
    pub(super) fn precedes(&self, first: Node, second: Node) -> bool {
        self.most(second, first).is_some_and(|most| most <= 0)
    }
}

/// Times, 0 or below, that keep all bounds.
fn potential(network: &Network) -> Option<Vec<Micros>> {
    let bounds: Vec<_> = network.all().collect();
    let mut times = vec![0; network.nodes];
    for _ in 0..=network.nodes {
        let mut changed = false;
        for bound in &bounds {
            let most = times[bound.from] + bound.most;
            if most < times[bound.to] {
                times[bound.to] = most;
                changed = true;
                if most < -FAR {
                    return None;
                }
            }
        }
        if !changed {
            return Some(times);
        }
    }
    None
}

fn shortest(out: &[Vec<(Node, Micros)>], from: Node) -> Vec<Micros> {
    let mut best = vec![Micros::MAX; out.len()];
    let mut queue = BinaryHeap::from([Reverse((0, from))]);
    best[from] = 0;
    while let Some(Reverse((sum, node))) = queue.pop() {
        if sum > best[node] {
            continue;
        }
        for &(to, reduced) in &out[node] {
            let sum = sum.saturating_add(reduced);
            if sum < best[to] {
                best[to] = sum;
                queue.push(Reverse((sum, to)));
            }
        }
    }
    best
}
