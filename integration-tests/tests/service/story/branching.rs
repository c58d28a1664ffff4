//! Stories with choices.

use crate::command_line::run_at;
use serde_json::{Value, json};
use stratagem_integration_tests::Server;
use stratagem_integration_tests::plain::post;
use stratagem_proto::EXAMPLES;

#[tokio::test]
async fn choices_come_in_json_over_http_and_on_the_command_line() {
    let server = Server::start(&[]).await;
    let crown = EXAMPLES.iter().find(|e| e.name == "story/crown").unwrap();
    let problem: Value = serde_json::from_str(crown.json).unwrap();
    let generate = ["story", "plan", "example:crown", "--iterations", "5000"];
    let best = run_at(&server, &[&generate[..], &["-o", "json"]].concat()).with_code(0);
    let asked = json!({
        "problem": problem,
        "acts": best.json()["plan"]["acts"],
        "maxContinuationIterations": 50,
        "options": {"maxIterations": 3000},
    });
    let asked = asked.to_string().replace("entity_ids", "entityIds");
    let path = "/stratagem.v1.StoryService/BranchStory";
    let reply = post(server.address, path, &[], &asked).await;
    assert_eq!(reply.status, 200, "{reply:?}");
    let answer = reply.json();
    assert!(answer["ink"].as_str().unwrap().contains("-> END"));
    assert!(!answer["plan"]["knots"].as_array().unwrap().is_empty());
    let branch = [
        "story",
        "branch",
        "example:crown",
        "--iterations",
        "3000",
        "--max-continuation-iterations",
        "50",
    ];
    let shown = run_at(&server, &branch).with_code(0).stdout;
    assert!(
        shown.contains(" chooses\n") && shown.contains("goes on at"),
        "{shown}"
    );
    let script = [&branch[..], &["--ink", "-", "--stream"]].concat();
    let script = run_at(&server, &script).with_code(0).stdout;
    assert!(script.starts_with("// What happens") && script.contains("=== knot_0 ==="));
    let data = run_at(&server, &[&branch[..], &["-o", "json"]].concat()).with_code(0);
    assert!(data.json()["plan"]["player_id"].is_string());
    let nobody = [&branch[..], &["--player", "Zoe"]].concat();
    let refused = run_at(&server, &nobody).with_code(5).stderr;
    assert!(refused.contains("player_id"), "{refused}");
}
