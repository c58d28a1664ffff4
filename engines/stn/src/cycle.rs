//! Cycles among the edges that last lowered each node.

use crate::Edge;

/// No edge.
pub(crate) const NONE: u32 = u32::MAX;

/// Returns the edges of a cycle of the graph in which `parent[v]` is the index of the one edge into
/// `v` ([`NONE`]: no edge), in order, or `None` where there is no cycle. O(nodes) time.
///
/// In label correcting, such a cycle is negative: each label is at least what its parent edge makes
/// of the label before it, and the last edge to enter made it strictly more. Source: Cherkassky,
/// Goldberg, "Negative-cycle detection algorithms", Mathematical Programming 85 (1999).
pub(crate) fn parent_cycle(parent: &[u32], edges: &[Edge]) -> Option<Vec<Edge>> {
    // Which walk came by first; walks are numbered by the node they start from.
    let mut seen_by = vec![NONE; parent.len()];
    for start in 0..parent.len() {
        let mark = start as u32;
        let mut at = start;
        while seen_by[at] == NONE && parent[at] != NONE {
            seen_by[at] = mark;
            at = edges[parent[at] as usize].from as usize;
        }
        if seen_by[at] == mark {
            return Some(cycle_through(at, parent, edges));
        }
    }
    None
}

fn cycle_through(node: usize, parent: &[u32], edges: &[Edge]) -> Vec<Edge> {
    let mut cycle = Vec::new();
    let mut at = node;
    loop {
        let edge = edges[parent[at] as usize];
        cycle.push(edge);
        at = edge.from as usize;
        if at == node {
            break;
        }
    }
    cycle.reverse();
    cycle
}
