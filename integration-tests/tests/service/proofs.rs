//! Why tasks are left out, on the command line.

use crate::command_line::{problem, run_at_with_input};
use serde_json::json;
use stratagem_integration_tests::Server;

#[tokio::test]
async fn the_command_shows_proofs_what_helps_and_the_bound() {
    let server = Server::start(&[]).await;
    let mut problem = problem(&[(1, 0), (3, 0)]);
    problem["tasks"][1]["windows"] = json!([{"close_offset": "2s"}]);
    let allocate = ["allocation", "plan", "-", "--iterations", "50"];
    let run = run_at_with_input(&server, &allocate, &problem.to_string());
    let text = run.stdout;
    assert!(
        text.contains("WINDOW_MISSED: no plan does task \"t1\""),
        "{text}"
    );
    assert!(
        text.contains("arrives at 3 s at the earliest, must start by 2 s"),
        "{text}"
    );
    assert!(text.contains("task \"t1\" may start 1 s later"), "{text}");
    assert!(text.contains("(by "), "{text}");
}
