//! The broker: a connection that comes back by itself, the streams, and what is asked of them.

use super::record::Value;
use super::settings::{PATIENCE, Settings};
use super::subjects::{Subjects, class, token};
use crate::jobs::store::{StoreError, Stored};
use crate::sessions::log::AGE_MAX_S;
use async_nats::connection::State;
use async_nats::header::NATS_ROLLUP;
use async_nats::jetstream::consumer::{AckPolicy, Consumer, pull};
use async_nats::jetstream::context::{Context, ContextBuilder, PublishErrorKind};
use async_nats::jetstream::message::{PublishMessage, StreamMessage};
use async_nats::jetstream::stream::{
    self, DiscardPolicy, LastRawMessageErrorKind, RetentionPolicy,
};
use async_nats::{Client, Event, ServerAddr};
use prost::bytes::Bytes;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use stratagem_proto::v1::Priority;
use tokio::sync::watch;

/// Records of a job that are kept: each has an event.
const RECORDS_KEPT: i64 = 256;
/// Versions of a part that are kept. A server that has lost a job may write one more.
const PARTS_KEPT: i64 = 8;
/// How long entries of logs of sessions are kept.
const SESSIONS_KEPT: Duration = Duration::from_secs(2 * AGE_MAX_S);
/// Jobs that servers may have taken at once.
const TAKEN_MAX: i64 = 100_000;
/// Values up to this size stand in the record itself.
const INLINE_BYTES_MAX: usize = 16 << 10;
/// Largest part of a larger one; the broker's own limit is asked for, too.
const PART_BYTES_MAX: usize = 512 << 10;

/// The broker; clones share it.
#[derive(Clone)]
pub(super) struct Broker {
    pub(super) client: Client,
    pub(super) context: Context,
    pub(super) subjects: Subjects,
    pub(super) settings: Settings,
    /// Changes with each new connection.
    connections: watch::Receiver<u64>,
    /// Whether there is one.
    up: watch::Receiver<bool>,
    /// Ids of jobs whose records could not be decoded.
    corrupt: Arc<Mutex<BTreeSet<String>>>,
    /// Whether it was seen to sync before it acknowledges.
    pub(super) is_synced: Arc<AtomicBool>,
    /// Whether its streams were there.
    pub(super) is_prepared: watch::Sender<bool>,
}

impl Broker {
    /// Begins to connect. The broker may be down: it is tried again until it is up.
    ///
    /// # Errors
    /// Files that cannot be read.
    pub(super) async fn connect(settings: Settings) -> Stored<Self> {
        let (counted, connections) = watch::channel(0_u64);
        let (is_up, up) = watch::channel(false);
        let shown = settings.url.to_string();
        let on_event = move |event: Event| {
            match &event {
                Event::Connected => is_up.send_replace(true),
                Event::Disconnected | Event::Closed => is_up.send_replace(false),
                _ => false,
            };
            match &event {
                Event::Connected => {
                    tracing::info!(broker = shown, "jobs: connected");
                    counted.send_modify(|count| *count += 1);
                }
                event => tracing::warn!(broker = shown, "jobs: {event}"),
            }
            std::future::ready(())
        };
        let scheme = if settings.url.tls { "tls" } else { "nats" };
        let address = |host: &String| format!("{scheme}://{host}").parse::<ServerAddr>();
        let addresses: Result<Vec<_>, _> = settings.url.hosts.iter().map(address).collect();
        let options = settings.options().await?.event_callback(on_event);
        let client = options.connect(addresses.map_err(StoreError::new)?).await;
        let client = client.map_err(|error| StoreError(format!("{}: {error}", settings.url)))?;
        let context = ContextBuilder::new()
            .timeout(PATIENCE)
            .ack_timeout(PATIENCE)
            .build(client.clone());
        Ok(Self {
            client,
            context,
            subjects: Subjects(settings.name.clone()),
            settings,
            connections,
            up,
            corrupt: Arc::default(),
            is_synced: Arc::default(),
            is_prepared: watch::Sender::default(),
        })
    }

    /// Whether there is a connection, and each change of that.
    pub(super) fn up(&self) -> watch::Receiver<bool> {
        self.up.clone()
    }

    /// How many jobs have records that could not be decoded.
    pub(super) fn corrupt(&self) -> u64 {
        self.all_corrupt().len() as u64
    }

    /// Logs once that a record cannot be decoded. It stays in its place: a newer server may
    /// understand it.
    pub(super) fn is_corrupt(&self, id: &str, error: &StoreError) {
        if self.all_corrupt().insert(id.to_owned()) {
            tracing::error!(job = id, %error, "job record corrupt");
        }
    }

