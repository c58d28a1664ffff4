//! The earliest and the latest solution.

use crate::shortest::{FAR, Frontier, Reduced};
use crate::{Edge, Refusal, Time};

/// Returns the latest time of each node when `origin` is at zero, in microseconds; `None` where
/// nothing bounds a node from above.
///
/// Where all are bounded they are a solution, and no solution has a node later. O(nodes * edges)
/// time. Source: Dechter, Meiri, Pearl, "Temporal constraint networks", Artificial Intelligence 49
/// (1991), corollary 3.2.
///
/// # Errors
/// [`Refusal::Conflict`]: a negative cycle, wherever it is. [`Refusal::Input`]: see
/// [`crate::check_edges`].
///
/// # Panics
/// When there is no node `origin`.
///
/// # Examples
/// ```
/// use stn::{Edge, latest};
/// assert_eq!(latest(3, &[Edge::new(0, 1, 5, 0)], 0), Ok(vec![Some(0), Some(5), None]));
/// ```
pub fn latest(nodes: usize, edges: &[Edge], origin: usize) -> Result<Vec<Option<Time>>, Refusal> {
    let network = Reduced::new(nodes, edges, &mut || true)?.expect("nothing stops it");
    let mut row = vec![FAR; nodes];
    network.distances(origin, &mut Frontier::new(), &mut row);
    let lengths = row.into_iter().enumerate();
    Ok(lengths
        .map(|(to, far)| network.length(origin, to, far))
        .collect())
}

/// Returns the earliest time of each node when `origin` is at zero, in microseconds; `None` where
/// nothing bounds a node from below.
///
/// Where all are bounded they are a solution, the least one: no solution has a node earlier. As
/// [`latest`] otherwise.
///
/// # Errors
/// As [`latest`].
///
/// # Panics
/// When there is no node `origin`.
///
/// # Examples
/// ```
/// use stn::{Edge, earliest};
/// // Node 1 is at least 4 us after node 0.
/// assert_eq!(earliest(2, &[Edge::new(1, 0, -4, 0)], 0), Ok(vec![Some(0), Some(4)]));
/// ```
pub fn earliest(nodes: usize, edges: &[Edge], origin: usize) -> Result<Vec<Option<Time>>, Refusal> {
    // Time runs backwards along reversed edges. A cycle is the same cycle in either direction.
    let backwards = |e: &Edge| Edge::new(e.to, e.from, e.weight, e.id);
    let edges: Vec<Edge> = edges.iter().map(backwards).collect();
    let times = latest(nodes, &edges, origin).map_err(forwards)?;
    Ok(times
        .into_iter()
        .map(|time| time.map(|time| -time))
        .collect())
}

fn forwards(refusal: Refusal) -> Refusal {
    match refusal {
        Refusal::Conflict(conflict) => conflict.reversed().into(),
        input @ Refusal::Input(_) => input,
    }
}
