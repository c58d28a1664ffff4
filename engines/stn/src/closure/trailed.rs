//! A closure that grows and shrinks along a search.

use super::Closure;
use crate::{Edge, Refusal, Time};

/// A [`Closure`] whose last edges can be taken back, level by level.
///
/// For networks of a few hundred nodes: an edge costs as much as it tightens, O(nodes^2) at worst.
/// Every bound between any two nodes can be read, and [`TrailedClosure::tightened`] lists those
/// that the last edge changed.
///
/// Memory: that of the closure, and 16 bytes for each bound that is tightened above level 0.
///
/// # Examples
/// ```
/// use stn::{Closure, Edge, TrailedClosure};
/// let mut search = TrailedClosure::new(Closure::new(3, &[Edge::new(0, 1, 5, 0)])?);
/// search.push_level();
/// search.add(Edge::new(1, 2, 2, 1))?;
/// assert!(search.tightened().eq([(0, 2), (1, 2)]));
/// assert_eq!(search.closure().get(0, 2), Some(7));
/// search.backtrack(0);
/// assert_eq!(search.closure().get(0, 2), None);
/// # Ok::<(), stn::Refusal>(())
/// ```
#[derive(Debug, Clone)]
pub struct TrailedClosure {
    closure: Closure,
    /// Bounds replaced above level 0, oldest first.
    trail: Vec<Replaced>,
    /// Indices of the bounds that the last edge tightened.
    tightened: Vec<u32>,
    levels: Vec<Level>,
    /// Room to work in.
    columns: Vec<(usize, Time)>,
}

#[derive(Debug, Clone, Copy)]
struct Replaced {
    pair: u32,
    bound: Time,
}

/// How much there was when a level began.
#[derive(Debug, Clone, Copy)]
struct Level {
    edges: usize,
    trail: usize,
}

impl TrailedClosure {
    /// Begins a search at level 0, where `closure` stays for good.
    pub fn new(closure: Closure) -> Self {
        Self {
            closure,
            trail: Vec::new(),
            tightened: Vec::new(),
            levels: Vec::new(),
            columns: Vec::new(),
        }
    }

    /// The closure of all edges there are.
    pub fn closure(&self) -> &Closure {
        &self.closure
    }

    /// Adds an edge to the current level; returns whether any bound became tighter.
    ///
    /// # Errors
    /// As [`Closure::insert`]. The closure is then as it was, and nothing counts as tightened.
    pub fn add(&mut self, edge: Edge) -> Result<bool, Refusal> {
        self.tightened.clear();
        let is_trailed = !self.levels.is_empty();
        let (trail, tightened) = (&mut self.trail, &mut self.tightened);
        let mut replaced = |pair: usize, bound| {
            // At most 4,095^2 pairs.
            let pair = pair as u32;
            tightened.push(pair);
            if is_trailed {
                trail.push(Replaced { pair, bound });
            }
        };
        let columns = &mut self.columns;
        self.closure.insert_and_record(edge, columns, &mut replaced)
    }

    /// The pairs of nodes, from and to, whose bound the last call of [`TrailedClosure::add`]
    /// tightened, in rising order; none after [`TrailedClosure::backtrack`].
    pub fn tightened(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let nodes = self.closure.nodes();
        let pairs = self.tightened.iter().map(|&pair| pair as usize);
        pairs.map(move |pair| (pair / nodes, pair % nodes))
    }

    /// Begins a level: what is added from now on goes with it.
    pub fn push_level(&mut self) {
        let (edges, trail) = (self.closure.edges.len(), self.trail.len());
        self.levels.push(Level { edges, trail });
    }

    /// The number of levels begun and not taken back.
    pub fn level(&self) -> usize {
        self.levels.len()
    }

    /// Takes back all levels above `level`: edges and bounds are as they were.
    ///
    /// # Panics
    /// When fewer than `level` levels have been begun.
    pub fn backtrack(&mut self, level: usize) {
        assert!(level <= self.levels.len(), "level {level} has not begun");
        self.tightened.clear();
        let Some(&Level { edges, trail }) = self.levels.get(level) else {
            return;
        };
        self.levels.truncate(level);
        self.closure.forget(edges);
        for Replaced { pair, bound } in self.trail.drain(trail..).rev() {
            self.closure.bounds[pair as usize] = bound;
        }
    }
}
