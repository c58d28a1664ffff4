//! The latest and the earliest time of every node, kept along the search.

use crate::arcs::Arc;
use crate::cycle::NONE;
use crate::{Edge, Time, UNBOUNDED};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Lengths of the shortest paths from the origin and to it.
#[derive(Debug, Clone)]
pub(super) struct Bounds {
    origin: usize,
    /// From the origin, then to it.
    sides: [Side; 2],
    waiting: BinaryHeap<Reverse<(Time, u32)>>,
}

/// One direction. Between additions a length is that of its parent plus the weight of `why`.
#[derive(Debug, Clone)]
struct Side {
    length: Vec<Time>,
    /// The edge next to the node on a shortest path; [`NONE`] at the origin and where there is
    /// none.
    why: Vec<u32>,
    /// What was replaced, oldest first.
    trail: Vec<Replaced>,
}

#[derive(Debug, Clone, Copy)]
struct Replaced {
    node: u32,
    why: u32,
    length: Time,
}

/// What bounds are bounds of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Network<'a> {
    /// A solution, from -2^62 to zero.
    pub(super) time: &'a [Time],
    /// The arcs along edges, and against them.
    pub(super) arcs: [&'a [Vec<Arc>]; 2],
}

/// How long the trails of both sides were.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Mark([usize; 2]);

/// The direction from the origin, along edges.
pub(super) const LATEST: usize = 0;
/// The direction to the origin, against edges.
pub(super) const EARLIEST: usize = 1;

impl Bounds {
    pub(super) fn new(nodes: usize, origin: usize) -> Self {
        let mut length = vec![UNBOUNDED; nodes];
        length[origin] = 0;
        let side = Side {
            length,
            why: vec![NONE; nodes],
            trail: Vec::new(),
        };
        Self {
            origin,
            sides: [side.clone(), side],
            waiting: BinaryHeap::new(),
        }
    }

    pub(super) fn mark(&self) -> Mark {
        Mark(self.sides.each_ref().map(|side| side.trail.len()))
    }

    pub(super) fn undo(&mut self, Mark(marks): Mark) {
        for (side, mark) in self.sides.iter_mut().zip(marks) {
            for old in side.trail.drain(mark..).rev() {
                side.length[old.node as usize] = old.length;
                side.why[old.node as usize] = old.why;
            }
        }
    }

    /// The length of a shortest path between the origin and `node` in one direction, or
    /// [`UNBOUNDED`].
    pub(super) fn length(&self, direction: usize, node: usize) -> Time {
        self.sides[direction].length[node]
    }

    /// The edge next to `node` on that path, an index, or [`NONE`].
    pub(super) fn why(&self, direction: usize, node: usize) -> u32 {
        self.sides[direction].why[node]
    }

    /// Accounts for `edge`, the last one to arrive in `net`.
    pub(super) fn tighten(&mut self, edge: Edge, net: Network<'_>) {
        for (direction, near) in [edge.from, edge.to].into_iter().enumerate() {
            self.settle(direction, near, net);
        }
    }

    /// Follows the last arc of `node`, and then all arcs of the nodes that come closer.
    ///
    /// Dijkstra by reduced length, so that a node is followed once: no arc is negative then. A
    /// reduced length is below 2^63: a length is below 2^62, and times are from -2^62 to zero.
    fn settle(&mut self, direction: usize, node: u32, net: Network<'_>) {
        let (origin, arcs) = (net.time[self.origin], net.arcs[direction]);
        let sign = if direction == LATEST { 1 } else { -1 };
        let reduced = |length, node: u32| length + sign * (origin - net.time[node as usize]);
        let side = &mut self.sides[direction];
        let mut fresh = &arcs[node as usize][arcs[node as usize].len() - 1..];
        let mut at = node;
        loop {
            for &arc in fresh {
                if let Some(length) = side.shorten(at, arc) {
                    self.waiting
                        .push(Reverse((reduced(length, arc.to), arc.to)));
                }
            }
            let Some(Reverse((near, node))) = self.waiting.pop() else {
                break;
            };
            let is_stale = near > reduced(side.length[node as usize], node);
            fresh = if is_stale { &[] } else { &arcs[node as usize] };
            at = node;
        }
    }
}

impl Side {
    /// Takes the path on from `node` by `arc` where it is shorter; returns its length if so.
    fn shorten(&mut self, node: u32, arc: Arc) -> Option<Time> {
        let (before, to) = (self.length[node as usize], arc.to as usize);
        if before == UNBOUNDED || before + arc.weight >= self.length[to] {
            return None;
        }
        self.trail.push(Replaced {
            node: arc.to,
            why: self.why[to],
            length: self.length[to],
        });
        self.length[to] = before + arc.weight;
        self.why[to] = arc.edge;
        Some(self.length[to])
    }
}
