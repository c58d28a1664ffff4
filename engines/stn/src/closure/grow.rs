//! One more edge for a closed network.

use super::{Closure, UNBOUNDED};
use crate::{Conflict, Edge, Refusal, Time, check_edge};

impl Closure {
    /// Adds one edge; returns whether any bound became tighter.
    ///
    /// O(nodes^2) time, O(nodes) where the edge was implied: a bound that changes is now that of a
    /// path through the edge, so it is enough to look at rows whose bound on the head of the edge
    /// changes and at columns whose bound from its tail does.
    ///
    /// # Errors
    /// [`Refusal::Conflict`]: a negative cycle, on which the edge comes last. [`Refusal::Input`]: see
    /// [`crate::check_edge`]. The closure is then as it was.
    ///
    /// # Examples
    /// ```
    /// use stn::{Closure, Edge};
    /// let mut closure = Closure::new(3, &[Edge::new(0, 1, 5, 0)]).unwrap();
    /// assert_eq!(closure.insert(Edge::new(1, 2, 2, 1)), Ok(true));
    /// assert_eq!(closure.get(0, 2), Some(7));
    /// let refusal = closure.insert(Edge::new(2, 0, -8, 2)).unwrap_err();
    /// assert!(refusal.conflict().unwrap().ids().eq([0, 1, 2]));
    /// ```
    pub fn insert(&mut self, edge: Edge) -> Result<bool, Refusal> {
        check_edge(self.nodes, &edge)?;
        let (tail, head) = (edge.from as usize, edge.to as usize);
        if let Some(back) = self.get(head, tail)
            && back + edge.weight < 0
        {
            let mut cycle = self
                .path(head, tail)
                .expect("there is a bound, so there is a path");
            cycle.push(edge);
            return Err(Conflict::new(cycle).into());
        }
        self.edges.push(edge);
        if self.row(tail)[head] <= edge.weight {
            return Ok(false);
        }
        self.tighten(tail, head, edge.weight);
        Ok(true)
    }

    /// Invariant: the row of `head` and the column of `tail` do not change, since a path through the
    /// edge back to its own tail, or on from its own head, closes a cycle that is not negative.
    fn tighten(&mut self, tail: usize, head: usize, weight: Time) {
        let before = self.row(tail).iter().enumerate();
        let after = before.zip(self.row(head));
        let closer = after.filter(|&((_, &old), &rest)| rest != UNBOUNDED && weight + rest < old);
        let columns: Vec<(usize, Time)> = closer.map(|((to, _), &rest)| (to, rest)).collect();
        for row in self.bounds.chunks_exact_mut(self.nodes) {
            if row[tail] == UNBOUNDED || row[tail] + weight >= row[head] {
                continue;
            }
            let first = row[tail] + weight;
            for &(to, rest) in &columns {
                row[to] = row[to].min(first + rest);
            }
        }
    }
}
