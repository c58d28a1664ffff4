//! What the answers are compared with: the definitions, written down as plainly as possible in
//! integers of 128 bits, and networks to try them on.

use proptest::prelude::*;
use stn::{Conflict, Edge, TIME_MAX, Time, cycle_sum};

/// Lengths of the shortest paths from `source`, or `None` where it reaches a negative cycle.
pub(crate) fn distances(nodes: usize, edges: &[Edge], source: usize) -> Option<Vec<Option<i128>>> {
    let mut length = vec![None; nodes];
    length[source] = Some(0);
    for _ in 0..=nodes {
        let before = length.clone();
        for edge in edges {
            let Some(first) = length[edge.from as usize] else {
                continue;
            };
            let through = first + i128::from(edge.weight);
            let known = &mut length[edge.to as usize];
            *known = Some(known.map_or(through, |known: i128| known.min(through)));
        }
        if length == before {
            return Some(length);
        }
    }
    None
}

/// Whether there is a solution.
pub(crate) fn is_consistent(nodes: usize, edges: &[Edge]) -> bool {
    (0..nodes).all(|source| distances(nodes, edges, source).is_some())
}

/// Checks that a conflict is a simple negative cycle of edges that were given, each one needed.
pub(crate) fn judge_conflict(nodes: usize, edges: &[Edge], conflict: &Conflict) {
    assert_eq!(cycle_sum(conflict.edges()), Some(conflict.sum()));
    assert!(conflict.sum() < 0, "{conflict:?}");
    assert!(conflict.edges().iter().all(|edge| edges.contains(edge)));
    assert!(!is_consistent(nodes, conflict.edges()));
    for left_out in 0..conflict.edges().len() {
        let mut others = conflict.edges().to_vec();
        others.remove(left_out);
        assert!(
            is_consistent(nodes, &others),
            "{conflict:?} without {left_out}"
        );
    }
}

/// A number of nodes and edges between them; ids count up. About half the networks have a solution.
pub(crate) fn networks() -> impl Strategy<Value = (usize, Vec<Edge>)> {
    (1_usize..12, 0_u8..3, any::<bool>()).prop_flat_map(|(nodes, lies, large)| {
        let unit = if large { TIME_MAX / 50 } else { 1 };
        let time = proptest::collection::vec(-12_i64..=12, nodes);
        let slack = proptest::collection::vec((0..nodes, 0..nodes, 0_i64..25, 0_u8..60), 0..40);
        (time, slack).prop_map(move |(time, raw)| {
            let raw = raw.into_iter().enumerate();
            let edges = raw.map(|(id, (from, to, slack, lie))| {
                // A true edge gives some slack to known times, a lie takes it away.
                let slack: Time = if lie < lies { -slack } else { slack };
                let weight = (time[to] - time[from] + slack) * unit;
                Edge::new(from as u32, to as u32, weight, id as u32)
            });
            (nodes, edges.collect())
        })
    })
}
