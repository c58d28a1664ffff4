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

    /// Works with the tables where waiting for a disk keeps nobody else waiting.
    async fn with<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Tables) -> Stored<T> + Send + 'static,
    ) -> Stored<T> {
        let tables = Arc::clone(&self.tables);
        let work = tokio::task::spawn_blocking(move || work(&tables));
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
            if watchers.is_closed() {
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
        let created = self
            .with(move |tables| tables.create(job, &request, most))
            .await?;
        if let Created::New(kept) = &created {
            self.queue.push(&kept.job);
        }
        Ok(created)
    }

    async fn get(&self, id: &str) -> Stored<Option<Kept>> {
        let id = id.to_owned();
        self.with(move |tables| tables.job(&id)).await
    }

    async fn request(&self, id: &str) -> Stored<Option<pb::CreateJobRequest>> {
        let id = id.to_owned();
        self.with(move |tables| tables.request(&id)).await
    }

    async fn plan(&self, id: &str) -> Stored<Option<pb::Plan>> {
        let id = id.to_owned();
        self.with(move |tables| tables.plan(&id)).await
    }

    async fn answer(&self, id: &str) -> Stored<Option<pb::JobAnswer>> {
        let id = id.to_owned();
        self.with(move |tables| tables.answer(&id)).await
    }

    async fn put(&self, kept: Kept, event: pb::JobEvent) -> Stored<Changed> {
        let changed = self.with(move |tables| tables.put(kept, &event)).await?;
        if let Changed::Done(kept) = &changed {
            let job = &kept.job;
            match job.state() {
                pb::JobState::Queued => self.queue.push(job),
                pb::JobState::Running => {}
                _ => self.queue.remove(job),
            }
            self.tell(&job.job_id, job.sequence);
        }
        Ok(changed)
    }

    async fn delete(&self, kept: &Kept) -> Stored<Changed> {
        let gone = kept.clone();
        let changed = self.with(move |tables| tables.delete(&gone)).await?;
        if matches!(changed, Changed::Done(_)) {
            self.queue.remove(&kept.job);
            self.tell(&kept.job.job_id, i64::MAX);
        }
        Ok(changed)
    }

    async fn before(&self, id: Option<&str>, count: usize) -> Stored<Vec<pb::Job>> {
        let id = id.map(str::to_owned);
        self.with(move |tables| tables.before(id.as_deref(), count))
            .await
    }

    async fn events(&self, id: &str, after: i64) -> Stored<Vec<pb::JobEvent>> {
        let id = id.to_owned();
        self.with(move |tables| tables.events(&id, after)).await
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
