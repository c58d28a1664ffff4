//! Solves boards with fewest pushes.
//!
//! A* over positions: where the boxes are and the part of the board in which the player can walk.
//! The bound is a matching of least cost of boxes with goals, kept up to date by one augmentation
//! for each push. Cells from which no goal can be reached and boxes that are frozen off the goals
//! are cut, and on demand whatever is outside of a corral that has to be opened first.

mod bound;
mod corral;
mod field;
mod frozen;
mod search;
mod transposition;
mod walk;

pub(crate) use field::{Field, Task};
pub(crate) use search::{End, Rules, Search};
pub(crate) use walk::steps;

/// Number of a floor cell, row by row.
pub(crate) type Spot = u16;

/// No floor cell.
pub(crate) const NOWHERE: Spot = Spot::MAX;

/// A push: of the box on a cell, by one cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Push {
    /// Cell of the box before the push.
    pub(crate) from: Spot,
    /// Index in [`crate::board::Direction::ALL`].
    pub(crate) direction: u8,
}
