//! Jobs in a file, for one server: a transactional key-value store, synced to the disk before
//! anything is acknowledged.
//!
//! After an error the file is opened again, see [`file`]. Whether a change whose end failed is
//! there is known only then, so that jobs that wait, watchers and numbers are brought in line with
//! the file each time.

mod copy;
pub(crate) mod file;
pub(crate) mod files;
mod held;
mod opening;
mod quarantine;
mod queue;
mod schema;
mod tables;

pub(crate) use copy::Contents;

use super::life::{self, Deed, Moment};
use super::store::{Changed, Counted, Created, Kept, Store, StoreError, Stored, Turn, Weights};
use crate::jobs::record::JobRecord;
use file::{Fault, Opener};
use held::Held;
use queue::Queue;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};
use stratagem_proto::v1 as pb;
use tables::{Room, Tables};
use tokio::sync::watch;
use tokio::time::sleep;
use wire::job::keep_us;

/// Between two attempts to open the file again.
const REOPEN_INTERVAL: Duration = Duration::from_millis(500);
/// After an error, before the next job is looked at.
const PAUSE: Duration = Duration::from_millis(100);

type Watched = HashMap<String, watch::Sender<i64>>;

/// Jobs in a file; clones share it.
#[derive(Clone)]
pub(crate) struct Local {
    tables: Arc<Tables>,
    queue: Queue,
    watched: Arc<Mutex<Watched>>,
    jobs_max: usize,
}

impl Local {
    /// Opens the file, or makes it. Jobs that were being searched when it was last used wait again.
    ///
    /// # Errors
    /// When it cannot be opened, as when another server has it, or is no file of jobs, or one of a
    /// newer server.
    ///
    /// # Panics
    /// Outside of a tokio runtime.
    pub(crate) fn open(path: &Path, jobs_max: usize, weights: Weights) -> Stored<Self> {
        let wrong = |fault: Fault| match fault {
            Fault::Broken(redb::Error::DatabaseAlreadyOpen) => StoreError(format!(
                "cannot keep jobs in {}: another process has it open",
                path.display()
            )),
            fault => StoreError(format!("cannot keep jobs in {}: {fault}", path.display())),
        };
        Self::open_with(file::opener(path), jobs_max, weights).map_err(wrong)
    }

    /// The same, for any kind of storage.
    pub(super) fn open_with(
        opener: Opener,
        jobs_max: usize,
        weights: Weights,
    ) -> Result<Self, Fault> {
        let (tables, waiting) = Tables::open(opener)?;
        let queue = Queue::new(weights);
        waiting.iter().for_each(|job| queue.push(job));
        let own = Self {
            tables: Arc::new(tables),
            queue,
            watched: Arc::default(),
            jobs_max,
        };
        tokio::spawn(keep_open(own.tables.up(), own.weak()));
        Ok(own)
    }

    /// Writes a consistent copy of the file, while jobs go on.
    ///
    /// # Errors
    /// One of the two cannot be used.
    pub(crate) async fn copy(&self, to: PathBuf) -> Stored<()> {
        self.blocking(move |own| own.tables.copy(&to)).await
    }

