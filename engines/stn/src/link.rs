//! Links between nodes as planners are given them: plain data that searches and checks share.

use crate::Time;

/// A difference constraint: `t[to] - t[from] <= weight`. An [`Edge`](crate::Edge) is one with an
/// id, narrow indices and validated weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    /// The node whose time is subtracted, an index.
    pub from: usize,
    /// The node from whose time it is subtracted, an index.
    pub to: usize,
    /// The largest difference, in microseconds.
    pub weight: Time,
}

impl Difference {
    /// `t[to] - t[from] <= weight`.
    pub const fn new(from: usize, to: usize, weight: Time) -> Self {
        Self { from, to, weight }
    }

    /// The same between nodes with other names.
    #[must_use]
    pub fn renamed(self, name: impl Fn(usize) -> usize) -> Self {
        Self {
            from: name(self.from),
            to: name(self.to),
            ..self
        }
    }
}

/// A requirement link: `lower <= t[to] - t[from] <= upper`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    /// The node whose time is subtracted, an index.
    pub from: usize,
    /// The node from whose time it is subtracted, an index.
    pub to: usize,
    /// Least difference, in microseconds. `None`: any.
    pub lower_us: Option<Time>,
    /// Largest difference, in microseconds. `None`: any.
    pub upper_us: Option<Time>,
}

impl Link {
    /// `lower <= t[to] - t[from] <= upper`, each bound in microseconds, or `None`.
    pub fn new(
        from: usize,
        to: usize,
        lower: impl Into<Option<Time>>,
        upper: impl Into<Option<Time>>,
    ) -> Self {
        Self {
            from,
            to,
            lower_us: lower.into(),
            upper_us: upper.into(),
        }
    }
}

/// A contingent link: `lower <= t[to] - t[from] <= upper`, with a duration that others pick, seen
/// when it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Contingent {
    /// The node at which the duration starts, an index.
    pub from: usize,
    /// The node at which it ends, an index: the end of no other contingent link.
    pub to: usize,
    /// Shortest duration, in microseconds, 0 or above.
    pub lower_us: Time,
    /// Longest duration, in microseconds, at least the shortest.
    pub upper_us: Time,
}

impl Contingent {
    /// `lower <= t[to] - t[from] <= upper`, in microseconds.
    pub const fn new(from: usize, to: usize, lower: Time, upper: Time) -> Self {
        Self {
            from,
            to,
            lower_us: lower,
            upper_us: upper,
        }
    }

    /// The longest and the shortest duration as constraints.
    pub fn differences(&self) -> [Difference; 2] {
        let (from, to) = (self.from, self.to);
        let weight = self.upper_us;
        let shortest = Difference::new(to, from, -self.lower_us);
        [Difference::new(from, to, weight), shortest]
    }
}
