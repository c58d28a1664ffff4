//! Work that takes milliseconds and no slot: reading large problems, checking plans.

use crate::status::Refusal;
use std::sync::Arc;
use tokio::sync::Semaphore;
use tracing::Span;

/// Messages up to this many bytes are worked on where they arrive: handing over costs more.
const SMALL_BYTES: usize = 8 << 10;

/// Threads for such work, at most one for each core; clones share them.
#[derive(Clone)]
pub(crate) struct Blocking(Arc<Semaphore>);

impl Blocking {
    pub(crate) fn new(threads: usize) -> Self {
        Self(Arc::new(Semaphore::new(threads)))
    }

    /// Works at once, or elsewhere when the message is large, so that other calls are not kept
    /// waiting.
    ///
    /// # Errors
    /// When the work panicked.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        message_bytes: usize,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        if message_bytes <= SMALL_BYTES {
            return Ok(work());
        }
        self.elsewhere(work).await
    }

    /// Works elsewhere: for what takes long however small the message is.
    ///
    /// # Errors
    /// When the work panicked.
    pub(crate) async fn elsewhere<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        // Never closed. Held until the work is done, whether anybody still waits or not.
        let turn = Arc::clone(&self.0).acquire_owned().await;
        let span = Span::current();
        let work = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            span.in_scope(work)
        });
        work.await.map_err(|_| Refusal::Panicked)
    }
}
