//! Difference constraints and their satisfiability.

use crate::problem::{Bound, Micros, Network, Node, Source};

/// `time(to) - time(from) <= weight`: from, to, weight.
pub(super) type Arc = (Node, Node, Micros);

/// Whether some times satisfy all constraints.
pub(super) fn is_satisfiable(nodes: usize, arcs: &[Arc]) -> bool {
    potentials(nodes, arcs).is_some()
}

/// Times that satisfy all constraints: Bellman-Ford from all nodes simultaneously.
///
/// Rounds stop as soon as nothing moves; when the last still moves something there is a negative
/// cycle. Each round lowers a time by at most the largest weight, so nothing overflows for weights
/// up to 2^50 and [`EVENTS_MAX`](crate::problem::EVENTS_MAX) nodes; larger ones saturate.
pub(super) fn potentials(nodes: usize, arcs: &[Arc]) -> Option<Vec<Micros>> {
    let mut times = vec![0_i64; nodes];
    for _ in 0..=nodes {
        let mut moved = false;
        for &(from, to, weight) in arcs {
            let latest = times[from].saturating_add(weight);
            if latest < times[to] {
                times[to] = latest;
                moved = true;
            }
        }
        if !moved {
            return Some(times);
        }
    }
    None
}

/// The bounds of a network, those of Nature's links included.
pub(super) fn arcs(network: &Network) -> Vec<Arc> {
    let arc = |bound: Bound| (bound.from, bound.to, bound.weight_us);
    network.bounds().map(arc).collect()
}

/// Whether some times satisfy all bounds of a network when Nature helps.
pub(super) fn is_consistent(network: &Network) -> bool {
    is_satisfiable(network.nodes(), &arcs(network))
}

/// The bound that a source names, if the network has it.
pub(super) fn bound(network: &Network, source: Source) -> Option<Bound> {
    let horizon = |node: Node| {
        let known = (1..network.nodes()).contains(&node);
        network.horizon_us().filter(|_| known)
    };
    let (from, to, weight_us) = match source {
        Source::LinkUpper(at) => {
            let link = network.links().get(at)?;
            (link.from, link.to, link.upper_us?)
        }
        Source::LinkLower(at) => {
            let link = network.links().get(at)?;
            (link.to, link.from, -link.lower_us?)
        }
        Source::ContingentUpper(at) => {
            let link = network.contingent().get(at)?;
            (link.from, link.to, link.upper_us)
        }
        Source::ContingentLower(at) => {
            let link = network.contingent().get(at)?;
            (link.to, link.from, -link.lower_us)
        }
        Source::Horizon(node) => (0, node, horizon(node)?),
        Source::Start(node) => (node, 0, horizon(node).map(|_| 0)?),
    };
    Some(Bound {
        from,
        to,
        weight_us,
        source,
    })
}
