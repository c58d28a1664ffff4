//! `--bundle` and `stratagem replay` against a real server.

use crate::command_line::run_at;
use std::fs;
use stratagem_integration_tests::Server;

/// A file in the folder of temporary files of the tests.
fn file(name: &str) -> String {
    format!("{}/{name}.bundle.json", env!("CARGO_TARGET_TMPDIR"))
}

#[tokio::test]
async fn the_same_request_has_the_same_answer_unary_and_streamed() {
    // Nothing is kept: the second answer is searched for.
    let server = Server::start(stratagem_integration_tests::server::WITHOUT_CACHE).await;
    for (name, ask) in [
        ("allocate", &["allocation", "plan", "example:raid"] as &[_]),
        (
            "streamed",
            &["allocation", "plan", "example:raid", "--stream"],
        ),
        ("patrol", &["patrol", "plan", "example:museum"]),
        ("crew", &["crew", "plan", "example:ship"]),
        ("stn", &["temporal", "check", "example:heist"]),
    ] {
        let path = file(name);
        let limits = [
            "--iterations",
            "100",
            "--budget",
            "60s",
            "--seed",
            "7",
            "--bundle",
            &path,
        ];
        run_at(&server, &[ask, &limits].concat());
        let run = run_at(&server, &["replay", &path]).with_code(0);
        assert!(run.stdout.contains("the same answer"), "{}", run.stdout);
        let again = file(&format!("{name}-again"));
        run_at(&server, &["replay", &path, "--out", &again, "--quiet"]).with_code(0);
        run_at(&server, &["replay", &again]).with_code(0);
    }
}

#[tokio::test]
async fn another_answer_is_told_with_its_places() {
    let server = Server::start(&[]).await;
    let path = file("changed");
    let ask = [
        "allocation",
        "plan",
        "example:tavern",
        "--iterations",
        "2000",
    ];
    run_at(&server, &[&ask[..], &["--bundle", &path]].concat()).with_code(0);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("Marta"), "{text}");
    let mut bundle: serde_json::Value = serde_json::from_str(&text).unwrap();
    bundle["answer"]["report"]["objective"]["levels"][0] = serde_json::json!(77.5);
    fs::write(&path, bundle.to_string()).unwrap();
    let run = run_at(&server, &["replay", &path]).with_code(6);
    let difference = "report.objective.levels[0]: 77.5, now 0";
    assert!(run.stdout.contains(difference), "{}", run.stdout);
    let run = run_at(&server, &["replay", &path, "-o", "json"]).with_code(6);
    let verdict = run.json();
    assert_eq!(verdict["same"], false);
    assert_eq!(verdict["promised"], true);
    assert_eq!(verdict["differences"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn what_the_clock_ended_is_asked_again_by_its_work() {
    let server = Server::start(stratagem_integration_tests::server::WITHOUT_CACHE).await;
    let path = file("by-work");
    let ask = ["allocation", "plan", "example:raid", "--budget", "2s"];
    run_at(&server, &[&ask[..], &["--bundle", &path]].concat()).with_code(0);
    let bundle: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(
        bundle["answer"]["report"]["reproducible"],
        serde_json::Value::Null
    );
    let run = run_at(&server, &["replay", &path, "--by-work", "-o", "json"]).with_code(0);
    assert_eq!(run.json()["same"], true);
}

#[tokio::test]
async fn what_cannot_be_asked_again_is_told() {
    let server = Server::start(&[]).await;
    let path = file("nothing");
    let _ = fs::remove_file(&path);
    let run = run_at(&server, &["server", "info", "--bundle", &path]).with_code(0);
    assert!(run.stderr.contains("--bundle"), "{}", run.stderr);
    run_at(&server, &["replay", &path]).with_code(2);
    fs::write(&path, "{\"stratagem_bundle\": 9}").unwrap();
    let run = run_at(&server, &["replay", &path]).with_code(5);
    assert!(run.stderr.contains("layout 9"), "{}", run.stderr);
}
