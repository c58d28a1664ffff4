//! Turns: messages of a work queue that a server keeps as long as it says that it lives.

use super::records::Records;
use super::settings::PATIENCE;
use crate::jobs::life::{self, Deed};
use crate::jobs::store::{Changed, Kept, StoreError, Stored, Turn};
use crate::wire::job::keep_us;
use async_nats::jetstream::consumer::{Consumer, pull};
use async_nats::jetstream::{AckKind, Message};
use std::sync::{Arc, Weak};
use std::time::Duration;
use stratagem_proto::v1 as pb;
use tokio::sync::{Mutex, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use tokio_stream::StreamExt as _;

/// How often it is looked for jobs that come back without being heard of, and for a broker that is back.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);
/// Signs of life within the time that the broker waits for one.
const BEATS: u32 = 3;

/// Who hands out turns; clones share it.
#[derive(Clone)]
pub(super) struct Queue {
    pub(super) records: Records,
    /// Gone with the store: then nobody holds anything any more.
    pub(super) alive: Weak<()>,
    pub(super) consumers: Arc<Mutex<Option<Vec<Consumer<pull::Config>>>>>,
}

impl Queue {
    /// Hands out the next turn, unless nobody wants it any more.
    pub(super) async fn hand_out(self, mut wanted: oneshot::Sender<Stored<Held>>) {
        loop {
            let waiting = self.records.mirror.waiting();
            let first = match self.records.broker.is_connected() {
                true => self.first().await,
                // Not worth an error each time.
                false => Ok(None),
            };
            if let Some(first) = first.transpose() {
                if let Err(Ok(turn)) = wanted.send(first) {
                    Box::new(turn).back().await;
                }
                return;
            }
            tokio::select! {
                () = wanted.closed() => return,
                () = waiting => {}
                () = sleep(LOOK_INTERVAL) => {}
            }
        }
    }

    /// The most urgent job that waits, if one does.
    async fn first(&self) -> Stored<Option<Held>> {
        let mut consumers = self.consumers.lock().await;
        let all = match consumers.take() {
            Some(all) => all,
            None => self.records.broker.consumers().await?,
        };
        for consumer in &all {
            // After an error they are made anew.
            while let Some(message) = taken(consumer).await? {
                if let Some(turn) = self.turn(message).await? {
                    *consumers = Some(all);
                    return Ok(Some(turn));
                }
            }
        }
        *consumers = Some(all);
        Ok(None)
    }

    /// The turn that a message is, unless its job has ended. Whoever had it before and did not give it back is lost.
    async fn turn(&self, message: Message) -> Stored<Option<Held>> {
        let id = message.subject.rsplit('.').next().unwrap_or_default();
        let turn = Held::new(id.to_owned(), message, self);
        loop {
            let Some(Kept { job, revision }) = self.records.get(&turn.id).await? else {
                Box::new(turn).done().await;
                return Ok(None);
            };
            match job.state() {
                pb::JobState::Queued => return Ok(Some(turn)),
                pb::JobState::Running => {}
                _ => {
                    Box::new(turn).done().await;
                    return Ok(None);
                }
            }
            let Some((mut job, event)) = life::after(job, Deed::Lose) else {
                continue;
            };
            if life::has_ended(&job) {
                let request = self.records.request(&turn.id).await?;
                life::keep(&mut job, request.as_ref().map_or(0, keep_us));
            }
            let put = self.records.put(Kept { job, revision }, event).await?;
            if let Changed::Done(kept) = put {
                tracing::warn!(job = kept.job.job_id, server = kept.job.server, "job lost");
            }
        }
    }
}

/// A message, if one is there.
async fn taken(consumer: &Consumer<pull::Config>) -> Stored<Option<Message>> {
    let taking = async {
        let mut messages = consumer
            .fetch()
            .max_messages(1)
            .messages()
            .await
            .map_err(StoreError::of)?;
        messages.next().await.transpose().map_err(StoreError::of)
    };
    timeout(PATIENCE, taking).await.map_err(StoreError::of)?
}

/// A job that was taken from the queue.
pub(super) struct Held {
    id: String,
    message: Option<Arc<Message>>,
    beat: JoinHandle<()>,
    alive: Weak<()>,
}

impl Held {
    fn new(id: String, message: Message, queue: &Queue) -> Self {
        let message = Arc::new(message);
        let interval = queue.records.broker.settings.lease / BEATS;
        let (alive, broker) = (queue.alive.clone(), queue.records.broker.clone());
        let beating = Arc::clone(&message);
        let beat = tokio::spawn(async move {
            loop {
                sleep(interval).await;
                if alive.strong_count() == 0 {
                    return;
                }
                // Without a connection it would wait and come too late.
                if broker.is_connected()
                    && let Err(error) = beating.ack_with(AckKind::Progress).await
                {
                    tracing::debug!("keeping a job: {error}");
                }
            }
        });
        Self {
            id,
            message: Some(message),
            beat,
            alive: queue.alive.clone(),
        }
    }
}

#[tonic::async_trait]
impl Turn for Held {
    fn id(&self) -> &str {
        &self.id
    }

    async fn done(mut self: Box<Self>) {
        if let Some(message) = self.message.take()
            && let Err(error) = message.double_ack().await
        {
            // It comes again, and whoever gets it sees that the job has ended.
            tracing::debug!(job = self.id, "leaving the queue: {error}");
        }
    }

    async fn back(mut self: Box<Self>) {
        if let Some(message) = self.message.take()
            && let Err(error) = message.double_ack_with(AckKind::Nak(None)).await
        {
            // It comes back by itself, later.
            tracing::debug!(job = self.id, "going back: {error}");
        }
    }

    async fn lost(mut self: Box<Self>) {
        self.message = None;
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.beat.abort();
        let runtime = tokio::runtime::Handle::try_current();
        if let (Some(message), Ok(runtime)) = (self.message.take(), runtime)
            && self.alive.strong_count() > 0
        {
            runtime.spawn(async move {
                if let Err(error) = message.ack_with(AckKind::Nak(None)).await {
                    tracing::debug!("going back: {error}");
                }
            });
        }
    }
}
