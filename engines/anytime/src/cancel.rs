//! Asking a search to stop from another thread.

use crate::Stop;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

const RUNNING: u8 = 0;
const CANCELLED: u8 = 1;
const DRAINING: u8 = 2;
const OBSERVED: u8 = 3;

/// A flag that asks a search to stop; clones share it.
///
/// Cheap to ask: one relaxed load. Once set it stays set, with the first reason.
#[derive(Debug, Clone, Default)]
pub struct CancelToken(Arc<Signal>);

#[derive(Default)]
struct Signal {
    state: AtomicU8,
    observer: Option<Box<Observer>>,
}

/// Sees each look at a token, and may ask the search to stop.
type Observer = dyn Fn() -> Option<Stop> + Send + Sync;

impl CancelToken {
    /// A token that nobody has cancelled.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A token whose looks are observed: each look calls `observer`, on the thread that looks, and stops the search where that returns a
    /// reason. For tests and benches, which measure what a search does between two looks, or stop it at a certain one. Other tokens
    /// pay nothing for it.
    ///
    /// # Examples
    /// ```
    /// use anytime::{CancelToken, Stop};
    /// use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    /// let looks = AtomicU32::new(0);
    /// let third = move || (looks.fetch_add(1, Relaxed) >= 2).then_some(Stop::Cancelled);
    /// let token = CancelToken::observed(third);
    /// assert_eq!([token.stop(), token.stop()], [None, None]);
    /// assert_eq!(token.stop(), Some(Stop::Cancelled));
    /// ```
    #[must_use]
    pub fn observed(observer: impl Fn() -> Option<Stop> + Send + Sync + 'static) -> Self {
        Self(Arc::new(Signal {
            state: AtomicU8::new(OBSERVED),
            observer: Some(Box::new(observer)),
        }))
    }

    /// The caller does not want the answer any more.
    pub fn cancel(&self) {
        self.set(CANCELLED);
    }

    /// The process is shutting down: the caller still wants the best so far.
    pub fn drain(&self) {
        self.set(DRAINING);
    }

    /// Why to stop, if so.
    #[must_use]
    pub fn stop(&self) -> Option<Stop> {
        // Relaxed: the flag orders nothing but itself; a late reader stops one tick later.
        match self.0.state.load(Ordering::Relaxed) {
            RUNNING => None,
            DRAINING => Some(Stop::Draining),
            OBSERVED => self.0.observer.as_ref().and_then(|observer| observer()),
            _ => Some(Stop::Cancelled),
        }
    }

    /// A guard that cancels when it is dropped.
    #[must_use]
    pub fn guard(&self) -> CancelGuard {
        CancelGuard(self.clone())
    }

    fn set(&self, reason: u8) {
        let open = match self.0.observer {
            None => RUNNING,
            Some(_) => OBSERVED,
        };
        // The first reason stays: a failed exchange means that there is one.
        let _ = self
            .0
            .state
            .compare_exchange(open, reason, Ordering::Relaxed, Ordering::Relaxed);
    }
}

impl fmt::Debug for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signal")
            .field("state", &self.state)
            .field("observed", &self.observer.is_some())
            .finish()
    }
}

/// Cancels its token when dropped, as when the future that waits for the answer goes away.
#[derive(Debug)]
pub struct CancelGuard(CancelToken);

impl Drop for CancelGuard {
    fn drop(&mut self) {
        self.0.cancel();
    }
}
