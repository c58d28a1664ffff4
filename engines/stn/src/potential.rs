//! One solution of a network, or the reason why there is none.

use crate::arcs::Arcs;
use crate::cycle::{NONE, parent_cycle};
use crate::{Conflict, Edge, Refusal, Time, check_edges};

/// Returns a time for each node that satisfies all edges, in microseconds, none above zero.
///
/// The time of a node is the length of the shortest path that ends there, wherever it begins.
/// Times lie above `-NODES_MAX * TIME_MAX`.
///
/// Bellman-Ford with a queue, O(nodes * edges) time, O(nodes + edges) memory. Source: Dechter,
/// Meiri, Pearl, "Temporal constraint networks", Artificial Intelligence 49 (1991), theorem 3.1:
/// there is a solution if and only if the distance graph has no negative cycle.
///
/// # Errors
/// [`Refusal::Conflict`]: a negative cycle. [`Refusal::Input`]: see [`check_edges`].
///
/// # Examples
/// ```
/// use stn::{Edge, potentials};
/// // The bell rings 4 s to 5 s after the start.
/// let bell = [Edge::new(0, 1, 5_000_000, 0), Edge::new(1, 0, -4_000_000, 1)];
/// assert_eq!(potentials(2, &bell), Ok(vec![-4_000_000, 0]));
/// ```
pub fn potentials(nodes: usize, edges: &[Edge]) -> Result<Vec<Time>, Refusal> {
    let time = potentials_within(nodes, edges, &mut || true)?;
    Ok(time.expect("nothing stops it"))
}

/// As [`potentials`], but gives `None` soon after `go_on` has returned false. It is called once a
/// pass over the edges: there are seldom more than a few, at worst as many as nodes.
///
/// # Errors
/// As [`potentials`].
pub fn potentials_within(
    nodes: usize,
    edges: &[Edge],
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Option<Vec<Time>>, Refusal> {
    check_edges(nodes, edges)?;
    Ok(bellman_ford(&Arcs::new(nodes, edges), edges, go_on)?)
}

/// [`potentials`] of edges that have been checked and sorted into `arcs`; `None` where `go_on`,
/// called once a pass, returns false.
///
/// Sums stay in 64 bits: while parents form no cycle, a label is at least the length of the path of
/// its parents, above `-NODES_MAX * TIME_MAX`; a pass scans a node once, so it lowers a label by
/// less than as much again; and after every pass parents are searched for a cycle. There are at
/// most `nodes` passes, since a label lowered after that is below the shortest simple path.
pub(crate) fn bellman_ford(
    arcs: &Arcs,
    edges: &[Edge],
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Option<Vec<Time>>, Conflict> {
    let nodes = arcs.nodes();
    let mut time = vec![0; nodes];
    let mut parent = vec![NONE; nodes];
    let mut waiting = vec![true; nodes];
    let mut pass: Vec<u32> = (0..nodes as u32).collect();
    let mut next = Vec::new();
    while !pass.is_empty() {
        if !go_on() {
            return Ok(None);
        }
        for &node in &pass {
            waiting[node as usize] = false;
            let from = time[node as usize];
            for arc in arcs.leaving(node as usize) {
                let to = arc.to as usize;
                let lower = from + arc.weight;
                if lower < time[to] {
                    time[to] = lower;
                    parent[to] = arc.edge;
                    if !waiting[to] {
                        waiting[to] = true;
                        next.push(arc.to);
                    }
                }
            }
        }
        if let Some(cycle) = parent_cycle(&parent, edges) {
            return Err(Conflict::new(cycle));
        }
        pass.clear();
        std::mem::swap(&mut pass, &mut next);
    }
    Ok(Some(time))
}
