//! Shortest paths over all pairs of tasks.

use crate::problem::Micros;

/// Shortest-path labels by Dijkstra's algorithm, without a queue: every pair of tasks is an arc.
///
/// `leave(i, label)` is the departure from i; `None`: it is not left. `relax(departure, i, j,
/// known)` is the label that this gives to j, if it is less than `known`. Labels never decrease
/// along arcs, and a larger label never leads to a smaller one.
pub(super) fn dijkstra(
    mut labels: Vec<Option<Micros>>,
    leave: impl Fn(usize, Micros) -> Option<Micros>,
    relax: impl Fn(Micros, usize, usize, Micros) -> Option<Micros>,
) -> Vec<Option<Micros>> {
    let mut open: Vec<usize> = (0..labels.len()).collect();
    let labelled = open.iter().enumerate();
    let least = labelled.filter_map(|(at, &i)| Some((labels[i]?, at))).min();
    let mut next = least;
    while let Some((label, at)) = next {
        let from = open.swap_remove(at);
        let left = leave(from, label);
        next = None;
        // One round updates the labels and finds the least of them.
        for (at, &to) in open.iter().enumerate() {
            if let Some(left) = left {
                let known = labels[to].unwrap_or(Micros::MAX);
                if let Some(new) = relax(left, from, to, known) {
                    labels[to] = Some(known.min(new));
                }
            }
            if let Some(label) = labels[to]
                && next.is_none_or(|least| (label, at) < least)
            {
                next = Some((label, at));
            }
        }
    }
    labels
}
