//! Why a plan fails, in words: with the caller's ids, in hours, minutes and seconds.

use crate::command_line::run_at;
use stratagem_integration_tests::Server;

#[tokio::test]
async fn cycles_are_explained_step_by_step() {
    let server = Server::start(&[]).await;
    let explain = [
        "temporal",
        "explain",
        "example:delivery",
        "--level",
        "strong",
    ];
    let text = run_at(&server, &explain).with_code(3).stdout;
    let wanted = "\
not strong: from \"leave\" as long as 20 min to \"arrive\", at least 1 min to \"hand-over\", at most \
3 min back to \"arrive\", as little as 10 min back to \"leave\": 8 min too long
";
    assert!(text.contains(wanted), "{text}");
}

#[tokio::test]
async fn an_obligation_is_printed_with_what_breaks_it() {
    let server = Server::start(&[]).await;
    let explain = ["temporal", "explain", "example:ambush", "--level", "strong"];
    let text = run_at(&server, &explain).with_code(3).stdout;
    let wanted = "\
not strong: \"alarm\" must happen at least 3 s after \"chest-open\", however late that happens; \
with \"chest-open\" at 20 s that is 23 s or later, and the best that was tried is \"alarm\" at 8 s
";
    assert!(text.contains(wanted), "{text}");
}
