//! Questions are shared, cancelled and limited like searches.

use super::{ask, ask_levels};
use stratagem_integration_tests::networks::{levels, ride, strong, turns};
use stratagem_integration_tests::patience::{eventually, wait_for};
use stratagem_integration_tests::problems::{budget, iterations};
use stratagem_integration_tests::{Server, server::WITHOUT_CACHE};
use stratagem_proto::v1::{
    CheckStrongControllabilityRequest, CheckStrongControllabilityResponse, SolveOptions,
    StopReason, TemporalDetail, TemporalVerdict as Verdict,
};

const SOLVED: &str = "stratagem_solve_total";
const BUSY: &str = "stratagem_busy_slots";

/// Much to do, so that somebody can leave before it is done.
fn long() -> CheckStrongControllabilityRequest {
    CheckStrongControllabilityRequest {
        detail: Some(TemporalDetail {
            simulation_runs: 100_000,
            ..Default::default()
        }),
        ..strong(turns(400, 20_000), budget(60_000))
    }
}

#[tokio::test]
async fn validation_only_decides_nothing() {
    let server = Server::start(&[]).await;
    let options = SolveOptions {
        validate_only: true,
        ..Default::default()
    };
    let answer = ask(&server, strong(turns(2, 6_000), options.clone())).await;
    assert_eq!(answer.verdict(), Verdict::Unspecified);
    assert_eq!(answer.plan, None);
    assert_eq!(answer.report.unwrap().stop_reason(), StopReason::Validated);
    let answer = ask_levels(&server, levels(ride(), options)).await;
    assert!(answer.findings.is_empty());
    assert_eq!(server.metrics().await.sum(SOLVED), 0.0);
}

#[tokio::test]
async fn the_same_reproducible_question_is_decided_once() {
    let server = Server::start(&[]).await;
    let request = strong(turns(5, 6_000), iterations(1_000_000, 1));
    let first = ask(&server, request.clone()).await;
    assert!(!first.report.as_ref().unwrap().shared);
    let again = ask(&server, request.clone()).await;
    assert!(again.report.as_ref().unwrap().shared);
    assert_eq!(without_report(again), without_report(first));
    assert_eq!(server.metrics().await.sum(SOLVED), 1.0);
    // The other method, other details and other strategies are other questions.
    let others = [
        CheckStrongControllabilityRequest {
            detail: Some(TemporalDetail {
                with_robustness: Some(false),
                ..Default::default()
            }),
            ..request.clone()
        },
        CheckStrongControllabilityRequest {
            options: Some(SolveOptions {
                strategy: "tropical".into(),
                ..iterations(1_000_000, 1)
            }),
            ..request.clone()
        },
    ];
    for other in others {
        assert!(!ask(&server, other).await.report.unwrap().shared);
    }
    let network = request.problem.unwrap();
    let answer = ask_levels(&server, levels(network, iterations(1_000_000, 1))).await;
    assert!(!answer.report.unwrap().shared);
    assert_eq!(server.metrics().await.sum(SOLVED), 4.0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn identical_questions_in_flight_share_one_decision() {
    let server = Server::start(&[]).await;
    let request = strong(turns(60, 6_000), iterations(1_000_000, 1));
    let mut calls = Vec::new();
    for _ in 0..8 {
        let mut client = server.temporal().await;
        let request = request.clone();
        calls.push(tokio::spawn(async move {
            client.check_strong_controllability(request).await
        }));
    }
    let mut shared = 0;
    for call in calls {
        let answer = wait_for("an answer", call)
            .await
            .unwrap()
            .unwrap()
            .into_inner();
        assert_eq!(answer.verdict(), Verdict::Holds);
        shared += usize::from(answer.report.unwrap().shared);
    }
    assert_eq!(shared, 7);
    assert_eq!(server.metrics().await.sum(SOLVED), 1.0);
}

#[tokio::test]
async fn repetition_does_not_change_the_answer() {
    let server = Server::start(WITHOUT_CACHE).await;
    let request = strong(turns(6, 3_500), iterations(1_000_000, 3));
    let first = ask(&server, request.clone()).await;
    let again = ask(&server, request).await;
    assert!(!again.report.as_ref().unwrap().shared);
    assert_eq!(without_report(again), without_report(first));
}

/// A response without its report, which has times in it.
fn without_report(
    answer: CheckStrongControllabilityResponse,
) -> CheckStrongControllabilityResponse {
    CheckStrongControllabilityResponse {
        report: None,
        ..answer
    }
}

#[tokio::test]
async fn a_question_that_nobody_waits_for_frees_its_slot() {
    let server = Server::start(&[]).await;
    let busy = async |slots: f64| {
        eventually(&format!("{slots} slots are busy"), async || {
            let metrics = server.metrics().await;
            (metrics.sum(BUSY) == slots).then_some(())
        })
        .await;
    };
    for _ in 0..4 {
        let mut client = server.temporal().await;
        let call = tokio::spawn(async move { client.check_strong_controllability(long()).await });
        busy(1.0).await;
        call.abort();
        busy(0.0).await;
    }
    let metrics = server.metrics().await;
    assert_eq!(metrics.sum("stratagem_cancel_to_free_seconds_count"), 4.0);
    let answer = ask(&server, strong(turns(2, 6_000), budget(5_000))).await;
    assert_eq!(answer.verdict(), Verdict::Holds);
}

#[tokio::test]
async fn the_answer_comes_by_the_deadline() {
    let server = Server::start(&[]).await;
    let request = CheckStrongControllabilityRequest {
        options: Some(budget(100)),
        ..long()
    };
    let answer = ask(&server, request).await;
    let report = answer.report.as_ref().unwrap();
    assert!(!report.reproducible, "{report:?}");
    // What was proved in time is reported, the rest is open; nothing is wrong.
    assert_ne!(answer.verdict(), Verdict::Fails);
}
