//! Work that outlives calls and servers: accepted once, stored on a disk, taken up by any server
//! with free slots.
//!
//! * [`life`]: what a job goes through, as pure functions;
//! * [`store`]: what a place that keeps jobs has to do; [`local`]: a file for one server; [`nats`]:
//!   a broker that servers share;
//! * [`worker`]: takes jobs up and follows their searches;
//! * this module: what callers ask for.

pub(crate) mod life;
pub(crate) mod local;
#[cfg(feature = "nats")]
pub(crate) mod nats;
pub(crate) mod record;
pub(crate) mod store;
mod tally;
#[cfg(test)]
mod tests;
pub(crate) mod tool;
pub(crate) mod worker;

use crate::jobs::record::JobRecord;
use crate::metrics::Metrics;
use crate::status::Refusal;
use crate::telemetry::TraceContext;
use life::{Deed, Moment};
use runtime::Drain;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;
use store::{Changed, Created, Kept, Store, StoreError};
use stratagem_proto::v1 as pb;
use tokio::sync::{Notify, watch};
use wire::job::{Listing, Wanted, keep_us};
use wire::values::shown;

/// Jobs that are examined for one page of results: narrow filters get short pages, not slow ones.
const LOOKED_AT_MAX: usize = 10_000;
/// When a tenant that has all jobs that it may have should come back. It has to delete some, or
/// they have to expire.
const OWN_RETRY: Duration = Duration::from_secs(30);
/// How often it is looked for jobs that are late or to be forgotten.
const SWEEP_INTERVAL: Duration = Duration::from_secs(2);
/// Jobs that are read together while sweeping.
const SWEEP_PAGE: usize = 500;

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        tracing::error!("jobs: {error}");
        Self::JobsUnavailable(error.0)
    }
}

/// All jobs; clones share them.
#[derive(Clone)]
pub(crate) struct Jobs {
    store: Arc<dyn Store>,
    drain: Drain,
    /// Whose jobs can be seen here; `None`: all of them.
    tenant: Option<Arc<str>>,
    /// Jobs that this tenant may have.
    own_max: usize,
    /// Wakes the task that writes copies of the file.
    copying: Arc<Notify>,
    /// Whether acknowledged changes are seen to be on a disk: a `JobSync`.
    sync: Arc<AtomicI32>,
}

impl Jobs {
    /// Jobs that are kept there.
    pub(crate) fn new(store: Arc<dyn Store>, drain: Drain) -> Self {
        Self {
            store,
            drain,
            tenant: None,
            own_max: usize::MAX,
            copying: Arc::default(),
            sync: Arc::default(),
        }
    }

    /// Ready when somebody wants a copy of the file now.
    pub(crate) fn copying(&self) -> Arc<Notify> {
        Arc::clone(&self.copying)
    }

    /// The jobs of one tenant: there are no others for its calls.
    pub(crate) fn of_tenant(&self, tenant: &str) -> Self {
        Self {
            tenant: Some(tenant.into()),
            ..self.clone()
        }
    }

    /// The same, with at most this number of the tenant.
    pub(crate) fn at_most(self, own_max: Option<usize>) -> Self {
        Self {
            own_max: own_max.unwrap_or(usize::MAX),
            ..self
        }
    }

    /// Ids of requests are a tenant's own: others have the same ones. What comes before is no part
    /// of a name.
    fn prefix(&self) -> String {
        let tenant = self.tenant.as_ref();
        tenant.map_or_else(String::new, |tenant| format!("{tenant}/"))
    }

    fn owns(&self, job: &JobRecord) -> bool {
        let tenant = self.tenant.as_deref();
        tenant.is_none_or(|tenant| tenant == job.tenant)
    }

    /// A job as its tenant knows it.
    fn public(&self, job: JobRecord) -> pb::Job {
        let mut job = job.job;
        if let Some(own) = job.request_id.strip_prefix(&self.prefix()) {
            job.request_id = own.to_owned();
        }
        job
    }

