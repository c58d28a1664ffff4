//! Searches that have slots, or had some and are parked.

use super::Wish;
use crate::Class;
use anytime::CancelToken;
use std::cmp::Ordering;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Least time that a search has its slots before it gives way again.
pub(super) const QUANTUM: Duration = Duration::from_millis(2);
/// Share of its life that a search has its slots, however many calls of a higher class come.
const FLOOR: f64 = 0.05;
/// The same, as far as calls of its own class or of other tenants are concerned that can still
/// wait.
const EQUAL_FLOOR: f64 = 0.5;

/// State that a search shares while it runs, so that it can give way to another; clones share it.
#[derive(Debug, Clone)]
pub(crate) struct Elastic(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    token: CancelToken,
    started: Instant,
    /// Microseconds from the start to the last better plan, plus one; 0: there is no plan.
    improved: AtomicU64,
    /// It has ended, and its answer is being explained.
    is_closing: AtomicBool,
}

impl Elastic {
    /// A search that listens to `token`.
    pub(crate) fn new(token: CancelToken, started: Instant) -> Self {
        Self(Arc::new(Shared {
            token,
            started,
            improved: AtomicU64::new(0),
            is_closing: AtomicBool::new(false),
        }))
    }

    /// A better plan was found and checked.
    pub(crate) fn improved(&self) {
        let micros = self.0.started.elapsed().as_micros();
        let micros = u64::try_from(micros).unwrap_or(u64::MAX - 1);
        self.0.improved.store(micros + 1, Relaxed);
    }

    /// The search has ended: its slots are free soon.
    pub(crate) fn close(&self) {
        self.0.is_closing.store(true, Relaxed);
    }

    /// When the last better plan was found, if the search has one and goes on.
    fn last_improved(&self) -> Option<Instant> {
        if self.0.is_closing.load(Relaxed) {
            return None;
        }
        let micros = self.0.improved.load(Relaxed).checked_sub(1)?;
        Some(self.0.started + Duration::from_micros(micros))
    }
}

/// What a search does with its slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hold {
    /// Has them, since then.
    Active(Instant),
    /// Waits without them, since then.
    Parked(Instant),
    /// Has given them back and ends.
    Leaving,
}

/// A search.
#[derive(Debug, Clone)]
pub(super) struct Running {
    pub wish: Wish,
    pub hold: Hold,
    pub started: Instant,
    /// Slot-seconds that its tenant was charged so far.
    pub charged: f64,
    /// Time with its slots, before the present hold.
    before: Duration,
    elastic: Option<Elastic>,
}

impl Running {
    pub(super) fn new(wish: &Wish, started: Instant, charged: f64) -> Self {
        Self {
            wish: *wish,
            hold: Hold::Active(started),
            started,
            charged,
            before: Duration::ZERO,
            elastic: None,
        }
    }

    /// From now on it can give way.
    pub(super) fn stretch(&mut self, elastic: Elastic) {
        self.elastic = Some(elastic);
    }

    /// Time that it had its slots.
    pub(super) fn active(&self, now: Instant) -> Duration {
        match self.hold {
            Hold::Active(since) => self.before + now.saturating_duration_since(since),
            Hold::Parked(_) | Hold::Leaving => self.before,
        }
    }

    /// Slots that it has.
    pub(super) fn slots(&self) -> usize {
        match self.hold {
            Hold::Active(_) => self.wish.slots,
            Hold::Parked(_) | Hold::Leaving => 0,
        }
    }

    /// Whether it has had so little of its slots that it comes before calls that wait.
    pub(super) fn starves(&self, now: Instant) -> bool {
        self.share(now) < FLOOR
    }

    fn share(&self, now: Instant) -> f64 {
        let life = now.saturating_duration_since(self.started);
        // At its start it has had everything.
        if life.is_zero() {
            1.0
        } else {
            self.active(now).div_duration_f64(life)
        }
    }

    /// From when on it could give way to a request, of whatever tenant; `None`: not as things are.
    pub(super) fn yields_from(&self, wish: &Wish, now: Instant) -> Option<Instant> {
        let Hold::Active(since) = self.hold else {
            return None;
        };
        self.elastic.as_ref()?.last_improved()?;
        let is_own = self.wish.share.tenant == wish.share.tenant;
        let floor = match self.wish.class.cmp(&wish.class) {
            Ordering::Greater => return None,
            Ordering::Less if is_own => FLOOR,
            // It was let in: now or never.
            _ if now >= wish.urgent_from() => FLOOR,
            _ => EQUAL_FLOOR,
        };
        (self.share(now) >= floor).then_some(since + QUANTUM)
    }

    /// Order of giving way: the lower class; then no limit of iterations, which costs only time;
    /// then the longest time without a better plan.
    pub(super) fn rank(&self) -> (Class, bool, Option<Instant>) {
        let improved = self.elastic.as_ref().and_then(Elastic::last_improved);
        (self.wish.class, self.wish.limited, improved)
    }

    /// Gives its slots back, and parks.
    pub(super) fn park(&mut self, now: Instant) {
        self.before = self.active(now);
        self.hold = Hold::Parked(now);
        self.signal(CancelToken::park);
    }

    /// Gives its slots back, and ends with its best plan.
    pub(super) fn leave(&mut self, now: Instant) {
        self.before = self.active(now);
        self.hold = Hold::Leaving;
        self.signal(CancelToken::give_way);
    }

    /// Has slots again.
    pub(super) fn resume(&mut self, now: Instant) {
        self.hold = Hold::Active(now);
        self.signal(CancelToken::resume);
    }

    fn signal(&self, what: impl Fn(&CancelToken)) {
        if let Some(elastic) = &self.elastic {
            what(&elastic.0.token);
        }
    }
}
