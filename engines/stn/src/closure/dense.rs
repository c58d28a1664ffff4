//! Floyd-Warshall on reduced weights.

use super::UNBOUNDED;
use crate::Time;
use crate::shortest::{FAR, Reduced};

/// All bounds, row by row.
pub(super) fn bounds(network: &Reduced) -> Vec<Time> {
    let nodes = network.potentials().len();
    let mut far = vec![FAR; nodes * nodes];
    for from in 0..nodes {
        let row = &mut far[from * nodes..][..nodes];
        for arc in network.arcs().leaving(from) {
            let known = &mut row[arc.to as usize];
            *known = arc.weight.unsigned_abs().min(*known);
        }
        row[from] = 0;
    }
    close(nodes, &mut far);
    let pairs = far.into_iter().enumerate();
    let bound = |(pair, reduced)| network.length(pair / nodes, pair % nodes, reduced);
    pairs.map(|pair| bound(pair).unwrap_or(UNBOUNDED)).collect()
}

/// Invariant after round k: every entry is the shortest path whose inner nodes are all below k.
/// No weight is negative, so the row and the column of k do not change in round k.
fn close(nodes: usize, far: &mut [u64]) {
    let mut via = vec![0; nodes];
    for k in 0..nodes {
        via.copy_from_slice(&far[k * nodes..][..nodes]);
        for row in far.chunks_exact_mut(nodes) {
            let first = row[k];
            if first == FAR {
                continue;
            }
            for (known, &rest) in row.iter_mut().zip(&via) {
                // An entry is at most FAR, and so is what replaces it.
                *known = (first + rest).min(*known);
            }
        }
    }
}
