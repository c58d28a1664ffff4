//! `stratagem narrative` against the real server: what it says, draws and ends with.

use crate::command_line::{run_at, run_at_with_input};
use serde_json::{Value, json};
use stratagem_integration_tests::Server;
use stratagem_integration_tests::command_line::{Run, run};

/// Two who share a stage, in linsp/1: either may be first, and the second hurries.
const LINSP: &str = r#"{
  "format": "linsp/1", "name": "two scenes", "origin": "z",
  "vertices": ["z", "a", "b", "c", "d"],
  "edges": [
    {"id": "first", "from": "a", "to": "b", "lb": 10, "ub": 20, "kind": "ctg"},
    {"id": "second", "from": "c", "to": "d", "lb": 5, "ub": 8, "kind": "req"},
    {"id": "all", "from": "z", "to": "d", "lb": null, "ub": 40, "kind": "req"}
  ],
  "activities": [
    {"id": "one", "start": "a", "end": "b", "demand": {"stage": 1}},
    {"id": "other", "start": "c", "end": "d", "demand": {"stage": 1}}
  ],
  "resources": {"stage": 1}, "choices": [], "mutex": []
}"#;

/// Two scenes of 8 s and 4 s on one stage: 12 s in all.
const SCENES: &str = r#"{
  "events": [{"id": "a"}, {"id": "b"}, {"id": "c"}, {"id": "d"}],
  "links": [
    {"from_event_id": "a", "to_event_id": "b", "lower": "8s", "upper": "8s"},
    {"from_event_id": "c", "to_event_id": "d", "lower": "4s", "upper": "4s"}
  ],
  "activities": [
    {"id": "one", "start_event_id": "a", "end_event_id": "b", "demands": [{"resource_id": "stage"}]},
    {"id": "other", "start_event_id": "c", "end_event_id": "d", "demands": [{"resource_id": "stage"}]}
  ],
  "resources": [{"id": "stage"}],
  "objective": {"makespan_weight": 1}
}"#;

fn schedule(server: &Server, more: &[&str], input: &str) -> Run {
    let arguments = [&["narrative", "plan", "-"], more].concat();
    run_at_with_input(server, &arguments, input)
}

/// The dragon, changed.
fn dragon(change: impl FnOnce(&mut Value)) -> String {
    let mut problem = run(&["example", "get", "dragon", "--offline"])
        .with_code(0)
        .json();
    change(&mut problem);
    problem.to_string()
}

#[tokio::test]
async fn what_holds_is_0_and_told_storyline_by_storyline() {
    let server = Server::start(&[]).await;
    let run = run_at(&server, &["narrative", "plan", "example:dragon"]).with_code(0);
    assert_eq!(run.stderr, "", "no terminal, no progress");
    for word in ["OPTIMAL", "sword", "magic", "robbery", "search"] {
        assert!(run.stdout.contains(word), "{word}: {}", run.stdout);
    }
    assert!(!run.stdout.contains('\u{1b}'), "no colours off a terminal");
    for format in ["json", "yaml", "ndjson"] {
        let arguments = ["narrative", "plan", "example:dragon", "-o", format];
        let run = run_at(&server, &arguments).with_code(0);
        if format == "yaml" {
            assert!(run.stdout.contains("policies:"), "{}", run.stdout);
        } else {
            let policies = &run.json()["plan"]["policies"];
            assert_eq!(policies.as_array().unwrap().len(), 3, "{policies}");
        }
    }
}

#[tokio::test]
async fn what_cannot_be_is_3_with_the_reason_and_what_would_help() {
    let server = Server::start(&[]).await;
    let run = run_at(&server, &["narrative", "plan", "example:vote"]).with_code(3);
    assert!(run.stdout.contains("INFEASIBLE"), "{}", run.stdout);
    assert!(
        run.stdout.contains("No storyline works when"),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout
            .contains("would help: we choose how, not the players"),
        "{}",
        run.stdout
    );
    let run = run_at(&server, &["narrative", "plan", "example:tonight"]).with_code(3);
    assert!(
        run.stdout.contains("would help: how: offer robbery, too"),
        "{}",
        run.stdout
    );
    let short = [
        "narrative",
        "plan",
        "example:vote",
        "--max-relaxations",
        "0",
        "-o",
        "json",
    ];
    let answer = run_at(&server, &short).with_code(3).json();
    assert_eq!(answer["report"]["status"], "SOLVE_STATUS_INFEASIBLE");
    assert_eq!(answer["relaxations"], Value::Null);
    assert!(answer["conflict"]["members"].is_array(), "{answer}");
}

#[tokio::test]
async fn a_watched_search_tells_each_step() {
    let server = Server::start(&[]).await;
    let watch = ["narrative", "watch", "-", "--iterations", "100000"];
    let steps = run_at_with_input(
        &server,
        &[&watch[..], &["-o", "ndjson", "--quiet"]].concat(),
        SCENES,
    );
    let steps = steps.with_code(0).json_lines();
    let last = steps.last().unwrap();
    assert_eq!(last["report"]["status"], "SOLVE_STATUS_OPTIMAL");
    assert_eq!(last["plan"]["makespan_offset"], "12s");
    let table = run_at_with_input(&server, &watch, SCENES).with_code(0);
    assert!(!table.stderr.is_empty(), "a line for each better plan");
    assert!(table.stdout.contains("12s"), "{}", table.stdout);
}

