//! Cycles of contingent links.

use petgraph::algo::kosaraju_scc;
use petgraph::graphmap::DiGraphMap;

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
