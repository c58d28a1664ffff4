//! Stop condition of a verification.

use anytime::Pulse;
use std::cell::Cell;

/// Steps between two checks of the stop condition: less than a millisecond.
const SLICE: u64 = 200_000;

/// Counts the steps of a verification, and checks the stop condition after each slice.
pub(super) struct StopCheck<'p> {
    pulse: &'p Pulse,
    /// Steps until the next check.
    left: Cell<u64>,
}

impl<'p> StopCheck<'p> {
    pub(super) fn new(pulse: &'p Pulse) -> Self {
        Self {
            pulse,
            left: Cell::new(SLICE),
        }
    }

    /// Counts steps that are about to be made, less than some milliseconds of work. `None`:
    /// stopped.
    pub(super) fn spend(&self, steps: usize) -> Option<()> {
        if let Some(left) = self.left.get().checked_sub(steps as u64) {
            self.left.set(left);
            return Some(());
        }
        self.left.set(SLICE);
        self.pulse.beats().then_some(())
    }
}