    /// Accepts a job whose problem was checked; says whether it was there already.
    ///
    /// # Errors
    /// Its id stands for another one, or there are too many.
    pub(crate) async fn create(
        &self,
        mut wanted: Wanted,
        trace: Option<&TraceContext>,
    ) -> Result<(pb::Job, bool), Refusal> {
        let id = wanted.request.request_id.clone();
        if !id.is_empty() {
            wanted.request.request_id = self.prefix() + &id;
        }
        let mut job = life::create(&wanted, trace, Moment::now());
        job.tenant = self.tenant.as_deref().unwrap_or_default().into();
        let request = wanted.request.clone();
        match self.store.create(job, request, self.own_max).await? {
            Created::New(kept) => Ok((self.public(kept.job), false)),
            Created::Existed(kept, made_of) if *made_of == wanted.request => {
                Ok((self.public(kept.job), true))
            }
            Created::Existed(kept, _) => Err(Refusal::JobExists(format!(
                "request_id {} is that of job {}, which is about something else",
                shown(&id),
                kept.job.job_id
            ))),
            Created::Full => Err(Refusal::JobsFull),
            Created::TenantFull => Err(Refusal::Runtime(runtime::Refusal::Quota {
                tenant: self.tenant.as_deref().unwrap_or_default().into(),
                what: "jobs_max",
                retry_after: OWN_RETRY,
            })),
        }
    }

    /// A job with its response.
    ///
    /// # Errors
    /// There is none.
    pub(crate) async fn get(&self, id: &str) -> Result<pb::Job, Refusal> {
        let mut job = self.kept(id).await?.job;
        job.response = self.store.response(id).await?;
        Ok(self.public(job))
    }

    async fn kept(&self, id: &str) -> Result<Kept, Refusal> {
        let kept = self.store.get(id).await?;
        // What is to be forgotten is not there any more, whether it was swept or not; nor is what
        // belongs to others.
        let kept =
            kept.filter(|kept| !life::is_over(&kept.job, Moment::now()) && self.owns(&kept.job));
        kept.ok_or_else(|| Refusal::JobUnknown(format!("there is no job {}", shown(id))))
    }

    /// A page of jobs.
    ///
    /// # Errors
    /// The store does not answer.
    pub(crate) async fn list(&self, wanted: Listing) -> Result<pb::ListJobsResponse, Refusal> {
        let now = Moment::now();
        let mut found = Vec::new();
        let (mut before, mut looked_at) = (wanted.before, 0);
        loop {
            let jobs = self.store.before(before.as_deref(), wanted.size).await?;
            let is_last = jobs.len() < wanted.size;
            looked_at += jobs.len();
            for job in jobs {
                before = Some(job.job_id.clone());
                if wanted.filter.takes(&job) && self.owns(&job) && !life::is_over(&job, now) {
                    found.push(self.public(job));
                }
                if found.len() == wanted.size {
                    return Ok(Listing::answer(found, before));
                }
            }
            if is_last {
                return Ok(Listing::answer(found, None));
            }
            if looked_at >= LOOKED_AT_MAX {
                return Ok(Listing::answer(found, before));
            }
        }
    }

    /// Asks a job to end.
    ///
    /// # Errors
    /// There is none.
    pub(crate) async fn cancel(&self, id: &str) -> Result<pb::Job, Refusal> {
        self.kept(id).await?;
        let changed = self.change(id, |_| Some(Deed::Cancel)).await?;
        match changed {
            Some(job) => Ok(self.public(job)),
            None => Ok(self.public(self.kept(id).await?.job)),
        }
    }

    /// Forgets a job that has ended.
    ///
    /// # Errors
    /// There is none, or it has not.
    pub(crate) async fn delete(&self, id: &str) -> Result<(), Refusal> {
        loop {
            let kept = self.kept(id).await?;
            if !life::has_ended(&kept.job) {
                let why = format!("job {} has not ended; cancel it first", shown(id));
                return Err(Refusal::JobRunning(why));
            }
            if self.store.delete(&kept).await? != Changed::Overtaken {
                return Ok(());
            }
        }
    }

