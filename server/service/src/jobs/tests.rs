//! What callers ask for, and what survives.

mod copies;
mod disk;
mod history;
#[cfg(feature = "nats")]
mod nats;

use super::Jobs;
use super::life::{self, Deed, Step, after};
use super::local::Local;
use super::store::{Changed, Kept, Store, Weights};
use crate::status::Refusal;
use runtime::Drain;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use stratagem_proto::v1::{self as pb, JobState as State};
use wire::job::{JobKind, Listing, Wanted, page};

/// A file of its own, gone at the end.
struct Place(PathBuf);

impl Place {
    fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let (process, next) = (std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        Self(std::env::temp_dir().join(format!("stratagem-jobs-{process}-{next}")))
    }

    fn open(&self, jobs_max: usize) -> Arc<Local> {
        Arc::new(Local::open(&self.0, jobs_max, even()).unwrap())
    }

    fn jobs(&self) -> (Jobs, Arc<Local>) {
        let store = self.open(100);
        (Jobs::new(Arc::clone(&store) as _, Drain::default()), store)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // It is in the folder for what may be lost.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Tenants that are worth the same.
fn even() -> Weights {
    Arc::new(|_| 1.0)
}

fn request(priority: pb::Priority) -> pb::JobRequest {
    let mut request = pb::AssignCrewRequest::default();
    request
        .options
        .get_or_insert_default()
        .set_priority(priority);
    let method = Some(pb::job_request::Method::AssignCrew(request));
    pb::JobRequest { method }
}

fn wanted(request_id: &str, priority: pb::Priority) -> Wanted {
    Wanted {
        request: pb::CreateJobRequest {
            request_id: request_id.into(),
            request: Some(request(priority)),
            ..Default::default()
        },
        kind: JobKind {
            planner: "crew",
            method: "stratagem.v1.CrewService/AssignCrew",
            priority,
        },
        deadline_us: None,
    }
}

async fn create(jobs: &Jobs, request_id: &str) -> String {
    let wanted = wanted(request_id, pb::Priority::Normal);
    jobs.create(wanted, None).await.unwrap().0.job_id
}

fn take() -> Deed {
    Deed::Take { server: "a".into() }
}

fn step(searched: u64) -> Deed {
    Deed::Step(Box::new(Step {
        progress: pb::SolveEvent::default(),
        response: Some(plan(searched)),
        searched: Duration::from_secs(searched),
        has_lasted: false,
    }))
}

/// A plan unlike all others.
fn plan(number: u64) -> pb::JobResponse {
    let plan = pb::AllocationPlan {
        unserved_task_ids: vec![number.to_string()],
        ..Default::default()
    };
    of_allocation(plan)
}

fn response(method: pb::job_response::Method) -> pb::JobResponse {
    let method = Some(method);
    pb::JobResponse { method }
}

/// The response so far of a request for an allocation.
fn of_allocation(plan: pb::AllocationPlan) -> pb::JobResponse {
    let plan = Some(plan);
    let answer = pb::AllocateTasksResponse {
        plan,
        ..Default::default()
    };
    response(pb::job_response::Method::AllocateTasks(answer))
}

fn whole() -> pb::JobResponse {
    let answer = pb::AssignCrewResponse::default();
    response(pb::job_response::Method::AssignCrew(answer))
}

fn answer() -> Deed {
    Deed::Answer {
        answer: Box::new(whole()),
        searched: Duration::from_secs(9),
    }
}

/// Lets something happen to a job; false when nothing changes by it.
async fn happens(jobs: &Jobs, id: &str, deed: impl Fn() -> Deed + Send + Sync) -> bool {
    let changed = jobs.change(id, |_| Some(deed())).await.unwrap();
    changed.is_some()
}

fn reason<T: std::fmt::Debug>(result: Result<T, Refusal>) -> &'static str {
    result.unwrap_err().reason()
}

#[tokio::test]
async fn a_request_that_is_repeated_makes_one_job() {
    let place = Place::new();
    let (jobs, _) = place.jobs();
    let same = || wanted("r1", pb::Priority::Low);
    let (first, existed) = jobs.create(same(), None).await.unwrap();
    assert!(!existed);
    let (again, existed) = jobs.create(same(), None).await.unwrap();
    assert_eq!((again, existed), (first, true));
    let other = wanted("r1", pb::Priority::High);
    assert_eq!(reason(jobs.create(other, None).await), "JOB_EXISTS");
    assert_ne!(create(&jobs, "").await, create(&jobs, "").await);
}

#[tokio::test]
async fn there_are_no_more_jobs_than_allowed() {
    let place = Place::new();
    let jobs = Jobs::new(place.open(2), Drain::default());
    let first = create(&jobs, "").await;
    create(&jobs, "").await;
    let third = || jobs.create(wanted("", pb::Priority::Low), None);
    assert_eq!(reason(third().await), "JOBS_FULL");
    assert_eq!(reason(jobs.delete(&first).await), "JOB_RUNNING");
    jobs.cancel(&first).await.unwrap();
    jobs.delete(&first).await.unwrap();
    assert!(third().await.is_ok());
}

#[tokio::test]
async fn a_tenant_keeps_no_more_jobs_than_it_may_also_after_a_restart() {
    let place = Place::new();
    let more = async |jobs: &Jobs, name: &str| {
        let jobs = jobs.of_tenant("arena").at_most(Some(2));
        jobs.create(wanted(name, pb::Priority::Low), None).await
    };
    let first = {
        let (jobs, _) = place.jobs();
        more(&jobs, "a").await.unwrap();
        more(&jobs, "b").await.unwrap().0.job_id
    };
    let (jobs, _) = place.jobs();
    assert_eq!(reason(more(&jobs, "c").await), "QUOTA_EXCEEDED");
    assert!(more(&jobs, "b").await.unwrap().1, "it is there already");
    let other = jobs.of_tenant("other").at_most(Some(1));
    other
        .create(wanted("c", pb::Priority::Low), None)
        .await
        .unwrap();
    jobs.cancel(&first).await.unwrap();
    jobs.delete(&first).await.unwrap();
    more(&jobs, "c").await.unwrap();
    assert_eq!(reason(more(&jobs, "d").await), "QUOTA_EXCEEDED");
}

#[tokio::test]
async fn what_was_kept_is_there_after_a_crash_and_what_ran_waits_again() {
    let place = Place::new();
    let id = {
        let (jobs, _) = place.jobs();
        let id = create(&jobs, "r").await;
        assert!(happens(&jobs, &id, take).await);
        assert!(happens(&jobs, &id, || step(1)).await);
        assert!(happens(&jobs, &id, || step(2)).await);
        id
    };
    let (jobs, store) = place.jobs();
    let job = jobs.get(&id).await.unwrap();
    assert_eq!((job.state(), job.attempts), (State::Queued, 1));
    let kept = store.get(&id).await.unwrap().unwrap();
    assert_eq!(kept.job.lost_count, 1);
    assert_eq!(job.response, Some(plan(2)));
    let events = jobs.events(&id, 0).await.unwrap();
    let states: Vec<_> = events.iter().map(pb::JobEvent::state).collect();
    use State::{Queued, Running};
    assert_eq!(states, [Queued, Running, Running, Running, Queued]);
    let sequences: Vec<_> = events.iter().map(|event| event.sequence).collect();
    assert_eq!(sequences, [1, 2, 3, 4, 5]);
    let turn = store.next().await.unwrap();
    assert_eq!(turn.id(), id);
}

#[tokio::test]
async fn a_file_belongs_to_one_server() {
    let place = Place::new();
    let _first = place.open(1);
    let second = Local::open(&place.0, 1, even()).err().unwrap().to_string();
    assert!(second.contains("cannot keep jobs in"), "{second}");
    let other = Place::new();
    std::fs::write(&other.0, "no jobs at all").unwrap();
    assert!(Local::open(&other.0, 1, even()).is_err());
}

#[tokio::test]
async fn the_most_urgent_comes_first_and_comes_back_when_it_is_dropped() {
    let place = Place::new();
    let (jobs, store) = place.jobs();
    let mut ids = Vec::new();
    for priority in [pb::Priority::Low, pb::Priority::High, pb::Priority::Normal] {
        let (job, _) = jobs.create(wanted("", priority), None).await.unwrap();
        ids.push(job.job_id);
    }
    let turn = store.next().await.unwrap();
    assert_eq!(turn.id(), ids[1]);
    let second = store.next().await.unwrap();
    assert_eq!(second.id(), ids[2]);
    drop(turn);
    let again = store.next().await.unwrap();
    assert_eq!(again.id(), ids[1]);
    jobs.cancel(&ids[1]).await.unwrap();
    again.done().await;
    assert_eq!(store.next().await.unwrap().id(), ids[0]);
}

#[tokio::test]
async fn a_job_is_queued_although_whoever_made_it_has_gone() {
    let place = Place::new();
    let (jobs, store) = place.jobs();
    tokio::select! {
        biased;
        _ = create(&jobs, "r1") => panic!("a disk takes longer"),
        () = std::future::ready(()) => {}
    }
    let turn = tokio::time::timeout(Duration::from_secs(60), store.next()).await;
    let id = turn.expect("it comes").unwrap().id().to_owned();
    assert_eq!(jobs.get(&id).await.unwrap().request_id, "r1");
}

#[tokio::test]
async fn who_waits_for_a_turn_gets_the_job_that_comes() {
    let place = Place::new();
    let (jobs, store) = place.jobs();
    let waiting = tokio::spawn(async move { store.next().await.unwrap().id().to_owned() });
    let id = create(&jobs, "").await;
    assert_eq!(waiting.await.unwrap(), id);
}

#[tokio::test]
async fn whoever_has_lost_a_job_cannot_change_it_any_more() {
    let place = Place::new();
    let (jobs, store) = place.jobs();
    let id = create(&jobs, "").await;
    let old = store.get(&id).await.unwrap().unwrap();
    assert!(happens(&jobs, &id, take).await);
    let (job, event) = after(old.job, take()).unwrap();
    let late = Kept {
        job,
        revision: old.revision,
    };
    assert_eq!(store.put(late, event).await.unwrap(), Changed::Overtaken);
}

#[tokio::test]
async fn events_are_told_as_they_come_until_the_last() {
    let place = Place::new();
    let (jobs, _) = place.jobs();
    let id = create(&jobs, "").await;
    assert_eq!(jobs.events(&id, 0).await.unwrap().len(), 1);
    let watcher = tokio::spawn({
        let (jobs, id) = (jobs.clone(), id.clone());
        async move { jobs.events(&id, 1).await.unwrap() }
    });
    assert!(happens(&jobs, &id, take).await);
    let seen = watcher.await.unwrap();
    assert_eq!((seen[0].sequence, seen[0].state()), (2, State::Running));
    assert!(happens(&jobs, &id, answer).await);
    let last = jobs.events(&id, 2).await.unwrap();
    assert_eq!(last[0].state(), State::Succeeded);
    assert_eq!(last[0].response, Some(whole()));
    assert_eq!(jobs.events(&id, 3).await.unwrap(), []);
    let job = jobs.get(&id).await.unwrap();
    assert_eq!(job.response, Some(whole()));
}

#[tokio::test]
async fn who_watches_hears_that_the_server_shuts_down_and_that_a_job_is_gone() {
    let place = Place::new();
    let store = place.open(9);
    let drain = Drain::default();
    let jobs = Jobs::new(store, drain.clone());
    let id = create(&jobs, "").await;
    let watch = |jobs: &Jobs| {
        let (jobs, id) = (jobs.clone(), id.clone());
        tokio::spawn(async move { jobs.events(&id, 2).await })
    };
    let watcher = watch(&jobs);
    jobs.cancel(&id).await.unwrap();
    assert_eq!(watcher.await.unwrap(), Ok(Vec::new()));
    jobs.delete(&id).await.unwrap();
    assert_eq!(reason(jobs.events(&id, 0).await), "JOB_UNKNOWN");
    let other = create(&jobs, "").await;
    drain.begin();
    assert_eq!(reason(jobs.events(&other, 1).await), "DRAINING");
}

#[tokio::test]
async fn old_events_are_forgotten_and_the_last_ones_are_not() {
    let place = Place::new();
    let (jobs, _) = place.jobs();
    let id = create(&jobs, "").await;
    assert!(happens(&jobs, &id, take).await);
    for searched in 0..300 {
        assert!(happens(&jobs, &id, || step(searched)).await);
    }
    let events = jobs.events(&id, 0).await.unwrap();
    let numbers: Vec<_> = events.iter().map(|event| event.sequence).collect();
    assert_eq!(numbers, (302 - 255..=302).collect::<Vec<_>>());
}

#[tokio::test]
async fn pages_show_each_job_once_the_newest_first() {
    let place = Place::new();
    let (jobs, _) = place.jobs();
    for number in 0..7 {
        create(&jobs, &format!("r{number}")).await;
    }
    let mut request = pb::ListJobsRequest {
        page_size: Some(3),
        ..Default::default()
    };
    let mut seen = Vec::new();
    loop {
        let listing: Listing = page(request.clone()).unwrap();
        let answer = jobs.list(listing).await.unwrap();
        seen.extend(answer.jobs.into_iter().map(|job| job.request_id));
        if answer.next_page_token.is_empty() {
            break;
        }
        request.page_token = answer.next_page_token;
    }
    assert_eq!(seen, ["r6", "r5", "r4", "r3", "r2", "r1", "r0"]);
}

#[tokio::test]
async fn what_is_late_expires_and_what_is_over_is_forgotten() {
    let place = Place::new();
    let (jobs, store) = place.jobs();
    let late = Wanted {
        deadline_us: Some(1),
        ..wanted("late", pb::Priority::Low)
    };
    let (late, _) = jobs.create(late, None).await.unwrap();
    let over = || wanted("over", pb::Priority::Low);
    let (over_job, _) = jobs.create(over(), None).await.unwrap();
    let kept = store.get(&over_job.job_id).await.unwrap().unwrap();
    // It ends and is to be kept no longer than until now.
    let (mut job, event) = after(kept.job, Deed::Expire).unwrap();
    life::keep(&mut job, 0);
    let revision = kept.revision;
    store.put(Kept { job, revision }, event).await.unwrap();
    jobs.sweep().await.unwrap();
    let late = jobs.get(&late.job_id).await.unwrap();
    assert_eq!(late.state(), State::Expired);
    assert_eq!(store.get(&over_job.job_id).await.unwrap(), None);
    assert_eq!(reason(jobs.get(&over_job.job_id).await), "JOB_UNKNOWN");
    // Its name is free again.
    assert!(!jobs.create(over(), None).await.unwrap().1);
}
