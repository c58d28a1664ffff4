//! Better and better stories, until nothing is better, the time is over or nobody listens.

use super::example;
use prost::Message as _;
use std::time::{Duration, Instant};
use stratagem_integration_tests::Server;
use stratagem_integration_tests::patience::{eventually, wait_for};
use stratagem_integration_tests::problems::{budget, iterations};
use stratagem_integration_tests::raw::{self, frame};
use stratagem_integration_tests::tales::{lamps, story_request};
use stratagem_proto::v1::{GenerateStoryResponse, SolveStatus, StopReason, StoryProblem};
use tonic::Code;

const BUSY: &str = "stratagem_busy_slots";
/// What searches take longer than they should on a machine that has other things to do.
const SLACK: Duration = Duration::from_secs(5);

/// A domain that tree search alone is never done with.
fn unbounded() -> StoryProblem {
    StoryProblem {
        max_acts: Some(50),
        ..lamps(12)
    }
}

#[tokio::test]
async fn each_story_is_better_and_the_last_is_the_best() {
    let server = Server::start(&[]).await;
    let mut options = iterations(20_000, 3);
    options.strategy = "mcts".into();
    let problem = example(&server, "crown").await;
    let call = server.story().await;
    let mut call = call;
    let stream = call
        .stream_generate_story(story_request(problem, options))
        .await;
    let mut stream = stream.unwrap().into_inner();
    let mut all: Vec<GenerateStoryResponse> = Vec::new();
    while let Some(step) = wait_for("a step", stream.message()).await.unwrap() {
        all.push(step);
    }
    let (last, before) = all.split_last().expect("a last message");
    let scores: Vec<f64> = before
        .iter()
        .filter_map(|s| Some(s.plan.as_ref()?.score))
        .collect();
    assert!(scores.windows(2).all(|two| two[0] < two[1]), "{scores:?}");
    assert!(before.iter().all(|step| step.report.is_none()));
    let report = last.report.as_ref().expect("the last one has the report");
    let plan = last.plan.as_ref().expect("the best again");
    assert!(scores.iter().all(|score| *score <= plan.score));
    assert_eq!(plan.steps.len(), plan.acts.len());
    assert_eq!(report.status(), SolveStatus::Feasible);
    assert_eq!(report.stop_reason(), StopReason::IterationLimit);
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
    let mut client = server.story().await;
    let mut options = budget(60_000);
    options.strategy = "mcts".into();
    let call = client.stream_generate_story(story_request(unbounded(), options));
    let stream = call.await.unwrap();
    busy(&server, 1.0).await;
    drop(stream);
    busy(&server, 0.0).await;
}

#[tokio::test]
async fn the_calls_deadline_brings_the_best_so_far() {
    let server = Server::start(&[]).await;
    let mut options = budget(60_000);
    options.strategy = "mcts".into();
    let body = frame(&story_request(unbounded(), options).encode_to_vec());
    let headers = [("grpc-timeout", "3000m")];
    let begin = Instant::now();
    let path = "/stratagem.v1.StoryService/GenerateStory";
    let call = raw::call(server.address, path, &headers, body);
    let answer = wait_for("an answer", call).await.unwrap();
    assert!(begin.elapsed() < Duration::from_secs(3) + SLACK);
    assert_eq!(answer.status().code(), Code::Ok, "best so far, in time");
    let answer: GenerateStoryResponse = answer.message();
    let report = answer.report.unwrap();
    assert_eq!(report.stop_reason(), StopReason::Deadline);
    assert!(!report.reproducible);
    assert!(answer.plan.unwrap().score > 0.0);
}

#[tokio::test]
async fn a_server_that_goes_gives_the_best_so_far() {
    let mut server = Server::start(&[]).await;
    let mut client = server.story().await;
    let mut options = budget(60_000);
    options.strategy = "mcts".into();
    let call = client.stream_generate_story(story_request(unbounded(), options));
    let mut stream = call.await.unwrap().into_inner();
    let mut last = wait_for("a first step", stream.message()).await.unwrap();
    assert!(last.is_some());
    server.terminate();
    while let Some(step) = wait_for("a step", stream.message()).await.unwrap() {
        last = Some(step);
    }
    let report = last.expect("the last step").report;
    let report = report.expect("the last one has the report");
    assert_eq!(report.stop_reason(), StopReason::Draining);
    assert_eq!(server.ended().await.code(), Some(0), "{}", server.log());
}
