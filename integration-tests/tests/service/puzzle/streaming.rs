//! Better and better levels, until nothing is better, the time is over or nobody listens.

use super::{levels, play, report, target, verify};
use prost::Message as _;
use std::time::{Duration, Instant};
use stratagem_integration_tests::Server;
use stratagem_integration_tests::patience::{eventually, in_some_try, wait_for};
use stratagem_integration_tests::problems::{budget, iterations};
use stratagem_integration_tests::puzzles::make;
use stratagem_integration_tests::raw::{self, frame};
use stratagem_proto::v1::{GeneratePuzzleResponse, PuzzleProblem, SolveOptions, StopReason};
use tonic::Code;

const BUSY: &str = "stratagem_busy_slots";
/// What searches take longer than they should on a machine that has other things to do.
const SLACK: Duration = Duration::from_secs(5);

async fn steps(
    server: &Server,
    problem: PuzzleProblem,
    options: SolveOptions,
) -> Vec<GeneratePuzzleResponse> {
    let mut client = server.puzzle().await;
    let call = client.stream_generate_puzzle(make(problem, options));
    let mut stream = call.await.unwrap().into_inner();
    let mut all = Vec::new();
    while let Some(step) = wait_for("a step", stream.message()).await.unwrap() {
        all.push(step);
    }
    all
}

#[tokio::test]
async fn each_step_is_a_whole_plan_that_is_better() {
    let server = Server::start(&[]).await;
    let ladder = PuzzleProblem {
        level_count: Some(3),
        target: target(2.0, 8.0),
        ..levels(8, 3)
    };
    for problem in [levels(8, 3), ladder] {
        in_some_try("a level before the last word", async |seed| {
            let all = steps(&server, problem.clone(), iterations(5_000, seed)).await;
            !costs(&server, &problem, &all).await.is_empty()
        })
        .await;
    }
}

/// What the steps before the last say that they cost, checked.
async fn costs(
    server: &Server,
    problem: &PuzzleProblem,
    all: &[GeneratePuzzleResponse],
) -> Vec<Vec<f64>> {
    let (last, before) = all.split_last().expect("a last message");
    let mut costs = Vec::new();
    for step in before {
        assert!(step.report.is_none());
        let Some(plan) = &step.plan else { continue };
        plan.levels.iter().for_each(play);
        let objective = step.event.as_ref().unwrap().objective.as_ref();
        let verdict = verify(server, problem, plan).await;
        assert_eq!(verdict.objective.as_ref(), objective, "{verdict:?}");
        costs.push(objective.unwrap().levels.clone());
    }
    assert!(costs.is_sorted_by(|a, b| a > b), "{costs:?}");
    let report = last.report.as_ref().expect("the last one has the report");
    let best = &report.objective.as_ref().unwrap().levels;
    assert!(costs.iter().all(|cost| best <= cost));
    let plan = last.plan.as_ref().expect("the best again");
    assert!(verify(server, problem, plan).await.valid);
    costs
}

async fn busy(server: &Server, slots: f64) {
    eventually(&format!("{slots} slots are busy"), async || {
        let metrics = server.metrics().await;
        (metrics.sum(BUSY) == slots).then_some(())
    })
    .await;
}

#[tokio::test]
async fn who_goes_away_frees_the_slot() {
    let server = Server::start(&[]).await;
    let mut client = server.puzzle().await;
    let call = client.stream_generate_puzzle(make(levels(10, 4), budget(60_000)));
    let stream = call.await.unwrap();
    busy(&server, 1.0).await;
    drop(stream);
    busy(&server, 0.0).await;
    let request = make(levels(10, 4), budget(60_000));
    let call = tokio::spawn(async move { client.generate_puzzle(request).await });
    busy(&server, 1.0).await;
    call.abort();
    busy(&server, 0.0).await;
}

#[tokio::test]
async fn the_calls_deadline_brings_the_best_so_far() {
    let server = Server::start(&[]).await;
    let body = frame(&make(levels(10, 4), budget(60_000)).encode_to_vec());
    let headers = [("grpc-timeout", "3000m")];
    let begin = Instant::now();
    let path = "/stratagem.v1.PuzzleService/GeneratePuzzle";
    let call = raw::call(server.address, path, &headers, body);
    let answer = wait_for("an answer", call).await.unwrap();
    assert!(begin.elapsed() < Duration::from_secs(3) + SLACK);
    assert_eq!(answer.status().code(), Code::Ok, "best so far, in time");
    let answer: GeneratePuzzleResponse = answer.message();
    assert_eq!(report(&answer).stop_reason(), StopReason::Deadline);
    assert!(!report(&answer).reproducible);
    answer
        .plan
        .iter()
        .flat_map(|plan| &plan.levels)
        .for_each(play);
}

#[tokio::test]
async fn a_server_that_goes_gives_the_best_so_far() {
    let mut server = Server::start(&[]).await;
    let mut client = server.puzzle().await;
    let call = client.stream_generate_puzzle(make(levels(10, 4), budget(60_000)));
    let mut stream = call.await.unwrap().into_inner();
    let mut last = wait_for("a first step", stream.message()).await.unwrap();
    assert!(last.is_some());
    server.terminate();
    while let Some(step) = wait_for("a step", stream.message()).await.unwrap() {
        last = Some(step);
    }
    let last = last.expect("the last step");
    let report = last.report.expect("the last one has the report");
    assert_eq!(report.stop_reason(), StopReason::Draining);
    last.plan
        .iter()
        .flat_map(|plan| &plan.levels)
        .for_each(play);
    assert_eq!(server.ended().await.code(), Some(0), "{}", server.log());
}
