//! What is known about the outcomes of a storyline.

use crate::problem::Micros;

type Ranges = [(Micros, Micros)];

/// Boxes of outcomes that are known to work, or not to. Less is never harder.
#[derive(Debug, Default)]
pub(super) struct BoxCache {
    good: Vec<Vec<(Micros, Micros)>>,
    bad: Vec<Vec<(Micros, Micros)>>,
}

/// Whether all outcomes of the first are outcomes of the second.
fn is_within(one: &Ranges, other: &Ranges) -> bool {
    let mut pairs = one.iter().zip(other);
    pairs.all(|(one, other)| other.0 <= one.0 && one.1 <= other.1)
}

impl BoxCache {
    /// Boxes that an answer may be compared with.
    pub(super) fn boxes(&self) -> usize {
        self.good.len() + self.bad.len()
    }

    /// Whether these outcomes work, if that follows.
    pub(super) fn lookup(&self, ranges: &Ranges) -> Option<bool> {
        if self.good.iter().any(|good| is_within(ranges, good)) {
            return Some(true);
        }
        self.bad
            .iter()
            .any(|bad| is_within(bad, ranges))
            .then_some(false)
    }

    /// Takes note of an answer.
    pub(super) fn insert(&mut self, ranges: &Ranges, holds: bool) {
        let boxes = if holds { &mut self.good } else { &mut self.bad };
        // What follows from the new one is no news.
        if holds {
            boxes.retain(|good| !is_within(good, ranges));
        } else {
            boxes.retain(|bad| !is_within(ranges, bad));
        }
        boxes.push(ranges.to_vec());
    }
}
