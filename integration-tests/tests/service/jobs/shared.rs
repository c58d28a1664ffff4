//! Jobs that real servers share at a real NATS.

use super::{allocation, busy, cancel, create, ended, get, next, report, unbounded, watch};
use crate::asking::reason;
use stratagem_integration_tests::broker::Broker;
use stratagem_integration_tests::patience::{eventually, wait_for};
use stratagem_integration_tests::problems::{iterations, row};
use stratagem_integration_tests::{Process, Server};
use stratagem_proto::v1::{self as pb, JobState as State, StopReason};
use tonic::Code;

/// The password of the broker as it is written in an address.
const PASSWORD: &str = "s3cret%21";

fn flags(url: &str) -> [&str; 6] {
    ["--jobs", url, "--job-slots", "2", "--job-lease", "2s"]
}

async fn connected(server: &Server) {
    let mut client = server.jobs().await;
    eventually("the broker is connected", async || {
        let listed = client.list_jobs(pb::ListJobsRequest::default()).await;
        listed.ok()
    })
    .await;
}

async fn server(broker: &Broker) -> Server {
    let server = Server::start(&flags(&broker.url(PASSWORD))).await;
    connected(&server).await;
    server
}

#[tokio::test]
async fn a_job_goes_on_at_another_server_from_the_best_plan_when_its_own_is_killed() {
    let Some(broker) = Broker::start() else {
        return;
    };
    let mut first = Process::start(&flags(&broker.url(PASSWORD))).await;
    connected(&first).await;
    let job = create(&mut first.jobs().await, unbounded(1)).await;
    let before = busy(&mut first.jobs().await, &job).await;
    let second = server(&broker).await;
    let mut client = second.jobs().await;
    let mut stream = watch(&mut client, &job, 0).await;
    let mut seen = next(&mut stream).await.unwrap();
    first.kill();
    while seen.attempt < 2 {
        let event = next(&mut stream).await.expect("it goes on");
        assert!(event.sequence > seen.sequence);
        seen = event;
    }
    cancel(&mut client, &job).await;
    let last = ended(&mut client, &job).await;
    assert_eq!(last.state(), State::Cancelled);
    let report = report(&last);
    assert_eq!(report.stop_reason(), StopReason::Cancelled);
    let then = before.progress.unwrap().objective.unwrap().levels;
    assert!(report.objective.unwrap().levels <= then, "no worse");
}

#[tokio::test]
async fn whoever_is_cancelled_anywhere_stops_and_a_server_that_stops_hands_over() {
    let Some(broker) = Broker::start() else {
        return;
    };
    let mut first = server(&broker).await;
    let (mut client, request) = (first.jobs().await, unbounded(1));
    let jobs = [
        create(&mut client, request.clone()).await,
        create(&mut client, request).await,
    ];
    for job in &jobs {
        busy(&mut client, job).await;
    }
    let second = server(&broker).await;
    let mut client = second.jobs().await;
    cancel(&mut client, &jobs[0]).await;
    assert_eq!(ended(&mut client, &jobs[0]).await.state(), State::Cancelled);
    let stopped = first.shut_down();
    assert!(wait_for("the end", stopped).await.unwrap());
    eventually("it runs again", async || {
        let job = get(&mut client, &jobs[1]).await;
        (job.attempts == 2 && job.response.is_some()).then_some(())
    })
    .await;
}

#[tokio::test]
async fn whoever_may_not_talk_to_the_broker_serves_all_but_jobs() {
    let Some(broker) = Broker::start() else {
        return;
    };
    let server = Process::start(&flags(&broker.url("wrong"))).await;
    let mut client = server.jobs().await;
    let request = allocation(row(), iterations(9, 0));
    let refused = client.create_job(request).await.unwrap_err();
    assert_eq!(
        (refused.code(), &*reason(&refused)),
        (Code::Unavailable, "JOBS_UNAVAILABLE")
    );
    let request = pb::AllocateTasksRequest {
        problem: Some(row()),
        options: Some(iterations(50, 0)),
    };
    let call = server.allocation().await.allocate_tasks(request).await;
    assert!(call.unwrap().into_inner().report.is_some());
    assert!(!server.log().contains("wrong@"), "secrets are not logged");
}
