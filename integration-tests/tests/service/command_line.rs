//! The CLI against the real server: data on stdout, everything else on stderr.

use serde_json::{Value, json};
use stratagem_integration_tests::Server;
use stratagem_integration_tests::command_line::{Run, run, run_with_input};

/// Runs a command against a server.
pub(crate) fn run_at(server: &Server, arguments: &[&str]) -> Run {
    run(&[arguments, &["--address", &server.url()]].concat())
}

pub(crate) fn run_at_with_input(server: &Server, arguments: &[&str], input: &str) -> Run {
    run_with_input(&[arguments, &["--address", &server.url()]].concat(), input)
}

/// Two agents and tasks at these coordinates.
pub(crate) fn problem(places: &[(i32, i32)]) -> Value {
    let place = |x: i32, y: i32| json!({"point": {"x": x, "y": y}});
    let agent = |id| json!({"id": id, "start": place(0, 0)});
    let tasks: Vec<_> = places
        .iter()
        .enumerate()
        .map(|(i, (x, y))| json!({"id": format!("t{i}"), "place": place(*x, *y)}))
        .collect();
    json!({"title": "From a test", "agents": [agent("ann"), agent("bob")], "tasks": tasks})
}

#[tokio::test]
async fn a_solved_problem_is_exit_code_0_in_every_format() {
    let server = Server::start(&[]).await;
    let allocate = [
        "allocation",
        "plan",
        "example:tavern",
        "--iterations",
        "2000",
    ];
    for format in ["table", "json", "yaml", "ndjson"] {
        let run = run_at(&server, &[&allocate[..], &["-o", format]].concat()).with_code(0);
        assert_eq!(run.stderr, "", "{format}: no terminal, no progress");
        assert!(run.stdout.contains("Marta"), "{format}: {}", run.stdout);
        assert!(
            !run.stdout.contains('\u{1b}'),
            "{format}: no colours off a terminal"
        );
        if format == "json" || format == "ndjson" {
            let answer = run.json();
            assert_eq!(
                answer["report"]["stop_reason"], "STOP_REASON_PROVED",
                "{answer}"
            );
            assert!(answer["plan"]["routes"].is_array());
        }
        if format == "ndjson" {
            assert_eq!(run.stdout.lines().count(), 1);
        }
    }
}

#[tokio::test]
async fn a_stream_tells_its_steps_on_stderr_or_as_lines_of_json() {
    let server = Server::start(&[]).await;
    let allocate = [
        "allocation",
        "plan",
        "example:raid",
        "--iterations",
        "300",
        "--stream",
    ];
    let table = run_at(&server, &allocate).with_code(0);
    assert!(!table.stderr.is_empty() && !table.stdout.is_empty());
    let whole = run_at(&server, &[&allocate[..], &["-o", "json"]].concat())
        .with_code(0)
        .json();
    let steps = run_at(
        &server,
        &[&allocate[..], &["-o", "ndjson", "--quiet"]].concat(),
    )
    .with_code(0);
    assert_eq!(steps.stderr, "", "quiet");
    let steps = steps.json_lines();
    let last = steps.last().unwrap();
    assert_eq!(
        last["plan"], whole["plan"],
        "the same request, the same plan"
    );
    assert!(last["report"].is_object());
    let cost = |step: &Value| step["event"]["objective"]["levels"][1].as_f64();
    let offers: Vec<_> = steps.iter().filter_map(cost).collect();
    assert!(offers.is_sorted_by(|a, b| a >= b), "{offers:?}");
}

#[tokio::test]
async fn stdin_yaml_and_solomon_files_are_read() {
    let server = Server::start(&[]).await;
    let places = problem(&[(1, 0), (2, 0)]).to_string();
    let json = run_at_with_input(&server, &["allocation", "plan", "-", "-o", "json"], &places);
    assert_eq!(
        json.with_code(0).json()["report"]["objective"]["levels"],
        json!([0, 2])
    );
    let yaml = run_with_input(&["convert", "-", "-", "--to", "yaml"], &places).with_code(0);
    let read = run_at_with_input(
        &server,
        &["allocation", "plan", "-", "-o", "json"],
        &yaml.stdout,
    );
    assert_eq!(
        read.with_code(0).json()["report"]["objective"]["levels"],
        json!([0, 2])
    );
    let solomon = "TINY\n\nVEHICLE\nNUMBER CAPACITY\n2 10\n\nCUSTOMER\nCUST NO. XCOORD. ...\n\n\
        0 0 0 0 0 100 0\n1 3 4 7 5 50 9\n2 6 8 3 0 90 1\n";
    let arguments = [
        "allocation",
        "plan",
        "-",
        "-o",
        "json",
        "--iterations",
        "1000",
    ];
    let answer = run_at_with_input(&server, &arguments, solomon)
        .with_code(0)
        .json();
    assert_eq!(
        answer["report"]["objective"]["levels"],
        json!([0, 20]),
        "there and back"
    );
}

