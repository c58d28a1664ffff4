//! How long before a deadline a search has to end, and an answer to begin, learned from how long
//! both took.

use crate::work::Quantile;
use dashmap::DashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Share of searches and answers that do not take longer than what is kept for them.
const SHARE: f64 = 0.995;
/// Kept at least as long as too little was seen: else a twentieth of the budget.
const START: Duration = Duration::from_millis(1);
/// Least and longest time that is kept.
const LEAST: Duration = Duration::from_micros(300);
const LONGEST: Duration = Duration::from_millis(20);

/// What is kept of a budget, for one method and problems of about one size.
#[derive(Debug)]
pub struct Reserve {
    /// From the end of a search's time to its last word: noticing, the check of the last plan,
    /// reasons.
    stop: Quantile,
    /// From there until the answer is in the hands of the connection.
    reply: Quantile,
}

impl Default for Reserve {
    fn default() -> Self {
        Self {
            stop: Quantile::new(SHARE),
            reply: Quantile::new(SHARE),
        }
    }
}

/// What is kept of a budget for something that takes about so long: at most a quarter.
fn kept(usual: &Quantile, budget: Duration) -> Duration {
    let kept = if usual.is_known() {
        usual.value().clamp(LEAST, LONGEST)
    } else {
        (budget / 20).clamp(START, LONGEST)
    };
    kept.min(budget / 4)
}

impl Reserve {
    /// Kept of a budget for the end of the search: at most a quarter.
    pub fn stop(&self, budget: Duration) -> Duration {
        kept(&self.stop, budget)
    }

    /// Kept for the answer, likewise.
    pub fn reply(&self, budget: Duration) -> Duration {
        kept(&self.reply, budget)
    }

    /// A search that had to end then has ended now.
    pub(super) fn stopped_at(&self, solve_by: Instant) {
        self.stop.learn(solve_by.elapsed());
    }
}

/// An answer that leaves because its time has come. The drop of its last clone records how long the
/// connection took to have all of it, or how long its call took to end.
#[derive(Debug, Clone)]
pub struct Due(#[expect(dead_code, reason = "it is dropped")] Arc<Owed>);

#[derive(Debug)]
struct Owed {
    since: Instant,
    reserve: Arc<Reserve>,
}

impl Due {
    /// It was to be made then.
    pub fn new(since: Instant, reserve: Arc<Reserve>) -> Self {
        Self(Arc::new(Owed { since, reserve }))
    }
}

impl Drop for Owed {
    fn drop(&mut self) {
        self.reserve.reply.learn(self.since.elapsed());
    }
}

/// Reserves by method and size; sizes that differ by less than a factor of two are one. Clones
/// share them.
#[derive(Debug, Clone, Default)]
pub struct Reserves(Arc<DashMap<(&'static str, u32), Arc<Reserve>>>);

impl Reserves {
    /// The reserve for problems of this size.
    pub fn for_size(&self, method: &'static str, elements: usize) -> Arc<Reserve> {
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
        let reserve = reserves.for_size("method", 100);
        assert!(Arc::ptr_eq(&reserve, &reserves.for_size("method", 127)));
        assert!(!Arc::ptr_eq(&reserve, &reserves.for_size("method", 128)));
        assert!(!Arc::ptr_eq(&reserve, &reserves.for_size("other", 100)));
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
            drop(Due::new(Instant::now(), Arc::clone(&reserve)));
        }
        assert_eq!(reserve.reply(second), LEAST);
    }
}
