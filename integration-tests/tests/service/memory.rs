//! Memory of searches: what they really take, and who is refused.

use crate::asking::ask;
use serde_json::{Value, json};
use stratagem_integration_tests::patience::wait_for;
use stratagem_integration_tests::plain::post;
use stratagem_integration_tests::problems::{iterations, row, scattered};
use stratagem_integration_tests::{Process, Server};
use stratagem_proto::EXAMPLES;
use tonic::Code;

const STORY: &str = "/stratagem.v1.StoryService/GenerateStory";
/// How much of its memory is left for nodes.
const NODES_MIB: u64 = 10;

/// A server that keeps no answers, and gives each search 26 MiB.
const TIGHT: [&str; 6] = [
    "--solve-memory-max",
    "27262976",
    "--nodes-max",
    "100000000",
    "--cache-bytes-max",
    "0",
];

/// Asks, and returns by how many MiB the server's memory has grown at most.
async fn growth(server: &Process, asked: &Value) -> Option<u64> {
    let before = server.memory_peak_kib()?;
    let reply = wait_for(
        "an answer",
        post(server.address, STORY, &[], &asked.to_string()),
    )
    .await;
    assert_eq!(reply.status, 200, "{reply:?}");
    Some((server.memory_peak_kib()? - before) >> 10)
}

fn story(iterations: u64) -> Value {
    let crown = EXAMPLES.iter().find(|it| it.name == "story/crown").unwrap();
    let problem: Value = serde_json::from_str(crown.json).unwrap();
    let options = json!({
        "strategy": "mcts", "seed": 1, "max_iterations": iterations, "time_budget": "600s"
    });
    json!({"problem": problem, "options": options})
}

#[tokio::test]
async fn a_search_stays_within_its_memory() {
    let server = Process::start(&TIGHT).await;
    // What the first search of all takes is the program's.
    growth(&server, &story(1)).await;
    // Without a limit these take 23 MiB.
    if let Some(grown) = growth(&server, &story(700_000)).await {
        assert!(grown <= NODES_MIB, "{grown} MiB");
    }
}

#[tokio::test]
async fn what_can_never_fit_is_refused_at_once_and_what_fits_is_searched() {
    let server = Server::start(&TIGHT).await;
    let large = scattered(1, 20, 1_000);
    let refused = ask(&server, large, iterations(1, 0)).await.unwrap_err();
    assert_eq!(refused.code(), Code::ResourceExhausted);
    assert!(refused.message().contains("solve_memory_max"), "{refused}");
    ask(&server, row(), iterations(100, 0)).await.unwrap();
    let metrics = server.metrics().await;
    assert_eq!(metrics.sum("stratagem_reserved_memory_bytes"), 0.0);
    assert!(metrics.sum("stratagem_memory_max_bytes") > 0.0);
}
