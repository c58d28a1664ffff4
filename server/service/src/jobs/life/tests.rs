//! The life of a job, deed by deed.

use super::{
    BRIEF_MAX, Deed, LOST_MAX, Moment, Step, after, create, has_ended, is_late, is_over, keep,
};
use crate::jobs::record::JobRecord;
use std::time::Duration;
use stratagem_proto::v1::{self as pb, JobState as State};
use wire::job::{JobKind, Wanted};

const KEEP_US: i64 = 5_000_000;

fn new() -> JobRecord {
    create_at(7_000_000, Some(1_000_000))
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

fn become_of(deeds: Vec<Deed>) -> JobRecord {
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
    let end = Moment::from_stamp(job.end_time.as_ref().unwrap());
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

fn lasts() -> Deed {
    Deed::Step(Box::new(Step {
        progress: pb::SolveEvent::default(),
        response: None,
        searched: Duration::from_secs(60),
        has_lasted: true,
    }))
}

#[test]
fn a_job_that_takes_servers_with_it_fails_and_one_that_is_given_back_does_not() {
    let many = |count: i32, deeds: &dyn Fn() -> Vec<Deed>| {
        become_of((0..count).flat_map(|_| deeds()).collect())
    };
    let lost = many(BRIEF_MAX, &|| vec![take(), Deed::Lose]);
    assert_eq!((lost.state(), lost.attempts), (State::Failed, BRIEF_MAX));
    assert_eq!(lost.job.error.unwrap().reason, "JOB_LOST");
    let given_back = many(2 * BRIEF_MAX, &|| vec![take(), Deed::GiveBack]);
    assert_eq!(given_back.state(), State::Queued);
    assert_eq!(become_of(vec![take(), Deed::Lose]).state(), State::Queued);
}

#[test]
fn servers_that_are_lost_during_a_long_job_do_not_fail_it() {
    let restarts = |count: i32| (0..count).flat_map(|_| [take(), lasts(), Deed::Lose]);
    let job = become_of(restarts(LOST_MAX - 1).collect());
    assert_eq!((job.state(), job.lost_count), (State::Queued, LOST_MAX - 1));
    let job = become_of(restarts(LOST_MAX).collect());
    assert_eq!(job.state(), State::Failed, "nothing is tried without end");
    let brief = || (1..BRIEF_MAX).flat_map(|_| [take(), Deed::Lose]);
    let mixed = brief().chain(restarts(1)).chain(brief());
    assert_eq!(become_of(mixed.collect()).state(), State::Queued);
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
    let id = |at| create_at(at, None).job_id.clone();
    assert!(id(1) < id(2));
    assert_ne!(id(1), id(1));
}

fn create_at(at: i64, deadline_us: Option<i64>) -> JobRecord {
    let wanted = Wanted {
        request: pb::CreateJobRequest::default(),
        kind: JobKind {
            planner: "crew",
            method: "stratagem.v1.CrewService/AssignCrew",
            priority: pb::Priority::Unspecified,
        },
        deadline_us,
    };
    create(&wanted, None, Moment(at))
}