#[test]
fn nothing_gets_lost_between_formats() {
    for name in ["tavern", "raid"] {
        let json = run(&["example", "get", name, "--offline"]).with_code(0);
        let yaml = run_with_input(&["convert", "-", "-", "--to", "yaml"], &json.stdout);
        let back = run_with_input(
            &["convert", "-", "-", "--to", "json"],
            &yaml.with_code(0).stdout,
        );
        assert_eq!(back.with_code(0).json(), json.json(), "{name}");
    }
}

#[tokio::test]
async fn a_picture_is_written_where_it_is_wanted() {
    let server = Server::start(&[]).await;
    let picture = std::env::temp_dir().join(format!("stratagem-{}.svg", std::process::id()));
    let path = picture.to_str().unwrap();
    let allocate = format!("allocation plan example:tavern --iterations 100 --svg {path}");
    run_at(&server, &allocate.split(' ').collect::<Vec<_>>()).with_code(0);
    let svg = std::fs::read_to_string(&picture).unwrap();
    std::fs::remove_file(picture).unwrap();
    assert!(svg.contains("<svg") && svg.contains("Marta"), "{svg}");
}

#[tokio::test]
async fn every_planner_has_pages_to_read() {
    let server = Server::start(&[]).await;
    for (arguments, name) in [
        (&["temporal", "render", "example:heist"][..], "player-in"),
        (&["narrative", "render", "example:dragon"], "dragon-found"),
    ] {
        let page = run_at(&server, &[arguments, &["--html", "-"]].concat()).with_code(0);
        assert!(page.stdout.starts_with("<!DOCTYPE html>"), "{arguments:?}");
        assert!(page.stdout.contains("<svg ") && page.stdout.contains("<table>"));
        assert!(page.stdout.contains(name), "{}", page.stdout);
    }
    let page = std::env::temp_dir().join(format!("stratagem-{}.html", std::process::id()));
    let path = page.to_str().unwrap();
    let allocate = format!("allocation plan example:tavern --iterations 100 --html {path}");
    run_at(&server, &allocate.split(' ').collect::<Vec<_>>()).with_code(0);
    let text = std::fs::read_to_string(&page).unwrap();
    std::fs::remove_file(page).unwrap();
    assert!(text.contains("<caption>Marta</caption>"), "{text}");
}

#[tokio::test]
async fn the_server_can_be_asked_about_itself() {
    let server = Server::start(&[]).await;
    let info = run_at(&server, &["server", "info", "-o", "json"])
        .with_code(0)
        .json();
    assert_eq!(info["slot_count"], 2);
    let check = run_at(&server, &["server", "check"]).with_code(0);
    assert!(check.stdout.contains("SERVING"), "{}", check.stdout);
    let limits = run_at(&server, &["server", "limits"]).with_code(0);
    assert!(limits.stdout.contains("request_bytes"), "{}", limits.stdout);
    let lines = run_at(&server, &["server", "limits", "-o", "ndjson"])
        .with_code(0)
        .json_lines();
    assert!(lines.len() >= 3, "one for all methods, one for each");
    assert_eq!(run_at(&server, &["server", "info"]).with_code(0).stderr, "");
}

#[tokio::test]
async fn the_examples_of_server_and_program_are_the_same() {
    let server = Server::start(&[]).await;
    let list = ["example", "ls", "-o", "ndjson"];
    let remote = run_at(&server, &list).with_code(0).json_lines();
    let local = run(&[&list[..], &["--offline"]].concat())
        .with_code(0)
        .json_lines();
    assert_eq!(remote, local);
    assert!(remote.len() >= 3);
    for example in &remote {
        let name = example["name"].as_str().unwrap();
        let get = run_at(&server, &["example", "get", name]).with_code(0);
        let offline = run(&["example", "get", name, "--offline"]).with_code(0);
        assert_eq!(get.stdout, offline.stdout, "{name}");
        run_at_with_input(&server, &["validate", "-"], &get.stdout).with_code(0);
    }
}

#[test]
fn completions_are_printed_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = run(&["completion", shell]).with_code(0);
        assert!(run.stdout.contains("stratagem"), "{shell}");
        assert_eq!(run.stderr, "", "{shell}");
    }
}

#[tokio::test]
async fn a_server_is_looked_at_from_all_sides() {
    let server = Server::start(&[]).await;
    let run = run_at(&server, &["server", "check", "--solve", "-o", "json"]).with_code(0);
    let report = run.json();
    assert_eq!(report["status"], "SERVING");
    let sections = report["sections"].as_array().unwrap();
    let names: Vec<&str> = sections.iter().filter_map(|s| s["name"].as_str()).collect();
    assert_eq!(names, ["way", "services", "version", "room", "search"]);
    for section in sections {
        assert_ne!(section["state"], "failure", "{section}");
        let findings = section["findings"].as_array().unwrap();
        let has_fix = |f: &Value| f["fix"].as_str().is_some_and(|fix| !fix.is_empty());
        assert!(findings.iter().all(has_fix), "{section}");
    }
    let services = &sections[1];
    assert_eq!(services["state"], "good", "{services}");
    let run = run_at(&server, &["server", "check"]).with_code(0);
    assert!(run.stdout.starts_with("SERVING: "), "{}", run.stdout);
    let run = run_at(&server, &["server", "check", "--quiet"]).with_code(0);
    assert_eq!(run.stdout.lines().count(), 1, "{}", run.stdout);
}
