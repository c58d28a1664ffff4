//! SIGTERM: nobody loses an answer, nobody new gets in, and the process ends well.

use crate::asking::unbounded;
use stratagem_integration_tests::patience::{eventually, wait_for};
use stratagem_integration_tests::problems::{allocate, budget};
use stratagem_integration_tests::{Process, Server};
use stratagem_proto::v1::{AllocationPlan, SolveReport, SolveStatus, StopReason};
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::{HealthCheckRequest, health_client::HealthClient};

fn check_best_so_far(plan: Option<AllocationPlan>, report: Option<SolveReport>) {
    let report = report.expect("a report");
    assert_eq!(report.stop_reason(), StopReason::Draining, "{report:?}");
    assert_eq!(report.status(), SolveStatus::Feasible);
    assert!(plan.is_some_and(|plan| !plan.routes.is_empty()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_call_in_flight_gets_its_best_so_far() {
    let mut server = Process::start(&["--slots", "4"]).await;
    let mut unary = Vec::new();
    let mut streams = Vec::new();
    for i in 0..2 {
        let mut client = server.allocation().await;
        let request = allocate(unbounded(), budget(120_000 + i));
        unary.push(tokio::spawn(
            async move { client.allocate_tasks(request).await },
        ));
        let mut client = server.allocation().await;
        let call = client.stream_allocate_tasks(allocate(unbounded(), budget(120_000 + i)));
        let mut steps = call.await.unwrap().into_inner();
        wait_for("a first plan", steps.message())
            .await
            .unwrap()
            .unwrap();
        streams.push(steps);
    }
    server.counts("stratagem_busy_slots", 4.0).await;
    server.terminate();
    for call in unary {
        let answer = wait_for("an answer", call)
            .await
            .unwrap()
            .unwrap()
            .into_inner();
        check_best_so_far(answer.plan, answer.report);
    }
    for mut steps in streams {
        let mut last = None;
        while let Some(step) = wait_for("a step", steps.message()).await.unwrap() {
            last = Some(step);
        }
        let last = last.expect("the last step");
        check_best_so_far(last.plan, last.report);
    }
    let status = server.ended().await;
    assert_eq!(status.code(), Some(0), "{}", server.log());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_that_wait_for_a_slot_are_not_lost_either() {
    let mut server = Server::start(&["--slots", "1"]).await;
    let mut calls = Vec::new();
    // One searches, and each that comes has time to wait for all before it.
    for i in 0..8 {
        let mut client = server.allocation().await;
        let request = allocate(unbounded(), budget(120_000 + 10_000 * i));
        calls.push(tokio::spawn(
            async move { client.allocate_tasks(request).await },
        ));
        eventually("one more waits", async || {
            let metrics = server.metrics().await;
            let busy = metrics.sum("stratagem_busy_slots") == 1.0;
            (busy && metrics.sum("stratagem_queued_requests") == i as f64).then_some(())
        })
        .await;
    }
    let ended = server.shut_down();
    let mut plans = 0;
    for call in calls {
        match wait_for("an answer", call).await.unwrap() {
            Ok(answer) => {
                plans += 1;
                assert!(answer.into_inner().report.is_some());
            }
            // Sent elsewhere immediately.
            Err(status) => {
                assert_eq!(status.code(), tonic::Code::Unavailable, "{status:?}");
                assert!(status.metadata().contains_key("grpc-retry-pushback-ms"));
            }
        }
    }
    assert!(plans >= 1);
    assert!(wait_for("the end", ended).await.unwrap());
}

#[tokio::test]
async fn health_says_so_before_the_server_goes() {
    let mut server = Server::start(&["--lame-duck", "60s"]).await;
    let mut health = HealthClient::new(server.channel().await);
    let request = HealthCheckRequest {
        service: "stratagem.v1.AllocationService".into(),
    };
    let mut watch = health.watch(request.clone()).await.unwrap().into_inner();
    let serving = async |watch: &mut tonic::Streaming<_>| -> ServingStatus {
        let message: tonic_health::pb::HealthCheckResponse = wait_for("a status", watch.message())
            .await
            .unwrap()
            .unwrap();
        message.status()
    };
    assert_eq!(serving(&mut watch).await, ServingStatus::Serving);
    let mut client = server.allocation().await;
    let _leaving = server.shut_down();
    assert_eq!(serving(&mut watch).await, ServingStatus::NotServing);
    let checked = health.check(request).await.unwrap().into_inner();
    assert_eq!(checked.status(), ServingStatus::NotServing);
    // Until balancers have noticed, requests are still answered: with a plan or a refusal that
    // sends them elsewhere.
    let call = client.allocate_tasks(allocate(unbounded(), budget(1_000)));
    match wait_for("an answer", call).await {
        Ok(answer) => assert!(answer.into_inner().plan.is_some()),
        Err(status) => assert_eq!(status.code(), tonic::Code::Unavailable),
    }
}

#[tokio::test]
async fn a_watcher_of_health_does_not_keep_the_server_alive() {
    let mut server = Server::start(&["--drain-timeout", "1s"]).await;
    let mut health = HealthClient::new(server.channel().await);
    let watch = health.watch(HealthCheckRequest::default()).await.unwrap();
    let ended = server.shut_down();
    assert!(wait_for("the end", ended).await.unwrap());
    drop(watch);
}
