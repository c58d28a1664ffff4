//! What a job goes through. Pure: a job and an event in, what both become out.

#[cfg(test)]
mod tests;

use crate::jobs::record::JobRecord;
use crate::telemetry::TraceContext;
use prost_types::Timestamp;
use std::hash::{BuildHasher as _, RandomState};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use stratagem_proto::v1 as pb;
use wire::job::Wanted;

/// How often in a row a server may be lost shortly after it took a job up: such a job takes servers
/// with it.
pub(crate) const BRIEF_MAX: i32 = 5;
/// How often a server may be lost with a job at all.
pub(crate) const LOST_MAX: i32 = 100;
/// An attempt that lasted as long does not count against its job any more, whatever becomes of its
/// server.
pub(crate) const BRIEF: Duration = Duration::from_secs(60);

/// A moment on the calendar, in microseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Moment(pub i64);

impl Moment {
    /// The present.
    pub(crate) fn now() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let micros = since.map_or(0, |since| since.as_micros());
        Self(i64::try_from(micros).unwrap_or(i64::MAX))
    }

    /// For the wire.
    pub(crate) fn stamp(self) -> Timestamp {
        Timestamp {
            seconds: self.0.div_euclid(1_000_000),
            // Below 10^9.
            nanos: (self.0.rem_euclid(1_000_000) * 1_000) as i32,
        }
    }

    /// From the wire; what we wrote is exact.
    pub(crate) fn from_stamp(stamp: &Timestamp) -> Self {
        let micros = stamp.seconds.saturating_mul(1_000_000);
        Self(micros.saturating_add(i64::from(stamp.nanos) / 1_000))
    }

    fn after(self, micros: i64) -> Self {
        Self(self.0.saturating_add(micros))
    }

    /// How long it is until another moment; zero when that is over.
    pub(crate) fn until(self, other: Self) -> Duration {
        let micros = other.0.saturating_sub(self.0);
        Duration::from_micros(u64::try_from(micros).unwrap_or(0))
    }
}

/// A new job, at this moment.
pub(crate) fn create(wanted: &Wanted, trace: Option<&TraceContext>, now: Moment) -> JobRecord {
    let Wanted {
        request,
        kind,
        deadline_us,
    } = wanted;
    let priority = match kind.priority {
        pb::Priority::Unspecified => pb::Priority::Low,
        priority => priority,
    };
    let job = pb::Job {
        job_id: id(now),
        request_id: request.request_id.clone(),
        state: pb::JobState::Queued.into(),
        planner: kind.planner.into(),
        method: kind.method.into(),
        labels: request.labels.clone(),
        priority: priority.into(),
        create_time: Some(now.stamp()),
        deadline_time: deadline_us.map(|micros| now.after(micros).stamp()),
        sequence: 1,
        ..pb::Job::default()
    };
    JobRecord {
        job,
        traceparent: trace.map_or_else(String::new, ToString::to_string),
        tracestate: trace.map_or_else(String::new, TraceContext::state),
        ..JobRecord::default()
    }
}

/// When it was made, and a random part: sorted they are in the order of time.
fn id(now: Moment) -> String {
    let random = RandomState::new().hash_one(now.0);
    format!("{:013x}-{:08x}", now.0, random & 0xffff_ffff)
}

/// The event that a state without more is.
pub(crate) fn event(job: &JobRecord, now: Moment) -> pb::JobEvent {
    pb::JobEvent {
        sequence: job.sequence,
        state: job.state,
        attempt: job.attempts,
        time: Some(now.stamp()),
        ..pb::JobEvent::default()
    }
}

/// All states that jobs have.
pub(crate) const STATES: [pb::JobState; 6] = [
    pb::JobState::Queued,
    pb::JobState::Running,
    pb::JobState::Succeeded,
    pb::JobState::Failed,
    pb::JobState::Cancelled,
    pb::JobState::Expired,
];

/// The name of a state, as in metrics.
pub(crate) fn name(state: pb::JobState) -> &'static str {
    let name = state.as_str_name();
    name.strip_prefix("JOB_STATE_").unwrap_or(name)
}

/// Whether nothing follows.
pub(crate) fn has_ended(job: &JobRecord) -> bool {
    !matches!(job.state(), pb::JobState::Queued | pb::JobState::Running)
}

/// Whether it may not begin any more.
pub(crate) fn is_late(job: &JobRecord, now: Moment) -> bool {
    let deadline = job.deadline_time.as_ref().map(Moment::from_stamp);
    !has_ended(job) && deadline.is_some_and(|deadline| deadline <= now)
}

/// Whether it is to be forgotten.
pub(crate) fn is_over(job: &JobRecord, now: Moment) -> bool {
    let expire = job.expire_time.as_ref().map(Moment::from_stamp);
    expire.is_some_and(|expire| expire <= now)
}

