//! Explanations of earlier bounds: paths among the edges that came first.

use super::{Closure, UNBOUNDED, traced};
use crate::cycle::NONE;
use crate::{Edge, Time};
use std::collections::VecDeque;

impl Closure {
    /// A path from `from` to `to` among the first `count` of [`Closure::edges`], of length
    /// `length_max` or less, not always the shortest; `None`: no path.
    ///
    /// Label correcting that stops as soon as the length is reached: the reason for a bound as it
    /// was known some edges ago. O(nodes * edges) time at worst.
    ///
    /// # Panics
    /// When there is no such node, or fewer edges.
    pub fn path_among(
        &self,
        count: usize,
        from: usize,
        to: usize,
        length_max: Time,
    ) -> Option<Vec<Edge>> {
        let mut length = vec![UNBOUNDED; self.nodes];
        let mut parent = vec![NONE; self.nodes];
        let mut queued = vec![false; self.nodes];
        let mut queue = VecDeque::from([from]);
        length[from] = 0;
        while length[to] > length_max
            && let Some(node) = queue.pop_front()
        {
            queued[node] = false;
            let leaving = self.leaving[node].iter();
            for &index in leaving.take_while(|index| (**index as usize) < count) {
                let edge = &self.edges[index as usize];
                let next = edge.to as usize;
                let reached = length[node] + edge.weight;
                // Without a bound from here to the goal it is no part of a reason.
                let useful = self.row(next)[to] != UNBOUNDED;
                if useful && reached < length[next] {
                    length[next] = reached;
                    parent[next] = index;
                    if !std::mem::replace(&mut queued[next], true) {
                        queue.push_back(next);
                    }
                }
            }
        }
        if length[to] > length_max {
            return None;
        }
        Some(traced(&self.edges, &parent, from, to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_edges_are_no_part_of_a_reason() {
        let edge = |from, to, weight, id| Edge::new(from, to, weight, id);
        let edges = [
            edge(0, 1, 4, 0),
            edge(1, 2, 4, 1),
            edge(0, 2, 9, 2),
            edge(1, 2, -1, 3),
        ];
        let closure = Closure::new(3, &edges).unwrap();
        let ids = |count, length_max| {
            let path = closure.path_among(count, 0, 2, length_max)?;
            Some(path.iter().map(|edge| edge.id).collect::<Vec<u32>>())
        };
        assert_eq!(closure.get(0, 2), Some(3));
        assert_eq!(ids(4, 3), Some(vec![0, 3]));
        assert_eq!(ids(3, 3), None);
        assert_eq!(ids(3, 8), Some(vec![0, 1]));
        assert!(ids(3, 9).is_some());
    }
}
