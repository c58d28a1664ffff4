//! How long a check goes on: until it is told to stop.

use anytime::Pulse;
use std::cell::Cell;

/// Steps between two questions whether to go on: less than a millisecond.
const SLICE: u64 = 200_000;

/// Counts the steps of a check, and asks now and then.
pub(super) struct StopCheck<'p> {
    pulse: &'p Pulse,
    /// Steps until the next question.
    left: Cell<u64>,
}

impl<'p> StopCheck<'p> {
    pub(super) fn new(pulse: &'p Pulse) -> Self {
        Self {
            pulse,
            left: Cell::new(SLICE),
        }
    }

    /// Announces `steps` steps, less than some milliseconds of work. `None`: stopped, and no result
    /// counts any more.
    pub(super) fn spend(&self, steps: usize) -> Option<()> {
        if let Some(left) = self.left.get().checked_sub(steps as u64) {
            self.left.set(left);
            return Some(());
        }
        self.left.set(SLICE);
        self.pulse.beats().then_some(())
    }
}
