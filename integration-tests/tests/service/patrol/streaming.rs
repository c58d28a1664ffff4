//! Better and better patrols, until nothing is better, the time is over or nobody listens.

use super::{report, steps, verify};
use prost::Message as _;
use std::time::{Duration, Instant};
use stratagem_integration_tests::Server;
use stratagem_integration_tests::patience::{eventually, in_some_try, wait_for};
use stratagem_integration_tests::patrols::{chase, fence, generate, judge, patrol, round};
use stratagem_integration_tests::problems::{budget, iterations};
use stratagem_integration_tests::raw::{self, frame};
use stratagem_proto::v1::{GeneratePatrolResponse, SolveStatus, StopReason};
use tonic::Code;

const BUSY: &str = "stratagem_busy_slots";
/// What searches take longer than they should on a machine that has other things to do.
const SLACK: Duration = Duration::from_secs(5);

#[tokio::test]
async fn each_step_is_a_whole_plan_that_catches_more() {
    let server = Server::start(&[]).await;
    in_some_try("a plan before a better one", async |seed| {
        let all = steps(&server, chase(5, 30), iterations(20_000, seed)).await;
        let levels = levels(&server, &all).await;
        assert!(levels.is_sorted_by(|a, b| a >= b), "{levels:?}");
        levels.first() > levels.last()
    })
    .await;
}

/// What the steps of a stream say that they miss, checked; that of the last one is the last.
async fn levels(server: &Server, all: &[GeneratePatrolResponse]) -> Vec<f64> {
    let (last, before) = all.split_last().expect("a last message");
    let mut levels = Vec::new();
    for step in before {
        assert!(step.report.is_none() && step.evaluation.is_none());
        let Some(plan) = &step.plan else { continue };
        let objective = step.event.as_ref().unwrap().objective.as_ref().unwrap();
        let verdict = verify(server, &chase(5, 30), plan).await;
        assert_eq!(
            verdict.objective.expect("it is valid").levels,
            objective.levels
        );
        levels.push(objective.levels[0]);
    }
    let evaluation = last.evaluation.as_ref().expect("there was time");
    let report = last.report.as_ref().expect("the last one has the report");
    let best = report.objective.as_ref().unwrap().levels[0];
    assert!((1.0 - evaluation.capture_probability - best).abs() < 1e-12);
    assert!(last.plan.is_some());
    let (bound, gap) = (report.bound.as_ref().unwrap(), report.gap.unwrap());
    assert!(bound.levels[0] <= best && (0.0..=1.0).contains(&gap));
    levels.push(best);
    levels
}

#[tokio::test]
async fn a_proof_ends_the_stream() {
    let server = Server::start(&[]).await;
    let all = steps(&server, fence(15, 3, 4), budget(20_000)).await;
    let last = all.last().expect("a last message");
    let report = last.report.as_ref().unwrap();
    assert_eq!(report.status(), SolveStatus::Optimal, "{report:?}");
    assert_eq!(last.evaluation.as_ref().unwrap().capture_probability, 1.0);
}

pub(super) async fn busy(server: &Server, slots: f64) {
    eventually(&format!("{slots} slots are busy"), async || {
        let metrics = server.metrics().await;
        (metrics.sum(BUSY) == slots).then_some(())
    })
    .await;
}

#[tokio::test]
async fn who_goes_away_frees_the_slot() {
    let server = Server::start(&[]).await;
    let mut client = server.patrol().await;
    let call = client.stream_generate_patrol(generate(chase(20, 200), budget(60_000)));
    let stream = call.await.unwrap();
    busy(&server, 1.0).await;
    drop(stream);
    busy(&server, 0.0).await;
    let request = generate(chase(20, 200), budget(60_000));
    let call = tokio::spawn(async move { client.generate_patrol(request).await });
    busy(&server, 1.0).await;
    call.abort();
    busy(&server, 0.0).await;
}

#[tokio::test]
async fn the_calls_deadline_brings_the_best_so_far() {
    let server = Server::start(&[]).await;
    let body = frame(&generate(chase(10, 60), budget(60_000)).encode_to_vec());
    let headers = [("grpc-timeout", "3000m")];
    let begin = Instant::now();
    let path = "/stratagem.v1.PatrolService/GeneratePatrol";
    let call = raw::call(server.address, path, &headers, body);
    let answer = wait_for("an answer", call).await.unwrap();
    assert!(begin.elapsed() < Duration::from_secs(3) + SLACK);
    assert_eq!(answer.status().code(), Code::Ok, "best so far, in time");
    let answer: GeneratePatrolResponse = answer.message();
    assert_eq!(report(&answer).stop_reason(), StopReason::Deadline);
    assert!(answer.plan.is_some() && !report(&answer).reproducible);
}

#[tokio::test]
async fn judging_needs_no_slot() {
    let server = Server::start(&["--slots", "1"]).await;
    let mut client = server.patrol().await;
    let call = client.stream_generate_patrol(generate(chase(10, 60), budget(60_000)));
    let stream = call.await.unwrap();
    busy(&server, 1.0).await;
    let plan = patrol(vec![round("g0", &["p0", "p1", "p2", "p3"])]);
    let call = client.evaluate_patrol(judge(&fence(4, 1, 1), &plan));
    wait_for("an evaluation", call).await.unwrap();
    drop(stream);
}
