//! Deadlines: the call's own, the request's, the server's; and what is none.

use crate::asking::{ask, solved, unbounded};
use prost::Message as _;
use std::time::Duration;
use stratagem_integration_tests::Server;
use stratagem_integration_tests::patience::wait_for;
use stratagem_integration_tests::problems::{allocate, budget, iterations};
use stratagem_integration_tests::raw::{self, Answer, frame};
use stratagem_proto::v1::{AllocateTasksResponse, SolveOptions, SolveReport, StopReason};
use tonic::Code;
use tonic_types::StatusExt as _;

/// A unary call with a `grpc-timeout` as it is, without a client that enforces it.
async fn ask_with_timeout(server: &Server, timeout: &str, options: SolveOptions) -> Answer {
    let body = frame(&allocate(unbounded(), options).encode_to_vec());
    let headers = [("grpc-timeout", timeout)];
    let call = raw::call(server.address, raw::ALLOCATE, &headers, body);
    wait_for("an answer", call).await.unwrap()
}

fn budget_of(report: &SolveReport) -> Duration {
    let budget = report.time_budget.expect("reports have the budget");
    budget.try_into().expect("budgets are positive")
}

fn reason(status: &tonic::Status) -> String {
    let details = status.get_error_details();
    details
        .error_info()
        .map_or_else(String::new, |info| info.reason.clone())
}

#[tokio::test]
async fn a_request_without_any_deadline_gets_the_default_of_the_server() {
    let flags = [
        "--budget-default",
        "300ms",
        "--stream-budget-default",
        "400ms",
    ];
    let server = Server::start(&flags).await;
    let (_, report) = solved(
        ask(&server, unbounded(), SolveOptions::default())
            .await
            .unwrap(),
    );
    assert_eq!(budget_of(&report), Duration::from_millis(300));
    assert_eq!(report.stop_reason(), StopReason::Deadline);
    assert!(!report.reproducible);
    let mut client = server.allocation().await;
    let request = allocate(unbounded(), SolveOptions::default());
    let mut steps = client
        .stream_allocate_tasks(request)
        .await
        .unwrap()
        .into_inner();
    let mut last = AllocateTasksResponse::default();
    while let Some(step) = wait_for("a step", steps.message()).await.unwrap() {
        last = step;
    }
    assert_eq!(budget_of(&last.report.unwrap()), Duration::from_millis(400));
}

#[tokio::test]
async fn the_calls_own_deadline_counts_when_it_is_the_first() {
    let server = Server::start(&[]).await;
    let answer = ask_with_timeout(&server, "500m", budget(60_000)).await;
    assert_eq!(answer.status().code(), Code::Ok, "best so far, in time");
    let (_, report) = solved(answer.message::<AllocateTasksResponse>());
    let margin = Duration::from_millis(500) - budget_of(&report);
    assert!(margin > Duration::ZERO, "the answer has to travel");
    assert!(margin < Duration::from_millis(250), "{margin:?}");
    assert_eq!(report.stop_reason(), StopReason::Deadline);
}

#[tokio::test]
async fn a_stream_ends_with_its_report_before_the_calls_deadline() {
    let server = Server::start(&[]).await;
    let body = frame(&allocate(unbounded(), budget(60_000)).encode_to_vec());
    let headers = [("grpc-timeout", "500m")];
    let call = raw::call(server.address, raw::STREAM_ALLOCATE, &headers, body);
    let answer = wait_for("the end of a stream", call).await.unwrap();
    assert_eq!(answer.status().code(), Code::Ok);
    let last = answer.messages::<AllocateTasksResponse>().pop().unwrap();
    assert_eq!(last.report.unwrap().stop_reason(), StopReason::Deadline);
}

#[tokio::test]
async fn the_cap_of_the_server_counts_when_it_is_the_first() {
    let flags = ["--budget-max", "250ms", "--budget-default", "250ms"];
    let flags = [&flags[..], &["--stream-budget-default", "250ms"]].concat();
    let server = Server::start(&flags).await;
    // The longest deadline that gRPC can say: eleven thousand years.
    for timeout in ["99999999H", "3600S"] {
        let answer = ask_with_timeout(&server, timeout, budget(86_400_000)).await;
        assert_eq!(answer.status().code(), Code::Ok, "{timeout}");
        let (_, report) = solved(answer.message::<AllocateTasksResponse>());
        assert_eq!(budget_of(&report), Duration::from_millis(250), "{timeout}");
    }
}

#[tokio::test]
async fn a_deadline_that_leaves_no_time_is_deadline_exceeded() {
    let server = Server::start(&[]).await;
    for timeout in ["0n", "1n", "0S", "999n"] {
        let answer = ask_with_timeout(&server, timeout, budget(1_000)).await;
        let status = answer.status();
        assert_eq!(
            status.code(),
            Code::DeadlineExceeded,
            "{timeout}: {status:?}"
        );
        assert_eq!(reason(status), "DEADLINE_PASSED", "{timeout}");
    }
    let metrics = server.metrics().await;
    assert_eq!(metrics.sum("stratagem_busy_slots"), 0.0);
}

#[tokio::test]
async fn a_deadline_that_cannot_be_read_is_invalid() {
    let server = Server::start(&[]).await;
    let malformed = [
        "",
        "S",
        "10",
        "123456789S",
        "-5S",
        "+5S",
        "5X",
        "1.5S",
        "5 S",
        "5s",
        "0x5S",
    ];
    for timeout in malformed {
        let answer = ask_with_timeout(&server, timeout, budget(1_000)).await;
        let status = answer.status();
        assert_eq!(
            status.code(),
            Code::InvalidArgument,
            "{timeout:?}: {status:?}"
        );
        assert_eq!(reason(status), "TIMEOUT_MALFORMED", "{timeout:?}");
    }
}

#[tokio::test]
async fn the_largest_budget_that_is_allowed_is_taken() {
    let server = Server::start(&["--budget-max", "24h"]).await;
    let options = SolveOptions {
        time_budget: Some(prost_types::Duration {
            seconds: 86_400,
            nanos: 0,
        }),
        ..iterations(100, 0)
    };
    let (_, report) = solved(ask(&server, unbounded(), options).await.unwrap());
    assert_eq!(budget_of(&report), Duration::from_secs(86_400));
}
