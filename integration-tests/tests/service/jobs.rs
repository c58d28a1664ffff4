//! Jobs: what callers and operators see of them, with real servers that are killed.

mod disk;
mod edges;
mod methods;
mod shared;

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use stratagem_integration_tests::Server;
use stratagem_integration_tests::patience::{eventually, wait_for};
use stratagem_integration_tests::problems::{allocate, budget, iterations, millis, row, scattered};
use stratagem_proto::v1::job_service_client::JobServiceClient;
use stratagem_proto::v1::{
    self as pb, JobState as State, StopReason, VerifyPlanRequest, job_request, job_response,
};
use tonic::transport::Channel;
use tonic::{Code, Streaming};
use tonic_types::StatusExt as _;

type Client = JobServiceClient<Channel>;

/// A file for jobs, gone at the end.
struct Place(PathBuf);

impl Place {
    fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("stratagem-job-service-{}-{next}", std::process::id());
        Self(std::env::temp_dir().join(name))
    }

    async fn server(&self) -> Server {
        let path = self.0.to_str().unwrap();
        let flags = ["--jobs", path, "--job-slots", "2", "--lame-duck", "0ms"];
        Server::start(&flags).await
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // It is in the folder for what may be lost.
        let _ = std::fs::remove_file(&self.0);
    }
}

fn wanted(request: job_request::Method) -> pb::CreateJobRequest {
    pb::CreateJobRequest {
        request: Some(pb::JobRequest {
            method: Some(request),
        }),
        ..Default::default()
    }
}

/// A job that allocates tasks.
fn allocation(problem: pb::AllocationProblem, options: pb::SolveOptions) -> pb::CreateJobRequest {
    wanted(job_request::Method::AllocateTasks(allocate(
        problem, options,
    )))
}

/// A job that ends only when somebody ends it.
fn unbounded(seed: u64) -> pb::CreateJobRequest {
    allocation(scattered(seed, 5, 60), budget(3_600_000))
}

async fn create(client: &mut Client, request: pb::CreateJobRequest) -> pb::Job {
    let answer = client.create_job(request).await.unwrap();
    answer.into_inner().job.unwrap()
}

async fn get(client: &mut Client, job: &pb::Job) -> pb::Job {
    let job_id = job.job_id.clone();
    let answer = client.get_job(pb::GetJobRequest { job_id }).await.unwrap();
    answer.into_inner().job.unwrap()
}

async fn cancel(client: &mut Client, job: &pb::Job) -> pb::Job {
    let job_id = job.job_id.clone();
    let answer = client.cancel_job(pb::CancelJobRequest { job_id }).await;
    answer.unwrap().into_inner().job.unwrap()
}

async fn watch(
    client: &mut Client,
    job: &pb::Job,
    after_sequence: i64,
) -> Streaming<pb::WatchJobResponse> {
    let job_id = job.job_id.clone();
    let request = pb::WatchJobRequest {
        job_id,
        after_sequence,
    };
    client.watch_job(request).await.unwrap().into_inner()
}

async fn next(stream: &mut Streaming<pb::WatchJobResponse>) -> Option<pb::JobEvent> {
    let message = wait_for("an event", stream.message()).await.unwrap();
    message.map(|message| message.event.unwrap())
}

/// The job once it has ended.
async fn ended(client: &mut Client, job: &pb::Job) -> pb::Job {
    let mut stream = watch(client, job, 0).await;
    let mut last = 0;
    while let Some(event) = next(&mut stream).await {
        assert!(event.sequence > last, "sequences rise");
        last = event.sequence;
    }
    let job = get(client, job).await;
    assert!(job.end_time.is_some() && job.sequence == last, "{job:?}");
    job
}

