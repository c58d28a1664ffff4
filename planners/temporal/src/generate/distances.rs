//! The distance matrix of a network to which links are added.

use crate::problem::Micros;

/// More than any bound that is made here, and far from overflow.
const NONE: Micros = Micros::MAX / 4;

/// Tightest bounds between events.
pub(super) struct Distances {
    events: usize,
    bounds: Vec<Micros>,
}

impl Distances {
    /// Nothing is bounded.
    pub(super) fn new(events: usize) -> Self {
        let mut bounds = vec![NONE; events * events];
        for event in 0..events {
            bounds[event * events + event] = 0;
        }
        Self { events, bounds }
    }

    fn get(&self, from: usize, to: usize) -> Micros {
        self.bounds[from * self.events + to]
    }

    /// Whether `lower <= time(to) - time(from) <= upper` contradicts nothing. Together the two
    /// bounds contradict something only if one alone does, as `lower <= upper`.
    pub(super) fn allows(&self, from: usize, to: usize, lower: Micros, upper: Micros) -> bool {
        self.get(to, from) + upper >= 0 && self.get(from, to) >= lower
    }

    /// Adds the link. O(events^2).
    pub(super) fn add(&mut self, from: usize, to: usize, lower: Micros, upper: Micros) {
        self.bound(from, to, upper);
        self.bound(to, from, -lower);
    }

    fn bound(&mut self, from: usize, to: usize, weight: Micros) {
        if self.get(from, to) <= weight {
            return;
        }
        let after: Vec<_> = (0..self.events).map(|event| self.get(to, event)).collect();
        for first in 0..self.events {
            let before = self.get(first, from);
            if before == NONE {
                continue;
            }
            let row = &mut self.bounds[first * self.events..][..self.events];
            for (known, after) in row.iter_mut().zip(&after) {
                if *after != NONE {
                    *known = (*known).min(before + weight + after);
                }
            }
        }
    }

    /// The earliest moment at which everything can be over, when nothing happens before 0.
    pub(super) fn makespan(&self) -> Micros {
        let real = self.bounds.iter().filter(|bound| **bound != NONE);
        real.map(|bound| -bound).max().unwrap_or(0)
    }
}
