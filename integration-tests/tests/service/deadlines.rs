//! Deadlines: the call's own, the request's, the server's; and what is none.

use crate::asking::{ask, reason, solved, unbounded};
use prost::Message as _;
use std::time::Duration;
use stratagem_integration_tests::Server;
use stratagem_integration_tests::patience::wait_for;
use stratagem_integration_tests::problems::{allocate, budget, iterations};
use stratagem_integration_tests::raw::{self, Answer, frame};
use stratagem_proto::v1::{AllocateTasksResponse, SolveOptions, SolveReport, StopReason};
use tonic::Code;

/// A unary call with a `grpc-timeout` as it is, without a client that enforces it.
async fn ask_with_timeout(server: &Server, timeout: &str, options: SolveOptions) -> Answer {
    let body = frame(&allocate(unbounded(), options).encode_to_vec());
    let headers = [("grpc-timeout", timeout)];
    let call = raw::call(server.address, raw::ALLOCATE, &headers, body);
    wait_for("an answer", call).await.unwrap()
}

/// The report of an answer that is there, whether there is a plan or not.
fn report(answer: &Answer) -> SolveReport {
    assert_eq!(answer.status().code(), Code::Ok, "best so far, in time");
    let last = answer.messages::<AllocateTasksResponse>().pop().unwrap();
    last.report.expect("reports are always there")
}

fn budget_of(report: &SolveReport) -> Duration {
    let budget = report.time_budget.expect("reports have the budget");
    budget.try_into().expect("budgets are positive")
}

#[tokio::test]
async fn a_request_without_any_deadline_gets_the_default_of_the_server() {
    let unary = ["--budget-default", "300ms"];
    let flags = [&unary[..], &["--stream-budget-default", "400ms"]].concat();
    let server = Server::start(&flags).await;
    let body = frame(&allocate(unbounded(), SolveOptions::default()).encode_to_vec());
    for (path, budget_ms) in [(raw::ALLOCATE, 300), (raw::STREAM_ALLOCATE, 400)] {
        let call = raw::call(server.address, path, &[], body.clone());
        let report = report(&wait_for("an answer", call).await.unwrap());
        assert_eq!(budget_of(&report), Duration::from_millis(budget_ms));
        assert_eq!(report.stop_reason(), StopReason::Deadline);
        assert!(!report.reproducible);
    }
}

#[tokio::test]
async fn the_calls_own_deadline_counts_when_it_is_the_first() {
    let server = Server::start(&[]).await;
    let answer = ask_with_timeout(&server, "60S", iterations(10, 0)).await;
    let margin = Duration::from_secs(60) - budget_of(&report(&answer));
    assert!(margin > Duration::ZERO, "the answer has to travel");
    assert!(margin < Duration::from_secs(30), "{margin:?}");
    let body = frame(&allocate(unbounded(), budget(60_000)).encode_to_vec());
    // Long enough for a machine that has other things to do.
    let timeout = [("grpc-timeout", "5S")];
    let call = |path| raw::call(server.address, path, &timeout, body.clone());
    let (unary, streamed) = tokio::join!(call(raw::ALLOCATE), call(raw::STREAM_ALLOCATE));
    for answer in [unary, streamed] {
        assert_eq!(report(&answer.unwrap()).stop_reason(), StopReason::Deadline);
    }
}

#[tokio::test]
async fn the_cap_of_the_server_counts_when_it_is_the_first() {
    let flags = ["--budget-max", "250ms", "--budget-default", "250ms"];
    let flags = [&flags[..], &["--stream-budget-default", "250ms"]].concat();
    let server = Server::start(&flags).await;
    // The longest deadline that gRPC can say: eleven thousand years.
    for timeout in ["99999999H", "3600S"] {
        let answer = ask_with_timeout(&server, timeout, budget(86_400_000)).await;
        let budget = budget_of(&report(&answer));
        assert_eq!(budget, Duration::from_millis(250), "{timeout}");
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
