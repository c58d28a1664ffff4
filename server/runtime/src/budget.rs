//! How long a request may take.

use super::Reserve;
use std::time::{Duration, Instant};

/// A request's time, from its arrival.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    arrived: Instant,
    length: Duration,
    calls: bool,
    /// Kept for the end of the search.
    stop: Duration,
    /// Kept for the answer.
    reply: Duration,
}

impl Budget {
    /// The least of what a request that arrived then asks for (or its method's default), of the
    /// call's own deadline `until`, and of the server's cap.
    pub fn new(arrived: Instant, until: Option<Instant>, asked: Duration, cap: Duration) -> Self {
        let own = asked.min(cap);
        let call = until.map(|until| until.saturating_duration_since(arrived));
        let calls = call.is_some_and(|call| call < own);
        let budget = Self {
            arrived,
            length: call.map_or(own, |call| call.min(own)),
            calls,
            stop: Duration::ZERO,
            reply: Duration::ZERO,
        };
        budget.with_reserve(&Reserve::default())
    }

    /// The same, with what was learned of how long searches take to end and answers to leave.
    pub fn with_reserve(self, reserve: &Reserve) -> Self {
        Self {
            stop: reserve.stop(self.length),
            reply: reserve.reply(self.length),
            ..self
        }
    }

    /// When the request arrived.
    pub fn arrived(&self) -> Instant {
        self.arrived
    }

    /// How long it may take.
    pub fn length(&self) -> Duration {
        self.length
    }

    /// When the answer has to be made.
    pub fn deadline(&self) -> Instant {
        self.arrived + self.length
    }

    /// When the search has to end, so that there is time to explain.
    pub fn solve_by(&self) -> Instant {
        self.arrived + (self.length - self.reply - self.stop)
    }

    /// When to answer with the best so far, whether the search has ended or not, so that there is
    /// time to encode it.
    pub fn answer_by(&self) -> Instant {
        self.arrived + (self.length - self.reply)
    }

    /// Whether it is the call's own deadline that ends it.
    pub fn is_the_calls(&self) -> bool {
        self.calls
    }

    /// Whether the search would have to end before it begins.
    pub fn has_passed(&self) -> bool {
        Instant::now() >= self.solve_by()
    }
}

#[cfg(test)]
mod tests {
    use super::Budget;
    use std::time::{Duration, Instant};

    const SECOND: Duration = Duration::from_secs(1);

    fn budget(timeout: Option<Duration>, asked: Duration, cap: Duration) -> Budget {
        let now = Instant::now();
        Budget::new(now, timeout.map(|timeout| now + timeout), asked, cap)
    }

    #[test]
    fn the_least_of_request_call_and_cap_counts() {
        let length = |timeout, asked, cap| budget(timeout, asked, cap).length();
        assert_eq!(length(None, SECOND, SECOND * 9), SECOND);
        assert_eq!(length(None, SECOND * 10, SECOND * 9), SECOND * 9);
        assert_eq!(
            length(Some(SECOND * 2), SECOND * 10, SECOND * 9),
            SECOND * 2
        );
        assert_eq!(length(Some(SECOND * 2), SECOND, SECOND * 9), SECOND);
    }

    #[test]
    fn the_search_ends_a_little_before_the_answer_and_that_before_the_deadline() {
        for (length, reserve, early) in [
            (400_u64, 200, 100),
            (5_000, 2_000, 1_000),
            (100_000, 10_000, 5_000),
            (9_000_000, 40_000, 20_000),
        ] {
            let length = Duration::from_micros(length);
            let budget = budget(None, length, SECOND * 600);
            let left = |moment: Instant| (budget.deadline() - moment).as_micros();
            assert_eq!(left(budget.solve_by()), reserve, "{length:?}");
            assert_eq!(left(budget.answer_by()), early, "{length:?}");
        }
    }
}
