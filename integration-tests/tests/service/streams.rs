//! Streams: better and better, and the last word is always heard.

use crate::asking::unbounded;
use stratagem_integration_tests::patience::{eventually, wait_for};
use stratagem_integration_tests::problems::{allocate, budget, iterations, scattered};
use stratagem_integration_tests::{Server, server::WITHOUT_CACHE};
use stratagem_proto::v1::{AllocateTasksResponse, AllocationProblem, SolveOptions};

/// Everything that a search sends.
async fn steps(
    server: &Server,
    problem: AllocationProblem,
    options: SolveOptions,
) -> Vec<AllocateTasksResponse> {
    let mut client = server.allocation().await;
    let call = client.stream_allocate_tasks(allocate(problem, options));
    let mut incoming = wait_for("the head of a stream", call)
        .await
        .unwrap()
        .into_inner();
    let mut steps = Vec::new();
    while let Some(step) = wait_for("a step", incoming.message()).await.unwrap() {
        steps.push(step);
    }
    steps
}

/// What must be true of every stream.
fn check_order(steps: &[AllocateTasksResponse]) {
    let events: Vec<_> = steps.iter().map(|s| s.event.as_ref().unwrap()).collect();
    assert!(events[0].sequence >= 1);
    assert!(events.is_sorted_by(|a, b| a.sequence < b.sequence));
    let (last, before) = steps.split_last().unwrap();
    assert!(
        before.iter().all(|step| step.report.is_none()),
        "only the last"
    );
    let offers: Vec<_> = before.iter().filter(|step| step.plan.is_some()).collect();
    let level = |step: &AllocateTasksResponse| {
        let objective = step.event.as_ref()?.objective.clone();
        Some(objective?.levels)
    };
    assert!(
        offers.is_sorted_by(|a, b| level(a).unwrap() > level(b).unwrap()),
        "every offer is strictly better: {offers:?}"
    );
    for step in before {
        let heartbeat = step.event.as_ref().unwrap().heartbeat;
        assert_eq!(heartbeat, step.plan.is_none(), "{step:?}");
    }
    let report = last.report.as_ref().expect("the last has the report");
    assert_eq!(report.objective.clone().map(|o| o.levels), level(last));
    if let Some(best) = offers.last() {
        assert!(level(best) >= level(last), "the last has the best");
    }
}

#[tokio::test]
async fn a_stream_gives_signs_of_life() {
    let server = Server::start(&["--heartbeat-interval", "20ms"]).await;
    // The best plan of twelve tasks in a row is found at once; it then takes long to find that
    // there is no better.
    let steps = steps(&server, unbounded(), budget(1_500)).await;
    check_order(&steps);
    let signs = steps.iter().filter(|s| s.event.clone().unwrap().heartbeat);
    assert!(signs.count() > 0);
}

#[tokio::test]
async fn a_reader_that_sleeps_misses_steps_but_never_the_last() {
    let server = Server::start(WITHOUT_CACHE).await;
    let mut client = server.allocation().await;
    let request = allocate(scattered(4, 6, 150), iterations(100, 0));
    let mut incoming = client
        .stream_allocate_tasks(request)
        .await
        .unwrap()
        .into_inner();
    eventually("the search ends though nobody reads", async || {
        let metrics = server.metrics().await;
        (metrics.sum("stratagem_solve_total") == 1.0).then_some(())
    })
    .await;
    let mut steps = Vec::new();
    while let Some(step) = wait_for("a step", incoming.message()).await.unwrap() {
        steps.push(step);
    }
    check_order(&steps);
}
