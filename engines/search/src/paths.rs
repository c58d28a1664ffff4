//! Shortest paths in graphs whose edges all count the same: breadth-first search. Nodes are the
//! numbers from 0 to `count` - 1.

use std::collections::VecDeque;

/// A shortest path from `start` to the nearest goal, without the start; `None`: none can be
/// reached. `next` gives the neighbours of a node; of equally short paths, those through earlier
/// neighbours are preferred.
///
/// # Panics
/// When a node is `count` or above.
pub fn nearest<N: IntoIterator<Item = usize>>(
    count: usize,
    start: usize,
    mut next: impl FnMut(usize) -> N,
    mut is_goal: impl FnMut(usize) -> bool,
) -> Option<Vec<usize>> {
    let mut before = vec![None; count];
    before[start] = Some(start);
    let mut open = VecDeque::from([start]);
    while let Some(node) = open.pop_front() {
        if is_goal(node) {
            let back = std::iter::successors(Some(node), |node| before[*node]);
            let mut path: Vec<usize> = back.take_while(|node| *node != start).collect();
            path.reverse();
            return Some(path);
        }
        for to in next(node) {
            if before[to].is_none() {
                before[to] = Some(node);
                open.push_back(to);
            }
        }
    }
    None
}

/// Whether each node can be reached from `start`.
///
/// # Panics
/// When a node is `count` or above.
pub fn reachable<N: IntoIterator<Item = usize>>(
    count: usize,
    start: usize,
    mut next: impl FnMut(usize) -> N,
) -> Vec<bool> {
    let mut reached = vec![false; count];
    reached[start] = true;
    let mut open = vec![start];
    while let Some(node) = open.pop() {
        for to in next(node) {
            if !std::mem::replace(&mut reached[to], true) {
                open.push(to);
            }
        }
    }
    reached
}
