//! More clients than slots: each gets a checked plan in time or learns when to retry.

use crate::asking::{occupied, unbounded, verify};
use std::collections::BTreeSet;
use std::time::Duration;
use stratagem_integration_tests::patience::wait_for;
use stratagem_integration_tests::problems::{allocate, budget, iterations, millis};
use stratagem_integration_tests::{Server, server::WITHOUT_CACHE};
use stratagem_proto::v1::{AllocationPlan, Priority, SolveOptions, SolveStatus, StopReason};
use tonic::{Code, Status};
use tonic_types::StatusExt as _;

const CLIENTS: usize = 64;
/// What each of them asks for, in milliseconds.
const BUDGET_MS: i64 = 1_500;
/// A refusal has to say when to come back, in both ways that clients know.
fn check_refusal(status: &Status) -> &'static str {
    assert_eq!(status.code(), Code::Unavailable, "{status:?}");
    let details = status.get_error_details();
    let delay = details
        .retry_info()
        .expect("RetryInfo")
        .retry_delay
        .expect("a delay");
    assert!(delay > Duration::ZERO);
    let pushback = status
        .metadata()
        .get("grpc-retry-pushback-ms")
        .expect("pushback");
    let pushback: u128 = pushback.to_str().unwrap().parse().unwrap();
    assert_eq!(pushback, delay.as_millis());
    match details.error_info().expect("ErrorInfo").reason.as_str() {
        "NO_SLOT_IN_TIME" => "NO_SLOT_IN_TIME",
        "QUEUE_FULL" => "QUEUE_FULL",
        other => panic!("refused for {other}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixty_four_clients_share_two_slots() {
    let server = Server::start(&[WITHOUT_CACHE, &["--queue-max", "32"]].concat()).await;
    let mut calls = Vec::new();
    for i in 0..CLIENTS {
        let mut client = server.allocation().await;
        let request = allocate(
            unbounded(),
            SolveOptions {
                seed: i as i64,
                ..budget(BUDGET_MS)
            },
        );
        calls.push(tokio::spawn(
            async move { client.allocate_tasks(request).await },
        ));
    }
    let (mut plans, mut refused, mut late) = (Vec::<AllocationPlan>::new(), 0, 0);
    for call in calls {
        match wait_for("an answer", call).await.unwrap() {
            Ok(answer) => {
                let answer = answer.into_inner();
                let report = answer.report.unwrap();
                let ends = [StopReason::Deadline, StopReason::Yielded];
                assert!(ends.contains(&report.stop_reason()), "{report:?}");
                if let Some(plan) = answer.plan {
                    plans.push(plan);
                } else {
                    // Got its slot in the last moment.
                    assert_eq!(report.status(), SolveStatus::Unknown, "{report:?}");
                    late += 1;
                }
            }
            Err(status) => {
                check_refusal(&status);
                refused += 1;
            }
        }
    }
    for plan in &plans {
        let verdict = verify(&server, &unbounded(), plan).await.unwrap();
        assert!(verdict.valid && !verdict.partial, "{verdict:?}");
    }
    assert!(plans.len() >= 2, "two slots were free at the start");
    assert!(
        refused > 0,
        "nobody can serve {CLIENTS} clients in the time of two"
    );
    // A slot is free a moment after its answer.
    server.counts("stratagem_busy_slots", 0.0).await;
    let metrics = server.metrics().await;
    let searched = metrics.sum("stratagem_solve_total");
    assert_eq!(searched, plans.len() as f64 + f64::from(late));
    assert_eq!(metrics.sum("stratagem_shed_total"), f64::from(refused));
    assert_eq!(metrics.sum("stratagem_queued_requests"), 0.0);
    assert_eq!(metrics.sum("stratagem_verify_mismatch_total"), 0.0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn short_searches_of_sixty_four_clients_all_succeed() {
    let server = Server::start(WITHOUT_CACHE).await;
    let mut calls = Vec::new();
    for i in 0..CLIENTS {
        let mut client = server.allocation().await;
        let request = allocate(unbounded(), iterations(200, i as i64));
        calls.push(tokio::spawn(
            async move { client.allocate_tasks(request).await },
        ));
    }
    for call in calls {
        let answer = wait_for("an answer", call)
            .await
            .unwrap()
            .unwrap()
            .into_inner();
        assert!(answer.plan.is_some());
    }
    let metrics = server.metrics().await;
    assert_eq!(metrics.sum("stratagem_solve_total"), CLIENTS as f64);
    assert_eq!(metrics.sum("stratagem_shed_total"), 0.0);
}

#[tokio::test]
async fn a_full_queue_refuses_at_once() {
    let server = Server::start(&["--slots", "1", "--queue-max", "0"]).await;
    let _first = occupied(&server).await;
    let mut other = server.allocation().await;
    let mut delays = BTreeSet::new();
    for _ in 0..8 {
        let call = other.allocate_tasks(allocate(unbounded(), budget(120_000)));
        let status = wait_for("a refusal", call).await.unwrap_err();
        assert_eq!(check_refusal(&status), "QUEUE_FULL");
        let pushback = status.metadata().get("grpc-retry-pushback-ms");
        delays.insert(pushback.cloned().map(|it| it.as_bytes().to_vec()));
    }
    assert!(delays.len() > 1, "they would come back in step: {delays:?}");
}

#[tokio::test]
async fn a_higher_priority_goes_first() {
    let server = Server::start(&["--slots", "1"]).await;
    let first = occupied(&server).await;
    let (sender, mut order) = tokio::sync::mpsc::unbounded_channel();
    // In the order of their arrival; all are short once they have the slot.
    let classes = [Priority::Low, Priority::Unspecified, Priority::High];
    for (i, class) in classes.into_iter().enumerate() {
        let (mut client, sender) = (server.allocation().await, sender.clone());
        // Time to wait until the budgets of all others are over: none of them looks hopeless.
        let options = SolveOptions {
            time_budget: Some(millis(600_000)),
            priority: class.into(),
            ..iterations(100, i as i64)
        };
        tokio::spawn(async move {
            let answer = client.allocate_tasks(allocate(unbounded(), options)).await;
            sender.send((class, answer.is_ok())).unwrap();
        });
        let queued = (i + 1) as f64;
        server.counts("stratagem_queued_requests", queued).await;
    }
    drop(first);
    for class in classes.into_iter().rev() {
        let answered = wait_for("an answer", order.recv()).await;
        assert_eq!(answered, Some((class, true)));
    }
}
