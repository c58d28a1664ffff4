//! The tenant that a search belongs to, and pays for it.

use crate::Refusal;
use crate::admission::Share;
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

/// A tenant, as far as searches are concerned.
pub trait Account: Debug + Send + Sync {
    /// What it may have of slots and queue.
    fn share(&self) -> Share;

    /// Its name in metrics.
    fn label(&self) -> String;

    /// Whether it may search.
    ///
    /// # Errors
    /// Its searches of late took as much as they may.
    fn may_search(&self) -> Result<(), Refusal>;

    /// Something has ended that took this much processor time.
    fn searched(&self, took: Duration);

    /// The refusal of what is beyond this quota.
    fn over(&self, what: &'static str, retry_after: Duration) -> Refusal;
}

/// Whose a search is; clones are the same tenant.
pub type Tenant = Arc<dyn Account>;

/// A tenant without limits.
#[cfg(test)]
#[derive(Debug)]
pub(crate) struct Unlimited;

#[cfg(test)]
impl Account for Unlimited {
    fn share(&self) -> Share {
        Share::ALL
    }

    fn label(&self) -> String {
        "none".into()
    }

    fn may_search(&self) -> Result<(), Refusal> {
        Ok(())
    }

    fn searched(&self, _: Duration) {}

    fn over(&self, what: &'static str, retry_after: Duration) -> Refusal {
        Refusal::Quota {
            tenant: String::new(),
            what,
            retry_after,
        }
    }
}
