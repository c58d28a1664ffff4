//! Stories on the command line and in JSON.

mod branching;
mod learning;
mod lines;
mod varying;

use serde_json::{Value, json};
use stratagem_integration_tests::Server;
use stratagem_integration_tests::plain::post;
use stratagem_proto::EXAMPLES;

#[tokio::test]
async fn stories_come_in_json_over_http() {
    let server = Server::start(&[]).await;
    let crown = EXAMPLES.iter().find(|e| e.name == "story/crown").unwrap();
    let problem: Value = serde_json::from_str(crown.json).unwrap();
    let asked = json!({"problem": problem, "options": {"time_budget": "60s"}});
    let path = "/stratagem.v1.StoryService/GenerateStory";
    let reply = post(server.address, path, &[], &asked.to_string()).await;
    assert_eq!(reply.status, 200, "{reply:?}");
    let answer = reply.json();
    assert_eq!(answer["report"]["status"], "SOLVE_STATUS_OPTIMAL");
    assert!(!answer["plan"]["sentences"].as_array().unwrap().is_empty());
    let bad = json!({"problem": {"goals": [{"name": "g", "condition": "("}]}});
    let reply = post(server.address, path, &[], &bad.to_string()).await;
    assert_eq!(reply.status, 400);
    assert!(reply.json().to_string().contains("SYNTAX"), "{reply:?}");
}
