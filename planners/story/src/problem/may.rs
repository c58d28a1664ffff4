//! What a value may be, where not all is known.

use crate::spec::Operation;
use crate::tree::{NUMBER_MAX, Value};
use std::collections::BTreeSet;

/// What a value may be.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum May {
    /// False, true.
    Truth(bool, bool),
    /// From, to.
    Number(f64, f64),
    /// One of these; [`NOBODY`] is null.
    Of(BTreeSet<usize>),
}

/// Null, among entities and words.
pub(super) const NOBODY: usize = usize::MAX;

impl May {
    /// What a calculation with numbers between these ends may come to.
    pub(super) fn calculated(operation: Operation, (a, b): (f64, f64), (c, d): (f64, f64)) -> Self {
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
pub(super) fn only(value: &Value) -> May {
    match *value {
        Value::Null => May::Of([NOBODY].into()),
        Value::Bool(truth) => May::Truth(!truth, truth),
        Value::Number(number) => May::Number(number, number),
        Value::Entity(index) | Value::Symbol(index) => May::Of([index].into()),
    }
}

/// What is one or the other.
pub(super) fn either(a: May, b: May) -> May {
    match (a, b) {
        (May::Truth(a, b), May::Truth(c, d)) => May::Truth(a || c, b || d),
        (May::Number(a, b), May::Number(c, d)) => May::Number(a.min(c), b.max(d)),
        (May::Of(a), May::Of(b)) => May::Of(a.union(&b).copied().collect()),
        // An empty set is nothing at all.
        (May::Of(none), other) | (other, May::Of(none)) if none.is_empty() => other,
        _ => May::Truth(true, true),
    }
}
