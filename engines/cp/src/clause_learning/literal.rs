//! Variables, their sides, and literals that bound them.

use std::ops::Not;

/// An integer variable; a Boolean is one from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Var(pub(super) u32);

/// A variable x or its negation -x, so that every bound is an upper bound of some side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Side(pub(super) u32);

/// `side <= most`: what clauses are made of. Larger `most`, weaker literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lit {
    /// What is bounded.
    pub side: Side,
    /// By what, included.
    pub most: i64,
}

impl Var {
    /// Its place in the order of creation, from 0.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The variable itself.
    #[must_use]
    pub fn plus(self) -> Side {
        Side(self.0 << 1)
    }

    /// Its negation.
    #[must_use]
    pub fn minus(self) -> Side {
        Side(self.0 << 1 | 1)
    }

    /// The literal `x <= most`.
    #[must_use]
    pub fn at_most(self, most: i64) -> Lit {
        self.plus().at_most(most)
    }

    /// The literal `x >= least`.
    #[must_use]
    pub fn at_least(self, least: i64) -> Lit {
        self.minus().at_most(-least)
    }

    /// The literal "this Boolean is true".
    #[must_use]
    pub fn yes(self) -> Lit {
        self.at_least(1)
    }

    /// The literal "this Boolean is false".
    #[must_use]
    pub fn no(self) -> Lit {
        self.at_most(0)
    }
}

impl Side {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }

    /// The variable it belongs to.
    #[must_use]
    pub fn var(self) -> Var {
        Var(self.0 >> 1)
    }

    /// Whether it is the negation of its variable.
    #[must_use]
    pub fn is_minus(self) -> bool {
        self.0 & 1 == 1
    }

    /// The other side of the same variable.
    #[must_use]
    pub fn opposite(self) -> Self {
        Self(self.0 ^ 1)
    }

    /// The literal `side <= most`.
    #[must_use]
    pub fn at_most(self, most: i64) -> Lit {
        Lit { side: self, most }
    }
}

impl Not for Lit {
    type Output = Self;

    fn not(self) -> Self {
        // Not x <= m: x >= m + 1: -x <= -m - 1.
        Self {
            side: self.side.opposite(),
            most: -self.most - 1,
        }
    }
}
