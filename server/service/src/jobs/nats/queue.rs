//! Turns: messages of a work queue that a server keeps as long as it says that it lives.

use super::records::Records;
use super::settings::PATIENCE;
use crate::jobs::life::{self, Deed};
use crate::jobs::store::{Changed, Kept, StoreError, Stored, Turn, Weights};
use async_nats::jetstream::consumer::{Consumer, pull};
use async_nats::jetstream::{AckKind, Message};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Weak};
use std::time::Duration;
use stratagem_proto::v1::{self as pb, Priority};
use tokio::sync::{Mutex, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use tokio_stream::StreamExt as _;
use wire::job::keep_us;

/// How often it is looked for jobs that come back without being heard of, and for a broker that is
/// back.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);
/// After it, a job whose state could not be reported comes back.
const LATER: Duration = Duration::from_secs(10);
/// Signs of life within the time that the broker waits for one.
const BEATS: u32 = 3;

/// Who hands out the jobs of a tenant and class.
pub(super) type Consumers = HashMap<(String, Priority), Consumer<pull::Config>>;

/// Who hands out turns; clones share it.
#[derive(Clone)]
pub(super) struct Queue {
    pub(super) records: Records,
    /// Gone with the store: then nobody holds anything any more.
    pub(super) alive: Weak<()>,
    pub(super) weights: Weights,
    /// Those that were asked before, by tenant and class.
    pub(super) consumers: Arc<Mutex<Consumers>>,
}

impl Queue {
    /// Hands out the next turn, unless nobody wants it any more.
    pub(super) async fn hand_out(self, mut wanted: oneshot::Sender<Stored<Held>>) {
        loop {
            let waiting = self.records.mirror.waiting();
            // Without a connection: not worth an error each time.
            let is_connected = self.records.broker.is_connected();
            let first = if is_connected {
                self.first().await
            } else {
                Ok(None)
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

    /// The next job, if one waits: tenants by their turns, then class, then age.
    async fn first(&self) -> Stored<Option<Held>> {
        let mut consumers = self.consumers.lock().await;
        for line in self.records.mirror.lines(&self.weights) {
            for class in line.classes() {
                let found = self.head(&mut consumers, &line.tenant, class).await;
                if found.is_err() {
                    // They are made again.
                    consumers.clear();
                }
                if let Some(turn) = found? {
                    return Ok(Some(turn));
                }
            }
        }
        Ok(None)
    }

    /// The first job of a tenant and class that somebody still wants.
    async fn head(
        &self,
        consumers: &mut Consumers,
        tenant: &str,
        class: Priority,
    ) -> Stored<Option<Held>> {
        let consumer = match consumers.entry((tenant.to_owned(), class)) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(self.records.broker.consumer(tenant, class).await?),
        };
        while let Some(message) = taken(consumer).await? {
            if let Some(turn) = self.turn(message).await {
                return Ok(Some(turn));
            }
        }
        Ok(None)
    }

    /// The turn that a message is, unless its job has ended, or nobody can say now whether it has.
    async fn turn(&self, message: Message) -> Option<Held> {
        let id = message.subject.rsplit('.').next().unwrap_or_default();
        let turn = Held::new(id.to_owned(), message, self);
        match self.waits(&turn.id).await {
            Ok(true) => return Some(turn),
            Ok(false) => Box::new(turn).done().await,
            // Those behind it have their turns: its record may be one that only newer servers can
            // read.
            Err(error) => {
                tracing::error!(job = turn.id, "what a job has become: {error}");
                turn.later().await;
            }
        }
        None
    }

    /// Whether a job waits. A holder that did not give it back is lost.
    async fn waits(&self, id: &str) -> Stored<bool> {
        loop {
            let Some(Kept { job, revision }) = self.records.get(id).await? else {
                return Ok(false);
            };
            match job.state() {
                pb::JobState::Queued => return Ok(true),
                pb::JobState::Running => {}
                _ => return Ok(false),
            }
            let Some((mut job, event)) = life::after(job, Deed::Lose) else {
                continue;
            };
            if life::has_ended(&job) {
                let request = self.records.request(id).await?;
                life::keep(&mut job, keep_us(&request.unwrap_or_default()));
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
            .map_err(StoreError::new)?;
        messages.next().await.transpose().map_err(StoreError::new)
    };
    timeout(PATIENCE, taking).await.map_err(StoreError::new)?
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

    /// Gives it back for now.
    async fn later(mut self) {
        if let Some(message) = self.message.take()
            && let Err(error) = message.double_ack_with(AckKind::Nak(Some(LATER))).await
        {
            // It comes back by itself, sooner.
            tracing::debug!(job = self.id, "going back: {error}");
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
            // It comes again, and its next holder sees that the job has ended.
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
