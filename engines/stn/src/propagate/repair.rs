//! Lowering times until they obey one more edge.

use crate::arcs::Arc;
use crate::cycle::NONE;
use crate::{Conflict, Edge, Time};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The room that repairs share. Between repairs everything but `parent` is empty or zero.
#[derive(Debug, Clone)]
pub(super) struct Repair {
    /// By how much a node must at least be lowered; zero where nothing is known against it, and
    /// once it has been lowered. Cotton and Maler's gamma.
    gamma: Vec<Time>,
    /// The edge that asks for `gamma`; [`NONE`] for the new one.
    parent: Vec<u32>,
    /// What waits to be lowered, most first, ties to the lower node; entries that are no longer
    /// `gamma` are stale.
    waiting: BinaryHeap<Reverse<(Time, u32)>>,
    /// Nodes lowered and their times before.
    moved: Vec<(u32, Time)>,
    /// Where the repair failed: the edge that would lower the tail of the new one.
    closing: u32,
}

impl Repair {
    pub(super) fn new(nodes: usize) -> Self {
        Self {
            gamma: vec![0; nodes],
            parent: vec![NONE; nodes],
            waiting: BinaryHeap::new(),
            moved: Vec::new(),
            closing: NONE,
        }
    }

    /// Lowers `time`, a solution, until it obeys `edge` too; returns whether that is possible.
    ///
    /// Must be followed by [`Repair::accept`] or [`Repair::undo`]. Nodes are lowered by falling
    /// amounts, so each is lowered once: through an edge with slack s, which was obeyed, a node
    /// lowered by g asks for g - s at most, never more. Only the tail of the new edge cannot be
    /// lowered: what asks for it is a path from its head, which the edge makes a negative cycle.
    pub(super) fn run(&mut self, edge: Edge, time: &mut [Time], leaving: &[Vec<Arc>]) -> bool {
        let (tail, head) = (edge.from, edge.to);
        let asked = time[tail as usize] + edge.weight;
        if asked >= time[head as usize] {
            return true;
        }
        if tail == head {
            self.closing = NONE;
            return false;
        }
        self.ask(head, asked - time[head as usize], NONE);
        while let Some(Reverse((gamma, node))) = self.waiting.pop() {
            let at = node as usize;
            if gamma != self.gamma[at] {
                continue;
            }
            self.gamma[at] = 0;
            self.moved.push((node, time[at]));
            time[at] += gamma;
            for arc in &leaving[at] {
                let asked = time[at] + arc.weight;
                let to = arc.to as usize;
                if asked >= time[to] {
                    continue;
                }
                if arc.to == tail {
                    self.closing = arc.edge;
                    return false;
                }
                // It cannot overflow: no time is above zero.
                let gamma = asked - time[to];
                if gamma < self.gamma[to] {
                    self.ask(arc.to, gamma, arc.edge);
                }
            }
        }
        true
    }

    fn ask(&mut self, node: u32, gamma: Time, parent: u32) {
        self.gamma[node as usize] = gamma;
        self.parent[node as usize] = parent;
        self.waiting.push(Reverse((gamma, node)));
    }

    /// Keeps what was lowered; returns the lowest time among it, or zero.
    pub(super) fn accept(&mut self, time: &[Time]) -> Time {
        let lowered = self.moved.drain(..).map(|(node, _)| time[node as usize]);
        lowered.min().unwrap_or(0)
    }

    /// Takes back what was lowered.
    pub(super) fn undo(&mut self, time: &mut [Time]) {
        for (node, before) in self.moved.drain(..) {
            time[node as usize] = before;
        }
        for Reverse((_, node)) in self.waiting.drain() {
            self.gamma[node as usize] = 0;
        }
    }

    /// The negative cycle of a failed repair, the new edge first; `edges` are the others.
    pub(super) fn conflict(&self, edge: Edge, edges: &[Edge]) -> Conflict {
        let mut cycle = Vec::new();
        let mut next = self.closing;
        while next != NONE {
            let link = edges[next as usize];
            cycle.push(link);
            next = self.parent[link.from as usize];
        }
        cycle.push(edge);
        cycle.reverse();
        Conflict::new(cycle)
    }
}
