//! Why a network has no solution.

use crate::{Edge, InputError, Time};
use std::collections::BTreeSet;
use std::fmt;

/// A negative cycle: edges that contradict each other.
///
/// They lead from node to node and back to the first, visit no node twice, and their weights add up
/// to less than zero, so that a node would have to be before itself. Every edge is needed: without
/// it the others are a path, and a path can always be satisfied. An edge from a node to itself is a
/// cycle of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    edges: Vec<Edge>,
}

impl Conflict {
    /// The conflict of `edges`, which the caller knows to be a negative cycle in order.
    pub(crate) fn new(edges: Vec<Edge>) -> Self {
        debug_assert!(cycle_sum(&edges).is_some_and(|sum| sum < 0), "{edges:?}");
        Self { edges }
    }

    /// The same cycle of edges turned round.
    pub(crate) fn reversed(&self) -> Self {
        let turned = |e: &Edge| Edge::new(e.to, e.from, e.weight, e.id);
        Self::new(self.edges.iter().rev().map(turned).collect())
    }

    /// The edges in the order of the cycle.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The callers' names of the edges, in the order of the cycle.
    pub fn ids(&self) -> impl Iterator<Item = u32> + '_ {
        self.edges.iter().map(|edge| edge.id)
    }

    /// The sum of the weights, in microseconds, below zero: by how much the edges clash.
    pub fn sum(&self) -> Time {
        self.edges.iter().map(|edge| edge.weight).sum()
    }
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (count, sum) = (self.edges.len(), self.sum());
        write!(f, "a cycle of {count} edges adds up to {sum} us")
    }
}

impl std::error::Error for Conflict {}

/// Returns the sum of the weights of a simple cycle, in microseconds, or `None` where `edges`, in
/// this order, are no simple cycle or the sum leaves 64 bits.
///
/// The check of conflicts: it shares no code with what finds them.
///
/// # Examples
/// ```
/// use stn::{Edge, cycle_sum};
/// // The bell rings within 5 s of the start, and at least 6 s after it.
/// let bell = [Edge::new(0, 1, 5_000_000, 0), Edge::new(1, 0, -6_000_000, 1)];
/// assert_eq!(cycle_sum(&bell), Some(-1_000_000));
/// assert_eq!(cycle_sum(&bell[..1]), None);
/// ```
pub fn cycle_sum(edges: &[Edge]) -> Option<Time> {
    let mut at = edges.last()?.to;
    let mut visited = BTreeSet::new();
    let mut sum: Time = 0;
    for edge in edges {
        if edge.from != at || !visited.insert(edge.from) {
            return None;
        }
        at = edge.to;
        sum = sum.checked_add(edge.weight)?;
    }
    Some(sum)
}

/// Why a network, or one more edge, is not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It is invalid.
    #[error(transparent)]
    Input(#[from] InputError),
    /// It has no solution.
    #[error(transparent)]
    Conflict(#[from] Conflict),
}

impl Refusal {
    /// The negative cycle, if that is the reason.
    pub fn conflict(&self) -> Option<&Conflict> {
        match self {
            Self::Conflict(conflict) => Some(conflict),
            Self::Input(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_simple_cycles_have_a_sum() {
        let e = |from, to| Edge::new(from, to, -1, 0);
        assert_eq!(cycle_sum(&[]), None);
        assert_eq!(cycle_sum(&[e(3, 3)]), Some(-1));
        assert_eq!(cycle_sum(&[e(0, 1), e(1, 2), e(2, 0)]), Some(-3));
        assert_eq!(cycle_sum(&[e(0, 1), e(2, 0), e(1, 2)]), None);
        assert_eq!(cycle_sum(&[e(0, 1), e(1, 0), e(0, 2), e(2, 0)]), None);
        assert_eq!(cycle_sum(&[e(0, 1), e(1, 2)]), None);
    }

    #[test]
    fn sums_beyond_64_bits_are_none() {
        let low = Edge::new(0, 1, i64::MIN, 0);
        assert_eq!(cycle_sum(&[low, Edge::new(1, 0, -1, 0)]), None);
    }
}