/// Waits until a job is searched and has a plan.
async fn busy(client: &mut Client, job: &pb::Job) -> pb::Job {
    eventually("a plan", async || {
        let job = get(client, job).await;
        // The response is read after the progress.
        let has_objective = job
            .progress
            .as_ref()
            .is_some_and(|it| it.objective.is_some());
        (has_objective && job.response.is_some()).then_some(job)
    })
    .await
}

/// The report of a job that allocates tasks.
fn report(job: &pb::Job) -> pb::SolveReport {
    let response = job.response.clone().and_then(|response| response.method);
    match response {
        Some(job_response::Method::AllocateTasks(answer)) => answer.report.unwrap(),
        other => panic!("of another method: {other:?}"),
    }
}

fn reason(status: &tonic::Status) -> String {
    let info = status.get_details_error_info();
    info.unwrap().reason
}

#[tokio::test]
async fn a_job_is_what_the_method_would_have_answered() {
    let place = Place::new();
    let server = place.server().await;
    let mut client = server.jobs().await;
    let problem = scattered(3, 4, 20);
    let request = allocation(problem.clone(), iterations(200, 7));
    let job = create(&mut client, request).await;
    let job = ended(&mut client, &job).await;
    let Some(job_response::Method::AllocateTasks(answer)) = job.response.unwrap().method else {
        panic!("of another planner");
    };
    let request = pb::AllocateTasksRequest {
        problem: Some(problem),
        options: Some(iterations(200, 7)),
    };
    let call = server.allocation().await.allocate_tasks(request).await;
    assert_eq!(answer.plan, call.unwrap().into_inner().plan);
}

#[tokio::test]
async fn a_killed_server_loses_nothing_and_goes_on_from_the_best_plan() {
    let place = Place::new();
    let mut server = place.server().await;
    let mut client = server.jobs().await;
    let running = create(&mut client, unbounded(1)).await;
    let before = busy(&mut client, &running).await;
    let request = pb::CreateJobRequest {
        request_id: "once".into(),
        ..allocation(row(), iterations(50, 1))
    };
    let small = create(&mut client, request.clone()).await;
    let small = ended(&mut client, &small).await;
    server.kill();
    let server = place.server().await;
    let mut client = server.jobs().await;
    assert_eq!(get(&mut client, &small).await, small);
    let answer = client.create_job(request).await.unwrap().into_inner();
    assert!(answer.existed);
    eventually("it runs again", async || {
        let job = get(&mut client, &running).await;
        (job.state() == State::Running && job.attempts == 2).then_some(())
    })
    .await;
    cancel(&mut client, &running).await;
    let last = ended(&mut client, &running).await;
    assert_eq!(last.state(), State::Cancelled);
    let report = report(&last);
    assert_eq!(report.stop_reason(), StopReason::Cancelled);
    let levels = |objective: Option<pb::Objective>| objective.unwrap().levels;
    let then = levels(before.progress.unwrap().objective);
    assert!(levels(report.objective) <= then, "no worse than before");
    let Some(job_response::Method::AllocateTasks(answer)) = last.response.unwrap().method else {
        panic!("of another planner");
    };
    let request = VerifyPlanRequest {
        problem: Some(pb::AnyProblem {
            kind: Some(pb::any_problem::Kind::Allocation(scattered(1, 5, 60))),
        }),
        plan: answer.plan.map(|plan| pb::AnyPlan {
            kind: Some(pb::any_plan::Kind::Allocation(plan)),
        }),
    };
    let verdict = server.planning().await.verify_plan(request).await.unwrap();
    assert!(verdict.into_inner().valid);
}

