//! How long before a deadline a search has to end, and an answer to begin, learned from how long both took.

use crate::work::Quantile;
use dashmap::DashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Share of searches and answers that do not take longer than what is kept for them.
const SHARE: f64 = 0.995;
/// The estimate where nothing is known.
const START: Duration = Duration::from_millis(1);
/// Until so many were seen, a twentieth of the budget is kept instead, from 1 ms to 20 ms.
const SEEN_LEAST: u32 = 20;
/// Least and longest time that is kept.
const LEAST: Duration = Duration::from_micros(300);
const LONGEST: Duration = Duration::from_millis(20);

/// What is kept of a budget, for one method and problems of about one size.
#[derive(Debug, Default)]
pub(crate) struct Reserve {
    /// From the end of a search's time to its last word: noticing, the check of the last plan, reasons.
    stop: Part,
    /// From there until the answer is in the hands of the connection.
    reply: Part,
}

/// What one part takes.
#[derive(Debug)]
struct Part {
    usual: Quantile,
    seen: AtomicU32,
}

impl Default for Part {
    fn default() -> Self {
        Self {
            usual: Quantile::new(SHARE, START),
            seen: AtomicU32::new(0),
        }
    }
}

impl Part {
    fn learn(&self, took: Duration) {
        self.usual.learn(took);
        // It wraps after four billion, and begins again with what is safe.
        self.seen.fetch_add(1, Ordering::Relaxed);
    }

    fn of(&self, budget: Duration) -> Duration {
        let kept = match self.seen.load(Ordering::Relaxed) >= SEEN_LEAST {
            true => self.usual.value().clamp(LEAST, LONGEST),
            false => (budget / 20).clamp(START, LONGEST),
        };
        kept.min(budget / 4)
    }
}

impl Reserve {
    /// Kept of a budget for the end of the search: at most a quarter.
    pub(crate) fn stop(&self, budget: Duration) -> Duration {
        self.stop.of(budget)
    }

    /// Kept for the answer, likewise.
    pub(crate) fn reply(&self, budget: Duration) -> Duration {
        self.reply.of(budget)
    }

    /// A search that had to end then has ended now.
    pub(super) fn stopped_at(&self, solve_by: Instant) {
        self.stop.learn(solve_by.elapsed());
    }
}

/// An answer that leaves because its time has come.
#[derive(Debug, Clone)]
pub(crate) struct Due {
    /// When it was to be made.
    pub since: Instant,
    /// What is learned from it.
    pub reserve: Arc<Reserve>,
}

impl Due {
    /// The connection has all of it.
    pub(crate) fn sent(&self) {
        self.reserve.reply.learn(self.since.elapsed());
    }
}

/// Reserves by method and size; sizes that differ by less than a factor of two are one. Clones share them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reserves(Arc<DashMap<(&'static str, u32), Arc<Reserve>>>);

impl Reserves {
    /// For problems of this size.
    pub(crate) fn of(&self, method: &'static str, elements: usize) -> Arc<Reserve> {
        let key = (method, elements.max(1).ilog2());
        Arc::clone(&self.0.entry(key).or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_follows_what_it_took_within_its_limits() {
        let reserves = Reserves::default();
        let reserve = reserves.of("method", 100);
        assert!(Arc::ptr_eq(&reserve, &reserves.of("method", 127)));
        assert!(!Arc::ptr_eq(&reserve, &reserves.of("method", 128)));
        assert!(!Arc::ptr_eq(&reserve, &reserves.of("other", 100)));
        let (ms, second) = (Duration::from_millis, Duration::from_secs(1));
        // Nothing is known.
        let kept = [1, 60, 100, 900].map(|budget| reserve.stop(ms(budget)));
        let wanted = [250, 3_000, 5_000, 20_000].map(Duration::from_micros);
        assert_eq!(kept, wanted);
        (0..20).for_each(|_| reserve.stop.learn(ms(8)));
        assert!(reserve.stop(second) > ms(5), "{reserve:?}");
        (0..50).for_each(|_| reserve.stop.learn(second));
        assert_eq!(reserve.stop(second), LONGEST);
        assert_eq!(reserve.stop(ms(20)), ms(5), "a quarter at most");
        for _ in 0..20_000 {
            let due = Due {
                since: Instant::now(),
                reserve: Arc::clone(&reserve),
            };
            due.sent();
        }
        assert_eq!(reserve.reply(second), LEAST);
    }
}
