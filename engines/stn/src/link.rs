//! Links between nodes as planners are given them: plain data that searches and checks share.

use crate::Time;
use petgraph::algo::kosaraju_scc;
use petgraph::graphmap::DiGraphMap;

/// A difference constraint: `t[to] - t[from] <= weight`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    /// The node whose time is subtracted, an index.
    pub from: usize,
    /// The node from whose time it is subtracted, an index.
    pub to: usize,
    /// The largest difference, in microseconds.
    pub weight: Time,
}

impl Difference {
    /// The same between nodes with other names.
    #[must_use]
    pub fn renamed(self, name: impl Fn(usize) -> usize) -> Self {
        Self {
            from: name(self.from),
            to: name(self.to),
            ..self
        }
    }
}

/// A requirement link: `lower <= t[to] - t[from] <= upper`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    /// The node whose time is subtracted, an index.
    pub from: usize,
    /// The node from whose time it is subtracted, an index.
    pub to: usize,
    /// Least difference, in microseconds. `None`: any.
    pub lower_us: Option<Time>,
    /// Largest difference, in microseconds. `None`: any.
    pub upper_us: Option<Time>,
}

/// A contingent link: `lower <= t[to] - t[from] <= upper`, with a duration that others pick, seen
/// when it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Contingent {
    /// The node at which the duration starts, an index.
    pub from: usize,
    /// The node at which it ends, an index: the end of no other contingent link.
    pub to: usize,
    /// Shortest duration, in microseconds, 0 or above.
    pub lower_us: Time,
    /// Longest duration, in microseconds.
    pub upper_us: Time,
}

impl Contingent {
    /// The longest and the shortest duration as constraints.
    pub fn differences(&self) -> [Difference; 2] {
        let (from, to) = (self.from, self.to);
        let weight = self.upper_us;
        let shortest = Difference {
            from: to,
            to: from,
            weight: -self.lower_us,
        };
        [Difference { from, to, weight }, shortest]
    }
}

/// The cycles of contingent links: of each the indices of its links, in rising order, the cycle
/// with the first link first. A link from a node to itself is a cycle of one.
///
/// `into` gives the one link that ends at a node, if any does, `from` the node at which a link
/// starts: links into the same node cannot all be part of a cycle. Only nodes below `nodes` count.
/// Linear time.
pub fn contingent_cycles(
    nodes: usize,
    into: impl Fn(usize) -> Option<usize>,
    from: impl Fn(usize) -> usize,
) -> Vec<Vec<usize>> {
    // In most networks no link starts where another ends.
    let mut links = (0..nodes).filter_map(&into);
    if !links.any(|link| into(from(link)).is_some()) {
        return Vec::new();
    }
    let ends = (0..nodes).filter_map(|to| Some((from(into(to)?), to)));
    let graph = DiGraphMap::<usize, ()>::from_edges(ends);
    let is_cycle = |nodes: &Vec<usize>| {
        nodes.len() > 1 || into(nodes[0]).is_some_and(|link| from(link) == nodes[0])
    };
    let links = |nodes: Vec<usize>| {
        let mut links: Vec<usize> = nodes.into_iter().filter_map(&into).collect();
        links.sort_unstable();
        links
    };
    let cycles = kosaraju_scc(&graph).into_iter().filter(is_cycle);
    let mut cycles: Vec<Vec<usize>> = cycles.map(links).collect();
    cycles.sort_unstable();
    cycles
}