    /// The next events of a job after this one, at least one; none when nothing follows.
    ///
    /// # Errors
    /// There is no such job, or the server shuts down.
    pub(crate) async fn events(&self, id: &str, after: i64) -> Result<Vec<pb::JobEvent>, Refusal> {
        loop {
            let kept = self.kept(id).await?;
            if kept.job.sequence > after {
                return Ok(self.store.events(id, after).await?);
            }
            if life::has_ended(&kept.job) {
                return Ok(Vec::new());
            }
            // Not only what the caller has not seen: it may end before it comes to that.
            tokio::select! {
                biased;
                () = self.drain.begun() => return Err(runtime::Refusal::Draining.into()),
                () = self.store.changed(id, kept.job.sequence) => {}
            }
        }
    }

    /// Applies to a job what `deed` returns for its newest state; `None` when it returns nothing,
    /// or when nothing changes.
    async fn change(
        &self,
        id: &str,
        deed: impl Fn(&JobRecord) -> Option<Deed> + Send + Sync,
    ) -> Result<Option<JobRecord>, StoreError> {
        loop {
            let Some(Kept { job, revision }) = self.store.get(id).await? else {
                return Ok(None);
            };
            let Some(deed) = deed(&job) else {
                return Ok(None);
            };
            let Some((mut job, event)) = life::after(job, deed) else {
                return Ok(None);
            };
            if life::has_ended(&job) {
                let request = self.store.request(id).await?;
                life::keep(&mut job, keep_us(&request.unwrap_or_default()));
            }
            match self.store.put(Kept { job, revision }, event).await? {
                Changed::Done(kept) => return Ok(Some(kept.job)),
                Changed::Overtaken => {}
            }
        }
    }

    /// Ends what is late and forgets what is over, again and again.
    pub(crate) async fn sweep_for_ever(self, metrics: Metrics) {
        let up = self.store.up();
        loop {
            tokio::time::sleep(SWEEP_INTERVAL).await;
            if !*up.borrow() {
                continue;
            }
            let counted = match self.sweep().await {
                Ok(()) => self.store.count().await,
                Err(error) => Err(error),
            };
            match counted {
                Ok(counted) => {
                    let sync = if counted.is_synced {
                        pb::JobSync::Always
                    } else {
                        pb::JobSync::NotSeen
                    };
                    self.sync.store(sync.into(), Ordering::Relaxed);
                    metrics.jobs(&counted);
                }
                Err(error) => tracing::error!(%error, "job sweep failed"),
            }
        }
    }

    /// Whether acknowledged changes are seen to be on a disk; not known in the first seconds.
    pub(crate) fn sync(&self) -> pb::JobSync {
        let sync = self.sync.load(Ordering::Relaxed);
        sync.try_into().unwrap_or_default()
    }

    /// Whether the place that keeps jobs answers, and each change of that.
    pub(crate) fn up(&self) -> watch::Receiver<bool> {
        self.store.up()
    }

    /// Looks once at the jobs about which something is to be done by now.
    async fn sweep(&self) -> Result<(), StoreError> {
        loop {
            let jobs = self.store.due(Moment::now(), SWEEP_PAGE).await?;
            for job in &jobs {
                if job.state() == pb::JobState::Queued {
                    let late = |job: &JobRecord| {
                        let waits = job.state() == pb::JobState::Queued;
                        waits.then_some(Deed::Expire)
                    };
                    self.change(&job.job_id, late).await?;
                } else if let Some(kept) = self.store.get(&job.job_id).await? {
                    // The faster one has done the same.
                    self.store.delete(&kept).await?;
                }
            }
            if jobs.len() < SWEEP_PAGE {
                return Ok(());
            }
        }
    }
}
