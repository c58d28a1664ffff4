//! Where jobs are kept: what any such place has to do.

use super::life::Moment;
use crate::jobs::record::JobRecord;
use std::collections::BTreeMap;
use std::sync::Arc;
use stratagem_proto::v1 as pb;
use tokio::sync::watch;

/// A job as it is kept, without its response, and which state of it this is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Kept {
    /// The job.
    pub job: JobRecord,
    /// Changes with every change.
    pub revision: u64,
}

/// What came of keeping a new job.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Created {
    /// It is kept.
    New(Box<Kept>),
    /// One with the same `request_id` is there, made by this request.
    Existed(Box<Kept>, Box<pb::CreateJobRequest>),
    /// There are too many.
    Full,
    /// Its tenant has as many as it may have.
    TenantFull,
}

/// What came of a change.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Changed {
    /// It is kept.
    Done(Box<Kept>),
    /// Somebody else was faster, or the job is gone: nothing has changed.
    Overtaken,
}

/// Why a place does not do what it has to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct StoreError(pub String);

impl StoreError {
    /// From whatever went wrong.
    pub(crate) fn new(error: impl std::fmt::Display) -> Self {
        Self(error.to_string())
    }
}

/// How many jobs a place has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Counted {
    /// By the names of states.
    pub by_state: BTreeMap<&'static str, usize>,
    /// Records that could not be decoded.
    pub corrupt: u64,
    /// Whether what is acknowledged is seen to be on a disk.
    pub is_synced: bool,
}

/// The part of a tenant in what others want, too.
pub(crate) type Weights = Arc<dyn Fn(&str) -> f64 + Send + Sync>;

/// The result of whatever a place does.
pub(crate) type Stored<T> = Result<T, StoreError>;

/// A place for jobs.
///
/// All changes of a job go through [`put`](Self::put), which takes only one that was made from the
/// newest state: a process that has lost a job cannot change it any more. What is stored survives
/// the process.
#[tonic::async_trait]
pub(crate) trait Store: Send + Sync + 'static {
    /// Stores a new job, unless its tenant has `own_max` already, and wakes those that wait for a
    /// turn.
    async fn create(
        &self,
        job: JobRecord,
        request: pb::CreateJobRequest,
        own_max: usize,
    ) -> Stored<Created>;

    /// A job, if there is one.
    async fn get(&self, id: &str) -> Stored<Option<Kept>>;

    /// What the job was made of.
    async fn request(&self, id: &str) -> Stored<Option<pb::CreateJobRequest>>;

    /// Its response: the best plan so far, or all of it.
    async fn response(&self, id: &str) -> Stored<Option<pb::JobResponse>>;

    /// Keeps what a job has become by this event, which has the job's sequence number, and the
    /// response in it.
    async fn put(&self, kept: Kept, event: pb::JobEvent) -> Stored<Changed>;

    /// Forgets a job.
    async fn delete(&self, kept: &Kept) -> Stored<Changed>;

    /// At most this number of jobs before this id, the newest first.
    async fn before(&self, id: Option<&str>, count: usize) -> Stored<Vec<JobRecord>>;

    /// The events of a job after this one, in order; the last one is always there.
    async fn events(&self, id: &str, after: i64) -> Stored<Vec<pb::JobEvent>>;

    /// Waits until the job has an event after this one, or is gone.
    async fn changed(&self, id: &str, after: i64);

    /// At most `count` jobs that are due by now, the most overdue first: see [`life::due`].
    ///
    /// [`life::due`]: super::life::due
    async fn due(&self, now: Moment, count: usize) -> Stored<Vec<JobRecord>>;

    /// How many jobs there are, as far as is known without looking at them.
    async fn count(&self) -> Stored<Counted>;

    /// Whether it answers, as far as is known without asking, and each change of that.
    fn up(&self) -> watch::Receiver<bool>;

    /// Waits for the turn of the most urgent job. Nobody else gets it while the turn is held.
    async fn next(&self) -> Stored<Box<dyn Turn>>;
}

/// The right to work on a job, as long as the process that holds it lives. A drop gives the job
/// back.
#[tonic::async_trait]
pub(crate) trait Turn: Send + Sync {
    /// Which job.
    fn id(&self) -> &str;

    /// Number of slots that it takes, for sharing them out.
    fn takes(&mut self, _slots: u32) {}

    /// The job has ended.
    async fn done(self: Box<Self>);

    /// Gives the job back, so that somebody else has its turn at once.
    async fn back(self: Box<Self>);

    /// Somebody else has the job, or it has ended without us: nothing is to be reported about it.
    async fn lost(self: Box<Self>);
}
