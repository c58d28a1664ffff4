//! `stratagem bench` against a real server.

use crate::command_line::run_at;
use serde_json::Value;
use stratagem_integration_tests::Server;

/// Calls that do little, of two planners.
const SMALL: &[&str] = &[
    "bench",
    "example:tavern",
    "example:ship",
    "--iterations",
    "20",
    "--warm-up",
    "100ms",
    "--deadline",
    "10s..20s",
    "--connections",
    "3",
    "--quiet",
];

fn count(row: &Value, what: &str) -> u64 {
    row[what]
        .as_u64()
        .unwrap_or_else(|| panic!("{what}: {row}"))
}

/// What must be true of every run.
fn check(figures: &Value) {
    let failed = figures["failed"].as_object().expect("by code").values();
    let failed: u64 = failed.filter_map(Value::as_u64).sum();
    let ended = count(figures, "in_time") + count(figures, "late") + failed;
    assert_eq!(ended, count(figures, "calls"), "{figures}");
    assert!(count(figures, "calls") > 0, "{figures}");
}

#[tokio::test]
async fn callers_who_never_pause_are_counted() {
    let server = Server::start(&[]).await;
    let callers = ["--callers", "2", "--duration", "1500ms", "-o", "json"];
    let run = run_at(&server, &[SMALL, &callers].concat()).with_code(0);
    let figures = run.json();
    check(&figures);
    assert_eq!(figures["callers"], 2);
    assert_eq!(figures["connections"], 3);
    assert_eq!(figures["solved"], figures["calls"]);
    let metrics = server.metrics().await;
    let served = metrics.sum_where("stratagem_rpc_total", &[("code", "OK")]);
    // Those of the first moments, too.
    assert!(served >= count(&figures, "calls") as f64);
}

#[tokio::test]
async fn a_share_of_what_the_server_can_do_is_measured_first() {
    let server = Server::start(&[]).await;
    let load = ["--load", "40%", "--duration", "2s", "-o", "ndjson"];
    let figures = run_at(&server, &[SMALL, &load].concat())
        .with_code(0)
        .json();
    check(&figures);
    let number = |what: &str| figures[what].as_f64().expect("a number");
    assert!((number("rate") / number("capacity") - 0.4).abs() < 1e-9);
}

#[tokio::test]
async fn fewer_in_time_than_required_is_exit_code_6() {
    let server = Server::start(&[]).await;
    // Nobody answers within a microsecond.
    let hopeless = [
        "bench",
        "example:tavern",
        "--rate",
        "50",
        "--deadline",
        "1us",
        "--duration",
        "1s",
        "--warm-up",
        "1ms",
        "--require",
        "0.1%",
    ];
    let run = run_at(&server, &[&hopeless[..], &["-o", "json"]].concat()).with_code(6);
    let figures = run.json();
    check(&figures);
    assert_eq!(figures["met"], false);
    assert_eq!(figures["in_time"], 0);
    let run = run_at(&server, &hopeless).with_code(6);
    assert!(run.stdout.contains("0.00% of"), "{}", run.stdout);
}

#[tokio::test]
async fn what_makes_no_sense_is_a_matter_of_usage() {
    let server = Server::start(&[]).await;
    for (more, named) in [
        (["--budget", "1s"], "--deadline"),
        (["--duration", "50ms"], "--warm-up"),
    ] {
        let run = run_at(&server, &[SMALL, &more].concat()).with_code(2);
        assert!(run.stderr.contains(named), "{}", run.stderr);
    }
    run_at(&server, &["bench", "example:nonsense"]).with_code(25);
}
