//! Floyd-Warshall on reduced weights.

use super::UNBOUNDED;
use crate::Time;
use crate::shortest::{FAR, Reduced};
use std::ops::Add;

/// Nodes closed at a time: their rows stay in the nearer caches while all others are compared.
const BLOCK: usize = 32;

/// Below this, sums of two whole numbers are exact in 64-bit floating point, for which even the
/// oldest processors compare two lanes at once.
const EXACT: u64 = 1 << 52;

/// All bounds, row by row; `None` where `go_on`, called once a row and block, returns false.
pub(super) fn bounds(network: &Reduced, go_on: &mut dyn FnMut() -> bool) -> Option<Vec<Time>> {
    let nodes = network.potentials().len();
    let mut heaviest = 0;
    let mut far = vec![FAR; nodes * nodes];
    for from in 0..nodes {
        let row = &mut far[from * nodes..][..nodes];
        for arc in network.arcs().leaving(from) {
            let weight = arc.weight.unsigned_abs();
            heaviest = weight.max(heaviest);
            row[arc.to as usize] = weight.min(row[arc.to as usize]);
        }
        row[from] = 0;
    }
    // Every entry is the length of a simple path.
    if heaviest.saturating_mul(nodes as u64) < EXACT {
        let float = |whole| {
            if whole == FAR {
                f64::INFINITY
            } else {
                whole as f64
            }
        };
        let mut floats: Vec<f64> = far.into_iter().map(float).collect();
        close(nodes, &mut floats, f64::INFINITY, go_on)?;
        let whole = |float: f64| if float.is_finite() { float as u64 } else { FAR };
        far = floats.into_iter().map(whole).collect();
    } else {
        close(nodes, &mut far, FAR, go_on)?;
    }
    let pairs = far.into_iter().enumerate();
    let bound = |(pair, reduced)| network.length(pair / nodes, pair % nodes, reduced);
    Some(pairs.map(|pair| bound(pair).unwrap_or(UNBOUNDED)).collect())
}

/// Floyd-Warshall by blocks of rows, on numbers that have a `none` no less than every length.
///
/// Invariant: when a block is done, every entry is the shortest path whose inner nodes are all in
/// this block or before. First the rows of the block themselves, one inner node after the other.
/// Then every other row: a path that enters the block at node k goes on as the row of k knows best.
fn close<T: Copy + PartialOrd + Add<Output = T>>(
    nodes: usize,
    far: &mut [T],
    none: T,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<()> {
    let mut via = Vec::with_capacity(nodes);
    for begin in (0..nodes).step_by(BLOCK) {
        let end = nodes.min(begin + BLOCK);
        let (before, rest) = far.split_at_mut(begin * nodes);
        let (block, after) = rest.split_at_mut((end - begin) * nodes);
        for k in begin..end {
            via.clear();
            via.extend_from_slice(&block[(k - begin) * nodes..][..nodes]);
            for row in block.chunks_exact_mut(nodes) {
                shorten(row, row[k], &via, none);
            }
        }
        let others = before.chunks_exact_mut(nodes);
        for row in others.chain(after.chunks_exact_mut(nodes)) {
            if !go_on() {
                return None;
            }
            for (k, via) in (begin..end).zip(block.chunks_exact(nodes)) {
                shorten(row, row[k], via, none);
            }
        }
    }
    Some(())
}

/// Takes the path of length `first` to the node whose row is `via` wherever that is shorter.
fn shorten<T: Copy + PartialOrd + Add<Output = T>>(row: &mut [T], first: T, via: &[T], none: T) {
    if first < none {
        for (known, &rest) in row.iter_mut().zip(via) {
            let through = first + rest;
            *known = if through < *known { through } else { *known };
        }
    }
}
