//! The definitions F and F' of the paper: levels that are tricky and winnable.
//!
//! The paper's "there is a plan" is read as: the plan of this planner, which is deterministic.
//! Otherwise a burglar could walk into any number of traps.

mod f;
mod f_prime;

pub use f::definition_f;
pub use f_prime::{Difficulty, definition_f_prime, difficulty};

/// The truth of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It holds.
    Yes,
    /// It does not hold.
    No,
    /// It was not decided: stopped, or too large.
    Unknown,
}

impl Verdict {
    fn new(holds: Result<bool, Stopped>) -> Self {
        match holds {
            Ok(true) => Self::Yes,
            Ok(false) => Self::No,
            Err(Stopped) => Self::Unknown,
        }
    }
}

/// A decision that was stopped.
#[derive(Debug, Clone, Copy)]
struct Stopped;
