//! When refused callers should come back: when those who wait now have probably had their turn.

use std::time::{Duration, Instant};

/// Least and longest time after which a refused caller is asked to come back.
const LEAST: Duration = Duration::from_millis(50);
const LONGEST: Duration = Duration::from_secs(30);
/// Weight of the last search in the average.
const LEARNING_RATE: f64 = 0.1;

/// How fast searches really end while requests wait for their slots.
#[derive(Debug, Default)]
pub(super) struct Pace {
    /// Seconds from the end of one search to that of the next; `None`: not seen yet.
    interval: Option<f64>,
    /// When the last one ended, or the first request began to wait; `None`: nobody waits.
    last: Option<Instant>,
}

impl Pace {
    /// A request waits.
    pub(super) fn waits(&mut self, now: Instant) {
        self.last.get_or_insert(now);
    }

    /// A search has ended, and this number of requests waits.
    pub(super) fn ended(&mut self, waiting: usize, now: Instant) {
        if let Some(last) = self.last {
            let seen = now.saturating_duration_since(last).as_secs_f64();
            let interval = self.interval.get_or_insert(seen);
            *interval += LEARNING_RATE * (seen - *interval);
        }
        // What ends while nobody waits says nothing about how fast a queue drains.
        self.last = (waiting > 0).then_some(now);
    }

    /// When a refused caller should come back, with this number of requests waiting; `forecast` is
    /// when slots are thought to be free, and counts as long as nothing was seen.
    pub(super) fn retry_after(&self, waiting: usize, now: Instant, forecast: Instant) -> Duration {
        let drained = self.interval.map(|interval| {
            // Since the last end it may have become slower.
            let since = self.last.map(|last| now.saturating_duration_since(last));
            let interval = interval.max(since.unwrap_or_default().as_secs_f64());
            // One more: the search that has to end for the caller itself. Counts below 2^53 are
            // exact.
            let drained = interval * (waiting as f64 + 1.0);
            Duration::try_from_secs_f64(drained).unwrap_or(LONGEST)
        });
        let drained = drained.unwrap_or_else(|| forecast.saturating_duration_since(now));
        drained.clamp(LEAST, LONGEST)
    }
}

#[cfg(test)]
mod tests {
    use super::{LEAST, LONGEST, Pace};
    use std::time::{Duration, Instant};

    #[test]
    fn callers_come_back_when_the_queue_has_drained_as_fast_as_it_does() {
        let start = Instant::now();
        let at = |millis: u64| start + Duration::from_millis(millis);
        let mut pace = Pace::default();
        // Nothing seen: as forecast, within limits.
        assert_eq!(pace.retry_after(9, start, at(700)), at(700) - start);
        assert_eq!(pace.retry_after(9, start, start), LEAST);
        // An end every 200 ms, while 9 wait.
        pace.waits(start);
        for end in 1..=20 {
            pace.ended(9, at(200 * end));
        }
        let now = at(4_000);
        let after = pace.retry_after(9, now, at(1_000_000)).as_secs_f64();
        assert!((after - 2.0).abs() < 1e-6, "{after}");
        // None has ended for a second: slower than before.
        let after = pace.retry_after(9, at(5_000), now).as_secs_f64();
        assert!((after - 10.0).abs() < 1e-6, "{after}");
        assert_eq!(pace.retry_after(1_000, now, now), LONGEST);
    }

    #[test]
    fn ends_while_nobody_waits_change_nothing() {
        let start = Instant::now();
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        let mut pace = Pace::default();
        pace.ended(0, at(1));
        pace.ended(0, at(50));
        assert_eq!(pace.retry_after(0, at(60), at(61)), Duration::from_secs(1));
        pace.waits(at(100));
        pace.ended(0, at(101));
        pace.ended(0, at(200));
        assert_eq!(
            pace.retry_after(0, at(201), at(900)),
            Duration::from_secs(1)
        );
    }
}
