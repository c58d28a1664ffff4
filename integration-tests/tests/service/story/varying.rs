//! Several different stories.

use crate::command_line::run_at;
use serde_json::{Value, json};
use stratagem_integration_tests::Server;
use stratagem_integration_tests::plain::post;
use stratagem_proto::EXAMPLES;

#[tokio::test]
async fn several_stories_come_in_json_over_http_and_as_documents() {
    let server = Server::start(&[]).await;
    let crown = EXAMPLES.iter().find(|e| e.name == "story/crown").unwrap();
    let problem: Value = serde_json::from_str(crown.json).unwrap();
    let asked = json!({"problem": problem, "storyCount": 2, "options": {"maxIterations": 8000}});
    let path = "/stratagem.v1.StoryService/VaryStories";
    let reply = post(server.address, path, &[], &asked.to_string()).await;
    assert_eq!(reply.status, 200, "{reply:?}");
    assert_eq!(reply.json()["plans"].as_array().unwrap().len(), 2);
    let generate = ["story", "plan", "example:crown", "--different", "2"];
    let limited = [&generate[..], &["--iterations", "8000"]].concat();
    let shown = run_at(&server, &limited).with_code(0).stdout;
    assert!(shown.contains("Story 2 of 2") && shown.contains("least score"));
    let streamed = [&limited[..], &["--stream", "--markdown", "-", "-o", "json"]].concat();
    let document = run_at(&server, &streamed).with_code(0).stdout;
    assert!(
        document.starts_with("# The stolen crown\n\n## Story 1 of 2\n"),
        "{document}"
    );
    let text = [&limited[..], &["--text", "-", "--html", "-"]].concat();
    let text = run_at(&server, &text).with_code(0).stdout;
    assert!(!text.starts_with('#') && text.contains("</html>"), "{text}");
}
