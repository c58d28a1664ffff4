//! Whether calls run on a connection, and since when none does.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// The calls of a connection; clones share them.
#[derive(Debug, Clone)]
pub(crate) struct Activity(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    calls: usize,
    /// When the connection began, or its last call ended.
    quiet_since: Instant,
}

impl Activity {
    /// A connection that begins.
    pub(crate) fn new() -> Self {
        Self(Arc::new(Mutex::new(State {
            calls: 0,
            quiet_since: Instant::now(),
        })))
    }

    /// A call has begun; it ends when what is returned is dropped.
    pub(crate) fn begin(&self) -> RunningCall {
        self.lock().calls += 1;
        RunningCall(self.clone())
    }

    /// Waits until no call has run for so long; without a limit it never returns.
    pub(super) async fn idle(&self, limit: Option<Duration>) {
        let Some(limit) = limit else {
            return std::future::pending().await;
        };
        loop {
            let quiet = {
                let state = self.lock();
                match state.calls {
                    0 => state.quiet_since.elapsed(),
                    _ => Duration::ZERO,
                }
            };
            if quiet >= limit {
                return;
            }
            sleep(limit - quiet).await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it is held.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call that runs, until its answer is sent or dropped.
#[derive(Debug)]
pub(crate) struct RunningCall(Activity);

impl Drop for RunningCall {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.calls -= 1;
        state.quiet_since = Instant::now();
    }
}

#[cfg(test)]
mod tests {
    use super::Activity;
    use std::time::Duration;
    use tokio::time::timeout;

    const LIMIT: Duration = Duration::from_millis(20);

    #[tokio::test]
    async fn a_connection_is_idle_when_no_call_has_run_for_long() {
        let activity = Activity::new();
        let (first, second) = (activity.begin(), activity.begin());
        drop(first);
        let idle = timeout(LIMIT * 3, activity.idle(Some(LIMIT))).await;
        assert!(idle.is_err(), "a call runs");
        drop(second);
        activity.idle(Some(LIMIT)).await;
        let idle = timeout(LIMIT * 3, activity.idle(None)).await;
        assert!(idle.is_err(), "there is no limit");
    }
}
