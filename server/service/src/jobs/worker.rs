//! Workers, which take jobs up and follow their searches.

mod follower;

pub(crate) use follower::Follower;

use super::Jobs;
use super::life::{self, Deed, Moment};
use super::store::{Kept, StoreError, Turn};
use crate::jobs::record::JobRecord;
use crate::rpc::Parts;
use crate::rpc::jobs::{Ended, Task, search};
use crate::status::Refusal;
use crate::telemetry::{self, TraceContext, set};
use runtime::attributes::Value;
use std::sync::Arc;
use std::time::{Duration, Instant};
use stratagem_proto::v1 as pb;
use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinHandle;
use tokio::time::sleep;
use tracing::{Instrument as _, Span};
use wire::job::threads;

/// After an error of the store.
const PAUSE: Duration = Duration::from_secs(1);

/// Those who work. Dropping it stops them at once, as a crash would.
pub(crate) struct Workers(Vec<JoinHandle<()>>);

impl Workers {
    /// One for each slot.
    pub(crate) fn start(jobs: &Jobs, parts: &Parts) -> Self {
        let slots = parts.runner.admission.slots();
        let (free, picking) = (Arc::new(Semaphore::new(slots)), Arc::default());
        let worker = || Worker {
            jobs: jobs.clone(),
            parts: parts.clone(),
            free: Arc::clone(&free),
            picking: Arc::clone(&picking),
            server: server(),
        };
        let mut all: Vec<_> = (0..slots)
            .map(|_| tokio::spawn(worker().work_for_ever()))
            .collect();
        all.push(tokio::spawn(
            jobs.clone().sweep_for_ever(parts.metrics.clone()),
        ));
        Self(all)
    }

    /// Waits until all have given back what they had: the server is shutting down.
    pub(crate) async fn end(mut self) {
        // The last one sweeps without end.
        if let Some(sweeper) = self.0.pop() {
            sweeper.abort();
        }
        for worker in &mut self.0 {
            // Fails when it panicked, and then it has ended.
            let _ = worker.await;
        }
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        for worker in &self.0 {
            worker.abort();
        }
    }
}

/// What this server is called: host name and process.
pub(crate) fn server() -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname");
    let host = host.map_or_else(|_| "unknown".into(), |host| host.trim().to_owned());
    format!("{host}/{}", std::process::id())
}

/// The span of an attempt, in the trace of the call that created the job.
fn span(job: &JobRecord) -> Span {
    let (job_id, planner) = (&job.job_id, &job.planner);
    let span = tracing::error_span!("job", otel.kind = "consumer", job = job_id, planner);
    set(
        &span,
        "stratagem.attempt",
        Value::Whole(job.attempts.into()),
    );
    let from = TraceContext::read(&job.traceparent, &job.tracestate);
    telemetry::begin(&span, &job_id.as_str().into(), from);
    span
}

struct Worker {
    jobs: Jobs,
    parts: Parts,
    /// Slots for jobs.
    free: Arc<Semaphore>,
    /// Held while a job is picked.
    picking: Arc<Mutex<()>>,
    server: String,
}

/// A job, and all that is needed to begin with it.
struct Picked {
    turn: Box<dyn Turn>,
    request: pb::CreateJobRequest,
    _slots: OwnedSemaphorePermit,
}

impl Worker {
    async fn work_for_ever(self) {
        let drain = self.parts.runner.drain.clone();
        loop {
            let picked = tokio::select! {
                biased;
                () = drain.begun() => return,
                picked = self.pick() => picked,
            };
            let worked = match picked {
                Ok(Some(picked)) => self.work(picked).await,
                Ok(None) => Ok(()),
                Err(error) => Err(error),
            };
            if let Err(error) = worked {
                tracing::error!("jobs: {error}");
                sleep(PAUSE).await;
            }
        }
    }

