//! `server top`: servers as they are now.

use crate::asking::unbounded;
use crate::terminal::Terminal;
use serde_json::{Value, json};
use stratagem_integration_tests::Server;
use stratagem_integration_tests::command_line::{Run, run};
use stratagem_integration_tests::patience::eventually;
use stratagem_integration_tests::problems::{allocate, budget, iterations};
use tokio::task::JoinHandle;

/// Looks at servers, off a terminal.
fn top(servers: &[&Server], more: &[&str]) -> Run {
    let urls: Vec<String> = servers.iter().map(|server| server.url()).collect();
    let pages = servers
        .iter()
        .map(|server| format!("http://{}", server.metrics_address));
    let mut words = vec![
        "server".to_owned(),
        "top".into(),
        "--interval".into(),
        "200ms".into(),
    ];
    words.extend(urls);
    words.extend(pages.flat_map(|page| ["--metrics".to_owned(), page]));
    words.extend(more.iter().map(|word| (*word).to_owned()));
    run(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

/// One search, and requests that wait behind it, until they are dropped.
async fn busy(server: &Server, waiting: usize) -> Vec<JoinHandle<()>> {
    let mut calls = Vec::new();
    for count in 0..=waiting {
        let mut client = server.allocation().await;
        let request = allocate(unbounded(), budget(120_000 + 10_000 * count as i64));
        calls.push(tokio::spawn(async move {
            // It never comes to an answer.
            let _ = client.allocate_tasks(request).await;
        }));
        eventually("one more waits", async || {
            let metrics = server.metrics().await;
            let waits = metrics.sum("stratagem_waiting_requests") == count as f64;
            (waits && metrics.sum("stratagem_busy_slots") == 1.0).then_some(())
        })
        .await;
    }
    calls
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_waits_and_what_is_busy_is_seen_for_each_server() {
    let (server, idle) = (
        Server::start(&["--slots", "1"]).await,
        Server::start(&[]).await,
    );
    let calls = busy(&server, 2).await;
    let run = top(&[&server, &idle], &["--once", "-o", "json"]).with_code(0);
    let shown = run.json();
    let [one, other] = shown.as_array().unwrap().as_slice() else {
        panic!("{shown}");
    };
    assert_eq!(
        (&one["state"], &other["state"]),
        (&json!("serving"), &json!("serving"))
    );
    assert_eq!(
        (&one["slots"], &one["busy_slots"], &one["waiting"]),
        (&json!(1), &json!(1), &json!(2))
    );
    let waiting = json!([{"tenant": "none", "priority": "normal", "requests": 2}]);
    assert_eq!(one["waiting_by"], waiting);
    assert_eq!(
        (&other["busy_slots"], &other["waiting_by"]),
        (&json!(0), &json!([]))
    );
    assert!(
        one["memory_bytes"]
            .as_u64()
            .is_some_and(|bytes| bytes > 1 << 20),
        "{one}"
    );
    assert_eq!(
        (&one["calls_per_second"], &one["error"]),
        (&json!(0.0), &Value::Null)
    );
    let table = top(&[&server, &idle], &["--once"]).with_code(0);
    assert!(
        table.stdout.contains("1/1") && table.stdout.contains("0/2"),
        "{table:?}"
    );
    assert!(
        !table.stdout.contains('\u{1b}'),
        "no colours off a terminal"
    );
    calls.iter().for_each(JoinHandle::abort);
}

#[tokio::test]
async fn calls_are_counted_and_timed_between_two_looks() {
    let server = Server::start(&[]).await;
    let url = server.url();
    // Somebody asks as long as it is looked.
    let looking = tokio::task::spawn_blocking({
        let page = format!("http://{}", server.metrics_address);
        let url = url.clone();
        move || {
            let words = "server top --once -o ndjson --interval 1s --metrics";
            let words: Vec<_> = words
                .split(' ')
                .chain([&*page, "--address", &url])
                .collect();
            run(&words)
        }
    });
    let mut client = server.allocation().await;
    while !looking.is_finished() {
        let request = allocate(unbounded(), iterations(20, 0));
        client.allocate_tasks(request).await.unwrap();
    }
    let run = looking.await.unwrap().with_code(0);
    let shown = run.json();
    assert!(shown["calls_per_second"].as_f64().unwrap() > 0.0, "{shown}");
    assert_eq!(shown["refused_per_second"], 0.0);
}

#[tokio::test]
async fn a_server_that_is_not_there_is_told_with_the_others() {
    let server = Server::start(&[]).await;
    let page = format!("http://{}", server.metrics_address);
    let words = [
        "server",
        "top",
        "--once",
        "--interval",
        "200ms",
        "--metrics",
        &page,
    ];
    let url = server.url();
    let gone = run(&[&words[..], &[&url, "http://127.0.0.1:1"]].concat()).with_code(34);
    assert!(
        gone.stdout.contains("serving") && gone.stdout.contains("unreachable"),
        "{gone:?}"
    );
    // A server reports its own numbers without metrics, too.
    let words = [
        "server",
        "top",
        "--once",
        "--interval",
        "200ms",
        "--address",
        &url,
    ];
    let bare = run(&[&words[..], &["--metrics", "http://127.0.0.1:1/metrics"]].concat());
    assert!(bare.with_code(0).stdout.contains("no metrics of "));
    run(&["server", "top", "-o", "json"]).with_code(2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_terminal_shows_what_happens_until_q_ends_it() {
    let server = Server::start(&["--slots", "1"]).await;
    let page = format!("http://{}", server.metrics_address);
    let line = ["server", "top", "--interval", "100ms", "--metrics", &page];
    let mut terminal = Terminal::new(&server, &line);
    terminal
        .shows(&["\u{1b}[?1049h", "serving", "0/1", "q end"])
        .await;
    let calls = busy(&server, 1).await;
    terminal.shows(&["1/1", "TENANT", "none", "normal"]).await;
    calls.iter().for_each(JoinHandle::abort);
    terminal.press("x");
    terminal.shows(&["0/1"]).await;
    terminal.press("q");
    terminal.shows(&["\u{1b}[?25h", "\u{1b}[?1049l"]).await;
    assert_eq!(terminal.ended().await, Some(0));
}
