//! What a value may be, where not all is known.

use super::ENTITIES_MAX;
use crate::spec::Operation;
use crate::tree::{NUMBER_MAX, Value};
use std::ops::RangeInclusive;

/// What a value may be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum May {
    /// False, true.
    Truth(bool, bool),
    /// From, to.
    Number(f64, f64),
    /// One of these; [`NOBODY`] is null.
    Of(Set),
}

/// Null, among entities and words.
pub(super) const NOBODY: usize = 64 * BLOCKS - 1;
const BLOCKS: usize = 4;
const _: () = assert!(ENTITIES_MAX <= NOBODY);

/// Entities, or words, by index below [`NOBODY`], and that itself: a bit each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Set([u64; BLOCKS]);

impl Set {
    /// Of one.
    pub(super) fn single(index: usize) -> Self {
        let mut set = Self::default();
        set.insert(index);
        set
    }

    pub(super) fn insert(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }

    pub(super) fn is_empty(self) -> bool {
        self == Self::default()
    }

    pub(super) fn count(self) -> u32 {
        self.0.iter().map(|block| block.count_ones()).sum()
    }

    /// The one that it has, if it has no other.
    pub(super) fn single_element(self) -> Option<usize> {
        (self.count() == 1).then(|| self.iter().next()).flatten()
    }

    pub(super) fn union(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    pub(super) fn is_disjoint(self, other: Self) -> bool {
        self.0.iter().zip(other.0).all(|(a, b)| a & b == 0)
    }

    /// Its elements, least first.
    pub(super) fn iter(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(i, mut block)| {
            std::iter::from_fn(move || {
                let bit = block.trailing_zeros() as usize;
                block &= block.wrapping_sub(1);
                (bit < 64).then_some(64 * i + bit)
            })
        })
    }
}

impl FromIterator<usize> for Set {
    fn from_iter<I: IntoIterator<Item = usize>>(all: I) -> Self {
        let mut set = Self::default();
        all.into_iter().for_each(|index| set.insert(index));
        set
    }
}

impl May {
    /// What a calculation with numbers between these ends may come to.
    pub(super) fn calculated(
        operation: Operation,
        left: RangeInclusive<f64>,
        right: RangeInclusive<f64>,
    ) -> Self {
        let ((a, b), (c, d)) = (left.into_inner(), right.into_inner());
        let ends = match operation {
            Operation::Plus => [a + c, b + d, a + c, b + d],
            Operation::Minus => [a - d, b - c, a - d, b - c],
            Operation::Times => [a * c, a * d, b * c, b * d],
        };
        let low = ends.iter().copied().fold(f64::MAX, f64::min);
        let high = ends.iter().copied().fold(f64::MIN, f64::max);
        let kept = |number: f64| number.clamp(-NUMBER_MAX, NUMBER_MAX);
        Self::Number(kept(low), kept(high))
    }
}

/// What is just this.
pub(super) fn exactly(value: &Value) -> May {
    match *value {
        Value::Null => May::Of(Set::single(NOBODY)),
        Value::Bool(truth) => May::Truth(!truth, truth),
        Value::Number(number) => May::Number(number, number),
        Value::Entity(index) | Value::Symbol(index) => May::Of(Set::single(index)),
    }
}

/// What is one or the other.
pub(super) fn either(a: May, b: May) -> May {
    match (a, b) {
        (May::Truth(a, b), May::Truth(c, d)) => May::Truth(a || c, b || d),
        (May::Number(a, b), May::Number(c, d)) => May::Number(a.min(c), b.max(d)),
        (May::Of(a), May::Of(b)) => May::Of(a.union(b)),
        // An empty set is nothing at all.
        (May::Of(none), other) | (other, May::Of(none)) if none.is_empty() => other,
        _ => May::Truth(true, true),
    }
}

#[cfg(test)]
mod tests {
    use super::{NOBODY, Set};

    #[test]
    fn sets_hold_what_is_put_into_them() {
        let all = [0, 1, 63, 64, 130, 199, NOBODY];
        let set: Set = all.into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), all);
        assert_eq!((set.count(), set.single_element()), (7, None));
        assert_eq!(Set::single(64).single_element(), Some(64));
        assert!(Set::default().is_empty() && !set.is_empty());
        assert_eq!(Set::single(3).union(Set::single(NOBODY)).count(), 2);
        assert!(set.is_disjoint(Set::single(65)) && !set.is_disjoint(Set::single(199)));
    }
}
