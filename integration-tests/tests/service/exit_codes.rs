//! The exit codes of the CLI, each for what it stands for: scripts rely on them.

use crate::asking::occupied;
use crate::command_line::{problem, run_at, run_at_with_input};
use serde_json::{Value, json};
use stratagem_integration_tests::Server;
use stratagem_integration_tests::command_line::{run, start};

/// A problem that nobody can be done with soon.
fn long_problem() -> String {
    let places: Vec<_> = (0..30).map(|i| (i * 37 % 101, i * 61 % 89)).collect();
    problem(&places).to_string()
}

#[tokio::test]
async fn infeasible_is_3_and_explained() {
    let server = Server::start(&[]).await;
    let mut problem = problem(&[(1, 0), (2, 0)]);
    problem["tasks"][1]["required_skills"] = json!(["flying"]);
    let arguments = ["allocation", "plan", "-", "--iterations", "1000"];
    let run = run_at_with_input(&server, &arguments, &problem.to_string()).with_code(3);
    assert!(
        run.stdout.contains("t1") && run.stdout.contains("flying"),
        "{}",
        run.stdout
    );
}

#[tokio::test]
async fn nothing_feasible_found_is_4() {
    let server = Server::start(&[]).await;
    // Each window alone can be kept, all together hardly; to prove that takes more than a few
    // tries.
    let places: Vec<_> = (0..14)
        .map(|i| (i * 37 % 101 / 2, i * 61 % 89 / 2))
        .collect();
    let mut problem = problem(&places);
    for task in problem["tasks"].as_array_mut().unwrap() {
        task["windows"] = json!([{"close_offset": "80s"}]);
        task["service_duration"] = json!("5s");
    }
    let arguments = [
        "allocation",
        "plan",
        "-",
        "--iterations",
        "50",
        "-o",
        "json",
    ];
    let run = run_at_with_input(&server, &arguments, &problem.to_string()).with_code(4);
    let report = &run.json()["report"];
    assert_eq!(report["status"], "SOLVE_STATUS_UNKNOWN");
    assert!(report["explanation"]["reasons"].is_array(), "{report}");
}

#[tokio::test]
async fn invalid_input_is_5_wherever_it_is_found() {
    let server = Server::start(&[]).await;
    let mut twice = problem(&[(1, 0), (2, 0)]);
    twice["tasks"][1]["id"] = json!("t0");
    for command in [&["allocation", "plan", "-"][..], &["validate", "-"]] {
        let run = run_at_with_input(&server, command, &twice.to_string()).with_code(5);
        assert_eq!(run.stdout, "");
        assert!(run.stderr.contains("problem.tasks[1].id"), "{}", run.stderr);
        let run = run_at_with_input(&server, command, "{\"titel\": \"x\"}").with_code(5);
        assert!(run.stderr.contains("titel"), "{}", run.stderr);
    }
    let good = problem(&[(1, 0)]).to_string();
    let run = run_at_with_input(&server, &["validate", "-"], &good).with_code(0);
    assert!(run.stdout.contains("1 task"), "{}", run.stdout);
}

#[tokio::test]
async fn a_plan_that_breaks_rules_is_6() {
    let server = Server::start(&[]).await;
    let folder = std::env::temp_dir().join(format!("stratagem-verify-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = |name: &str, value: &Value| {
        let path = folder.join(name);
        std::fs::write(&path, value.to_string()).unwrap();
        path.into_os_string().into_string().unwrap()
    };
    let problem = problem(&[(1, 0), (2, 0)]);
    let input = problem.to_string();
    let answer = run_at_with_input(&server, &["allocation", "plan", "-", "-o", "json"], &input);
    let answer = answer.with_code(0).json();
    let problem = file("problem.json", &problem);
    let good = file("answer.json", &answer);
    let run = run_at(&server, &["verify", &problem, &good]).with_code(0);
    assert!(run.stdout.starts_with("valid"), "{}", run.stdout);
    let mut early = answer["plan"].clone();
    for route in early["routes"].as_array_mut().unwrap() {
        for stop in route["stops"].as_array_mut().unwrap() {
            stop["start_offset"] = json!("0s");
        }
    }
    let early = file("early.json", &early);
    let verdict = run_at(&server, &["verify", &problem, &early, "-o", "json"])
        .with_code(6)
        .json();
    assert!(
        !verdict["violations"].as_array().unwrap().is_empty(),
        "{verdict}"
    );
    let nothing = file("nothing.json", &json!({"unserved_task_ids": ["t0", "t1"]}));
    assert!(
        run_at(&server, &["verify", &problem, &nothing])
            .with_code(6)
            .stdout
            .starts_with("partial")
    );
    let allowed = run_at(&server, &["verify", &problem, &nothing, "--allow-partial"]);
    assert_eq!(allowed.code, 0);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn nonsense_is_2() {
    let cases: [&[&str]; 6] = [
        &[],
        &["task"],
        &["allocation", "plan"],
        &["allocation", "plan", "/nowhere/at/all.json"],
        &["allocation", "plan", "example:tavern", "--budget", "soon"],
        &["example", "get", "nothing", "--offline"],
    ];
    for arguments in cases {
        let run = run(arguments).with_code(2);
        assert_eq!(run.stdout, "", "{arguments:?}");
        assert!(!run.stderr.is_empty(), "{arguments:?}");
    }
}

#[tokio::test]
async fn codes_of_grpc_are_64_and_more() {
    // Bound and let go: nobody listens there.
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let nobody = format!("http://{port}");
    let run = run(&["server", "info", "--address", &nobody]).with_code(34);
    assert!(run.stderr.contains(&nobody), "{}", run.stderr);
    let server = Server::start(&["--request-bytes-max", "1024"]).await;
    // 20 + NOT_FOUND, 20 + RESOURCE_EXHAUSTED.
    run_at(&server, &["example", "get", "allocation/nothing"]).with_code(25);
    run_at(&server, &["allocation", "plan", "example:raid"]).with_code(28);
    run_at(
        &server,
        &["server", "check", "--service", "nobody.v1.Service"],
    )
    .with_code(25);
}

#[tokio::test]
async fn a_busy_server_is_78_and_says_when_to_come_back() {
    let server = Server::start(&["--slots", "1", "--queue-max", "0"]).await;
    let _first = occupied(&server).await;
    let run = run_at(&server, &["allocation", "plan", "example:tavern"]).with_code(34);
    assert!(run.stderr.contains("Try again in"), "{}", run.stderr);
}

#[tokio::test]
async fn ctrl_c_ends_with_the_best_so_far() {
    let server = Server::start(&[]).await;
    let folder = std::env::temp_dir().join(format!("stratagem-interrupt-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("many.json");
    std::fs::write(&file, long_problem()).unwrap();
    let file = file.to_str().unwrap();
    let arguments = [
        "allocation",
        "plan",
        file,
        "--stream",
        "--budget",
        "60s",
        "-o",
        "json",
    ];
    let child = start(&[&arguments[..], &["--address", &server.url()]].concat());
    server.counts("stratagem_busy_slots", 1.0).await;
    let run = child.interrupted_after_first_line().with_code(130);
    let answer = run.json();
    assert!(answer["plan"]["routes"].is_array(), "{answer}");
    assert_eq!(
        answer["report"]["status"],
        Value::Null,
        "nobody has said a status"
    );
    std::fs::remove_dir_all(folder).unwrap();
}
