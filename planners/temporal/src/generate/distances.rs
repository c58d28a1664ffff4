//! Tightest bounds between events, kept up while links are added.

use crate::problem::Micros;

/// More than any bound that is made here, and far from overflow.
const NONE: Micros = Micros::MAX / 4;

/// How far apart events can be.
pub(super) struct Distances {
    events: usize,
    most: Vec<Micros>,
}

impl Distances {
    /// Nothing is bounded.
    pub(super) fn new(events: usize) -> Self {
        let mut most = vec![NONE; events * events];
        for event in 0..events {
            most[event * events + event] = 0;
        }
        Self { events, most }
    }

    fn at(&self, from: usize, to: usize) -> Micros {
        self.most[from * self.events + to]
    }

    /// Whether `lower <= time(to) - time(from) <= upper` contradicts nothing. Together the two
    /// bounds contradict something only if one alone does, as `lower <= upper`.
    pub(super) fn allow(&self, (from, to): (usize, usize), lower: Micros, upper: Micros) -> bool {
        self.at(to, from) + upper >= 0 && self.at(from, to) >= lower
    }

    /// Adds the link. O(events^2).
    pub(super) fn add(&mut self, (from, to): (usize, usize), lower: Micros, upper: Micros) {
        self.bound(from, to, upper);
        self.bound(to, from, -lower);
    }

    fn bound(&mut self, from: usize, to: usize, weight: Micros) {
        if self.at(from, to) <= weight {
            return;
        }
        let after: Vec<_> = (0..self.events).map(|event| self.at(to, event)).collect();
        for first in 0..self.events {
            let before = self.at(first, from);
            if before == NONE {
                continue;
            }
            let row = &mut self.most[first * self.events..][..self.events];
            for (most, after) in row.iter_mut().zip(&after) {
                if *after != NONE {
                    *most = (*most).min(before + weight + after);
                }
            }
        }
    }

    /// The earliest moment at which everything can be over, when nothing happens before 0.
    pub(super) fn makespan(&self) -> Micros {
        let real = self.most.iter().filter(|most| **most != NONE);
        real.map(|most| -most).max().unwrap_or(0)
    }
}
