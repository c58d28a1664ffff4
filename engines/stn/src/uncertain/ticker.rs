//! The stop question, amortised over units of work.

/// Work between two calls of `go_on`: some hundred microseconds at a hundred nanoseconds a unit.
const UNITS_BETWEEN: usize = 4_096;

/// Counts work and calls the caller's `go_on` every [`UNITS_BETWEEN`] units.
pub(super) struct Ticker<'a> {
    go_on: &'a mut dyn FnMut() -> bool,
    units: usize,
}

impl<'a> Ticker<'a> {
    pub(super) fn new(go_on: &'a mut dyn FnMut() -> bool) -> Ticker<'a> {
        // The first unit calls it: a caller without any time is heard immediately.
        let units = UNITS_BETWEEN;
        Ticker { go_on, units }
    }

    /// Whether to go on, after `units` more of work.
    pub(super) fn tick(&mut self, units: usize) -> bool {
        self.units += units;
        if self.units < UNITS_BETWEEN {
            return true;
        }
        self.units = 0;
        (self.go_on)()
    }
}
