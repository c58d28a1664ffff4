//! Positive cycles of lags (Bellman-Ford): bounds alone would creep towards the horizon, one length
//! of the cycle at a time.

use super::propagators::Edge;
use crate::clause_learning::{Lit, Trail};

/// Conditions of edges that hold and add up to more than zero around a cycle, which is a
/// contradiction; `None`: no such cycle.
///
/// Bellman-Ford on longest paths: O(variables * edges).
pub(super) fn positive_cycle(edges: &[Edge], trail: &Trail) -> Option<Vec<Lit>> {
    let active = |edge: &Edge| edge.when.is_none_or(|when| trail.holds(when));
    let vars = trail.vars();
    // Wider than bounds: a path may take every edge.
    let mut far = vec![0_i128; vars];
    let mut last: Vec<Option<usize>> = vec![None; vars];
    let mut moved = None;
    for _ in 0..=vars {
        moved = None;
        for (index, edge) in edges.iter().enumerate().filter(|(_, edge)| active(edge)) {
            let (from, to) = (edge.from.index(), edge.to.index());
            let reached = far[from] + i128::from(edge.least);
            if reached > far[to] {
                far[to] = reached;
                last[to] = Some(index);
                moved = Some(to);
            }
        }
        moved?;
    }
    let back = |var: usize| {
        let edge = last[var].expect("what moves in the last round has a history");
        (edge, edges[edge].from.index())
    };
    // As many steps back as there are variables end on the cycle.
    let mut on = moved?;
    for _ in 0..vars {
        on = back(on).1;
    }
    let mut conditions = Vec::new();
    let mut at = on;
    loop {
        let (edge, from) = back(at);
        conditions.extend(edges[edge].when);
        at = from;
        if at == on {
            return Some(conditions);
        }
    }
}
