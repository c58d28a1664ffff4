//! Distance matrices of simple temporal networks.

use super::Network;
use crate::Time;
use crate::link::Difference;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Sums beyond this many microseconds, either way, are no longer bounds: bounds that can all be
/// satisfied add up to less than 2^60.
pub const FAR: Time = 1 << 61;

/// Bounds for each node from which a network counts as dense.
const DENSE: usize = 24;

/// The shortest paths of a consistent network: the tightest bounds between all nodes, in
/// microseconds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Closure {
    nodes: usize,
    /// By row; [`FAR`]: any.
    most: Vec<Time>,
}

impl Closure {
    /// Returns the closure; `None`: the bounds cannot all be satisfied, or `go_on` returned false.
    ///
    /// After Bellman-Ford, Johnson's algorithm in O(nodes * (bounds + nodes) * log nodes) time, or
    /// Floyd and Warshall's in O(nodes^3) where there are many bounds.
    pub fn new(network: &Network, mut go_on: impl FnMut() -> bool) -> Option<Self> {
        let nodes = network.nodes;
        let mut bounds: Vec<Difference> = network.all_bounds().collect();
        // The tightest of each pair of nodes comes first.
        bounds.sort_unstable();
        bounds.dedup_by_key(|bound| (bound.from, bound.to));
        let is_dense = bounds.len() > DENSE * nodes;
        let potential = potentials(nodes, &bounds, &mut go_on)?;
        let reduced = bounds.into_iter().map(|bound| {
            // At least 0: a potential is no further down than any bound from another allows.
            let weight = bound.weight + potential[bound.from] - potential[bound.to];
            Difference { weight, ..bound }
        });
        let mut most = if is_dense {
            floyd_warshall(nodes, go_on, reduced)?
        } else {
            johnson(nodes, go_on, reduced)?
        };
        for from in 0..nodes {
            let row = &mut most[from * nodes..(from + 1) * nodes];
            for (to, most) in row.iter_mut().enumerate() {
                if *most < FAR {
                    *most += potential[to] - potential[from];
                }
            }
        }
        Some(Self { nodes, most })
    }

    /// The bounds themselves, none of which need follow from others: for a network that is not
    /// consistent.
    pub fn strictest_bounds(network: &Network) -> Self {
        let nodes = network.nodes;
        let most = strictest_bounds(nodes, network.all_bounds());
        Self { nodes, most }
    }

    /// The largest `time(to) - time(from)`; `None`: any.
    #[inline]
    pub fn distance(&self, from: usize, to: usize) -> Option<Time> {
        let most = self.most[from * self.nodes + to];
        (most < FAR).then_some(most)
    }

    /// By node how much later than this one it is at most, [`FAR`] or more: any.
    #[inline]
    pub fn row(&self, from: usize) -> &[Time] {
        &self.most[from * self.nodes..(from + 1) * self.nodes]
    }

    /// The closure of these nodes alone, in this order.
    pub fn restricted_to(&self, nodes: &[usize]) -> Self {
        let pairs = nodes.iter().flat_map(|from| {
            let row = self.row(*from);
            nodes.iter().map(|to| row[*to])
        });
        Self {
            nodes: nodes.len(),
            most: pairs.collect(),
        }
    }

    /// Whether one node is sure to happen at or before another.
    #[inline]
    pub fn precedes(&self, first: usize, second: usize) -> bool {
        self.most[second * self.nodes + first] <= 0
    }

    /// The same with every bound reversed: the largest `time(from) - time(to)`. Bounds are missing
    /// from where `go_on` returns false.
    pub fn transposed(&self, mut go_on: impl FnMut() -> bool) -> Self {
        let nodes = self.nodes;
        let mut most = Vec::with_capacity(nodes * nodes);
        for to in (0..nodes).take_while(|_| go_on()) {
            most.extend((0..nodes).map(|from| self.most[from * nodes + to]));
        }
        most.resize(nodes * nodes, FAR);
        Self { nodes, most }
    }
}

/// The strictest bound from each node to each.
pub fn strictest_bounds(nodes: usize, bounds: impl Iterator<Item = Difference>) -> Vec<Time> {
    let mut most = vec![FAR; nodes * nodes];
    for bound in bounds {
        let known = &mut most[bound.from * nodes + bound.to];
        *known = bound.weight.min(*known);
    }
    most
}

/// Floyd and Warshall, for bounds of 0 and above.
fn floyd_warshall(
    nodes: usize,
    mut go_on: impl FnMut() -> bool,
    bounds: impl Iterator<Item = Difference>,
) -> Option<Vec<Time>> {
    let mut most = strictest_bounds(nodes, bounds);
    for node in 0..nodes {
        most[node * nodes + node] = 0;
    }
    for by in 0..nodes {
        if !go_on() {
            return None;
        }
        let second = most[by * nodes..(by + 1) * nodes].to_vec();
        for row in most.chunks_exact_mut(nodes) {
            let first = row[by];
            if first < FAR {
                for (most, second) in row.iter_mut().zip(&second) {
                    // At most twice FAR, which is not too large.
                    *most = (first + second).min(*most);
                }
            }
        }
    }
    Some(most)
}

/// Johnson, for bounds of 0 and above.
fn johnson(
    nodes: usize,
    mut go_on: impl FnMut() -> bool,
    bounds: impl Iterator<Item = Difference>,
) -> Option<Vec<Time>> {
    let mut out: Vec<Vec<(usize, Time)>> = vec![Vec::new(); nodes];
    for bound in bounds {
        out[bound.from].push((bound.to, bound.weight));
    }
    let mut most = vec![FAR; nodes * nodes];
    let mut queue = BinaryHeap::new();
    for from in 0..nodes {
        if !go_on() {
            return None;
        }
        let best = &mut most[from * nodes..(from + 1) * nodes];
        best[from] = 0;
        queue.push(Reverse((0, from)));
        dijkstra(&out, best, &mut queue);
    }
    Some(most)
}

/// Times, 0 or below and in microseconds, that satisfy all of some constraints among `nodes` nodes;
/// `None`: infeasible, or `go_on` returned false. All simple paths add up to less than 2^60 either
/// way.
///
/// Bellman-Ford from all nodes simultaneously: while the last round still moves something there is
/// a negative cycle.
pub fn potentials(
    nodes: usize,
    bounds: &[Difference],
    mut go_on: impl FnMut() -> bool,
) -> Option<Vec<Time>> {
    let mut times: Vec<Time> = vec![0; nodes];
    for _ in (0..=nodes).take_while(|_| go_on()) {
        let mut changed = false;
        for bound in bounds {
            let most = times[bound.from].saturating_add(bound.weight);
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

/// Goes on (Dijkstra) from what is in the queue, which is empty then.
fn dijkstra(
    out: &[Vec<(usize, Time)>],
    best: &mut [Time],
    queue: &mut BinaryHeap<Reverse<(Time, usize)>>,
) {
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
}
