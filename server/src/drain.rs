//! Drain: begun once, seen everywhere.

use tokio::sync::watch;

/// Whether the server is shutting down; clones share it.
#[derive(Debug, Clone)]
pub(crate) struct Drain(watch::Sender<bool>);

impl Drain {
    /// A server in service.
    pub(crate) fn new() -> Self {
        Self(watch::Sender::new(false))
    }

    /// Begins to shut down. Never ends.
    pub(crate) fn begin(&self) {
        self.0.send_replace(true);
    }

    /// Whether it has begun.
    pub(crate) fn has_begun(&self) -> bool {
        *self.0.borrow()
    }

    /// Returns once it has begun.
    pub(crate) async fn begun(&self) {
        let mut begun_at = self.0.subscribe();
        // Fails only without a sender, and `self` is one.
        let _ = begun_at.wait_for(|begun| *begun).await;
    }
}
