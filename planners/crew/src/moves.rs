//! Moves: what players really did at an event.

use crate::plan::Role;

/// What one player did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move {
    /// Who took what along which way.
    pub role: Role,
    /// Time that he stood still on his way.
    pub idle_us: u64,
}

/// Why moves are none: what a move does, by its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MoveError {
    /// Nobody, or more than the event has efforts for.
    #[error("{given} players moved, 1 to {most} can")]
    Count {
        /// How many moved.
        given: usize,
        /// How many can.
        most: usize,
    },
    /// A player or a tool that does not exist or has moved already.
    #[error("the player or the tool of move {index} does not exist or is taken")]
    Taken {
        /// Index of the move.
        index: usize,
    },
    /// A way that is none: wrong ends, or no arc.
    #[error("move {index}: there is no such way to the {to}")]
    Way {
        /// Index of the move.
        index: usize,
        /// To where: the tool or the event.
        to: &'static str,
    },
    /// A way that comes to a vertex twice where that is not wanted.
    #[error("move {index} comes to vertex {vertex} twice")]
    Twice {
        /// Index of the move.
        index: usize,
        /// The vertex.
        vertex: usize,
    },
}
