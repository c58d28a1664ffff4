//! Answers are shared where a search would return the same.

use crate::asking::{ask, solved, unbounded};
use stratagem_integration_tests::patience::wait_for;
use stratagem_integration_tests::problems::{allocate, budget, iterations};
use stratagem_integration_tests::{Server, server::WITHOUT_CACHE};
use stratagem_proto::v1::{SolveEngineOptions, SolveOptions};

const SOLVED: &str = "stratagem_solve_total";

#[tokio::test]
async fn the_same_reproducible_request_is_searched_once() {
    let server = Server::start(&[]).await;
    let (plan, report) = solved(ask(&server, unbounded(), iterations(200, 1)).await.unwrap());
    assert!(report.reproducible && !report.shared);
    let (again, report) = solved(ask(&server, unbounded(), iterations(200, 1)).await.unwrap());
    assert!(report.shared);
    assert_eq!(again, plan);
    assert_eq!(server.metrics().await.sum(SOLVED), 1.0);
}

#[tokio::test]
async fn whatever_can_change_the_answer_is_not_shared() {
    let server = Server::start(&[]).await;
    let base = iterations(200, 1);
    let others = [
        base.clone(),
        SolveOptions {
            seed: 2,
            ..base.clone()
        },
        SolveOptions {
            max_iterations: Some(201),
            ..base.clone()
        },
        SolveOptions {
            strategy: "mcts".into(),
            ..base.clone()
        },
        SolveOptions {
            engine: Some(SolveEngineOptions {
                threads: None,
                parallel_width: Some(3),
            }),
            ..base.clone()
        },
    ];
    for options in others {
        let (_, report) = solved(ask(&server, unbounded(), options).await.unwrap());
        assert!(!report.shared, "{report:?}");
    }
    let mut moved = unbounded();
    moved.tasks[0] = stratagem_integration_tests::problems::task("task 0", 50.0, 50.0);
    let (_, report) = solved(ask(&server, moved, base).await.unwrap());
    assert!(!report.shared);
    assert_eq!(server.metrics().await.sum(SOLVED), 6.0);
}

#[tokio::test]
async fn answers_that_depend_on_the_clock_are_not_shared() {
    let server = Server::start(&[]).await;
    for _ in 0..2 {
        let (_, report) = solved(ask(&server, unbounded(), budget(1_000)).await.unwrap());
        assert!(!report.reproducible && !report.shared);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn identical_requests_in_flight_share_one_search() {
    let server = Server::start(&[]).await;
    let mut calls = Vec::new();
    for _ in 0..16 {
        let mut client = server.allocation().await;
        let request = allocate(unbounded(), iterations(2_000, 1));
        calls.push(tokio::spawn(
            async move { client.allocate_tasks(request).await },
        ));
    }
    let mut plans = Vec::new();
    let mut shared = 0;
    for call in calls {
        let answer = wait_for("an answer", call).await.unwrap().unwrap();
        let (plan, report) = solved(answer.into_inner());
        shared += usize::from(report.shared);
        plans.push(plan);
    }
    assert_eq!(shared, 15);
    plans.dedup();
    assert_eq!(plans.len(), 1);
    assert_eq!(server.metrics().await.sum(SOLVED), 1.0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_joined_a_search_gets_the_answer_when_the_first_client_leaves() {
    let server = Server::start(&[]).await;
    let options = iterations(4_000, 1);
    let mut client = server.allocation().await;
    let request = allocate(unbounded(), options.clone());
    let first = tokio::spawn(async move { client.allocate_tasks(request).await });
    stratagem_integration_tests::patience::eventually("it is searching", async || {
        let metrics = server.metrics().await;
        (metrics.sum("stratagem_busy_slots") > 0.0).then_some(())
    })
    .await;
    let mut client = server.allocation().await;
    let request = allocate(unbounded(), options);
    let second = tokio::spawn(async move { client.allocate_tasks(request).await });
    first.abort();
    let answer = wait_for("an answer", second).await.unwrap().unwrap();
    let (_, report) = solved(answer.into_inner());
    assert!(report.reproducible);
}

#[tokio::test]
async fn a_server_without_cache_shares_nothing() {
    let server = Server::start(WITHOUT_CACHE).await;
    for _ in 0..2 {
        let (_, report) = solved(ask(&server, unbounded(), iterations(500, 1)).await.unwrap());
        assert!(!report.shared);
    }
    assert_eq!(server.metrics().await.sum(SOLVED), 2.0);
}
