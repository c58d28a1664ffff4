//! Incremental closure: one more edge for a closed network.

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
    /// [`Refusal::Conflict`]: a negative cycle, on which the edge comes last. [`Refusal::Input`]:
    /// see [`crate::check_edge`]. The closure is then as it was.
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
        self.insert_and_record(edge, &mut Vec::new(), &mut |_, _| ())
    }

    /// As [`Closure::insert`]; `replaced` receives the index in `bounds` and the old value of each
    /// bound that changes. `columns` is scratch space.
    pub(super) fn insert_and_record(
        &mut self,
        edge: Edge,
        columns: &mut Vec<(usize, Time)>,
        replaced: &mut impl FnMut(usize, Time),
    ) -> Result<bool, Refusal> {
        check_edge(self.nodes, &edge)?;
        let (tail, head) = (edge.from as usize, edge.to as usize);
        if let Some(back) = self.get(head, tail)
            && back + edge.weight < 0
        {
            let path = self.path(head, tail);
            let mut cycle = path.expect("there is a bound, so there is a path");
            cycle.push(edge);
            return Err(Conflict::new(cycle).into());
        }
        self.remember(edge);
        if self.row(tail)[head] <= edge.weight {
            return Ok(false);
        }
        columns.clear();
        columns.extend(self.columns_closer(edge));
        self.tighten(edge, columns, replaced);
        Ok(true)
    }

    /// The nodes that come closer to the tail of a new edge, each with its bound from the head.
    fn columns_closer(&self, edge: Edge) -> impl Iterator<Item = (usize, Time)> + '_ {
        let known = self.row(edge.from as usize).iter().copied();
        let beyond = self.row(edge.to as usize).iter().copied();
        let columns = known.zip(beyond).enumerate();
        columns.filter_map(move |(to, (known, rest))| {
            (rest != UNBOUNDED && edge.weight + rest < known).then_some((to, rest))
        })
    }

    /// Takes the path through `edge` wherever it is shorter.
    ///
    /// Invariant: the row of the head and the column of the tail do not change, since a path
    /// through the edge back to its own tail, or on from its own head, closes a cycle that is not
    /// negative.
    fn tighten(
        &mut self,
        edge: Edge,
        columns: &[(usize, Time)],
        replaced: &mut impl FnMut(usize, Time),
    ) {
        let (tail, head) = (edge.from as usize, edge.to as usize);
        for (from, row) in self.bounds.chunks_exact_mut(self.nodes).enumerate() {
            if row[tail] == UNBOUNDED || row[tail] + edge.weight >= row[head] {
                continue;
            }
            let first = row[tail] + edge.weight;
            for &(to, rest) in columns {
                if first + rest < row[to] {
                    replaced(from * self.nodes + to, row[to]);
                    row[to] = first + rest;
                }
            }
        }
    }
}
