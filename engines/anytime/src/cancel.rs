//! Asking a search to stop from another thread.

use crate::Stop;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

const RUNNING: u8 = 0;
const CANCELLED: u8 = 1;
const DRAINING: u8 = 2;

/// A flag that asks a search to stop; clones share it.
///
/// Cheap to ask: one relaxed load. Once set it stays set, with the first reason.
#[derive(Debug, Clone, Default)]
pub struct CancelToken(Arc<AtomicU8>);

impl CancelToken {
    /// A token that nobody has cancelled.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
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
        match self.0.load(Ordering::Relaxed) {
            RUNNING => None,
            DRAINING => Some(Stop::Draining),
            _ => Some(Stop::Cancelled),
        }
    }

    /// A guard that cancels when it is dropped.
    #[must_use]
    pub fn guard(&self) -> CancelGuard {
        CancelGuard(self.clone())
    }

    fn set(&self, reason: u8) {
        // The first reason stays: a failed exchange means that there is one.
        let _ = self
            .0
            .compare_exchange(RUNNING, reason, Ordering::Relaxed, Ordering::Relaxed);
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
