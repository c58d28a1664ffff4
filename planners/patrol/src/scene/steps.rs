//! The work of long computations, step by step: they ask now and then whether to go on.

use anytime::{Control, Pulse};
use std::cell::Cell;

/// Steps between two questions whether to go on; one step moves an intruder from one place. Less
/// than a millisecond.
pub(crate) const SLICE: u64 = 200_000;

/// Counts steps. Once told to stop, for ever.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    /// Who is asked; nobody: go on.
    pulse: Option<Pulse>,
    /// Since the last question.
    since: Cell<u64>,
    /// The same, of steps that are not counted.
    aside: Cell<u64>,
    /// Slices that no control has counted yet.
    slices: Cell<u64>,
    /// Slices of all steps so far.
    asked: Cell<u64>,
    stopped: Cell<bool>,
}

impl Steps {
    pub(crate) fn new(pulse: Pulse) -> Self {
        Self {
            pulse: Some(pulse),
            ..Self::default()
        }
    }

    /// So many steps more are about to be made, at most [`SLICE`] at a time: whether to.
    pub(crate) fn go_on(&self, steps: u64) -> bool {
        let since = self.since.get() + steps;
        self.since.set(since % SLICE);
        if since >= SLICE {
            self.slices.set(self.slices.get() + since / SLICE);
            self.hear(since / SLICE);
        }
        !self.stopped.get()
    }

    /// The same for steps that are no iterations: what else goes with a judgement.
    pub(crate) fn aside(&self, steps: u64) -> bool {
        let aside = self.aside.get() + steps;
        self.aside.set(aside % SLICE);
        if aside >= SLICE {
            self.hear(aside / SLICE);
        }
        !self.stopped.get()
    }

    fn hear(&self, slices: u64) {
        self.asked.set(self.asked.get() + slices);
        let stops = |pulse: &Pulse| !pulse.beats();
        self.stopped
            .set(self.stopped.get() || self.pulse.as_ref().is_some_and(stops));
    }

    /// Slices of all steps so far, whether a control counts them or not.
    pub(crate) fn asked(&self) -> u64 {
        self.asked.get()
    }

    /// Whether the search was asked to stop.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.get()
    }

    /// Counts slices as iterations: so many as the limit allows.
    pub(crate) fn count<P, C: Ord + Copy>(&self, control: &mut Control<'_, P, C>) {
        let slices = self.slices.take();
        control.count(slices.min(control.remaining()));
    }
}

#[cfg(test)]
mod tests {
    use super::{SLICE, Steps};
    use anytime::{CancelToken, Pulse};

    #[test]
    fn who_is_told_to_stop_hears_of_it_within_a_slice() {
        let cancel = CancelToken::new();
        let steps = Steps::new(Pulse::new(None, cancel.clone()));
        assert!((0..10).all(|_| steps.go_on(SLICE)));
        cancel.cancel();
        let heard = (1..).find(|_| !steps.go_on(SLICE / 10)).expect("it ends");
        assert!(heard <= 10, "{heard}");
        assert!(!steps.go_on(1));
    }
}
