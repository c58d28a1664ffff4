//! What is no job, where there are none, and who else is there.

use super::{Client, Place, allocation, busy, cancel, create, get, reason, unbounded};
use serde_json::json;
use stratagem_integration_tests::Server;
use stratagem_integration_tests::plain::post;
use stratagem_integration_tests::problems::{iterations, row};
use stratagem_proto::EXAMPLES;
use stratagem_proto::v1::{self as pb, JobState as State};
use tonic::Code;
use tonic_types::StatusExt as _;

#[tokio::test]
async fn mistakes_are_told_with_their_fields_before_anything_is_accepted() {
    let place = Place::new();
    let server = place.server().await;
    let mut client: Client = server.jobs().await;
    let mut problem = row();
    problem.tasks[0].id = String::new();
    let request = pb::CreateJobRequest {
        request_id: "a b".into(),
        ..allocation(problem, iterations(-1, 0))
    };
    let status = client.create_job(request).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    let mistakes = status.get_details_bad_request().unwrap().field_violations;
    let fields: Vec<_> = mistakes.iter().map(|it| it.field.as_str()).collect();
    let wanted = [
        "request.allocate_tasks.problem.tasks[0].id",
        "request.allocate_tasks.options.max_iterations",
        "request_id",
    ];
    assert_eq!(fields, wanted);
    let listed = client.list_jobs(pb::ListJobsRequest::default()).await;
    assert_eq!(listed.unwrap().into_inner().jobs, []);
}

#[tokio::test]
async fn without_a_place_there_are_no_jobs() {
    let server = Server::start(&[]).await;
    let status = server
        .jobs()
        .await
        .create_job(unbounded(1))
        .await
        .unwrap_err();
    assert_eq!(status.code(), Code::FailedPrecondition);
    assert_eq!(reason(&status), "JOBS_OFF");
}

#[tokio::test]
async fn a_job_that_waits_for_threads_is_queued_and_can_be_cancelled_there() {
    let place = Place::new();
    let server = place.server().await;
    let mut client = server.jobs().await;
    let running = create(&mut client, unbounded(1)).await;
    busy(&mut client, &running).await;
    let mut wide = unbounded(2);
    let inner = wide.request.as_mut().and_then(|it| it.method.as_mut());
    let Some(pb::job_request::Method::AllocateTasks(inner)) = inner else {
        panic!("of another method");
    };
    inner.options.as_mut().unwrap().engine = Some(pb::SolveEngineOptions {
        threads: Some(2),
        parallel_width: None,
    });
    let wide = create(&mut client, wide).await;
    // It comes first, and holds back who comes after.
    let late = create(&mut client, unbounded(3)).await;
    let job = cancel(&mut client, &wide).await;
    assert_eq!((job.state(), job.attempts), (State::Cancelled, 0));
    busy(&mut client, &late).await;
    assert_eq!(get(&mut client, &running).await.state(), State::Running);
}

#[tokio::test]
async fn jobs_take_no_slot_of_callers() {
    let place = Place::new();
    let path = place.0.to_str().unwrap();
    let flags = ["--jobs", path, "--job-slots", "2", "--slots", "1"];
    let server = Server::start(&flags).await;
    let mut client = server.jobs().await;
    for seed in 0..2 {
        let job = create(&mut client, unbounded(seed)).await;
        busy(&mut client, &job).await;
    }
    let request = pb::AllocateTasksRequest {
        problem: Some(row()),
        options: Some(iterations(50, 0)),
    };
    let call = server.allocation().await.allocate_tasks(request).await;
    let report = call.unwrap().into_inner().report.unwrap();
    assert!(report.objective.is_some());
    assert_eq!(server.metrics().await.sum("stratagem_busy_slots"), 0.0);
}

#[tokio::test]
async fn a_shell_creates_jobs_and_watches_them_in_json() {
    let place = Place::new();
    let server = place.server().await;
    let example = EXAMPLES.iter().find(|it| it.planner == "crew").unwrap();
    let problem: serde_json::Value = serde_json::from_str(example.json).unwrap();
    let asked = json!({"request": {"assign_crew": {"problem": problem}}}).to_string();
    let path = |method: &str| format!("/stratagem.v1.JobService/{method}");
    let reply = post(server.address, &path("CreateJob"), &[], &asked).await;
    assert_eq!(reply.status, 200, "{reply:?}");
    let id = reply.json()["job"]["job_id"].as_str().unwrap().to_owned();
    let asked = json!({"job_id": id}).to_string();
    let reply = post(server.address, &path("WatchJob"), &[], &asked).await;
    let lines = reply.lines();
    let last = &lines[lines.len() - 1]["result"]["event"];
    assert_eq!(last["state"], "JOB_STATE_SUCCEEDED");
    assert!(
        last["response"]["assign_crew"]["plan"].is_object(),
        "{last}"
    );
}
