//! Waiting for slots, and having them.

use super::lines::Spot;
use super::{Admission, Answer, Wish};
use crate::status::Refusal;
use std::time::Instant;
use tokio::time::sleep_until;

/// A place in the queue; leaves it when dropped.
pub(super) struct Ticket {
    pub(super) admission: Admission,
    pub(super) spot: Spot,
    pub(super) answer: Answer,
}

impl Ticket {
    /// Waits for slots, as long as they would come in time.
    pub(super) async fn wait(&mut self, wish: &Wish) -> Result<Permit, Refusal> {
        self.admission.publish();
        tokio::select! {
            // Slots that come in the last moment are taken.
            biased;
            answer = &mut self.answer => {
                // Without an answer the queue itself is gone.
                answer.unwrap_or(Err(Refusal::Draining))
            }
            () = sleep_until(wish.start_by().into()) => {
                Err(Refusal::NoSlot { retry_after: self.admission.retry_after() })
            }
        }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let left = self.admission.lock().lines.take(self.spot);
        if left.is_some() {
            // The next may need fewer slots than this one did.
            self.admission.dispatch();
        }
        self.admission.publish();
    }
}

/// Slots, until it is dropped: by the thread that searches, not by whoever waits for it.
pub(crate) struct Permit {
    pub(super) admission: Admission,
    pub(super) arrival: u64,
    pub(super) wish: Wish,
    pub(super) started: Instant,
    /// Slot-seconds that it was thought to take.
    pub(super) expected: f64,
}

impl Permit {
    /// How many.
    pub(crate) fn slots(&self) -> usize {
        self.wish.slots
    }

    /// Since when.
    pub(crate) fn started(&self) -> Instant {
        self.started
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.admission.clone().release(self);
    }
}
