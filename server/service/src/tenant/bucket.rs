//! A token bucket: so much for each second, and so much at once.

use std::time::{Duration, Instant};

/// Longest time after which a caller is asked to come back.
const RETRY_LONGEST: Duration = Duration::from_secs(60);
/// Least, so that nobody comes back at once.
const RETRY_LEAST: Duration = Duration::from_millis(10);

/// What has been taken of what may be. Rate and size come with each question, because they may
/// change meanwhile.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bucket {
    /// How much is missing until it is full; it can be more than all.
    missing: f64,
    at: Instant,
}

impl Bucket {
    /// Nothing has been taken.
    pub(super) fn full(now: Instant) -> Self {
        Self {
            missing: 0.0,
            at: now,
        }
    }

    fn refill(&mut self, now: Instant, rate: f64) {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.missing = (self.missing - passed * rate).max(0.0);
        self.at = self.at.max(now);
    }

    /// Whether nothing is missing any more.
    pub(super) fn is_full(&mut self, now: Instant, rate: f64) -> bool {
        self.refill(now, rate);
        self.missing <= 0.0
    }

    /// Takes one, or says after which time there is one.
    pub(super) fn take(&mut self, now: Instant, rate: f64, size: f64) -> Result<(), Duration> {
        self.refill(now, rate);
        let lacks = self.missing + 1.0 - size;
        // What is a rounding error away is there.
        if lacks > 1e-9 {
            return Err(after(lacks / rate));
        }
        self.missing += 1.0;
        Ok(())
    }

    /// Whether anything is left, or after which time there is.
    pub(super) fn is_positive(
        &mut self,
        now: Instant,
        rate: f64,
        size: f64,
    ) -> Result<(), Duration> {
        self.refill(now, rate);
        if self.missing < size {
            Ok(())
        } else {
            Err(after((self.missing - size) / rate))
        }
    }

    /// Takes this amount, whether it is there or not.
    pub(super) fn spend(&mut self, now: Instant, rate: f64, size: f64, amount: f64) {
        self.refill(now, rate);
        // Who has gone far beyond, by a search of hours, is not shut out for hours.
        self.missing = (self.missing + amount).min(2.0 * size);
    }
}

fn after(seconds: f64) -> Duration {
    // Rates are above zero; what is too long for a Duration is the longest.
    let after = Duration::try_from_secs_f64(seconds).unwrap_or(RETRY_LONGEST);
    after.clamp(RETRY_LEAST, RETRY_LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_passes_and_then_the_rate_holds() {
        let start = Instant::now();
        let mut bucket = Bucket::full(start);
        let at = |millis| start + Duration::from_millis(millis);
        for _ in 0..5 {
            assert_eq!(bucket.take(at(0), 10.0, 5.0), Ok(()));
        }
        let wait = Duration::from_millis(100);
        assert_eq!(bucket.take(at(0), 10.0, 5.0), Err(wait));
        assert_eq!(bucket.take(at(100), 10.0, 5.0), Ok(()));
        assert!(bucket.take(at(150), 10.0, 5.0).is_err());
        // In ten seconds a hundred more, however they come.
        let passed = (0..10_000).filter(|ms| bucket.take(at(100 + ms), 10.0, 5.0).is_ok());
        assert_eq!(passed.count(), 99);
    }

    #[test]
    fn what_is_spent_beyond_is_paid_back_and_no_more_than_once_over() {
        let start = Instant::now();
        let mut bucket = Bucket::full(start);
        let at = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(bucket.is_positive(at(0), 1.0, 60.0), Ok(()));
        bucket.spend(at(0), 1.0, 60.0, 70.0);
        let wait = bucket.is_positive(at(0), 1.0, 60.0).unwrap_err();
        assert_eq!(wait, Duration::from_secs(10));
        assert_eq!(bucket.is_positive(at(11), 1.0, 60.0), Ok(()));
        bucket.spend(at(11), 1.0, 60.0, 1e9);
        assert_eq!(bucket.is_positive(at(72), 1.0, 60.0), Ok(()));
    }
}
