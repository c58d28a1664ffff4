//! Better and better plans, until nothing is better or nobody listens.

use super::{enough, verify};
use stratagem_integration_tests::patience::{eventually, wait_for};
use stratagem_integration_tests::problems::{budget, iterations};
use stratagem_integration_tests::stories::{in_millis, quest_of_players, scenes, schedule};
use stratagem_integration_tests::{Server, server::WITHOUT_CACHE};
use stratagem_proto::v1::{
    NarrativeProblem, ScheduleNarrativeResponse, SolveOptions, SolveStatus, StopReason,
};

const BUSY: &str = "stratagem_busy_slots";

async fn steps(
    server: &Server,
    problem: NarrativeProblem,
    options: SolveOptions,
) -> Vec<ScheduleNarrativeResponse> {
    let mut client = server.narrative().await;
    let request = schedule(problem, options);
    let mut stream = client
        .stream_schedule_narrative(request)
        .await
        .unwrap()
        .into_inner();
    let mut all = Vec::new();
    while let Some(step) = wait_for("a step", stream.message()).await.unwrap() {
        all.push(step);
    }
    all
}

#[tokio::test]
async fn each_step_is_a_whole_plan_that_ends_earlier() {
    let server = Server::start(&[]).await;
    let all = steps(&server, scenes(9), enough()).await;
    let (last, before) = all.split_last().expect("a last message");
    let mut makespans = Vec::new();
    for step in before {
        assert!(step.report.is_none() && step.conflict.is_none());
        let Some(plan) = &step.plan else { continue };
        assert!(verify(&server, &scenes(9), plan).await.valid);
        let makespan = in_millis(plan.makespan_offset.as_ref());
        let objective = step.event.as_ref().unwrap().objective.as_ref().unwrap();
        assert_eq!(objective.levels, [makespan as f64 / 1_000.0]);
        makespans.push(makespan);
    }
    assert!(
        makespans.is_sorted_by(|worse, better| worse > better),
        "{makespans:?}"
    );
    let report = last.report.as_ref().expect("the last one has the report");
    assert_eq!(report.status(), SolveStatus::Optimal, "{report:?}");
    assert_eq!(report.stop_reason(), StopReason::Proved);
    let best = last.plan.as_ref().expect("the best plan again");
    assert!(verify(&server, &scenes(9), best).await.valid);
    let best = in_millis(best.makespan_offset.as_ref());
    let objective = report.objective.as_ref().expect("the best has a cost");
    assert_eq!(objective.levels, [best as f64 / 1_000.0]);
    // Who reads slowly misses steps: all of them when the search is over at once.
    assert_eq!(best, makespans.last().copied().unwrap_or(best));
}

#[tokio::test]
async fn that_there_is_no_plan_ends_the_stream_with_the_reason() {
    let server = Server::start(&[]).await;
    let all = steps(&server, quest_of_players(), enough()).await;
    assert!(all.iter().all(|step| step.plan.is_none()));
    let last = all.last().expect("a last message");
    let report = last.report.as_ref().unwrap();
    assert_eq!(report.status(), SolveStatus::Infeasible);
    assert!(last.conflict.is_some() && !last.relaxations.is_empty());
}

#[tokio::test]
async fn the_same_seed_tells_the_same_story() {
    let server = Server::start(WITHOUT_CACHE).await;
    let plans = async || {
        let all = steps(&server, scenes(7), iterations(2_000, 5)).await;
        all.last().unwrap().plan.clone()
    };
    let first = plans().await;
    assert!(first.is_some());
    assert_eq!(plans().await, first);
}

#[tokio::test]
async fn a_stream_that_nobody_reads_frees_its_slot() {
    let server = Server::start(&[]).await;
    let busy = async |slots: f64| {
        eventually(&format!("{slots} slots are busy"), async || {
            let metrics = server.metrics().await;
            (metrics.sum(BUSY) == slots).then_some(())
        })
        .await;
    };
    let mut client = server.narrative().await;
    // Too many scenes to be done with.
    let request = schedule(scenes(120), budget(60_000));
    let stream = client.stream_schedule_narrative(request).await.unwrap();
    busy(1.0).await;
    drop(stream);
    busy(0.0).await;
}
