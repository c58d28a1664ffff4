//! Breaks of agents, on the command line.

use crate::command_line::run_at;
use stratagem_integration_tests::Server;

#[tokio::test]
async fn pictures_show_breaks() {
    let server = Server::start(&[]).await;
    let allocate = [
        "allocation",
        "plan",
        "example:supply",
        "--iterations",
        "2000",
    ];
    let run = run_at(&server, &allocate).with_code(0);
    assert!(run.stdout.contains("~~ break"), "{}", run.stdout);
}
