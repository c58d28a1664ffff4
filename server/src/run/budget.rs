//! How long a request may take.

use super::Reserve;
use crate::call::Call;
use std::time::{Duration, Instant};

/// A request's time, from its arrival.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Budget {
    arrived: Instant,
    length: Duration,
    calls: bool,
    /// Kept for the end of the search.
    stop: Duration,
    /// Kept for the answer.
    reply: Duration,
}

impl Budget {
    /// The least of what the request asks for (or the method's default), the call's own deadline
    /// less the reply margin, and the server's cap.
    pub(crate) fn new(call: &Call, asked: Duration, cap: Duration) -> Self {
        let arrived = call.arrived;
        let own = asked.min(cap);
        let call = call
            .until
            .map(|until| until.saturating_duration_since(arrived));
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
    pub(crate) fn with_reserve(self, reserve: &Reserve) -> Self {
        Self {
            stop: reserve.stop(self.length),
            reply: reserve.reply(self.length),
            ..self
        }
    }

    /// When the request arrived.
    pub(crate) fn arrived(&self) -> Instant {
        self.arrived
    }

    /// How long it may take.
    pub(crate) fn length(&self) -> Duration {
        self.length
    }

    /// When the answer has to be made.
    pub(crate) fn deadline(&self) -> Instant {
        self.arrived + self.length
    }

    /// When the search has to end, so that there is time to explain.
    pub(crate) fn solve_by(&self) -> Instant {
        self.arrived + (self.length - self.reply - self.stop)
    }

    /// When to answer with the best so far, whether the search has ended or not, so that there is
    /// time to encode it.
    pub(crate) fn answer_by(&self) -> Instant {
        self.arrived + (self.length - self.reply)
    }

    /// Whether it is the call's own deadline that ends it.
    pub(crate) fn is_the_calls(&self) -> bool {
        self.calls
    }

    /// Whether the search would have to end before it begins.
    pub(crate) fn has_passed(&self) -> bool {
        Instant::now() >= self.solve_by()
    }
}

#[cfg(test)]
mod tests {
    use super::Budget;
    use crate::call::Call;
    use std::time::{Duration, Instant};

    const SECOND: Duration = Duration::from_secs(1);

    fn call(timeout: Option<Duration>) -> Call {
        let call = Call::new("test", crate::tenant::Tenant::alone());
        Call {
            until: timeout.map(|timeout| call.arrived + timeout),
            ..call
        }
    }

    #[test]
    fn the_least_of_request_call_and_cap_counts() {
        let length = |timeout, asked, cap| Budget::new(&call(timeout), asked, cap).length();
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
            let budget = Budget::new(&call(None), length, SECOND * 600);
            let left = |moment: Instant| (budget.deadline() - moment).as_micros();
            assert_eq!(left(budget.solve_by()), reserve, "{length:?}");
            assert_eq!(left(budget.answer_by()), early, "{length:?}");
        }
    }
}
