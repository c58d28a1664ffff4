//! Shortest paths between vertices in travel time, in tables.

use crate::context::Context;
use std::sync::{Arc, OnceLock};

/// Work of a vertex in a table, in steps of [`WorkCounter`](crate::context::WorkCounter).
const VERTEX_STEPS: u64 = 40;

/// Shortest paths of one class of interchangeable guards, computed on first use.
pub(super) struct ShortestPaths<'s> {
    pub context: &'s Context<'s>,
    pub guard: usize,
    tables: Tables,
}

/// Tables of shortest paths by goal, shared by all threads: a table is the same whichever thread
/// computes it.
pub(super) type Tables = Arc<[OnceLock<Table>]>;

/// Empty tables.
pub(super) fn empty_tables(context: &Context<'_>) -> Tables {
    (0..context.problem.vertices())
        .map(|_| OnceLock::new())
        .collect()
}

/// Shortest paths to one goal, by vertex.
pub(super) struct Table {
    /// Ticks to the goal, pauses in between included, those at the ends not.
    distances: Vec<u32>,
    /// Next vertex, and the travel time to it.
    next: Vec<(u32, u32)>,
}

impl<'s> ShortestPaths<'s> {
    pub(super) fn new(context: &'s Context<'s>, guard: usize) -> Self {
        Self::with_tables(context, guard, &empty_tables(context))
    }

    /// Shortest paths of a guard with shared tables.
    pub(super) fn with_tables(context: &'s Context<'s>, guard: usize, tables: &Tables) -> Self {
        Self {
            context,
            guard,
            tables: Arc::clone(tables),
        }
    }

    /// Ticks between two vertices, pauses in between included, those at the ends not.
    pub(super) fn ticks_between(&mut self, from: usize, to: usize) -> u32 {
        self.table(to).distances[from]
    }

    /// Calls `step` with each vertex after `from` on a shortest path to `to`, `to` included, and
    /// the travel time to it.
    pub(super) fn walk(&mut self, from: usize, to: usize, mut step: impl FnMut(usize, u32)) {
        let table = self.table(to);
        let mut here = from;
        while here != to {
            let (next, ticks) = table.next[here];
            here = next as usize;
            step(here, ticks);
        }
    }

    fn table(&self, to: usize) -> &Table {
        let (context, guard) = (self.context, self.guard);
        self.tables[to].get_or_init(|| Table::new(context, guard, to))
    }
}

impl Table {
    fn new(context: &Context<'_>, guard: usize, to: usize) -> Self {
        let problem = context.problem;
        // A search that has to stop ends after this table.
        let _ = context
            .work
            .proceed_uncounted(VERTEX_STEPS * problem.vertices() as u64);
        let distances = context.distances(guard, to);
        let rest = |vertex: usize| {
            if vertex == to {
                0
            } else {
                distances[vertex] + problem.pause(vertex)
            }
        };
        let next = |vertex: usize| {
            let edges = problem.out_edges(vertex).iter();
            let edges = edges.map(|edge| (edge.to, problem.ticks(guard, *edge)));
            let best = edges.min_by_key(|(to, ticks)| rest(*to) + ticks);
            // The only vertex is the goal.
            let (next, ticks) = best.unwrap_or((vertex, 0));
            (u32::try_from(next).expect("vertices are limited"), ticks)
        };
        let next = (0..problem.vertices()).map(next).collect();
        Self { distances, next }
    }
}
