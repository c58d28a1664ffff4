//! Questions about the edges there are, and about edges that might come.

use super::Propagator;
use super::bounds::{Bounds, EARLIEST, LATEST};
use crate::cycle::NONE;
use crate::{Edge, InputError, Refusal, Time, UNBOUNDED, check_edge};

impl Propagator {
    /// Returns what [`Propagator::add`] would, and adds nothing.
    ///
    /// # Errors
    /// As [`Propagator::add`].
    pub fn probe(&mut self, edge: Edge) -> Result<(), Refusal> {
        check_edge(self.time.len(), &edge)?;
        let fits = self.repair.run(edge, &mut self.time, &self.leaving);
        let conflict = (!fits).then(|| self.repair.conflict(edge, &self.edges));
        self.repair.undo(&mut self.time);
        conflict.map_or(Ok(()), |conflict| Err(conflict.into()))
    }

    /// Returns whether the edges there are contradict `edge`: [`Propagator::add`] would find a
    /// negative cycle.
    ///
    /// O(1) where the current solution obeys the edge, or the bounds from the origin exclude it;
    /// else as much as adding it. Allocates nothing.
    ///
    /// # Errors
    /// See [`check_edge`].
    pub fn refutes(&mut self, edge: Edge) -> Result<bool, InputError> {
        check_edge(self.time.len(), &edge)?;
        Ok(self.excludes(edge))
    }

    /// Returns whether every solution obeys `edge`, so that adding it would change nothing.
    ///
    /// Costs as much as [`Propagator::refutes`] of its opposite.
    ///
    /// # Errors
    /// See [`check_edge`].
    pub fn entails(&mut self, edge: Edge) -> Result<bool, InputError> {
        check_edge(self.time.len(), &edge)?;
        Ok(self.excludes(opposite(edge)))
    }

    /// Returns the reason why every solution obeys `edge`: a path from its tail to its head, no
    /// node twice, whose weights add up to no more than its weight; or `None` where some solution
    /// does not. The path is empty for an edge from a node to itself.
    ///
    /// # Errors
    /// See [`check_edge`].
    pub fn why_entailed(&mut self, edge: Edge) -> Result<Option<Vec<Edge>>, InputError> {
        check_edge(self.time.len(), &edge)?;
        let opposite = opposite(edge);
        let fits = self.repair.run(opposite, &mut self.time, &self.leaving);
        let path = (!fits).then(|| self.repair.conflict(opposite, &self.edges));
        self.repair.undo(&mut self.time);
        Ok(path.map(|cycle| cycle.edges()[1..].to_vec()))
    }

    /// Whether no solution obeys `edge`, whose weight may be one beyond the limit.
    fn excludes(&mut self, edge: Edge) -> bool {
        let (tail, head) = (edge.from as usize, edge.to as usize);
        if self.time[tail] + edge.weight >= self.time[head] {
            return false;
        }
        if let Some(bounds) = &self.bounds {
            let to_origin = bounds.length(EARLIEST, head);
            let from_origin = bounds.length(LATEST, tail);
            let both = to_origin != UNBOUNDED && from_origin != UNBOUNDED;
            // Below 2^62 each, and the weight beside them: 64 bits are enough.
            if both && to_origin + from_origin + edge.weight < 0 {
                return true;
            }
        }
        let fits = self.repair.run(edge, &mut self.time, &self.leaving);
        self.repair.undo(&mut self.time);
        !fits
    }

    /// The latest time of `node` with the origin at zero, in microseconds; `None` where nothing
    /// bounds it from above. Where all nodes have one, these times are a solution.
    ///
    /// # Panics
    /// When there is no such node, or no origin ([`Propagator::with_origin`]).
    pub fn latest(&self, node: usize) -> Option<Time> {
        let length = self.bounds().length(LATEST, node);
        (length != UNBOUNDED).then_some(length)
    }

    /// The earliest time of `node` with the origin at zero, in microseconds; `None` where nothing
    /// bounds it from below. Where all nodes have one, these times are a solution, the least one.
    ///
    /// # Panics
    /// As [`Propagator::latest`].
    pub fn earliest(&self, node: usize) -> Option<Time> {
        let length = self.bounds().length(EARLIEST, node);
        (length != UNBOUNDED).then_some(-length)
    }

    /// The reason for [`Propagator::latest`]: a simple path from the origin to `node` whose weights
    /// add up to it; `None` where there is no bound.
    ///
    /// # Panics
    /// As [`Propagator::latest`].
    pub fn why_latest(&self, node: usize) -> Option<Vec<Edge>> {
        self.latest(node)?;
        let mut path: Vec<Edge> = self.towards_origin(LATEST, node).collect();
        path.reverse();
        Some(path)
    }

    /// The reason for [`Propagator::earliest`]: a simple path from `node` to the origin whose
    /// weights add up to its opposite; `None` where there is no bound.
    ///
    /// # Panics
    /// As [`Propagator::latest`].
    pub fn why_earliest(&self, node: usize) -> Option<Vec<Edge>> {
        self.earliest(node)?;
        Some(self.towards_origin(EARLIEST, node).collect())
    }

    /// The reasons of bounds in one direction, beginning with that of `node`.
    fn towards_origin(&self, direction: usize, node: usize) -> impl Iterator<Item = Edge> + '_ {
        let mut at = node;
        std::iter::from_fn(move || {
            let why = self.bounds().why(direction, at);
            let edge = *self.edges.get(why as usize).filter(|_| why != NONE)?;
            let ends = [edge.from, edge.to];
            at = ends[direction] as usize;
            Some(edge)
        })
    }

    fn bounds(&self) -> &Bounds {
        self.bounds.as_ref().expect("a theory with an origin")
    }
}

/// The edge that a solution obeys exactly when it does not obey `edge`: times are whole numbers.
/// Its weight may be one beyond the limit, for which sums have room.
fn opposite(edge: Edge) -> Edge {
    Edge::new(edge.to, edge.from, -edge.weight - 1, edge.id)
}
