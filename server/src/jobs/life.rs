//! What a job goes through. Pure: a job and an event in, what both become out.

use crate::wire::job::Wanted;
use prost_types::Timestamp;
use std::hash::{BuildHasher as _, RandomState};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use stratagem_proto::v1 as pb;

/// How often a server may be lost with a job: whatever takes a server with it every time is not tried for ever.
pub(crate) const LOST_MAX: i32 = 5;

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
    pub(crate) fn of(stamp: &Timestamp) -> Self {
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

/// A new job: of this planner, at this moment.
pub(crate) fn create(wanted: &Wanted, planner: &str, now: Moment) -> pb::Job {
    let options = wanted.request.options.clone().unwrap_or_default();
    let priority = match options.priority() {
        pb::Priority::Unspecified => pb::Priority::Low,
        priority => priority,
    };
    let trace = wanted.trace.as_ref();
    pb::Job {
        job_id: id(now),
        request_id: wanted.request.request_id.clone(),
        state: pb::JobState::Queued.into(),
        planner: planner.to_owned(),
        labels: wanted.request.labels.clone(),
        priority: priority.into(),
        create_time: Some(now.stamp()),
        deadline_time: wanted.deadline_us.map(|micros| now.after(micros).stamp()),
        sequence: 1,
        traceparent: trace.map_or_else(String::new, ToString::to_string),
        tracestate: trace.map_or_else(String::new, |trace| trace.state.clone()),
        ..pb::Job::default()
    }
}

/// When it was made, and luck: sorted they are in the order of time.
fn id(now: Moment) -> String {
    let luck = RandomState::new().hash_one(now.0);
    format!("{:013x}-{:08x}", now.0, luck & 0xffff_ffff)
}

/// The event that a state without more is.
pub(crate) fn event(job: &pb::Job, now: Moment) -> pb::JobEvent {
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
pub(crate) fn has_ended(job: &pb::Job) -> bool {
    !matches!(job.state(), pb::JobState::Queued | pb::JobState::Running)
}

/// Whether it may not begin any more.
pub(crate) fn is_late(job: &pb::Job, now: Moment) -> bool {
    let deadline = job.deadline_time.as_ref().map(Moment::of);
    !has_ended(job) && deadline.is_some_and(|deadline| deadline <= now)
}

/// Whether it is to be forgotten.
pub(crate) fn is_over(job: &pb::Job, now: Moment) -> bool {
    let expire = job.expire_time.as_ref().map(Moment::of);
    expire.is_some_and(|expire| expire <= now)
}

/// When something is to be done about a job without anybody asking for it: it expires while it waits, or is forgotten.
pub(crate) fn due(job: &pb::Job) -> Option<Moment> {
    let at = match job.state() {
        pb::JobState::Queued => job.deadline_time.as_ref(),
        // Its search knows its deadline.
        pb::JobState::Running => None,
        _ => job.expire_time.as_ref(),
    };
    at.map(Moment::of)
}

/// A step of a search.
pub(crate) struct Step {
    /// The step.
    pub progress: pb::SolveEvent,
    /// A better plan.
    pub plan: Option<pb::Plan>,
    /// Length of the search, all attempts together.
    pub searched: Duration,
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
        answer: Box<pb::JobAnswer>,
        /// Length of the search, all attempts together.
        searched: Duration,
    },
    /// It cannot be done.
    Fail(pb::JobError),
    /// Its deadline has come.
    Expire,
}

/// Sets when a job that has ended is to be forgotten: so many microseconds after its end.
pub(crate) fn keep(job: &mut pb::Job, keep_us: i64) {
    let end = job.end_time.as_ref().map(Moment::of);
    job.expire_time = end.map(|end| end.after(keep_us).stamp());
}

/// What a job becomes, and the event that it is; `None` where the deed changes nothing. One that ends by it still has to be [`keep`]t.
pub(crate) fn after(mut job: pb::Job, deed: Deed) -> Option<(pb::Job, pb::JobEvent)> {
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
        plan: found.plan,
        answer: found.answer,
        error: job.error.clone(),
        ..event(&job, now)
    };
    Some((job, event))
}

/// What a deed brings beside a new state.
#[derive(Default)]
struct Brought {
    progress: Option<pb::SolveEvent>,
    plan: Option<pb::Plan>,
    answer: Option<pb::JobAnswer>,
}

