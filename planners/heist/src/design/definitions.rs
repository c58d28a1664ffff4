//! What makes a level tricky and winnable: the definitions F and F' of the paper, decided.
//!
//! The paper's "there is a plan" is read as: the plan of this planner, which is deterministic.
//! Otherwise a burglar could walk into any number of traps.

mod all_at_once;
mod one_by_one;

pub use all_at_once::definition_f;
pub use one_by_one::{Difficulty, definition_f_prime, difficulty};

/// Whether a definition holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It does.
    Yes,
    /// It does not.
    No,
    /// It was not decided: told to stop, or too large.
    Unknown,
}

impl Verdict {
    fn of(holds: Result<bool, Stopped>) -> Self {
        match holds {
            Ok(true) => Self::Yes,
            Ok(false) => Self::No,
            Err(Stopped) => Self::Unknown,
        }
    }
}

/// A decision that was given up.
#[derive(Debug, Clone, Copy)]
struct Stopped;
