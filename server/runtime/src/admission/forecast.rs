//! When slots will be free: from what runs, what waits, and how much of their budgets requests have
//! used lately.

use super::running::Running;
use super::{Slots, Wish};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::{Duration, Instant};

/// Weight of the last request in the average.
const LEARNING_RATE: f64 = 0.1;

/// Budgets that differ by less than a factor of two are learnt of together: 1 us, 2 us, 4 us to 36
/// minutes and more.
const BUDGETS: usize = 32;

/// Share of its budget that a request uses, on average. Requests that search until their deadline
/// are separate from those with an iteration limit, which often end early. The latter take as long
/// with a long budget as with a short one, so each length is learned separately.
#[derive(Debug, Clone)]
pub(super) struct Usage {
    limited: [f64; BUDGETS],
    open: f64,
}

impl Default for Usage {
    /// Nothing seen yet. Who has no iteration limit uses everything. Who has one is let in: too
    /// many of them wait for nothing, each until its own deadline, before the first have ended; the
    /// other way round a new server would refuse what it could answer in a moment.
    fn default() -> Self {
        Self {
            limited: [0.1; BUDGETS],
            open: 1.0,
        }
    }
}

/// Where a budget is learnt of.
fn length(budget: Duration) -> usize {
    let micros = u64::try_from(budget.as_micros()).unwrap_or(u64::MAX);
    (micros.max(1).ilog2() as usize).min(BUDGETS - 1)
}

impl Usage {
    /// A search has ended that had its slots for so long.
    pub(super) fn learn(&mut self, wish: &Wish, started: Instant, used: Duration) {
        let budget = wish.deadline.saturating_duration_since(started);
        let share = if budget.is_zero() {
            1.0
        } else {
            used.div_duration_f64(budget).min(1.0)
        };
        let average = if wish.limited {
            &mut self.limited[length(budget)]
        } else {
            &mut self.open
        };
        *average += LEARNING_RATE * (share - *average);
    }

    /// What a search that starts now will probably take, all its slots together, in seconds.
    pub(super) fn slot_seconds(&self, wish: &Wish, now: Instant) -> f64 {
        let end = self.end(wish.limited, now, wish.deadline);
        end.saturating_duration_since(now).as_secs_f64() * wish.slots as f64
    }

    /// When a search that starts then will probably end.
    pub(super) fn end(&self, limited: bool, started: Instant, deadline: Instant) -> Instant {
        let budget = deadline.saturating_duration_since(started);
        let share = if limited {
            self.limited[length(budget)]
        } else {
            self.open
        };
        started + budget.mul_f64(share)
    }
}

/// The slots in the time to come.
pub(super) struct Forecast {
    now: Instant,
    slots: Slots,
    /// When how many slots become free, soonest first.
    ends: BinaryHeap<Reverse<(Instant, usize)>>,
}

impl Forecast {
    pub(super) fn new<'r>(
        slots: Slots,
        running: impl Iterator<Item = &'r Running>,
        usage: &Usage,
        now: Instant,
    ) -> Self {
        let end = |one: &Running| {
            let probable = usage.end(one.wish.limited, one.started, one.wish.deadline);
            // One that takes longer than others takes as long again, at most until its deadline;
            // one beyond that ends at any moment.
            let end = if probable > now {
                probable
            } else {
                one.wish
                    .deadline
                    .min(now + now.saturating_duration_since(one.started))
            };
            Reverse((end.max(now + Duration::from_millis(1)), one.slots()))
        };
        Self {
            now,
            slots,
            ends: running.map(end).collect(),
        }
    }

    /// Takes the slots for a request that comes after those before; says when they are free.
    pub(super) fn start(&mut self, wish: &Wish, usage: &Usage) -> Instant {
        while self.slots.free < wish.slots {
            // Nobody asks for more than all slots, and all are free or end.
            let Some(Reverse((end, slots))) = self.ends.pop() else {
                break;
            };
            self.now = self.now.max(end);
            self.slots.give_back(slots);
        }
        let start = self.now;
        if start < wish.deadline {
            self.slots.free -= wish.slots.min(self.slots.free);
            let end = usage.end(wish.limited, start, wish.deadline);
            self.ends.push(Reverse((end, wish.slots)));
        }
        start
    }
}
