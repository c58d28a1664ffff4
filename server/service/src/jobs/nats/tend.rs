//! Background work: it follows changes of jobs, queues jobs that are not in the queue, and deletes
//! the last traces of deleted ones.

use super::broker::Broker;
use super::record::Record;
use super::records::{Records, read};
use super::sync;
use crate::jobs::life;
use crate::jobs::store::{StoreError, Stored};
use async_nats::jetstream::consumer::{DeliverPolicy, pull};
use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::time::{sleep, timeout};
use tokio_stream::StreamExt as _;

/// After an error.
const PAUSE: Duration = Duration::from_secs(1);
/// How often it is looked for jobs that are not queued.
const MEND_INTERVAL: Duration = Duration::from_secs(10);
/// How long it is remembered that a job was deleted, for servers that are cut off meanwhile.
const DELETED_KEPT: Duration = Duration::from_secs(600);

/// Jobs that were deleted, and when we heard of it, by the revision of that.
#[derive(Default)]
pub(super) struct Graves(Mutex<BTreeMap<u64, (String, Instant)>>);

impl Graves {
    fn add(&self, id: &str, revision: u64) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.entry(revision)
            .or_insert_with(|| (id.to_owned(), Instant::now()));
    }

    /// Ids and revisions of those that are old enough, taken out.
    fn old(&self) -> Vec<(String, u64)> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut old = Vec::new();
        all.retain(|revision, (id, heard)| {
            let is_old = heard.elapsed() >= DELETED_KEPT;
            if is_old {
                old.push((std::mem::take(id), *revision));
            }
            !is_old
        });
        old
    }
}

/// Hears of jobs without end, again after each interruption.
pub(super) async fn listen_for_ever(records: Records, graves: std::sync::Arc<Graves>) {
    loop {
        let mut connections = records.broker.connections();
        if !records.broker.is_connected() {
            // Without a sender the store is gone, and so are we.
            let _ = timeout(PAUSE, connections.changed()).await;
            continue;
        }
        let heard = tokio::select! {
            heard = listen(&records, &graves) => heard,
            // What listens to the old connection may notice late.
            _ = connections.changed() => continue,
        };
        if let Err(error) = heard {
            tracing::warn!("jobs: hearing of them: {error}");
        }
        sleep(PAUSE).await;
    }
}

/// Looks whether the broker syncs, which may take a while; only the first time and after it did
/// not.
fn look_at_syncing(broker: &Broker) {
    let broker = broker.clone();
    if broker.is_synced.load(Ordering::Relaxed) {
        return;
    }
    tokio::spawn(async move {
        let is_synced = sync::look(&broker).await;
        broker.is_synced.store(is_synced, Ordering::Relaxed);
    });
}

/// Hears of all jobs, and then of each change.
async fn listen(records: &Records, graves: &Graves) -> Stored<()> {
    let Records { broker, mirror } = records;
    broker.prepare().await?;
    broker.is_prepared.send_replace(true);
    look_at_syncing(broker);
    let jobs = broker.stream("jobs").await?;
    let consumer = jobs
        .create_consumer(pull::OrderedConfig {
            filter_subject: broker.subjects.job("*"),
            deliver_policy: DeliverPolicy::LastPerSubject,
            ..pull::OrderedConfig::default()
        })
        .await
        .map_err(StoreError::new)?;
    let mut first = Some(Vec::new());
    if consumer.cached_info().num_pending == 0 {
        mirror.is_whole(&[], u64::MAX);
        first = None;
    }
    let mut messages = consumer.messages().await.map_err(StoreError::new)?;
    while let Some(message) = messages.next().await {
        let message = message.map_err(StoreError::new)?;
        let info = message.info().map_err(StoreError::new)?;
        let (revision, is_last) = (info.stream_sequence, info.pending == 0);
        let id = message.subject.rsplit('.').next().unwrap_or_default();
        match read::<Record>(&message.payload) {
            Ok(Record { job: Some(job), .. }) => mirror.hear(id, revision, Some(job)),
            Ok(_) => {
                mirror.forget(id, revision);
                graves.add(id, revision);
            }
            Err(error) => broker.is_corrupt(id, &error),
        }
        if let Some(ids) = &mut first {
            ids.push(id.to_owned());
            if is_last {
                mirror.is_whole(ids, revision);
                first = None;
            }
        }
    }
    Ok(())
}

/// Queues what is not queued and buries what was deleted, without end.
pub(super) async fn mend_for_ever(records: Records, graves: std::sync::Arc<Graves>) {
    loop {
        sleep(MEND_INTERVAL).await;
        if !records.broker.is_connected() {
            continue;
        }
        if let Err(error) = mend(&records).await {
            tracing::warn!("jobs: looking after the queue: {error}");
        }
        for (id, revision) in graves.old() {
            let forgotten = async {
                records.broker.forget_parts(&id).await?;
                records.broker.forget(revision).await
            };
            if let Err(error) = forgotten.await {
                tracing::debug!(job = id, "jobs: forgetting: {error}");
                // Nobody else would, until a server starts again.
                graves.add(&id, revision);
            }
        }
    }
}

/// Queues unfinished jobs that are not in the queue: the server that accepted them died before, or
/// the broker lost them. Finds jobs that have ended while they waited.
pub(super) async fn mend(records: &Records) -> Stored<()> {
    let Records { broker, mirror } = records;
    mirror.whole().await;
    let unfinished = mirror.unfinished();
    let queue = broker.stream("queue").await?;
    let mut subjects = queue
        .info_with_subjects(broker.subjects.turns())
        .await
        .map_err(StoreError::new)?;
    let mut queued = HashSet::new();
    while let Some(subject) = subjects.next().await {
        let (subject, _) = subject.map_err(StoreError::new)?;
        queued.insert(subject);
    }
    for job in unfinished {
        let subject = broker.subjects.turn(&job);
        if queued.remove(&subject) {
            continue;
        }
        // It may have ended since.
        let now = records.get(&job.job_id).await?;
        if now.is_some_and(|now| !life::has_ended(&now.job)) {
            tracing::info!(job = job.job_id, "job queued again");
            // Refused when somebody else was faster.
            if let Err(error) = broker.publish(subject, None, Vec::new()).await {
                tracing::debug!(job = job.job_id, "queueing: {error}");
            }
        }
    }
    // Not purged: after that the broker does not always deliver what is behind them. Servers that
    // look for work take them out.
    let left = queued.iter().map(|subject| broker.subjects.whose(subject));
    mirror.are_left(left.flatten().collect());
    Ok(())
}
