//! Why nothing is searched, or a search has no result.

use std::fmt::{Display, Formatter, Result as FmtResult};
use std::time::Duration;

/// Why nothing is searched, or a search has no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The deadline has passed.
    Expired,
    /// No slot was free before the request's time budget was used up.
    NoSlot {
        /// When to come back.
        retry_after: Duration,
    },
    /// The queue is full.
    QueueFull {
        /// When to come back.
        retry_after: Duration,
    },
    /// The server is shutting down.
    Draining,
    /// The strategy cannot handle the problem: why.
    Unsupported(String),
    /// The search panicked.
    Panicked,
    /// The search failed, and not by the request.
    SearchFailed,
    /// A search would need more memory than one may have: how much.
    SolveTooLarge(String),
    /// The tenant is beyond what it may have.
    Quota {
        /// Its name.
        tenant: String,
        /// The name of the quota.
        what: &'static str,
        /// When to come back.
        retry_after: Duration,
    },
}

impl Refusal {
    /// Stable reason, in UPPER_SNAKE_CASE.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::Expired => "DEADLINE_PASSED",
            Self::NoSlot { .. } => "NO_SLOT_IN_TIME",
            Self::QueueFull { .. } => "QUEUE_FULL",
            Self::Draining => "DRAINING",
            Self::Unsupported(_) => "STRATEGY_UNSUPPORTED",
            Self::Panicked => "SEARCH_PANICKED",
            Self::SearchFailed => "SEARCH_FAILED",
            Self::SolveTooLarge(_) => "SOLVE_TOO_LARGE",
            Self::Quota { .. } => "QUOTA_EXCEEDED",
        }
    }
}

/// One sentence for people.
impl Display for Refusal {
    fn fmt(&self, f: &mut Formatter<'_>) -> FmtResult {
        f.write_str(match self {
            Self::Expired => "the call's deadline has passed",
            Self::NoSlot { .. } => "no solver slot is free within the time budget",
            Self::QueueFull { .. } => "all solver slots are busy and the queue is full",
            Self::Draining => "the server is shutting down",
            Self::Unsupported(why) | Self::SolveTooLarge(why) => why,
            Self::Panicked => "the search failed by a bug of ours; the server goes on",
            Self::SearchFailed => "the search failed by a fault of the server",
            Self::Quota { tenant, what, .. } => {
                return write!(f, "tenant {tenant} is beyond its quota {what}");
            }
        })
    }
}
