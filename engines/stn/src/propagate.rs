//! A network that grows and shrinks along a search: always with a solution, or with the reason why
//! the last edge was not accepted.

mod bounds;
mod query;
mod repair;

use crate::arcs::{Arc, Arcs};
use crate::potential::settle;
use crate::{Edge, InputError, NODES_MAX, Refusal, TIME_MAX, Time, check_edge};
use bounds::{Bounds, Network};
use repair::Repair;

/// Times of a solution below this are replaced by fresh ones.
///
/// Repairs only ever lower times, and what they lowered outlives the edge that asked for it, so
/// that a long search could sink out of 64 bits. A time lowered by a repair is the length of a
/// simple path after a time from before, so it stays within `NODES_MAX * TIME_MAX` of the floor;
/// fresh times lie above the floor.
const FLOOR: Time = -(1 << 62);

const _: () = assert!(-(NODES_MAX as Time) * TIME_MAX >= FLOOR);

/// An incremental theory of difference constraints.
///
/// Edges come in one by one and go, last in first out, by level. After every call there is a
/// solution ([`Propagator::times`]); an edge that would leave none is refused with a negative cycle
/// through it. With an origin the earliest and the latest time of every node are kept too, each
/// with its reason.
///
/// An edge costs O(changed * log changed), where what changes are the nodes whose time the edge
/// lowers and the edges that leave them; taking it back costs nothing but its removal, since a
/// solution of more edges is a solution of fewer. Nothing is allocated once the room of the largest
/// network seen is there, except for conflicts and explanations given out.
///
/// Source: Cotton, Maler, "Fast and flexible difference constraint propagation for DPLL(T)", SAT
/// 2006: incremental negative cycle detection. Their potential function is our solution, on the
/// graph in which an [`Edge`] is an arc from `from` to `to`. Differences: potentials are renewed
/// before they leave 64 bits; bounds from an origin take the place of their search for implied
/// constraints.
///
/// # Examples
/// ```
/// use stn::{Edge, Propagator};
/// let mut theory = Propagator::new(3)?;
/// theory.add(Edge::new(0, 1, 5, 10))?; // 1 at most 5 after 0
/// theory.push_level();
/// theory.add(Edge::new(2, 0, 2, 11))?; // 0 at most 2 after 2
/// let refusal = theory.add(Edge::new(1, 2, -8, 12)).unwrap_err(); // 1 at least 8 after 2
/// assert!(refusal.conflict().unwrap().ids().eq([12, 11, 10]));
/// theory.backtrack(0);
/// assert_eq!(theory.add(Edge::new(1, 2, -8, 12)), Ok(()));
/// # Ok::<(), stn::Refusal>(())
/// ```
#[derive(Debug, Clone)]
pub struct Propagator {
    /// In the order of their arrival.
    edges: Vec<Edge>,
    /// The arcs that leave each node, in the order of their arrival.
    leaving: Vec<Vec<Arc>>,
    /// The arcs that enter each node, turned round, in the order of their arrival.
    entering: Vec<Vec<Arc>>,
    /// A solution of `edges`, from [`FLOOR`] to zero.
    time: Vec<Time>,
    levels: Vec<Level>,
    repair: Repair,
    bounds: Option<Bounds>,
}

/// How much there was when a level began.
#[derive(Debug, Clone, Copy)]
struct Level {
    edges: usize,
    bounds: bounds::Mark,
}

impl Propagator {
    /// A theory of `nodes` nodes without edges.
    ///
    /// # Errors
    /// [`InputError::TooManyNodes`].
    pub fn new(nodes: usize) -> Result<Self, InputError> {
        if nodes > NODES_MAX {
            return Err(InputError::TooManyNodes { given: nodes });
        }
        Ok(Self {
            edges: Vec::new(),
            leaving: vec![Vec::new(); nodes],
            entering: vec![Vec::new(); nodes],
            time: vec![0; nodes],
            levels: Vec::new(),
            repair: Repair::new(nodes),
            bounds: None,
        })
    }

