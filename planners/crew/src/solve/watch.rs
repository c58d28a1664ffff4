//! When to stop.

use anytime::{Pulse, Stop};

/// Labels between two looks at the clock: some 0.01 ms, and 1 ms where many labels meet at a
/// vertex.
const PERIOD: usize = 128;

/// Counts labels, and stops when there are too many, or it is too late.
#[derive(Debug)]
pub(super) struct Watch {
    pulse: Pulse,
    left: usize,
}

impl Watch {
    /// Counts to this number of labels.
    pub(super) fn new(pulse: Pulse, labels_max: usize) -> Self {
        Self {
            pulse,
            left: labels_max,
        }
    }

    /// Counts a label.
    ///
    /// # Errors
    /// When there is no room for it, or no time.
    pub(super) fn count(&mut self) -> Result<(), Stop> {
        if self.left.is_multiple_of(PERIOD) {
            self.look()?;
        }
        self.left = self.left.checked_sub(1).ok_or(Stop::Exhausted)?;
        Ok(())
    }

    /// Looks at the clock.
    ///
    /// # Errors
    /// When it is too late.
    pub(super) fn look(&self) -> Result<(), Stop> {
        self.pulse.stop().map_or(Ok(()), Err)
    }
}
