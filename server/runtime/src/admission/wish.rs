//! What a request needs, and may have.

use crate::Class;
use std::time::{Duration, Instant};

/// What a request's tenant may have.
#[derive(Debug, Clone, Copy)]
pub struct Share {
    /// Whose it is.
    pub tenant: u64,
    /// Its part of slots that others want, too.
    pub weight: f64,
    /// Slots at once.
    pub slots_max: usize,
    /// Part of the queue, above 0, at most 1.
    pub queue: f64,
}

impl Share {
    /// Everything.
    pub const ALL: Self = Self {
        tenant: 0,
        weight: 1.0,
        slots_max: usize::MAX,
        queue: 1.0,
    };
}

/// What a request needs.
#[derive(Debug, Clone, Copy)]
pub struct Wish {
    /// What its tenant may have.
    pub share: Share,
    /// Its class.
    pub class: Class,
    /// Slots that it takes, at most all.
    pub slots: usize,
    /// Memory that its problem takes while it waits.
    pub bytes: usize,
    /// Memory that its search may take.
    pub memory: usize,
    /// When it arrived.
    pub arrived: Instant,
    /// When its answer has to be there.
    pub deadline: Instant,
    /// Whether it may end long before its deadline, at an iteration limit.
    pub limited: bool,
}

impl Wish {
    /// Latest start that makes sense: a tenth of the budget is left, at most 20 ms.
    pub(super) fn start_by(&self) -> Instant {
        self.before_deadline(10, 20)
    }

    /// From this time on even searches that could keep their slots against others give way: a fifth
    /// of the budget is left, at most 40 ms.
    pub(super) fn urgent_from(&self) -> Instant {
        self.before_deadline(5, 40)
    }

    /// When a part of the budget is left, and no more than some milliseconds.
    fn before_deadline(&self, part: u32, millis_max: u64) -> Instant {
        let budget = self.deadline.saturating_duration_since(self.arrived);
        let left = (budget / part).min(Duration::from_millis(millis_max));
        self.deadline.checked_sub(left).unwrap_or(self.deadline)
    }
}