    /// A theory that also keeps the earliest and the latest time of every node relative to
    /// `origin`.
    ///
    /// Each edge then costs as much again for each of the two, counting the nodes whose bound
    /// changes.
    ///
    /// # Errors
    /// [`InputError::TooManyNodes`].
    ///
    /// # Panics
    /// When there is no node `origin`.
    pub fn with_origin(nodes: usize, origin: usize) -> Result<Self, InputError> {
        let mut theory = Self::new(nodes)?;
        theory.bounds = Some(Bounds::new(nodes, origin));
        Ok(theory)
    }

    /// Adds an edge to the current level.
    ///
    /// # Errors
    /// [`Refusal::Conflict`]: a simple negative cycle, the edge first. [`Refusal::Input`]: see
    /// [`check_edge`]. The theory is then as it was.
    pub fn add(&mut self, edge: Edge) -> Result<(), Refusal> {
        check_edge(self.time.len(), &edge)?;
        let (time, leaving) = (&mut self.time, &self.leaving);
        if !self.repair.run(edge, time, leaving) {
            let conflict = self.repair.conflict(edge, &self.edges);
            self.repair.undo(&mut self.time);
            return Err(conflict.into());
        }
        let lowest = self.repair.accept(&self.time);
        self.push(edge);
        if lowest < FLOOR {
            self.refresh();
        }
        if let Some(bounds) = &mut self.bounds {
            let (time, arcs) = (&self.time, [&*self.leaving, &*self.entering]);
            bounds.tighten(edge, Network { time, arcs });
        }
        Ok(())
    }

    fn push(&mut self, edge: Edge) {
        let arc = |to| Arc {
            to,
            edge: u32::try_from(self.edges.len()).expect("edges fit in memory, 24 bytes each"),
            weight: edge.weight,
        };
        self.leaving[edge.from as usize].push(arc(edge.to));
        self.entering[edge.to as usize].push(arc(edge.from));
        self.edges.push(edge);
    }

    /// Replaces the solution by one that is as late as possible, all times at most zero.
    #[cold]
    fn refresh(&mut self) {
        let arcs = Arcs::new(self.time.len(), &self.edges);
        let time = settle(&arcs, &self.edges, &mut || true).ok().flatten();
        self.time = time.expect("only edges that leave a solution are kept, and nothing stops it");
    }

    /// Begins a level: what is added from now on goes with it.
    pub fn push_level(&mut self) {
        let bounds = self
            .bounds
            .as_ref()
            .map_or_else(Default::default, Bounds::mark);
        let edges = self.edges.len();
        self.levels.push(Level { edges, bounds });
    }

    /// The number of levels begun and not taken back. Edges of level 0 stay for good.
    pub fn level(&self) -> usize {
        self.levels.len()
    }

    /// Takes back all levels above `level`, with their edges. Bounds are as they were; the solution
    /// stays, it is one of fewer edges too.
    ///
    /// # Panics
    /// When fewer than `level` levels have been begun.
    pub fn backtrack(&mut self, level: usize) {
        assert!(level <= self.levels.len(), "level {level} has not begun");
        let Some(&Level { edges, bounds }) = self.levels.get(level) else {
            return;
        };
        self.levels.truncate(level);
        for edge in self.edges.drain(edges..).rev() {
            // Last in, first out: its arcs are the last of their nodes.
            self.leaving[edge.from as usize].pop();
            self.entering[edge.to as usize].pop();
        }
        if let Some(kept) = &mut self.bounds {
            kept.undo(bounds);
        }
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        self.time.len()
    }

    /// The edges of all levels, in the order of their arrival.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// A time for every node that obeys all edges, in microseconds, none above zero; which one
    /// depends on everything that was ever added. For an answer that depends on the edges alone
    /// see [`crate::earliest`], [`crate::latest`], [`crate::potentials`].
    pub fn times(&self) -> &[Time] {
        &self.time
    }
}
