//! All-pairs shortest paths: the tightest bound that a network implies between any two nodes.

mod dense;
mod insert;
mod path_among;
mod sparse;
mod trailed;

use crate::cycle::NONE;
use crate::shortest::Reduced;
use crate::{Edge, Refusal, Time};
use std::collections::VecDeque;

pub use trailed::TrailedClosure;

/// No bound: what [`Closure::row`] holds between two nodes where nothing limits how late
/// the second may be. Larger than every bound.
pub const UNBOUNDED: Time = Time::MAX;

/// An algorithm that closes a reduced network: all bounds, row by row, or `None` when stopped.
type Method = fn(&Reduced, &mut dyn FnMut() -> bool) -> Option<Vec<Time>>;

/// The tightest bounds that a network implies: `t[to] - t[from] <= get(from, to)`, 8 bytes a pair.
///
/// Each bound is the length of a shortest path and so can be met by a solution; with
/// `t[from] = 0` the row of `from` is the latest solution, the negated column the earliest.
/// Source: Dechter, Meiri, Pearl, "Temporal constraint networks", Artificial Intelligence 49
/// (1991), section 3: the d-graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closure {
    nodes: usize,
    edges: Vec<Edge>,
    /// The edges that leave each node, by index, in rising order.
    leaving: Vec<Vec<u32>>,
    /// Row by row; [`UNBOUNDED`] where there is no path.
    bounds: Vec<Time>,
}

impl Closure {
    /// Closes a network by whichever of the two methods is faster for its size and density.
    ///
    /// # Errors
    /// [`Refusal::Conflict`]: a negative cycle. [`Refusal::Input`]: see [`crate::check_edges`].
    ///
    /// # Examples
    /// ```
    /// use stn::{Closure, Edge};
    /// let walk_then_open = [Edge::new(0, 1, 5, 0), Edge::new(1, 2, 2, 1), Edge::new(2, 1, -2, 1)];
    /// let closure = Closure::new(3, &walk_then_open).unwrap();
    /// assert_eq!(closure.get(0, 2), Some(7));
    /// assert_eq!(closure.get(2, 0), None);
    /// ```
    pub fn new(nodes: usize, edges: &[Edge]) -> Result<Self, Refusal> {
        let closed = Self::new_within(nodes, edges, &mut || true)?;
        Ok(closed.expect("nothing stops it"))
    }

