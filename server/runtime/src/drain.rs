//! Drain: begun once, seen everywhere.

use tokio::sync::watch;

/// Whether the server is shutting down; clones share it.
#[derive(Debug, Clone, Default)]
pub struct Drain(watch::Sender<bool>);

impl Drain {
    /// Begins to shut down. Never ends.
    pub fn begin(&self) {
        self.0.send_replace(true);
    }

    /// Whether it has begun.
    pub fn has_begun(&self) -> bool {
        *self.0.borrow()
    }

    /// Returns once it has begun.
    pub async fn begun(&self) {
        let mut begun_at = self.0.subscribe();
        // Fails only without a sender, and `self` is one.
        let _ = begun_at.wait_for(|begun| *begun).await;
    }
}