    fn all_corrupt(&self) -> MutexGuard<'_, BTreeSet<String>> {
        // Nothing panics while it is held.
        self.corrupt.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reports each new connection from now on.
    pub(super) fn connections(&self) -> watch::Receiver<u64> {
        let mut connections = self.connections.clone();
        connections.mark_unchanged();
        connections
    }

    pub(super) fn is_connected(&self) -> bool {
        self.client.connection_state() == State::Connected
    }

    /// Nothing is sent without a connection: it would wait there and come too late.
    fn connected(&self) -> Stored<()> {
        if self.is_connected() {
            Ok(())
        } else {
            Err(StoreError(format!(
                "the broker at {} does not answer",
                self.settings.url
            )))
        }
    }

    pub(super) fn stream_name(&self, what: &str) -> String {
        format!("{}_{what}", self.settings.name)
    }

    /// Makes the streams that are missing.
    pub(super) async fn prepare(&self) -> Stored<()> {
        self.connected()?;
        let name = &self.settings.name;
        let all = stream::Config {
            num_replicas: self.settings.replicas,
            discard: DiscardPolicy::New,
            ..stream::Config::default()
        };
        let jobs = stream::Config {
            name: self.stream_name("jobs"),
            subjects: vec![format!("{name}.jobs.*"), format!("{name}.names.*")],
            max_messages_per_subject: RECORDS_KEPT,
            allow_rollup: true,
            ..all.clone()
        };
        let parts = stream::Config {
            name: self.stream_name("parts"),
            subjects: vec![format!("{name}.parts.>")],
            max_messages_per_subject: PARTS_KEPT,
            ..all.clone()
        };
        let queue = stream::Config {
            name: self.stream_name("queue"),
            subjects: vec![self.subjects.turns()],
            retention: RetentionPolicy::WorkQueue,
            // A job is in it once.
            max_messages_per_subject: 1,
            discard_new_per_subject: true,
            ..all.clone()
        };
        // Sessions may end without a server that notes it: their logs are deleted by age.
        let sessions = stream::Config {
            name: self.stream_name("sessions"),
            subjects: vec![format!("{name}.sessions.*")],
            allow_rollup: true,
            max_age: SESSIONS_KEPT,
            ..all.clone()
        };
        let session_parts = stream::Config {
            name: self.stream_name("session_parts"),
            subjects: vec![format!("{name}.session_parts.>")],
            max_age: SESSIONS_KEPT,
            ..all
        };
        for config in [jobs, parts, queue] {
            self.make(config).await?;
        }
        if self.settings.logs_sessions {
            for config in [sessions, session_parts] {
                // Jobs work without them.
                if let Err(error) = self.make(config).await {
                    tracing::error!(%error, "no stream for the logs of sessions");
                }
            }
        }
        Ok(())
    }

    /// Makes a stream if it is missing, and gives it the number of replicas.
    async fn make(&self, config: stream::Config) -> Stored<()> {
        let replicas = config.num_replicas;
        let made = self.context.get_or_create_stream(config).await;
        let made = made.map_err(StoreError::new)?;
        if made.cached_info().config.num_replicas != replicas {
            let config = stream::Config {
                num_replicas: replicas,
                ..made.cached_info().config.clone()
            };
            let changed = self.context.update_stream(config).await;
            changed.map_err(StoreError::new)?;
        }
        Ok(())
    }

    /// One of the streams.
    pub(super) async fn stream(&self, what: &str) -> Stored<stream::Stream<()>> {
        self.connected()?;
        let stream = self
            .context
            .get_stream_no_info(self.stream_name(what))
            .await;
        stream.map_err(StoreError::new)
    }

    /// Who hands out a tenant's jobs of a class, the oldest first.
    pub(super) async fn consumer(
        &self,
        tenant: &str,
        priority: Priority,
    ) -> Stored<Consumer<pull::Config>> {
        let queue = self.stream("queue").await?;
        let config = pull::Config {
            durable_name: Some(format!("{}-{}", class(priority), token(tenant))),
            filter_subject: self.subjects.line(tenant, priority, "*"),
            ack_policy: AckPolicy::Explicit,
            ack_wait: self.settings.lease,
            max_ack_pending: TAKEN_MAX,
            ..pull::Config::default()
        };
        let made = queue.create_consumer(config).await;
        made.map_err(StoreError::new)
    }

    /// Stores a message, if the last one of its subject has the expected number (0: no message).
    /// Returns its own number, or `None` when it does not.
    pub(super) async fn publish(
        &self,
        subject: String,
        expected: Option<u64>,
        payload: Vec<u8>,
    ) -> Stored<Option<u64>> {
        let message = PublishMessage::build().payload(payload.into());
        self.send(subject, expected, message).await
    }