    /// What becomes the store again, as long as it is there.
    pub(crate) fn weak(&self) -> impl Fn() -> Option<Self> + Send + Sync + 'static {
        let tables = Arc::downgrade(&self.tables);
        let (queue, watched) = (self.queue.clone(), Arc::clone(&self.watched));
        let jobs_max = self.jobs_max;
        move || {
            Some(Self {
                tables: Weak::upgrade(&tables)?,
                queue: queue.clone(),
                watched: Arc::clone(&watched),
                jobs_max,
            })
        }
    }

    /// Opens the file again after an error; jobs that wait there and are not known wait here, too,
    /// and watchers hear of changes that were kept although their end failed.
    fn reopen(&self) -> Result<(), Fault> {
        let waiting = self.tables.reopen(&self.queue.held())?;
        waiting.iter().for_each(|job| self.queue.push(job));
        let watched: Vec<String> = self.watched().keys().cloned().collect();
        for id in watched {
            // Should it fail now, it is opened again, and all of this is done again.
            if let Ok(job) = self.tables.job(&id) {
                self.notify(&id, job.map_or(i64::MAX, |kept| kept.job.sequence));
            }
        }
        Ok(())
    }

    /// Runs work on a thread that may wait for a disk, to the end: its caller may be gone by then.
    async fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> Stored<T> + Send + 'static,
    ) -> Stored<T> {
        let own = self.clone();
        let work = tokio::task::spawn_blocking(move || work(&own));
        work.await.map_err(StoreError::new)?
    }

    /// Whether a job waits. One that counts as searched although its turn was to be had is searched
    /// by nobody: it waits again.
    fn waits(&self, id: &str) -> Stored<bool> {
        loop {
            let Some(Kept { job, revision }) = self.tables.job(id)? else {
                return Ok(false);
            };
            match job.state() {
                pb::JobState::Queued => return Ok(true),
                pb::JobState::Running => {}
                _ => return Ok(false),
            }
            let Some((mut job, event)) = life::after(job, Deed::GiveBack) else {
                return Ok(false);
            };
            if life::has_ended(&job) {
                let request = self.tables.request(id)?;
                life::keep(&mut job, keep_us(&request.unwrap_or_default()));
            }
            self.put_now(&Kept { job, revision }, &event)?;
        }
    }

    /// Fails a job that has not ended and whose request is gone.
    fn fail_corrupt(&self, id: &str) -> Stored<()> {
        let Some(Kept { job, revision }) = self.tables.job(id)? else {
            return Ok(());
        };
        let error = pb::JobError {
            reason: "JOB_CORRUPT".into(),
            message: "its request cannot be read any more".into(),
        };
        if let Some((mut job, event)) = life::after(job, Deed::Fail(error)) {
            life::keep(&mut job, keep_us(&pb::CreateJobRequest::default()));
            self.put_now(&Kept { job, revision }, &event)?;
        }
        Ok(())
    }

    fn put_now(&self, kept: &Kept, event: &pb::JobEvent) -> Stored<Changed> {
        let changed = self.tables.put(kept, event)?;
        if let Changed::Done(kept) = &changed {
            let job = &kept.job;
            match job.state() {
                pb::JobState::Queued => self.queue.push(job),
                pb::JobState::Running => {}
                _ => self.queue.remove(job),
            }
            self.notify(&job.job_id, job.sequence);
        }
        Ok(changed)
    }

    fn watched(&self) -> MutexGuard<'_, HashMap<String, watch::Sender<i64>>> {
        // Nothing panics while it is held.
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notifies those who watch a job of its newest event.
    fn notify(&self, id: &str, sequence: i64) {
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
        job: JobRecord,
        request: pb::CreateJobRequest,
        own_max: usize,
    ) -> Stored<Created> {
        let room = Room {
            all: self.jobs_max,
            own: own_max,
        };
        self.blocking(move |own| {
            let created = own.tables.create(&job, &request, room)?;
            if let Created::New(kept) = &created {
                own.queue.push(&kept.job);
            }
            Ok(created)
        })
        .await
    }

    async fn get(&self, id: &str) -> Stored<Option<Kept>> {
        let id = id.to_owned();
        self.blocking(move |own| own.tables.job(&id)).await
    }

    async fn request(&self, id: &str) -> Stored<Option<pb::CreateJobRequest>> {
        let id = id.to_owned();
        self.blocking(move |own| {
            let request = own.tables.request(&id)?;
            // Nobody else has the file: what is not there now is never there again.
            if request.is_none() {
                own.fail_corrupt(&id)?;
            }
            Ok(request)
        })
        .await
    }

    async fn response(&self, id: &str) -> Stored<Option<pb::JobResponse>> {
        let id = id.to_owned();
        self.blocking(move |own| own.tables.response(&id)).await
    }

    async fn put(&self, kept: Kept, event: pb::JobEvent) -> Stored<Changed> {
        self.blocking(move |own| own.put_now(&kept, &event)).await
    }

    async fn delete(&self, kept: &Kept) -> Stored<Changed> {
        let kept = kept.clone();
        self.blocking(move |own| {
            let changed = own.tables.delete(&kept)?;
            if matches!(changed, Changed::Done(_)) {
                own.queue.remove(&kept.job);
                own.notify(&kept.job.job_id, i64::MAX);
            }
            Ok(changed)
        })
        .await
    }

    async fn before(&self, id: Option<&str>, count: usize) -> Stored<Vec<JobRecord>> {
        let id = id.map(str::to_owned);
        self.blocking(move |own| own.tables.before(id.as_deref(), count))
            .await
    }

    async fn events(&self, id: &str, after: i64) -> Stored<Vec<pb::JobEvent>> {
        let id = id.to_owned();
        self.blocking(move |own| own.tables.events(&id, after))
            .await
    }

    async fn changed(&self, id: &str, after: i64) {
        let mut newest = {
            let mut watched = self.watched();
            let watchers = watched.entry(id.to_owned());
            watchers.or_default().subscribe()
        };
        // It may have happened before the subscription: then nothing would notify.
        let news = |kept: &Option<Kept>| kept.as_ref().is_none_or(|it| it.job.sequence > after);
        if self.get(id).await.is_ok_and(|kept| news(&kept)) {
            drop(newest);
            let mut watched = self.watched();
            if watched.get(id).is_some_and(watch::Sender::is_closed) {
                watched.remove(id);
            }
            return;
        }
        // Fails when the store is gone; a waiting call finds out.
        let _ = newest.wait_for(|sequence| *sequence > after).await;
    }

    async fn due(&self, now: Moment, count: usize) -> Stored<Vec<JobRecord>> {
        self.blocking(move |own| own.tables.due(now, count)).await
    }

    async fn count(&self) -> Stored<Counted> {
        self.blocking(|own| {
            let (tally, corrupt) = own.tables.count();
            let by_state = tally.by_state();
            Ok(Counted {
                by_state,
                corrupt,
                is_synced: true,
            })
        })
        .await
    }

    fn up(&self) -> watch::Receiver<bool> {
        self.tables.up()
    }

    async fn next(&self) -> Stored<Box<dyn Turn>> {
        let mut up = self.tables.up();
        loop {
            // Fails never: we have the sender.
            let _ = up.wait_for(|up| *up).await;
            let ticket = self.queue.pop().await;
            let id = ticket.id().to_owned();
            match self.blocking(move |own| own.waits(&id)).await {
                Ok(true) => {
                    let store = self.clone();
                    return Ok(Box::new(Held { ticket, store }));
                }
                Ok(false) => ticket.spend(),
                Err(error) => {
                    tracing::debug!(job = ticket.id(), %error, "job not looked at");
                    drop(ticket);
                    sleep(PAUSE).await;
                }
            }
        }
    }
}

/// Opens the file again after each error, until the store is gone.
async fn keep_open(
    mut up: watch::Receiver<bool>,
    store: impl Fn() -> Option<Local> + Send + Sync + 'static,
) {
    while up.wait_for(|up| !up).await.is_ok() {
        let since = Instant::now();
        while let Some(store) = store() {
            let opened = tokio::task::spawn_blocking(move || store.reopen()).await;
            match opened {
                Ok(Ok(())) => {
                    tracing::warn!(took_ms = since.elapsed().as_millis(), "job file reopened");
                    break;
                }
                Ok(Err(error)) => tracing::debug!(%error, "job file not reopened"),
                Err(error) => tracing::error!(%error, "job file not reopened"),
            }
            sleep(REOPEN_INTERVAL).await;
        }
    }
}
