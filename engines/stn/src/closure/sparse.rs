//! Johnson's algorithm: Dijkstra from every node.

use super::UNBOUNDED;
use crate::Time;
use crate::shortest::{Frontier, Reduced};

/// All bounds, row by row; `None` where `go_on`, called once a node, returns false.
pub(super) fn bounds(network: &Reduced, go_on: &mut dyn FnMut() -> bool) -> Option<Vec<Time>> {
    let nodes = network.potentials().len();
    let mut frontier = Frontier::new();
    let mut row = vec![0; nodes];
    let mut bounds = Vec::with_capacity(nodes * nodes);
    for from in 0..nodes {
        if !go_on() {
            return None;
        }
        network.distances(from, &mut frontier, &mut row);
        let lengths = row.iter().enumerate();
        bounds.extend(lengths.map(|(to, &far)| network.length(from, to, far).unwrap_or(UNBOUNDED)));
    }
    Some(bounds)
}
