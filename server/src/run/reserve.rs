//! How long before a deadline a search has to end, and an answer to begin, learned from how long both took.

use crate::work::Quantile;
use dashmap::DashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Share of searches and answers that do not take longer than what is kept for them.
const SHARE: f64 = 0.995;
/// Kept where nothing is known.
const START: Duration = Duration::from_millis(1);
/// Least and longest time that is kept.
const LEAST: Duration = Duration::from_micros(300);
const LONGEST: Duration = Duration::from_millis(20);

/// What is kept of a budget, for one method and problems of about one size.
#[derive(Debug)]
pub(crate) struct Reserve {
    /// From the end of a search's time to its last word: noticing, the check of the last plan, reasons.
    stop: Quantile,
    /// From there until the answer is in the hands of the connection.
    reply: Quantile,
}

impl Default for Reserve {
    fn default() -> Self {
        Self {
            stop: Quantile::new(SHARE, START),
            reply: Quantile::new(SHARE, START),
        }
    }
}

impl Reserve {
    /// Kept for the end of the search.
    pub(crate) fn stop(&self) -> Duration {
        self.stop.value().clamp(LEAST, LONGEST)
    }

    /// Kept for the answer.
    pub(crate) fn reply(&self) -> Duration {
        self.reply.value().clamp(LEAST, LONGEST)
    }

    /// A search whose deadline ended it took so long to end.
    pub(super) fn stopped(&self, took: Duration) {
        self.stop.learn(took);
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
        (0..5).for_each(|_| reserve.stopped(Duration::from_millis(8)));
        assert!(reserve.stop() > Duration::from_millis(5), "{reserve:?}");
        (0..50).for_each(|_| reserve.stopped(Duration::from_secs(1)));
        assert_eq!(reserve.stop(), LONGEST);
        for _ in 0..20_000 {
            let due = Due {
                since: Instant::now(),
                reserve: Arc::clone(&reserve),
            };
            due.sent();
        }
        assert_eq!(reserve.reply(), LEAST);
    }
}
