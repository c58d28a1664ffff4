//! The one place that reads the clock.

use crate::{CancelToken, Limits, Stop};
use std::time::{Duration, Instant};

/// The stop signal of a thread: deadline and cancellation, nothing else.
///
/// What [`Control`](crate::Control) hands to the threads of a search; clones share the token.
#[derive(Debug, Clone)]
pub struct Pulse {
    deadline: Option<Instant>,
    cancel: CancelToken,
}

impl Pulse {
    /// A pulse that stops at `deadline` or when `cancel` is set.
    #[must_use]
    pub fn new(deadline: Option<Instant>, cancel: CancelToken) -> Self {
        Self { deadline, cancel }
    }

    /// A pulse that nothing stops.
    #[must_use]
    pub fn unbounded() -> Self {
        Self::new(None, CancelToken::new())
    }

    /// Why to stop, if so. Costs one read of the clock, some 30 ns, when there is a deadline. A
    /// parked search waits here until it may go on: never call with a lock held that another thread
    /// of the search needs.
    #[must_use]
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the one place that reads the clock"
    )]
    pub fn stop(&self) -> Option<Stop> {
        self.cancel.wait_while_parked(|| self.left());
        self.cancel.stop().or_else(|| {
            self.deadline
                .filter(|deadline| Instant::now() >= *deadline)
                .map(|_| Stop::Deadline)
        })
    }

    /// Whether to go on, as a result that `?` passes on.
    ///
    /// # Errors
    /// Why to stop.
    pub fn check(&self) -> Result<(), Stop> {
        self.stop().map_or(Ok(()), Err)
    }

    /// Time left until the deadline, zero once it has passed; none without one. For solvers that
    /// count time themselves.
    #[must_use]
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the one place that reads the clock"
    )]
    pub fn left(&self) -> Option<Duration> {
        self.deadline
            .map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// A pulse that stops earlier: once `percent` of the remaining time is used up. Without a
    /// deadline it is the same.
    #[must_use]
    pub fn share(&self, percent: u32) -> Self {
        let deadline = self.deadline.zip(self.left());
        Self {
            deadline: deadline.map(|(deadline, left)| {
                let rest = 100_u32.saturating_sub(percent);
                deadline.checked_sub(left * rest / 100).unwrap_or(deadline)
            }),
            cancel: self.cancel.clone(),
        }
    }

    /// Limits of a search that stops when this pulse does, after this number of iterations at the
    /// latest.
    #[must_use]
    pub fn limits(&self, iterations_max: u64) -> Limits {
        Limits {
            deadline: self.deadline,
            ..Limits::iterations(iterations_max).with_cancel(self.cancel.clone())
        }
    }

    /// When it stops, if nothing stops it before.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Whether to go on.
    #[must_use]
    pub fn beats(&self) -> bool {
        self.stop().is_none()
    }
}
