//! Turns of jobs in a file.

use super::Local;
use super::queue::Ticket;
use crate::jobs::life;
use crate::jobs::store::Turn;

/// A job that was taken from the queue.
pub(super) struct Held {
    pub(super) ticket: Ticket,
    pub(super) store: Local,
}

impl Held {
    /// It does not go back, unless it has not ended after all: a change whose end failed may have
    /// been kept.
    async fn leave(self) {
        let id = self.ticket.id().to_owned();
        let job = self.store.blocking(move |own| own.tables.job(&id)).await;
        if job.is_ok_and(|kept| kept.is_none_or(|kept| life::has_ended(&kept.job))) {
            self.ticket.spend();
        }
    }
}

#[tonic::async_trait]
impl Turn for Held {
    fn id(&self) -> &str {
        self.ticket.id()
    }

    fn takes(&mut self, slots: u32) {
        self.ticket.takes(slots);
    }

    async fn done(self: Box<Self>) {
        self.leave().await;
    }

    // It goes back when it is dropped.
    async fn back(self: Box<Self>) {}

    async fn lost(self: Box<Self>) {
        self.leave().await;
    }
}
