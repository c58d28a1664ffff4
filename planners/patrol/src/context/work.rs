//! Work counter of long computations, with a stop condition.

use anytime::{Control, Pulse};
use std::cell::Cell;

/// Steps between two checks of the stop condition: less than a millisecond. One step moves an
/// intruder from one place.
pub(crate) const SLICE: u64 = 200_000;

/// Counter of steps. A stop is final.
#[derive(Debug, Default)]
pub(crate) struct WorkCounter {
    /// Stop condition; `None`: none.
    pulse: Option<Pulse>,
    /// Steps since the last check.
    since: Cell<u64>,
    /// The same for steps that are not iterations.
    uncounted: Cell<u64>,
    /// Slices that no control has counted yet.
    slices: Cell<u64>,
    /// Slices of all steps so far.
    total_slices: Cell<u64>,
    is_stopped: Cell<bool>,
}

impl WorkCounter {
    pub(crate) fn new(pulse: Pulse) -> Self {
        Self {
            pulse: Some(pulse),
            ..Self::default()
        }
    }

    /// Counts steps that are about to be made, at most [`SLICE`] at a time; false: stopped.
    pub(crate) fn proceed(&self, steps: u64) -> bool {
        let since = self.since.get() + steps;
        self.since.set(since % SLICE);
        if since >= SLICE {
            self.slices.set(self.slices.get() + since / SLICE);
            self.check(since / SLICE);
        }
        !self.is_stopped.get()
    }

    /// The same for steps that are not iterations: the overhead of an evaluation.
    pub(crate) fn proceed_uncounted(&self, steps: u64) -> bool {
        let uncounted = self.uncounted.get() + steps;
        self.uncounted.set(uncounted % SLICE);
        if uncounted >= SLICE {
            self.check(uncounted / SLICE);
        }
        !self.is_stopped.get()
    }

    fn check(&self, slices: u64) {
        self.total_slices.set(self.total_slices.get() + slices);
        let stops = |pulse: &Pulse| !pulse.beats();
        self.is_stopped
            .set(self.is_stopped.get() || self.pulse.as_ref().is_some_and(stops));
    }

    /// Slices of all steps so far, whether a control counts them or not.
    pub(crate) fn total_slices(&self) -> u64 {
        self.total_slices.get()
    }

    /// Whether the search has to stop.
    pub(crate) fn is_stopped(&self) -> bool {
        self.is_stopped.get()
    }

    /// Counts slices as iterations, at most as many as the limit allows.
    pub(crate) fn report_iterations<P, C: Ord + Copy>(&self, control: &mut Control<'_, P, C>) {
        let slices = self.slices.take();
        control.count(slices.min(control.remaining()));
    }
}

#[cfg(test)]
mod tests {
    use super::{SLICE, WorkCounter};
    use anytime::{CancelToken, Pulse};

    #[test]
    fn a_stop_is_noticed_within_a_slice() {
        let cancel = CancelToken::new();
        let work = WorkCounter::new(Pulse::new(None, cancel.clone()));
        assert!((0..10).all(|_| work.proceed(SLICE)));
        cancel.cancel();
        let slices = (1..).find(|_| !work.proceed(SLICE / 10)).expect("it ends");
        assert!(slices <= 10, "{slices}");
        assert!(!work.proceed(1));
    }
}
