//! Asking a search to stop, or to pause, from another thread.

use crate::Stop;
use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

const RUNNING: u8 = 0;
const CANCELLED: u8 = 1;
const DRAINING: u8 = 2;
const OBSERVED: u8 = 3;
const PARKED: u8 = 4;
const YIELDED: u8 = 5;

/// A flag that asks a search to stop; clones share it.
///
/// Cheap to ask: one relaxed load. Once set it stays set, with the first reason. Until then a
/// search can be parked: its threads wait where they look next, and go on from there as if nothing
/// had been.
#[derive(Debug, Clone, Default)]
pub struct CancelToken(Arc<Signal>);

#[derive(Default)]
struct Signal {
    state: AtomicU8,
    observer: Option<Box<Observer>>,
    /// For threads that are parked.
    parking: Mutex<()>,
    changed: Condvar,
}

/// A panic in an observer leaves nothing half done here: the flag is one byte.
impl std::panic::RefUnwindSafe for Signal {}

/// Sees each look at a token, and may ask the search to stop.
type Observer = dyn Fn() -> Option<Stop> + Send + Sync;

impl CancelToken {
    /// A token that nobody has cancelled.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A token whose looks are observed: each look calls `observer`, on the thread that looks, and
    /// stops the search where that returns a reason. For tests and benches, which measure what a
    /// search does between two looks, or stop it at a certain one. Other tokens pay nothing for it.
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
            ..Signal::default()
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

    /// Another search needs what this one has: it ends with the best so far.
    pub fn give_way(&self) {
        self.set(YIELDED);
    }

    /// Parks the search until [`resume`](Self::resume), its deadline or a reason to stop. A search
    /// that was asked to stop goes on stopping.
    pub fn park(&self) {
        self.exchange(RUNNING, PARKED);
    }

    /// Lets a parked search go on.
    pub fn resume(&self) {
        self.exchange(PARKED, RUNNING);
    }

    /// Why to stop, if so. Never waits: to be parked is no reason.
    #[must_use]
    pub fn stop(&self) -> Option<Stop> {
        // Relaxed: the flag orders nothing but itself; a late reader stops one tick later.
        match self.0.state.load(Ordering::Relaxed) {
            RUNNING | PARKED => None,
            DRAINING => Some(Stop::Draining),
            YIELDED => Some(Stop::Yielded),
            OBSERVED => self.0.observer.as_ref().and_then(|observer| observer()),
            _ => Some(Stop::Cancelled),
        }
    }

    /// Waits while the search is parked and time is left; `left` is `None` without a deadline.
    pub(crate) fn wait_while_parked(&self, left: impl Fn() -> Option<Duration>) {
        let is_parked = || self.0.state.load(Ordering::Relaxed) == PARKED;
        if !is_parked() {
            return;
        }
        let mut parking = self
            .0
            .parking
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        while is_parked() {
            let left = left();
            if left == Some(Duration::ZERO) {
                return;
            }
            let woken = self
                .0
                .changed
                .wait_timeout(parking, left.unwrap_or(PATIENCE));
            parking = woken.unwrap_or_else(PoisonError::into_inner).0;
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
        // The first reason stays. A search that is parked hears it, too; one that is parked or
        // resumed meanwhile is tried again.
        while !self.exchange(open, reason) && !self.exchange(PARKED, reason) {
            if ![open, PARKED].contains(&self.0.state.load(Ordering::Relaxed)) {
                return;
            }
        }
    }

    /// Whether the state was `old`, and is `new` now.
    fn exchange(&self, old: u8, new: u8) -> bool {
        let state = &self.0.state;
        let done = state.compare_exchange(old, new, Ordering::Relaxed, Ordering::Relaxed);
        if old == PARKED && done.is_ok() {
            // With the lock: a thread between its look and its sleep would not hear it.
            drop(self.0.parking.lock());
            self.0.changed.notify_all();
        }
        done.is_ok()
    }
}

/// How long a parked thread without a deadline sleeps between two looks.
const PATIENCE: Duration = Duration::from_secs(1);

impl fmt::Debug for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signal")
            .field("state", &self.state)
            .field("observed", &self.observer.is_some())
            .finish_non_exhaustive()
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
