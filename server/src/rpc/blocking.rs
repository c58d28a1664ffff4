//! Work that takes milliseconds and no slot: reading large problems, checking plans.

use crate::call::Call;
use crate::run::Budget;
use crate::status::Refusal;
use anytime::{CancelGuard, CancelToken, Pulse};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tracing::Span;

/// Messages up to this many bytes are worked on where they arrive: handing over costs more.
const SMALL_BYTES: usize = 8 << 10;

/// Until when work for a call is wanted: until its deadline, for no longer than `cap`, and until the
/// guard is dropped.
pub(crate) fn wanted(call: &Call, cap: Duration) -> (Pulse, CancelGuard) {
    let deadline = Budget::new(call, cap, cap).deadline();
    let gone = CancelToken::new();
    (Pulse::new(Some(deadline), gone.clone()), gone.guard())
}

/// Threads for such work, at most one for each core; clones share them.
#[derive(Debug, Clone)]
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

#[cfg(test)]
mod tests {
    use super::wanted;
    use crate::call::Call;
    use std::time::Duration;

    #[test]
    fn work_is_wanted_until_nobody_waits_or_the_time_is_over() {
        let call = Call::new("test", crate::tenant::Tenant::alone());
        let (pulse, guard) = wanted(&call, Duration::from_secs(600));
        assert!(pulse.beats());
        drop(guard);
        assert!(!pulse.beats());
        let (pulse, _guard) = wanted(&call, Duration::ZERO);
        assert!(!pulse.beats());
    }
}