    /// The same, and forgets all messages of its subject before.
    pub(super) async fn replace(
        &self,
        subject: String,
        expected: u64,
        payload: Vec<u8>,
    ) -> Stored<Option<u64>> {
        let message = PublishMessage::build().payload(payload.into());
        let message = message.header(NATS_ROLLUP, "sub");
        self.send(subject, Some(expected), message).await
    }

    async fn send(
        &self,
        subject: String,
        expected: Option<u64>,
        message: PublishMessage,
    ) -> Stored<Option<u64>> {
        self.connected()?;
        let message = match expected {
            Some(sequence) => message.expected_last_subject_sequence(sequence),
            None => message,
        };
        let sent = self.context.send_publish(subject, message).await;
        let kept = match sent {
            Ok(sent) => sent.await,
            Err(error) => Err(error),
        };
        match kept {
            Ok(kept) => Ok(Some(kept.sequence)),
            Err(error) if error.kind() == PublishErrorKind::WrongLastSequence => Ok(None),
            Err(error) => Err(StoreError::new(error)),
        }
    }

    /// The last message of a subject, as its stream's leader knows it.
    pub(super) async fn last(&self, what: &str, subject: &str) -> Stored<Option<StreamMessage>> {
        let stream = self.stream(what).await?;
        found(stream.get_last_raw_message_by_subject(subject).await)
    }

    /// The message with this number.
    pub(super) async fn message(&self, what: &str, sequence: u64) -> Stored<Option<StreamMessage>> {
        let stream = self.stream(what).await?;
        found(stream.get_raw_message(sequence).await)
    }

    /// What one message may hold.
    pub(super) fn part_bytes_max(&self) -> usize {
        // Headers take some of the broker's own limit.
        (self.client.max_payload() / 2).clamp(1 << 10, PART_BYTES_MAX)
    }

    /// Keeps a value: inline up to this size, otherwise in parts with these subjects.
    pub(super) async fn keep(
        &self,
        part: impl Fn(usize) -> String + Send,
        bytes: Bytes,
        inline_max: usize,
    ) -> Stored<Value> {
        if bytes.len() <= inline_max {
            return Ok(Value {
                inline: bytes,
                parts: Vec::new(),
            });
        }
        let mut parts = Vec::new();
        for (number, bytes) in bytes.chunks(self.part_bytes_max()).enumerate() {
            let sequence = self.publish(part(number), None, bytes.to_vec()).await?;
            parts.extend(sequence);
        }
        Ok(Value {
            inline: Bytes::new(),
            parts,
        })
    }

    /// A value of a job, which is kept in parts when it is large.
    pub(super) async fn keep_of_job(&self, id: &str, kind: &str, bytes: Vec<u8>) -> Stored<Value> {
        let part = |number| self.subjects.part(id, kind, number);
        self.keep(part, bytes.into(), INLINE_BYTES_MAX).await
    }

    /// A value with parts in a stream; `None` when it was overtaken.
    pub(super) async fn value(&self, what: &str, value: &Value) -> Stored<Option<Bytes>> {
        if value.parts.is_empty() {
            return Ok(Some(value.inline.clone()));
        }
        let mut whole = Vec::new();
        for sequence in &value.parts {
            let Some(part) = self.message(what, *sequence).await? else {
                return Ok(None);
            };
            whole.extend_from_slice(&part.payload);
        }
        Ok(Some(whole.into()))
    }

    /// Forgets all parts of a job.
    pub(super) async fn forget_parts(&self, id: &str) -> Stored<()> {
        let parts = self.stream("parts").await?;
        let filter = format!("{}.parts.{id}.>", self.settings.name);
        let purged = parts.purge().filter(filter).await;
        purged.map(drop).map_err(StoreError::new)
    }

    /// Forgets one message about jobs.
    pub(super) async fn forget(&self, sequence: u64) -> Stored<()> {
        let jobs = self.stream("jobs").await?;
        match jobs.delete_message(sequence).await {
            Ok(_) => Ok(()),
            // Somebody else has done it.
            Err(_) if self.message("jobs", sequence).await?.is_none() => Ok(()),
            Err(error) => Err(StoreError::new(error)),
        }
    }
}

/// A message, if there is one.
fn found(
    answer: Result<StreamMessage, stream::LastRawMessageError>,
) -> Stored<Option<StreamMessage>> {
    match answer {
        Ok(message) => Ok(Some(message)),
        Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => Ok(None),
        Err(error) => Err(StoreError::new(error)),
    }
}
