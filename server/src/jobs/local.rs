//! Jobs in a file, for one server: a transactional key-value store, synced to the disk before anything is promised.

mod queue;
mod tables;

use super::store::{Changed, Created, Kept, Store, StoreError, Stored, Turn, Weights};
use queue::{Queue, Ticket};
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use stratagem_proto::v1 as pb;
use tables::Tables;
use tokio::sync::watch;

/// Jobs in a file; clones share it.
#[derive(Clone)]
pub(crate) struct Local {
    tables: Arc<Tables>,
    queue: Queue,
    watched: Arc<Mutex<HashMap<String, watch::Sender<i64>>>>,
    jobs_max: usize,
}

impl Local {
    /// Opens the file, or makes it. Jobs that were being searched when it was last used wait again.
    ///
    /// # Errors
    /// When it cannot be opened, as when another server has it, or is no file of jobs.
    pub(crate) fn open(path: &Path, jobs_max: usize, weights: Weights) -> Stored<Self> {
        let tables = Tables::open(path)?;
        let queue = Queue::new(weights);
        for job in tables.give_back_all()? {
            queue.push(&job);
        }
        Ok(Self {
            tables: Arc::new(tables),
            queue,
            watched: Arc::default(),
            jobs_max,
        })
    }

    /// Works where waiting for a disk keeps nobody else waiting, to the end: whoever asked may be gone by then.
    async fn with<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> Stored<T> + Send + 'static,
    ) -> Stored<T> {
        let own = self.clone();
        let work = tokio::task::spawn_blocking(move || work(&own));
        work.await.map_err(StoreError::of)?
    }

    fn watched(&self) -> MutexGuard<'_, HashMap<String, watch::Sender<i64>>> {
        // Nothing panics while it is held.
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells those who watch a job of its newest event.
    fn tell(&self, id: &str, sequence: i64) {
        let mut watched = self.watched();
        if let Some(watchers) = watched.get(id) {
            watchers.send_replace(sequence);
            // There is no news of what is gone.
            if watchers.is_closed() || sequence == i64::MAX {
                watched.remove(id);
            }
        }
    }
}

#[tonic::async_trait]
impl Store for Local {
    async fn create(
        &self,
        job: pb::Job,
        request: pb::CreateJobRequest,
        own_max: usize,
    ) -> Stored<Created> {
        let most = (self.jobs_max, own_max);
        self.with(move |own| {
            let created = own.tables.create(job, &request, most)?;
            if let Created::New(kept) = &created {
                own.queue.push(&kept.job);
            }
            Ok(created)
        })
        .await
    }

    async fn get(&self, id: &str) -> Stored<Option<Kept>> {
        let id = id.to_owned();
        self.with(move |own| own.tables.job(&id)).await
    }

    async fn request(&self, id: &str) -> Stored<Option<pb::CreateJobRequest>> {
        let id = id.to_owned();
        self.with(move |own| own.tables.request(&id)).await
    }

    async fn plan(&self, id: &str) -> Stored<Option<pb::Plan>> {
        let id = id.to_owned();
        self.with(move |own| own.tables.plan(&id)).await
    }

    async fn answer(&self, id: &str) -> Stored<Option<pb::JobAnswer>> {
        let id = id.to_owned();
        self.with(move |own| own.tables.answer(&id)).await
    }

    async fn put(&self, kept: Kept, event: pb::JobEvent) -> Stored<Changed> {
        self.with(move |own| {
            let changed = own.tables.put(kept, &event)?;
            if let Changed::Done(kept) = &changed {
                let job = &kept.job;
                match job.state() {
                    pb::JobState::Queued => own.queue.push(job),
                    pb::JobState::Running => {}
                    _ => own.queue.remove(job),
                }
                own.tell(&job.job_id, job.sequence);
            }
            Ok(changed)
        })
        .await
    }

    async fn delete(&self, kept: &Kept) -> Stored<Changed> {
        let kept = kept.clone();
        self.with(move |own| {
            let changed = own.tables.delete(&kept)?;
            if matches!(changed, Changed::Done(_)) {
                own.queue.remove(&kept.job);
                own.tell(&kept.job.job_id, i64::MAX);
            }
            Ok(changed)
        })
        .await
    }

    async fn before(&self, id: Option<&str>, count: usize) -> Stored<Vec<pb::Job>> {
        let id = id.map(str::to_owned);
        self.with(move |own| own.tables.before(id.as_deref(), count))
            .await
    }

    async fn events(&self, id: &str, after: i64) -> Stored<Vec<pb::JobEvent>> {
        let id = id.to_owned();
        self.with(move |own| own.tables.events(&id, after)).await
    }

    async fn changed(&self, id: &str, after: i64) {
        let mut told = {
            let mut watched = self.watched();
            let watchers = watched.entry(id.to_owned());
            watchers.or_default().subscribe()
        };
        // It may have happened before the subscription: then nobody would tell.
        let news = |kept: &Option<Kept>| kept.as_ref().is_none_or(|it| it.job.sequence > after);
        if self.get(id).await.is_ok_and(|kept| news(&kept)) {
            drop(told);
            let mut watched = self.watched();
            if watched.get(id).is_some_and(watch::Sender::is_closed) {
                watched.remove(id);
            }
            return;
        }
        // Fails when the store is gone; whoever waits finds out.
        let _ = told.wait_for(|sequence| *sequence > after).await;
    }

    async fn next(&self) -> Stored<Box<dyn Turn>> {
        Ok(Box::new(Held(self.queue.pop().await)))
    }
}

/// A job that was taken from the queue.
struct Held(Ticket);

#[tonic::async_trait]
impl Turn for Held {
    fn id(&self) -> &str {
        self.0.id()
    }

    fn takes(&mut self, slots: u32) {
        self.0.takes(slots);
    }

    async fn done(self: Box<Self>) {
        self.0.spend();
    }

    // It goes back when it is dropped.
    async fn back(self: Box<Self>) {}

    async fn lost(self: Box<Self>) {
        self.0.spend();
    }
}