#[tokio::test]
async fn formats_of_others_are_read() {
    let server = Server::start(&[]).await;
    let answer = schedule(&server, &["-o", "json"], LINSP)
        .with_code(0)
        .json();
    let policies = answer["plan"]["policies"].as_array().unwrap();
    assert_eq!(policies.len(), 1, "{answer}");
    let orders = policies[0]["orders"].as_array().unwrap();
    let order = (
        &orders[0]["first_activity_id"],
        &orders[0]["second_activity_id"],
    );
    let (one, other) = (json!("one"), json!("other"));
    assert!(
        order == (&one, &other) || order == (&other, &one),
        "{orders:?}"
    );
    // A scene of up to 20 s that is to be over after 19.
    let hurried = LINSP.replace(
        "\"to\": \"d\", \"lb\": null, \"ub\": 40",
        "\"to\": \"b\", \"lb\": null, \"ub\": 19",
    );
    schedule(&server, &[], &hurried).with_code(3);
}

#[tokio::test]
async fn a_change_is_compared_with_what_was() {
    let server = Server::start(&[]).await;
    let what_if = ["narrative", "what-if", "example:dragon", "--set"];
    let run = run_at(&server, &[&what_if[..], &["search.upper=60m"]].concat()).with_code(0);
    assert!(run.stdout.contains("still   OPTIMAL"), "{}", run.stdout);
    let run = run_at(&server, &[&what_if[..], &["how=player"]].concat()).with_code(3);
    assert!(run.stdout.contains("INFEASIBLE"), "{}", run.stdout);
    let cured = [
        "narrative",
        "what-if",
        "example:vote",
        "--set",
        "how=system",
    ];
    let answer = run_at(&server, &[&cured[..], &["-o", "json"]].concat());
    let answer = answer.with_code(0).json();
    assert_eq!(answer["report"]["status"], "SOLVE_STATUS_OPTIMAL");
    let offered = ["narrative", "what-if", "example:tonight", "--set"];
    let run = run_at(&server, &[&offered[..], &["how.robbery=offered"]].concat()).with_code(0);
    assert!(run.stdout.contains("after   OPTIMAL"), "{}", run.stdout);
    for wrong in [
        "how.robery=withheld",
        "serch.upper=60m",
        "search.upper=soon",
        "dragon-actor=-1",
        "how=nobody",
    ] {
        let run = run_at(&server, &[&what_if[..], &[wrong]].concat()).with_code(2);
        assert_eq!(run.stdout, "", "{wrong}");
    }
}

#[tokio::test]
async fn pictures_are_drawn_with_and_without_a_server() {
    let server = Server::start(&[]).await;
    let folder = std::env::temp_dir().join(format!("stratagem-draw-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).into_os_string().into_string().unwrap();
    let render = ["narrative", "render", "example:dragon"];
    let text = run_at(&server, &render).with_code(0).stdout;
    assert!(
        text.contains("robbery") && text.contains("What happens when, by what is picked"),
        "{text}"
    );
    let svg = run_at(&server, &[&render[..], &["--svg", "-"]].concat()).with_code(0);
    assert!(svg.stdout.starts_with("<svg"), "{}", svg.stdout);
    // What was solved before is drawn by the program alone.
    let (problem, answer) = (path("dragon.json"), path("answer.json"));
    std::fs::write(&problem, dragon(|_| ())).unwrap();
    let solve = ["narrative", "plan", &problem, "-o", "json"];
    std::fs::write(&answer, run_at(&server, &solve).with_code(0).stdout).unwrap();
    drop(server);
    let page = path("dragon.html");
    run(&["narrative", "render", &problem, &answer, "--html", &page]).with_code(0);
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>"), "{page}");
    for part in ["Three ways to beat a dragon", "<svg", "dragon-actor"] {
        assert!(page.contains(part), "{part}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[tokio::test]
async fn nonsense_is_5_with_its_place() {
    let server = Server::start(&[]).await;
    for (name, input, wanted) in [
        (
            "a time that is no number",
            dragon(|p| p["links"][0]["lower"] = json!("NaNs")),
            "links[0].lower",
        ),
        (
            "a demand that is no number",
            dragon(|p| p["activities"][2]["demands"][0]["amount"] = json!("NaN")),
            "activities[2].demands[0].amount",
        ),
        (
            "a name that nobody knows",
            dragon(|p| p["choises"] = json!([])),
            "choises",
        ),
        (
            "a negative time",
            dragon(|p| p["contingent_links"][0]["lower"] = json!("-1s")),
            "problem.contingent_links[0].lower",
        ),
        (
            "a demand above the capacity",
            dragon(|p| p["activities"][2]["demands"][0]["amount"] = json!(2)),
            "problem.activities[2].demands[0].amount",
        ),
    ] {
        for command in [&["narrative", "plan", "-"][..], &["validate", "-"]] {
            let run = run_at_with_input(&server, command, &input).with_code(5);
            assert_eq!(run.stdout, "", "{name}");
            assert!(run.stderr.contains(wanted), "{name}: {}", run.stderr);
        }
    }
    let naked = dragon(|_| ()).replace("\"4200s\"", "NaN");
    let run = schedule(&server, &[], &naked).with_code(5);
    assert!(run.stderr.contains("stdin:1:"), "{}", run.stderr);
}