    /// The next job, once there are slots for it; until then it waits as before. `None` when it has
    /// ended meanwhile.
    ///
    /// One worker picks at a time: it holds back no more than one job, which comes first here
    /// anyway.
    async fn pick(&self) -> Result<Option<Picked>, StoreError> {
        let _alone = self.picking.lock().await;
        // While no slot is free, jobs are left to others.
        drop(self.free.acquire().await);
        let mut turn = self.jobs.store.next().await?;
        let Some(mut request) = self.jobs.store.request(turn.id()).await? else {
            // It was deleted, or what it was made of is not there.
            turn.done().await;
            return Ok(None);
        };
        let most = self.parts.runner.admission.slots();
        let threads = threads(&mut request).clamp(1, most);
        // At most 1,024.
        let threads = u32::try_from(threads).unwrap_or(1);
        turn.takes(threads);
        let slots = tokio::select! {
            biased;
            slots = Arc::clone(&self.free).acquire_many_owned(threads) => slots,
            () = self.waits_no_more(turn.id()) => {
                turn.done().await;
                return Ok(None);
            }
        };
        Ok(Some(Picked {
            turn,
            request,
            _slots: slots.map_err(StoreError::new)?,
        }))
    }

    /// Waits until a job that waits is cancelled or late.
    async fn waits_no_more(&self, id: &str) {
        loop {
            // What cannot be read now is looked at again.
            match self.jobs.store.get(id).await {
                Ok(Some(Kept { job, .. })) if job.state() == pb::JobState::Queued => {
                    self.jobs.store.changed(id, job.sequence).await;
                }
                Ok(_) => return,
                Err(_) => sleep(PAUSE).await,
            }
        }
    }

    /// Works on a job until it has ended, or is given back.
    async fn work(&self, picked: Picked) -> Result<(), StoreError> {
        let turn = picked.turn;
        let now = Moment::now();
        let begin = |job: &JobRecord| match job.state() {
            _ if life::is_late(job, now) => Some(Deed::Expire),
            pb::JobState::Queued => Some(Deed::Take {
                server: self.server.clone(),
            }),
            _ => None,
        };
        let job = self.jobs.change(turn.id(), begin).await?;
        let Some(job) = job.filter(|job| !life::has_ended(job)) else {
            turn.done().await;
            return Ok(());
        };
        let mut follower = Follower {
            jobs: self.jobs.clone(),
            turn,
            reported_at: Instant::now(),
            began: Instant::now(),
            metrics: self.parts.metrics.clone(),
            job,
        };
        let span = span(&follower.job);
        let searched = async {
            let ended = self.search(picked.request, &mut follower).await;
            follower.end(ended).await;
        };
        searched.instrument(span).await;
        Ok(())
    }

    async fn search(&self, request: pb::CreateJobRequest, follower: &mut Follower) -> Ended {
        let found = match self.jobs.store.response(&follower.job.job_id).await {
            Ok(found) => found,
            // A disk that does not answer now is no fault of the job.
            Err(error) => {
                tracing::error!(job = follower.job.job_id, "reading a response: {error}");
                return Ended::Drained;
            }
        };
        let deadline = follower.job.deadline_time.as_ref().map(Moment::from_stamp);
        let task = Task {
            id: follower.job.job_id.clone(),
            tenant: follower.job.tenant.clone(),
            found,
            searched: follower.searched_before(),
            left: deadline.map(|deadline| Moment::now().until(deadline)),
        };
        search(&self.parts, request, task, follower).await
    }
}

/// The result where no caller waits for it.
impl From<Refusal> for Ended {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            // A search that has not noticed yet that it is over still has its slot: another turn,
            // another chance.
            Refusal::Runtime(
                runtime::Refusal::Draining
                | runtime::Refusal::NoSlot { .. }
                | runtime::Refusal::QueueFull { .. },
            ) => Self::Drained,
            refusal => Self::Refused(refusal),
        }
    }
}