    /// As [`Closure::new`], but gives `None` soon after `go_on` has returned false. It is called at
    /// least once for each pass over the edges and for each node closed.
    ///
    /// # Errors
    /// As [`Closure::new`].
    pub fn new_within(
        nodes: usize,
        edges: &[Edge],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Self>, Refusal> {
        let method = if is_dense(nodes, edges.len()) {
            dense::bounds
        } else {
            sparse::bounds
        };
        Self::close_by(method, nodes, edges, go_on)
    }

    /// Closes a sparse network: Bellman-Ford for potentials, then Dijkstra from every node,
    /// O(nodes * edges * log nodes) time. Source: Johnson, "Efficient algorithms for shortest paths
    /// in sparse networks", Journal of the ACM 24 (1977).
    ///
    /// # Errors
    /// As [`Closure::new`].
    pub fn johnson(nodes: usize, edges: &[Edge]) -> Result<Self, Refusal> {
        let closed = Self::close_by(sparse::bounds, nodes, edges, &mut || true)?;
        Ok(closed.expect("nothing stops it"))
    }

    /// Closes a dense or small network: Bellman-Ford for potentials, then Floyd-Warshall by blocks,
    /// O(nodes^3) time. Source: Dechter, Meiri, Pearl (1991), section 3,
    /// "all-pairs-shortest-paths"; the blocks are ours.
    ///
    /// # Errors
    /// As [`Closure::new`].
    pub fn floyd_warshall(nodes: usize, edges: &[Edge]) -> Result<Self, Refusal> {
        let closed = Self::close_by(dense::bounds, nodes, edges, &mut || true)?;
        Ok(closed.expect("nothing stops it"))
    }

    fn close_by(
        method: Method,
        nodes: usize,
        edges: &[Edge],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Option<Self>, Refusal> {
        let Some(network) = Reduced::new(nodes, edges, go_on)? else {
            return Ok(None);
        };
        let Some(bounds) = method(&network, go_on) else {
            return Ok(None);
        };
        let mut closure = Self {
            nodes,
            edges: Vec::with_capacity(edges.len()),
            leaving: vec![Vec::new(); nodes],
            bounds,
        };
        edges.iter().for_each(|&edge| closure.remember(edge));
        Ok(Some(closure))
    }

    /// Appends an edge for which the bounds account.
    fn remember(&mut self, edge: Edge) {
        let index = u32::try_from(self.edges.len()).expect("edges fit in memory, 24 bytes each");
        self.leaving[edge.from as usize].push(index);
        self.edges.push(edge);
    }

    /// Drops all but the first `count` edges; the bounds are up to the caller.
    fn forget(&mut self, count: usize) {
        for edge in self.edges.drain(count..).rev() {
            // Last in, first out: it is the last of its node.
            self.leaving[edge.from as usize].pop();
        }
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// The edges closed, in the order given, those of [`Closure::insert`] last.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The most that `to` can be after `from`, in microseconds, or `None` where nothing bounds it.
    ///
    /// # Panics
    /// When there is no such node.
    pub fn get(&self, from: usize, to: usize) -> Option<Time> {
        Some(self.row(from)[to]).filter(|bound| *bound != UNBOUNDED)
    }

    /// The most that each node can be after `from`, in microseconds, or [`UNBOUNDED`].
    ///
    /// # Panics
    /// When there is no such node.
    pub fn row(&self, from: usize) -> &[Time] {
        &self.bounds[from * self.nodes..][..self.nodes]
    }

    /// The reason for a bound: a simple path from `from` to `to` whose weights add up to
    /// [`Closure::get`], of as few edges as possible; `None` where there is no path.
    /// O(nodes + edges) time, of which only the edges of nodes on shortest paths count.
    ///
    /// # Panics
    /// When there is no such node.
    pub fn path(&self, from: usize, to: usize) -> Option<Vec<Edge>> {
        self.get(from, to)?;
        let rest = |node: usize| self.get(node, to);
        Some(tight_path(&self.edges, &self.leaving, [from, to], rest))
    }
}

/// A path of as few edges as possible from one node to another that is as short as their distance.
///
/// `leaving` gives the indices of the edges that leave each node, `rest` the distance from a node
/// to the second one, in microseconds; `None`: no path. O(nodes + edges) time, of which only the
/// edges of nodes on shortest paths count.
///
/// # Panics
/// When there is no path as short as their distance.
pub fn tight_path(
    edges: &[Edge],
    leaving: &[Vec<u32>],
    [from, to]: [usize; 2],
    rest: impl Fn(usize) -> Option<Time>,
) -> Vec<Edge> {
    let mut parent = vec![NONE; leaving.len()];
    let mut queue = VecDeque::from([from]);
    // Breadth first along edges that lie on shortest paths.
    while parent[to] == NONE
        && from != to
        && let Some(node) = queue.pop_front()
    {
        let here = rest(node);
        for &index in &leaving[node] {
            let edge = &edges[index as usize];
            let next = edge.to as usize;
            let is_tight = rest(next).is_some_and(|far| here == Some(edge.weight + far));
            if is_tight && parent[next] == NONE {
                parent[next] = index;
                queue.push_back(next);
            }
        }
    }
    traced(edges, &parent, from, to)
}

/// The path to a node, by the edge that leads to each.
fn traced(edges: &[Edge], parent: &[u32], from: usize, to: usize) -> Vec<Edge> {
    let mut path = Vec::new();
    let mut at = to;
    while at != from {
        let edge = edges[parent[at] as usize];
        path.push(edge);
        at = edge.from as usize;
    }
    path.reverse();
    path
}

/// Whether Floyd-Warshall is the faster method: it spends `nodes` steps a pair, Dijkstra the time
/// of some 200 of those steps an edge and source (measured, `benches/closure.rs`).
fn is_dense(nodes: usize, edges: usize) -> bool {
    edges.saturating_mul(200) >= nodes.saturating_mul(nodes)
}
