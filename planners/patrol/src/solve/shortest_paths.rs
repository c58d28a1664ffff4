//! Quickest ways between vertices, looked up again and again.

use crate::context::Context;
use std::sync::{Arc, OnceLock};

/// Steps that a vertex counts for in a table, as [`Steps`](crate::context::WorkCounter) counts them.
const VERTEX_STEPS: u64 = 40;

/// Quickest ways of one kind of guard; computed when first asked for.
pub(super) struct ShortestPaths<'s> {
    pub context: &'s Context<'s>,
    pub guard: usize,
    tables: Tables,
}

/// Tables of quickest paths of one kind of guard, by goal, shared by all threads: a table is the
/// same whichever thread computes it.
pub(super) type Tables = Arc<[OnceLock<Table>]>;

/// No table yet.
pub(super) fn tables(context: &Context<'_>) -> Tables {
    (0..context.problem.vertices())
        .map(|_| OnceLock::new())
        .collect()
}

/// Ways to one goal, by vertex.
pub(super) struct Table {
    /// Ticks to the goal, pauses on the way included, those at the ends not.
    far: Vec<u32>,
    /// Where to go, and how many ticks it takes to get there.
    next: Vec<(u32, u32)>,
}

impl<'s> ShortestPaths<'s> {
    pub(super) fn new(context: &'s Context<'s>, guard: usize) -> Self {
        Self::shared((context, guard), &tables(context))
    }

    /// The ways of a guard, with what is known of them.
    pub(super) fn shared((context, guard): (&'s Context<'s>, usize), tables: &Tables) -> Self {
        Self {
            context,
            guard,
            tables: Arc::clone(tables),
        }
    }

    /// Ticks between two vertices, pauses on the way included, those at the ends not.
    pub(super) fn far(&mut self, from: usize, to: usize) -> u32 {
        self.table(to).far[from]
    }

    /// Calls `step` with each vertex after `from` on a quickest path to `to`, that one included,
    /// and the ticks to get there.
    pub(super) fn walk(&mut self, [from, to]: [usize; 2], mut step: impl FnMut(usize, u32)) {
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
        self.tables[to].get_or_init(|| Table::new(context, [guard, to]))
    }
}

impl Table {
    fn new(context: &Context<'_>, [guard, to]: [usize; 2]) -> Self {
        let problem = context.problem;
        // A search that has to stop ends after this table.
        let _ = context
            .work
            .proceed_uncounted(VERTEX_STEPS * problem.vertices() as u64);
        let far = context.distances(guard, to);
        let rest = |vertex: usize| {
            if vertex == to {
                0
            } else {
                far[vertex] + problem.pause(vertex)
            }
        };
        let next = |vertex: usize| {
            let edges = problem.out_edges(vertex).iter();
            let edges = edges.map(|edge| (edge.to, problem.ticks(guard, *edge)));
            let best = edges.min_by_key(|(to, ticks)| rest(*to) + ticks);
            // Alone in the world: it is at the goal, and nobody asks.
            let (next, ticks) = best.unwrap_or((vertex, 0));
            (u32::try_from(next).expect("vertices are limited"), ticks)
        };
        let next = (0..problem.vertices()).map(next).collect();
        Self { far, next }
    }
}
