//! When a caller should come back.

use super::{Refusal, Search};
use crate::jitter::random_share;
use std::time::Duration;

/// Part of the time until a retry that is added to it at most.
const RETRY_JITTER: f64 = 0.5;

/// When to come back to a server that shuts down or has lost a session: to another one.
const DRAINING_RETRY: Duration = Duration::from_millis(50);

/// When to come back where there was no room for a request.
const MEMORY_RETRY: Duration = Duration::from_millis(250);

/// When to come back where jobs or sessions could not be kept.
const JOBS_RETRY: Duration = Duration::from_secs(1);

impl Refusal {
    /// When to try again, where that may help: a random part later, so that callers refused
    /// together do not come back together.
    pub(super) fn retry_after(&self) -> Option<Duration> {
        let after = self.earliest_retry()?;
        let after = after.mul_f64(1.0 + RETRY_JITTER * random_share());
        // Whole milliseconds, as pushback has them.
        let millis = u64::try_from(after.as_millis()).unwrap_or(u64::MAX);
        Some(Duration::from_millis(millis))
    }

    fn earliest_retry(&self) -> Option<Duration> {
        match self {
            Self::Runtime(
                Search::NoSlot { retry_after }
                | Search::QueueFull { retry_after }
                | Search::Quota { retry_after, .. },
            ) => Some(*retry_after),
            Self::Runtime(Search::Draining) | Self::SessionMoved => Some(DRAINING_RETRY),
            Self::MemoryFull => Some(MEMORY_RETRY),
            Self::JobsUnavailable(_) | Self::SessionsUnavailable(_) => Some(JOBS_RETRY),
            _ => None,
        }
    }
}
