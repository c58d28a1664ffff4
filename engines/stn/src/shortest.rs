//! Shortest paths once one solution is known: with its times as potentials no weight is negative.

use crate::arcs::Arcs;
use crate::potential::bellman_ford;
use crate::{Edge, Refusal, Time, check_edges};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The reduced length of no path. Reduced lengths lie below: a length is below 2^62, and so is the
/// difference of two potentials. Two lengths, or a length and this, add up in 64 bits.
pub(crate) const FAR: u64 = 1 << 63;

/// What waits to be scanned, nearest first; ties go to the lower node.
pub(crate) type Frontier = BinaryHeap<Reverse<(u64, u32)>>;

/// A network without negative cycle, its weights reduced: `weight + time[from] - time[to] >= 0`.
///
/// Source: Johnson, "Efficient algorithms for shortest paths in sparse networks", Journal of the
/// ACM 24 (1977).
#[derive(Debug)]
pub(crate) struct Reduced {
    arcs: Arcs,
    time: Vec<Time>,
}

impl Reduced {
    /// The reduced network of `edges`; `None` where `go_on` returns false.
    pub(crate) fn new(
        nodes: usize,
        edges: &[Edge],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Self>, Refusal> {
        check_edges(nodes, edges)?;
        let mut arcs = Arcs::new(nodes, edges);
        let Some(time) = bellman_ford(&arcs, edges, go_on)? else {
            return Ok(None);
        };
        for (node, row) in arcs.rows_mut() {
            for arc in row {
                arc.weight += time[node] - time[arc.to as usize];
            }
        }
        Ok(Some(Self { arcs, time }))
    }

    /// The arcs, with reduced weights.
    pub(crate) fn arcs(&self) -> &Arcs {
        &self.arcs
    }

    /// The potentials: a solution, none above zero, in microseconds.
    pub(crate) fn potentials(&self) -> &[Time] {
        &self.time
    }

    /// Writes the reduced distance from `source` to every node, [`FAR`] where there is no path.
    ///
    /// Dijkstra with a binary heap, O(edges * log nodes) time. `frontier` is empty before and
    /// after.
    pub(crate) fn distances(&self, source: usize, frontier: &mut Frontier, row: &mut [u64]) {
        row.fill(FAR);
        row[source] = 0;
        frontier.push(Reverse((0, source as u32)));
        while let Some(Reverse((near, node))) = frontier.pop() {
            if near > row[node as usize] {
                continue;
            }
            for arc in self.arcs.leaving(node as usize) {
                let length = near + arc.weight.unsigned_abs();
                let known = &mut row[arc.to as usize];
                if length < *known {
                    *known = length;
                    frontier.push(Reverse((length, arc.to)));
                }
            }
        }
    }

    /// The length of a path in microseconds from its reduced length, or `None` for [`FAR`].
    pub(crate) fn length(&self, from: usize, to: usize, reduced: u64) -> Option<Time> {
        let reduced = Time::try_from(reduced).ok()?;
        Some(reduced + (self.time[to] - self.time[from]))
    }
}
