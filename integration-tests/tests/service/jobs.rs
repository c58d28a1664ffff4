//! Jobs: what callers and operators see of them, with real servers that are killed.

mod disk;
mod shared;

use stratagem_integration_tests::patience::{eventually, wait_for};
use stratagem_integration_tests::pki::Folder;
use stratagem_integration_tests::problems::{allocate, budget, iterations, row, scattered};
use stratagem_integration_tests::{Process, Server};
use stratagem_proto::v1::job_service_client::JobServiceClient;
use stratagem_proto::v1::{
    self as pb, JobState as State, StopReason, VerifyPlanRequest, job_request, job_response,
};
use tonic::transport::Channel;
use tonic::{Code, Streaming};

type Client = JobServiceClient<Channel>;

/// Flags of a server with its jobs in a folder.
fn flags(file: &str) -> [&str; 4] {
    ["--jobs", file, "--job-slots", "2"]
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

#[tokio::test]
async fn a_killed_server_loses_nothing_and_goes_on_from_the_best_plan() {
    let folder = Folder::new();
    let file = folder.path("jobs");
    let mut server = Process::start(&flags(&file)).await;
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
    let server = Server::start(&flags(&file)).await;
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
    let folder = Folder::new();
    let file = folder.path("jobs");
    let mut server = Server::start(&flags(&file)).await;
    let mut client = server.jobs().await;
    let job = create(&mut client, unbounded(2)).await;
    busy(&mut client, &job).await;
    let mut stream = watch(&mut client, &job, 0).await;
    let mut seen = next(&mut stream).await.unwrap().sequence;
    let ended = server.shut_down();
    let refused = loop {
        match wait_for("an event", stream.message()).await {
            Ok(Some(message)) => seen = message.event.unwrap().sequence,
            Ok(None) => panic!("it has not ended"),
            Err(status) => break status,
        }
    };
    assert_eq!(refused.code(), Code::Unavailable);
    assert!(wait_for("the end", ended).await.unwrap());
    let server = Server::start(&flags(&file)).await;
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