/// When something is to be done about a job without anybody asking for it: it expires while it
/// waits, or is forgotten.
pub(crate) fn due(job: &JobRecord) -> Option<Moment> {
    let at = match job.state() {
        pb::JobState::Queued => job.deadline_time.as_ref(),
        // Its search knows its deadline.
        pb::JobState::Running => None,
        _ => job.expire_time.as_ref(),
    };
    at.map(Moment::from_stamp)
}

/// A step of a search.
pub(crate) struct Step {
    /// The step.
    pub progress: pb::SolveEvent,
    /// A response with a better plan.
    pub response: Option<pb::JobResponse>,
    /// Length of the search, all attempts together.
    pub searched: Duration,
    /// Whether this attempt has lasted for [`BRIEF`].
    pub has_lasted: bool,
}

/// What happens to a job.
pub(crate) enum Deed {
    /// A server takes it up.
    Take {
        /// Its name.
        server: String,
    },
    /// Its search goes on.
    Step(Box<Step>),
    /// Somebody asks it to end.
    Cancel,
    /// The server that had it is gone.
    Lose,
    /// The server that has it shuts down.
    GiveBack,
    /// It has an answer.
    Answer {
        /// The answer.
        answer: Box<pb::JobResponse>,
        /// Length of the search, all attempts together.
        searched: Duration,
    },
    /// It cannot be done.
    Fail(pb::JobError),
    /// Its deadline has come.
    Expire,
}

/// Sets when a job that has ended is to be forgotten: this number of microseconds after its end.
pub(crate) fn keep(job: &mut JobRecord, keep_us: i64) {
    let end = job.end_time.as_ref().map(Moment::from_stamp);
    job.expire_time = end.map(|end| end.after(keep_us).stamp());
}

/// What a job becomes, and the event that it is; `None` where the deed changes nothing. One that
/// ends by it still has to be [`keep`]t.
pub(crate) fn after(mut job: JobRecord, deed: Deed) -> Option<(JobRecord, pb::JobEvent)> {
    if has_ended(&job) || matches!(deed, Deed::Cancel) && job.cancel_requested {
        return None;
    }
    let now = Moment::now();
    let found = change(&mut job, deed, now);
    job.sequence += 1;
    if has_ended(&job) {
        job.end_time = Some(now.stamp());
    }
    let event = pb::JobEvent {
        progress: found.progress,
        response: found.response,
        error: job.error.clone(),
        ..event(&job, now)
    };
    Some((job, event))
}

/// What a deed brings beside a new state.
#[derive(Default)]
struct Brought {
    progress: Option<pb::SolveEvent>,
    response: Option<pb::JobResponse>,
}

fn change(job: &mut JobRecord, deed: Deed, now: Moment) -> Brought {
    use pb::JobState as State;
    let mut brought = Brought::default();
    match deed {
        Deed::Take { server } => {
            job.set_state(State::Running);
            job.attempts += 1;
            job.brief_attempts += 1;
            job.server = server;
            job.start_time.get_or_insert_with(|| now.stamp());
        }
        Deed::Step(step) => {
            let Step {
                progress,
                response,
                searched,
                has_lasted,
            } = *step;
            if has_lasted {
                job.brief_attempts = 0;
            }
            job.progress = Some(progress.clone());
            job.search_duration = prost_types::Duration::try_from(searched).ok();
            brought.progress = Some(progress);
            brought.response = response;
        }
        Deed::Cancel => {
            job.cancel_requested = true;
            // Nobody has it: it ends at once.
            if job.state() == State::Queued {
                job.set_state(State::Cancelled);
            }
        }
        Deed::Lose => lose(job),
        Deed::GiveBack if job.cancel_requested => job.set_state(State::Cancelled),
        Deed::GiveBack => {
            job.brief_attempts = (job.brief_attempts - 1).max(0);
            job.set_state(State::Queued);
        }
        Deed::Answer { answer, searched } => {
            let state = if job.cancel_requested {
                State::Cancelled
            } else {
                State::Succeeded
            };
            job.set_state(state);
            job.search_duration = prost_types::Duration::try_from(searched).ok();
            brought.response = Some(*answer);
        }
        Deed::Fail(error) => {
            job.set_state(State::Failed);
            job.error = Some(error);
        }
        Deed::Expire => job.set_state(State::Expired),
    }
    brought
}

/// The server that had the job is gone.
fn lose(job: &mut JobRecord) {
    job.lost_count += 1;
    let why = match (job.brief_attempts, job.lost_count) {
        (BRIEF_MAX.., _) => Some(format!(
            "{BRIEF_MAX} servers in a row were lost within {} s after they took it up",
            BRIEF.as_secs()
        )),
        (_, LOST_MAX..) => Some(format!("{LOST_MAX} servers were lost while they had it")),
        _ => None,
    };
    match why {
        _ if job.cancel_requested => job.set_state(pb::JobState::Cancelled),
        None => job.set_state(pb::JobState::Queued),
        Some(message) => {
            job.set_state(pb::JobState::Failed);
            job.error = Some(pb::JobError {
                reason: "JOB_LOST".into(),
                message,
            });
        }
    }
}
