//! Jobs in NATS JetStream, for any number of servers.
//!
//! Three streams are about jobs. `jobs` has a record for each change of each job, and retains its
//! last 256. The broker refuses a record that was not made from the newest one: a server that has
//! lost a job cannot change it. `parts` has what is too large for a record. `queue` is a work
//! queue: a job stays with the server that took it until that server reports its end, or gives no
//! sign of life for the length of a lease. Two more streams have the logs of sessions.

mod broker;
mod mirror;
mod queue;
mod record;
mod records;
mod sessions;
mod settings;
mod subjects;
mod sync;
mod tend;

pub(crate) use sessions::SessionLog;
pub(crate) use settings::Settings;

use super::life::Moment;
use super::store::{Changed, Counted, Created, Kept, Store, StoreError, Stored, Turn, Weights};
use crate::jobs::record::JobRecord;
use broker::Broker;
use mirror::Mirror;
use queue::Queue;
use records::Records;
use settings::PATIENCE;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use stratagem_proto::v1 as pb;
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// Jobs at a broker. Dropping it ends all that goes on, as a crash would.
pub(crate) struct Nats {
    records: Records,
    queue: Queue,
    _alive: Arc<()>,
    tasks: [JoinHandle<()>; 2],
}

impl Nats {
    /// Begins to connect; the broker may be down as yet.
    ///
    /// # Errors
    /// Files with certificates or credentials that cannot be read.
    pub(crate) async fn open(settings: Settings, weights: Weights) -> Stored<Self> {
        let records = Records {
            broker: Broker::connect(settings).await?,
            mirror: Mirror::default(),
        };
        let alive = Arc::new(());
        let queue = Queue {
            records: records.clone(),
            alive: Arc::downgrade(&alive),
            weights,
            consumers: Arc::default(),
        };
        let graves = Arc::default();
        let tasks = [
            tokio::spawn(tend::listen_for_ever(records.clone(), Arc::clone(&graves))),
            tokio::spawn(tend::mend_for_ever(records.clone(), graves)),
        ];
        Ok(Self {
            records,
            queue,
            _alive: alive,
            tasks,
        })
    }

    /// The logs of sessions there.
    pub(crate) fn session_log(&self) -> SessionLog {
        SessionLog(self.records.broker.clone())
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

#[tonic::async_trait]
impl Store for Nats {
    async fn create(
        &self,
        job: JobRecord,
        request: pb::CreateJobRequest,
        own_max: usize,
    ) -> Stored<Created> {
        self.records.create(job, request, own_max).await
    }

    async fn get(&self, id: &str) -> Stored<Option<Kept>> {
        self.records.get(id).await
    }

    async fn request(&self, id: &str) -> Stored<Option<pb::CreateJobRequest>> {
        self.records.request(id).await
    }

    async fn response(&self, id: &str) -> Stored<Option<pb::JobResponse>> {
        self.records.response(id).await
    }

    async fn put(&self, kept: Kept, event: pb::JobEvent) -> Stored<Changed> {
        self.records.put(kept, event).await
    }

    async fn delete(&self, kept: &Kept) -> Stored<Changed> {
        self.records.delete(kept).await
    }

    async fn before(&self, id: Option<&str>, count: usize) -> Stored<Vec<JobRecord>> {
        let mirror = &self.records.mirror;
        let known = timeout(PATIENCE, mirror.whole()).await;
        known.map_err(|_| StoreError("the broker has not delivered all jobs yet".into()))?;
        Ok(mirror.before(id, count))
    }

    async fn events(&self, id: &str, after: i64) -> Stored<Vec<pb::JobEvent>> {
        self.records.events(id, after).await
    }

    async fn changed(&self, id: &str, after: i64) {
        // A waiting call looks again anyway.
        let _ = timeout(PATIENCE, self.records.mirror.changed(id, after)).await;
    }

    async fn due(&self, now: Moment, count: usize) -> Stored<Vec<JobRecord>> {
        Ok(self.records.mirror.due(now, count))
    }

    async fn count(&self) -> Stored<Counted> {
        let broker = &self.records.broker;
        let counted = self.records.mirror.counted(broker.corrupt());
        let is_synced = broker.is_synced.load(Ordering::Relaxed);
        Ok(Counted {
            is_synced,
            ..counted
        })
    }

    fn up(&self) -> watch::Receiver<bool> {
        self.records.broker.up()
    }

    async fn next(&self) -> Stored<Box<dyn Turn>> {
        // In a task of its own: a call that stops waiting gives back what has come meanwhile.
        let (wanted, turn) = oneshot::channel();
        tokio::spawn(self.queue.clone().hand_out(wanted));
        let turn = turn.await.map_err(StoreError::new)?;
        Ok(Box::new(turn?))
    }
}