#[tokio::test]
async fn a_server_that_shuts_down_gives_its_jobs_back() {
    let place = Place::new();
    let mut server = place.server().await;
    let mut client = server.jobs().await;
    let job = create(&mut client, unbounded(2)).await;
    busy(&mut client, &job).await;
    let mut stream = watch(&mut client, &job, 0).await;
    let mut seen = next(&mut stream).await.unwrap().sequence;
    server.terminate();
    let refused = loop {
        match wait_for("an event", stream.message()).await {
            Ok(Some(message)) => seen = message.event.unwrap().sequence,
            Ok(None) => panic!("it has not ended"),
            Err(status) => break status,
        }
    };
    assert_eq!(refused.code(), Code::Unavailable);
    assert!(server.ended().await.success());
    let server = place.server().await;
    let mut client = server.jobs().await;
    let mut stream = watch(&mut client, &job, seen).await;
    let event = next(&mut stream).await.unwrap();
    assert!(event.sequence > seen);
    eventually("it runs again", async || {
        let job = get(&mut client, &job).await;
        (job.attempts == 2).then_some(())
    })
    .await;
}

#[tokio::test]
async fn the_server_says_that_jobs_are_on_a_disk() {
    let place = Place::new();
    let server = place.server().await;
    let mut about = server.about().await;
    eventually("the jobs were counted", async || {
        let info = about.get_server_info(pb::GetServerInfoRequest {}).await;
        (info.unwrap().into_inner().job_sync() == pb::JobSync::Always).then_some(())
    })
    .await;
}

#[tokio::test]
async fn jobs_are_listed_cancelled_and_deleted() {
    let place = Place::new();
    let server = place.server().await;
    let mut client = server.jobs().await;
    let label = pb::JobLabel {
        key: "night".into(),
        value: "3".into(),
    };
    // Two are searched; the third waits.
    let mut jobs = Vec::new();
    for seed in 0..3 {
        let request = pb::CreateJobRequest {
            labels: vec![label.clone()],
            ..unbounded(seed)
        };
        jobs.push(create(&mut client, request).await);
    }
    create(&mut client, allocation(row(), iterations(9, 0))).await;
    let request = pb::ListJobsRequest {
        labels: vec![label],
        ..Default::default()
    };
    let listed = client.list_jobs(request).await.unwrap().into_inner();
    let ids: Vec<_> = listed.jobs.iter().map(|job| &job.job_id).collect();
    let wanted: Vec<_> = jobs.iter().rev().map(|job| &job.job_id).collect();
    assert_eq!(ids, wanted);
    let waiting = cancel(&mut client, &jobs[2]).await;
    assert_eq!(waiting.state(), State::Cancelled);
    let job_id = jobs[0].job_id.clone();
    let early = client.delete_job(pb::DeleteJobRequest {
        job_id: job_id.clone(),
    });
    let early = early.await.unwrap_err();
    assert_eq!(early.code(), Code::FailedPrecondition);
    assert_eq!(reason(&early), "JOB_RUNNING");
    cancel(&mut client, &jobs[0]).await;
    let first = ended(&mut client, &jobs[0]).await;
    assert_eq!(first.state(), State::Cancelled);
    let delete = pb::DeleteJobRequest {
        job_id: job_id.clone(),
    };
    client.delete_job(delete).await.unwrap();
    let gone = client
        .get_job(pb::GetJobRequest { job_id })
        .await
        .unwrap_err();
    assert_eq!(
        (gone.code(), &*reason(&gone)),
        (Code::NotFound, "JOB_UNKNOWN")
    );
}

#[tokio::test]
async fn a_job_ends_at_its_deadline_or_expires() {
    let place = Place::new();
    let server = place.server().await;
    let mut client = server.jobs().await;
    let soon = |seed| pb::CreateJobRequest {
        deadline_duration: Some(millis(400)),
        ..unbounded(seed)
    };
    let job = create(&mut client, soon(1)).await;
    let job = ended(&mut client, &job).await;
    assert_eq!(job.state(), State::Succeeded);
    assert_eq!(report(&job).stop_reason(), StopReason::Deadline);
    // With both slots taken it waits too long.
    for seed in 0..2 {
        create(&mut client, unbounded(seed)).await;
    }
    let late = create(&mut client, soon(2)).await;
    assert_eq!(ended(&mut client, &late).await.state(), State::Expired);
}
