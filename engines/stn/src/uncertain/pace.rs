//! Asks, now and then, whether to go on.

/// Work between two questions: microseconds, even where a unit is a hundred nanoseconds.
const UNITS_BETWEEN: usize = 4_096;

/// Counts work and asks the caller's `go_on` every [`UNITS_BETWEEN`] units.
pub(super) struct Pace<'a> {
    go_on: &'a mut dyn FnMut() -> bool,
    units: usize,
}

impl<'a> Pace<'a> {
    pub(super) fn new(go_on: &'a mut dyn FnMut() -> bool) -> Pace<'a> {
        // The first unit asks: a caller who has no time at all is heard at once.
        let units = UNITS_BETWEEN;
        Pace { go_on, units }
    }

    /// Whether to go on, after so many units of work.
    pub(super) fn goes_on(&mut self, units: usize) -> bool {
        self.units += units;
        if self.units < UNITS_BETWEEN {
            return true;
        }
        self.units = 0;
        (self.go_on)()
    }
}
