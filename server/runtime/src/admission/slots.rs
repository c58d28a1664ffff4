//! Slots that are free, and extra ones.

/// Free slots, and extra ones in use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Slots {
    /// Slots that are not in use.
    pub free: usize,
    /// Slots in use that are not there otherwise: of requests that were let in and had no more time
    /// to wait.
    pub extra: usize,
}

impl Slots {
    /// All slots, none of them in use.
    pub(super) fn new(free: usize) -> Self {
        Self { free, extra: 0 }
    }

    /// Makes as many free as are wanted, by extra ones if need be.
    pub(super) fn stretch(&mut self, wanted: usize) {
        let missing = wanted.saturating_sub(self.free);
        self.extra += missing;
        self.free += missing;
    }

    /// Slots that are not needed any more: extra ones are gone first.
    pub(super) fn give_back(&mut self, slots: usize) {
        let gone = slots.min(self.extra);
        self.extra -= gone;
        self.free += slots - gone;
    }
}