fn change(job: &mut pb::Job, deed: Deed, now: Moment) -> Brought {
    use pb::JobState as State;
    let mut brought = Brought::default();
    match deed {
        Deed::Take { server } => {
            job.set_state(State::Running);
            job.attempts += 1;
            job.server = server;
            job.start_time.get_or_insert_with(|| now.stamp());
        }
        Deed::Step(step) => {
            let Step {
                progress,
                plan,
                searched,
            } = *step;
            job.progress = Some(progress.clone());
            job.search_duration = prost_types::Duration::try_from(searched).ok();
            brought.progress = Some(progress);
            brought.plan = plan;
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
        Deed::GiveBack => job.set_state(State::Queued),
        Deed::Answer { answer, searched } => {
            job.set_state(match job.cancel_requested {
                true => State::Cancelled,
                false => State::Succeeded,
            });
            job.search_duration = prost_types::Duration::try_from(searched).ok();
            brought.answer = Some(*answer);
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
fn lose(job: &mut pb::Job) {
    job.lost_count += 1;
    if job.cancel_requested {
        job.set_state(pb::JobState::Cancelled);
    } else if job.lost_count >= LOST_MAX {
        job.set_state(pb::JobState::Failed);
        job.error = Some(pb::JobError {
            reason: "JOB_LOST".into(),
            message: format!("{LOST_MAX} servers were lost while they had it"),
        });
    } else {
        job.set_state(pb::JobState::Queued);
    }
}

#[cfg(test)]
mod tests {
    use super::{Deed, LOST_MAX, Moment, after, create, has_ended, is_late, is_over, keep};
    use crate::wire::job::Wanted;
    use std::time::Duration;
    use stratagem_proto::v1::{self as pb, JobState as State};

    const KEEP_US: i64 = 5_000_000;

    fn new() -> pb::Job {
        let wanted = Wanted {
            request: pb::CreateJobRequest::default(),
            deadline_us: Some(1_000_000),
            trace: None,
        };
        create(&wanted, "allocation", Moment(7_000_000))
    }

    fn take() -> Deed {
        Deed::Take { server: "a".into() }
    }

    fn answer() -> Deed {
        Deed::Answer {
            answer: Box::default(),
            searched: Duration::from_secs(1),
        }
    }

    fn become_of(deeds: Vec<Deed>) -> pb::Job {
        let mut job = new();
        for deed in deeds {
            if let Some((mut next, event)) = after(job.clone(), deed) {
                if has_ended(&next) {
                    keep(&mut next, KEEP_US);
                }
                assert_eq!(event.sequence, job.sequence + 1);
                assert_eq!((event.state, event.attempt), (next.state, next.attempts));
                job = next;
            }
        }
        job
    }

    #[test]
    fn a_job_is_taken_answered_and_kept_for_a_while() {
        let job = become_of(vec![take(), answer()]);
        assert_eq!((job.state(), job.attempts), (State::Succeeded, 1));
        let end = Moment::of(job.end_time.as_ref().unwrap());
        assert!(!is_over(&job, end));
        assert!(is_over(&job, Moment(end.0 + KEEP_US)));
    }

    #[test]
    fn who_cancels_a_job_that_waits_ends_it_and_one_that_runs_keeps_what_it_has() {
        assert_eq!(become_of(vec![Deed::Cancel]).state(), State::Cancelled);
        let running = become_of(vec![take(), Deed::Cancel]);
        assert_eq!(
            (running.state(), running.cancel_requested),
            (State::Running, true)
        );
        let ended = become_of(vec![take(), Deed::Cancel, Deed::Cancel, answer()]);
        assert_eq!((ended.state(), ended.sequence), (State::Cancelled, 4));
        for gone in [Deed::Lose, Deed::GiveBack] {
            let job = become_of(vec![take(), Deed::Cancel, gone]);
            assert_eq!(job.state(), State::Cancelled);
        }
    }

    #[test]
    fn what_has_ended_does_not_change_any_more() {
        let ended = become_of(vec![take(), answer()]);
        for deed in [take(), Deed::Cancel, Deed::Lose, Deed::Expire, answer()] {
            assert!(after(ended.clone(), deed).is_none());
        }
    }

    #[test]
    fn a_job_that_takes_servers_with_it_fails_and_one_that_is_given_back_does_not() {
        let many = |deed: fn() -> Deed| {
            let deeds = (0..LOST_MAX).flat_map(|_| [take(), deed()]);
            become_of(deeds.collect())
        };
        let lost = many(|| Deed::Lose);
        assert_eq!((lost.state(), lost.attempts), (State::Failed, LOST_MAX));
        assert_eq!(lost.error.unwrap().reason, "JOB_LOST");
        let given_back = many(|| Deed::GiveBack);
        assert_eq!(given_back.state(), State::Queued);
        assert_eq!(become_of(vec![take(), Deed::Lose]).state(), State::Queued);
    }

    #[test]
    fn deadlines_are_counted_from_the_beginning() {
        assert!(!is_late(&new(), Moment(7_999_999)));
        assert!(is_late(&new(), Moment(8_000_000)));
        let ended = become_of(vec![take(), answer()]);
        assert!(!is_late(&ended, Moment(8_000_000)));
    }

    #[test]
    fn ids_are_in_the_order_of_time() {
        let id = |at| create_at(at).job_id;
        assert!(id(1) < id(2));
        assert_ne!(id(1), id(1));
    }

    fn create_at(at: i64) -> pb::Job {
        let wanted = Wanted {
            request: pb::CreateJobRequest::default(),
            deadline_us: None,
            trace: None,
        };
        create(&wanted, "crew", Moment(at))
    }
}
