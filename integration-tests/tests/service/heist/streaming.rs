//! Shorter and shorter plans, until one is proved to be the shortest or nobody listens.

use super::{MANY, ask, example, report, verify};
use stratagem_integration_tests::heists::{errand, plan, row};
use stratagem_integration_tests::patience::{eventually, wait_for};
use stratagem_integration_tests::problems::{budget, iterations};
use stratagem_integration_tests::{Server, server::WITHOUT_CACHE};

#[tokio::test]
async fn each_step_is_a_whole_plan_that_is_shorter() {
    let server = Server::start(WITHOUT_CACHE).await;
    let maze = example(&server, "heist/maze").await;
    let mut client = server.heist().await;
    let call = client.stream_plan_burglar(plan(maze.clone(), iterations(MANY, 0)));
    let mut stream = call.await.unwrap().into_inner();
    let mut all = Vec::new();
    while let Some(step) = wait_for("a step", stream.message()).await.unwrap() {
        all.push(step);
    }
    let (last, before) = all.split_last().expect("a last message");
    let mut lengths = Vec::new();
    for step in before {
        assert!(step.report.is_none() && step.outcome.is_none());
        let Some(plan) = &step.plan else { continue };
        let objective = step.event.as_ref().unwrap().objective.as_ref();
        let verdict = verify(&server, &maze, plan).await;
        assert_eq!(verdict.objective.as_ref(), objective, "{verdict:?}");
        lengths.push(plan.steps.len());
    }
    assert!(lengths.windows(2).all(|two| two[1] < two[0]), "{lengths:?}");
    let unary = ask(&server, plan(maze, iterations(MANY, 0))).await;
    assert_eq!(last.plan, unary.plan);
    assert_eq!(last.unavoidable_room_ids, unary.unavoidable_room_ids);
    assert_eq!(last.outcome, unary.outcome);
    let streamed = last.report.as_ref().expect("the last one has the report");
    assert_eq!(streamed.status(), report(&unary).status());
}

#[tokio::test]
async fn who_goes_away_frees_the_slot() {
    let server = Server::start(&[]).await;
    let mut client = server.heist().await;
    for _ in 0..20 {
        let call = client.stream_plan_burglar(plan(errand(row(500)), budget(60_000)));
        drop(call.await.unwrap());
    }
    eventually("no slot is busy", async || {
        let metrics = server.metrics().await;
        (metrics.sum("stratagem_busy_slots") == 0.0).then_some(())
    })
    .await;
}
