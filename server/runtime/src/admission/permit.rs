//! Waiting for slots, and having them.

use super::lines::Spot;
use super::{Admission, Answer, Elastic, Wish};
use crate::Refusal;
use crate::timer::sleep_until;
use std::time::{Duration, Instant};

/// How often those who have to start soon look whether a search gives way.
const AGAIN: Duration = Duration::from_millis(1);

/// A place in the queue; leaves it when dropped.
pub(super) struct Ticket {
    pub(super) admission: Admission,
    pub(super) spot: Spot,
    pub(super) answer: Answer,
    /// When searches may give way to it.
    pub(super) push: Option<Instant>,
}

impl Ticket {
    /// Waits for slots, as long as they would come in time.
    pub(super) async fn wait(&mut self, wish: &Wish) -> Result<Permit, Refusal> {
        self.admission.publish();
        loop {
            let start_by = wish.start_by();
            // In the last moments again and again: a search may find its first plan.
            let again = wish.urgent_from().max(Instant::now() + AGAIN);
            let look = self.push.unwrap_or(again).min(start_by);
            tokio::select! {
                // Slots that come in the last moment are taken.
                biased;
                answer = &mut self.answer => {
                    // Without an answer the queue itself is gone.
                    return answer.unwrap_or(Err(Refusal::Draining));
                }
                () = sleep_until(look) => {}
            }
            // Where searches give way, the answer is there now.
            let now = Instant::now();
            self.push = self.admission.push(self.spot, wish, now);
            if let Ok(answer) = self.answer.try_recv() {
                return answer;
            }
            if now >= start_by {
                let retry_after = self.admission.retry_after();
                return Err(Refusal::NoSlot { retry_after });
            }
        }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let left = self.admission.lock().lines.take(self.spot);
        if left.is_some() {
            // The next may need fewer slots than this one did.
            self.admission.dispatch(Instant::now());
        }
        self.admission.publish();
    }
}

/// Slots, until it is dropped: by the thread that searches, not by the call that waits for it.
pub(crate) struct Permit {
    pub(super) admission: Admission,
    pub(super) arrival: u64,
    pub(super) wish: Wish,
    pub(super) started: Instant,
}

impl Permit {
    /// How many.
    pub(crate) fn slots(&self) -> usize {
        self.wish.slots
    }

    /// From now on the search gives way to requests that would miss their deadline, once it has a
    /// plan.
    pub(crate) fn stretch(&self, elastic: Elastic) {
        let mut state = self.admission.lock();
        if let Some(running) = state.running.get_mut(&self.arrival) {
            running.stretch(elastic);
        }
    }

    /// How long the search had its slots so far.
    pub(crate) fn active(&self) -> Duration {
        let state = self.admission.lock();
        let running = state.running.get(&self.arrival);
        running.map_or(Duration::ZERO, |running| running.active(Instant::now()))
    }

    /// Since when.
    pub(crate) fn started(&self) -> Instant {
        self.started
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.admission.clone().release(self, Instant::now());
    }
}
