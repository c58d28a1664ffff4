//! Work that streams all that it does, message by message.
//!
//! A search only needs its best plan, but here nothing may be left out: a few messages wait for the
//! reader, and then the work does. It holds its slot until it ends: by itself, at the deadline,
//! when the server shuts down, or when nobody reads any more.

use super::admission::Wish;
use super::{Budget, Runner};
use crate::Class;
use crate::Refusal;
use crate::Tenant;
use crate::drain::Drain;
use crate::timer::sleep_until;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;
use tokio::runtime::Handle;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// Messages that wait for the reader.
const WAITING_MAX: usize = 64;

/// Why work has to end before it is done.
#[derive(Debug)]
pub enum Off<T> {
    /// Nobody reads any more.
    Unread,
    /// The deadline has come, or the server is shutting down, before this could be sent.
    Stopped(T),
}

/// Where work reports to.
pub struct Stage<T> {
    sender: Sender<Result<T, Refusal>>,
    until: Instant,
    drain: Drain,
    runtime: Handle,
}

impl<T> Stage<T> {
    /// Whether there is time left and somebody reads.
    pub fn is_wanted(&self) -> bool {
        Instant::now() < self.until && !self.drain.has_begun() && !self.sender.is_closed()
    }

    /// Sends a message; waits while the reader has enough to read.
    ///
    /// # Errors
    /// When the work has to end. There is room for a last message.
    pub fn send(&self, message: T) -> Result<(), Off<T>> {
        if Instant::now() >= self.until || self.drain.has_begun() {
            return Err(Off::Stopped(message));
        }
        let room = match self.sender.try_reserve() {
            Ok(room) => Some(Ok(room)),
            Err(TrySendError::Closed(())) => return Err(Off::Unread),
            Err(TrySendError::Full(())) => self.runtime.block_on(async {
                tokio::select! {
                    room = self.sender.reserve() => Some(room),
                    () = sleep_until(self.until) => None,
                    () = self.drain.begun() => None,
                }
            }),
        };
        match room {
            Some(Ok(room)) => room.send(Ok(message)),
            Some(Err(_)) => return Err(Off::Unread),
            None => return Err(Off::Stopped(message)),
        }
        Ok(())
    }
}

/// What work takes, and whose it is.
pub struct Order {
    /// Its time.
    pub budget: Budget,
    /// Which requests go first.
    pub class: Class,
    /// Whose it is.
    pub tenant: Tenant,
    /// Memory, in bytes.
    pub bytes: usize,
    /// Name of the planner, in metrics.
    pub planner: &'static str,
}

impl Runner {
    /// Starts work as soon as there is a slot for it. What it returns is its last message; `None`:
    /// the reader is gone.
    ///
    /// # Errors
    /// When the deadline has passed, or there is no slot in time.
    pub async fn perform<T: Send + 'static>(
        &self,
        order: Order,
        work: impl FnOnce(&Stage<T>) -> Option<T> + Send + 'static,
    ) -> Result<Receiver<Result<T, Refusal>>, Refusal> {
        let Order { budget, .. } = order;
        if budget.has_passed() && budget.is_the_calls() {
            return Err(Refusal::Expired);
        }
        let wish = Wish {
            share: self.share(&order.tenant)?,
            class: order.class,
            slots: 1,
            bytes: order.bytes,
            memory: self.memory.plain(order.bytes)?,
            arrived: budget.arrived(),
            deadline: budget.solve_by(),
            limited: true,
        };
        let permit = self.enter(wish, &order.tenant).await?;
        let (sender, receiver) = channel(WAITING_MAX + 1);
        let stage = Stage {
            sender,
            until: budget.solve_by(),
            drain: self.drain.clone(),
            runtime: Handle::current(),
        };
        let metrics = self.metrics.clone();
        let span = tracing::error_span!("perform");
        // One place is kept for the last message.
        let last = stage.sender.clone().try_reserve_owned();
        self.threads.long.spawn(move || {
            let entered = span.entered();
            let done = catch_unwind(AssertUnwindSafe(|| work(&stage)));
            Self::pay(&permit, &order.tenant);
            // The slot first: the client that has the last message finds it free.
            drop(permit);
            let message = match done {
                // Stopped before there was a message; a client that does not read gets none.
                Ok(None) => Err(Refusal::Expired),
                Ok(Some(message)) => Ok(message),
                Err(_) => {
                    metrics.panicked(order.planner);
                    tracing::error!("a game panicked");
                    Err(Refusal::Panicked)
                }
            };
            drop(entered);
            if let Ok(last) = last {
                last.send(message);
            }
        });
        Ok(receiver)
    }
}
