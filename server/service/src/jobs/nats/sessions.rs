//! Logs of sessions at the broker. It refuses an entry that does not follow the last one, so that
//! a server that has lost a session cannot write any more.

use super::broker::Broker;
use super::record::Value;
use super::records::read;
use super::settings::PATIENCE;
use crate::jobs::store::{StoreError, Stored};
use crate::sessions::Key;
use crate::sessions::log::{Encoded, Log, Logged};
use async_nats::jetstream::consumer::{DeliverPolicy, pull};
use prost::Message as _;
use prost::bytes::Bytes;
use std::time::{Duration, SystemTime};
use tokio::time::timeout;
use tokio_stream::StreamExt as _;

/// Logs of sessions.
pub(crate) struct SessionLog(pub(super) Broker);

/// How long the streams may take that a broker has not been seen to have: less than a log may take.
const STREAMS_PATIENCE: Duration = Duration::from_secs(2);

#[tonic::async_trait]
impl Log for SessionLog {
    async fn read(&self, session: &Key) -> Stored<Logged> {
        let broker = self.broker().await;
        let subject = broker.subjects.session(session);
        let mut logged = Logged {
            position: 0,
            entries: Vec::new(),
            age: Duration::ZERO,
        };
        // What the stream's leader has: a follower that delivers messages may be behind.
        let Some(last) = broker.last("sessions", &subject).await? else {
            return Ok(logged);
        };
        let written = SystemTime::from(last.time);
        logged.age = written.elapsed().unwrap_or_default();
        if last.payload.is_empty() {
            // It has ended.
            logged.position = last.sequence;
            logged.entries.push(Bytes::new());
            return Ok(logged);
        }
        let stream = broker.stream("sessions").await?;
        let consumer = stream.create_consumer(pull::OrderedConfig {
            filter_subject: subject,
            deliver_policy: DeliverPolicy::All,
            ..pull::OrderedConfig::default()
        });
        let consumer = consumer.await.map_err(StoreError::new)?;
        let mut messages = consumer.messages().await.map_err(StoreError::new)?;
        while logged.position < last.sequence {
            // What is too old goes also while it is read.
            let message = timeout(PATIENCE, messages.next()).await;
            let message = message.map_err(StoreError::new)?;
            let message = message.ok_or_else(|| StoreError("the log ends early".into()))?;
            let message = message.map_err(StoreError::new)?;
            logged.position = message.info().map_err(StoreError::new)?.stream_sequence;
            let value: Value = read(&message.payload)?;
            let entry = broker.value("session_parts", &value).await?;
            logged
                .entries
                .push(entry.ok_or_else(|| StoreError("a part of the log is gone".into()))?);
        }
        Ok(logged)
    }

    async fn write(&self, session: &Key, after: u64, entry: Encoded) -> Stored<Option<u64>> {
        let broker = self.broker().await;
        // No other entry has parts with these subjects, but one that is refused.
        let part = |number| broker.subjects.session_part(session, after, number);
        let most = broker.part_bytes_max();
        let value = broker.keep(part, entry.bytes, most).await?;
        let subject = broker.subjects.session(session);
        if !entry.is_first {
            return broker
                .publish(subject, Some(after), value.encode_to_vec())
                .await;
        }
        let written = broker
            .replace(subject, after, value.encode_to_vec())
            .await?;
        if written.is_some()
            && let Some(first) = value.parts.first()
            && let Err(error) = self.forget_parts(session, *first).await
        {
            tracing::debug!(%error, "parts of a session log not deleted");
        }
        Ok(written)
    }
}

impl SessionLog {
    /// The broker. A server that has just started waits for its streams.
    async fn broker(&self) -> &Broker {
        let Self(broker) = self;
        let mut prepared = broker.is_prepared.subscribe();
        // Otherwise the broker does not answer, which the next question shows.
        let _ = timeout(
            STREAMS_PATIENCE,
            prepared.wait_for(|is_prepared| *is_prepared),
        )
        .await;
        broker
    }

    /// Deletes the parts of a session before this one. Others are deleted when they are old: those
    /// of another server may be among them.
    async fn forget_parts(&self, session: &Key, first: u64) -> Stored<()> {
        if first == 1 {
            // To the broker this would mean all.
            return Ok(());
        }
        let Self(broker) = self;
        let parts = broker.stream("session_parts").await?;
        let purge = parts.purge().filter(broker.subjects.session_parts(session));
        let purged = purge.sequence(first).await;
        purged.map(drop).map_err(StoreError::new)
    }
}
