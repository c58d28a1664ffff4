//! The CLI against the real server: data on stdout, everything else on stderr, exit codes that
//! scripts can use.

use serde_json::{Value, json};
use stratagem_integration_tests::Server;
use stratagem_integration_tests::command_line::{Run, run, run_with_input};

/// Runs a command against a server.
fn at(server: &Server, arguments: &[&str]) -> Run {
    run(&[arguments, &["--address", &server.url()]].concat())
}

fn at_with_input(server: &Server, arguments: &[&str], input: &str) -> Run {
    run_with_input(&[arguments, &["--address", &server.url()]].concat(), input)
}

/// Two agents and tasks at these coordinates.
fn problem(places: &[(i32, i32)]) -> Value {
    let place = |x: i32, y: i32| json!({"point": {"x": x, "y": y}});
    let agent = |id| json!({"id": id, "start": place(0, 0)});
    let tasks: Vec<_> = places
        .iter()
        .enumerate()
        .map(|(i, (x, y))| json!({"id": format!("t{i}"), "place": place(*x, *y)}))
        .collect();
    json!({"title": "From a test", "agents": [agent("ann"), agent("bob")], "tasks": tasks})
}

/// A problem that nobody can be done with soon.
fn many() -> String {
    let places: Vec<_> = (0..30).map(|i| (i * 37 % 101, i * 61 % 89)).collect();
    problem(&places).to_string()
}

#[tokio::test]
async fn a_solved_problem_is_exit_code_0_in_every_format() {
    let server = Server::start(&[]).await;
    let allocate = ["task", "allocate", "example:tavern", "--iterations", "2000"];
    for format in ["table", "json", "yaml", "ndjson"] {
        let run = at(&server, &[&allocate[..], &["-o", format]].concat()).with_code(0);
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
        "task",
        "allocate",
        "example:raid",
        "--iterations",
        "300",
        "--stream",
    ];
    let table = at(&server, &allocate).with_code(0);
    assert!(!table.stderr.is_empty() && !table.stdout.is_empty());
    let whole = at(&server, &[&allocate[..], &["-o", "json"]].concat())
        .with_code(0)
        .json();
    let steps = at(
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
    let json = at_with_input(&server, &["task", "allocate", "-", "-o", "json"], &places);
    assert_eq!(
        json.with_code(0).json()["report"]["objective"]["levels"],
        json!([0, 2])
    );
    let yaml = run_with_input(&["convert", "-", "-", "--to", "yaml"], &places).with_code(0);
    let read = at_with_input(
        &server,
        &["task", "allocate", "-", "-o", "json"],
        &yaml.stdout,
    );
    assert_eq!(
        read.with_code(0).json()["report"]["objective"]["levels"],
        json!([0, 2])
    );
    let solomon = "TINY\n\nVEHICLE\nNUMBER CAPACITY\n2 10\n\nCUSTOMER\nCUST NO. XCOORD. ...\n\n\
        0 0 0 0 0 100 0\n1 3 4 7 5 50 9\n2 6 8 3 0 90 1\n";
    let arguments = [
        "task",
        "allocate",
        "-",
        "-o",
        "json",
        "--iterations",
        "1000",
    ];
    let answer = at_with_input(&server, &arguments, solomon)
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
    let allocate = [
        "task",
        "allocate",
        "example:tavern",
        "--iterations",
        "100",
        "--svg",
        path,
    ];
    at(&server, &allocate).with_code(0);
    let svg = std::fs::read_to_string(&picture).unwrap();
    std::fs::remove_file(picture).unwrap();
    assert!(svg.contains("<svg") && svg.contains("Marta"), "{svg}");
}

#[tokio::test]
async fn infeasible_is_3_and_explained() {
    let server = Server::start(&[]).await;
    let mut problem = problem(&[(1, 0), (2, 0)]);
    problem["tasks"][1]["required_skills"] = json!(["flying"]);
    let arguments = ["task", "allocate", "-", "--iterations", "1000"];
    let run = at_with_input(&server, &arguments, &problem.to_string()).with_code(3);
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
        task["windows"] = json!([{"close_offset": "70s"}]);
        task["service_duration"] = json!("5s");
    }
    let arguments = ["task", "allocate", "-", "--iterations", "50", "-o", "json"];
    let run = at_with_input(&server, &arguments, &problem.to_string()).with_code(4);
    let report = &run.json()["report"];
    assert_eq!(report["status"], "SOLVE_STATUS_UNKNOWN");
    assert!(report["explanation"]["reasons"].is_array(), "{report}");
}

#[tokio::test]
async fn invalid_input_is_5_wherever_it_is_found() {
    let server = Server::start(&[]).await;
    let mut twice = problem(&[(1, 0), (2, 0)]);
    twice["tasks"][1]["id"] = json!("t0");
    for command in [&["task", "allocate", "-"][..], &["validate", "-"]] {
        let run = at_with_input(&server, command, &twice.to_string()).with_code(5);
        assert_eq!(run.stdout, "");
        assert!(run.stderr.contains("problem.tasks[1].id"), "{}", run.stderr);
        let run = at_with_input(&server, command, "{\"titel\": \"x\"}").with_code(5);
        assert!(run.stderr.contains("titel"), "{}", run.stderr);
    }
    let good = problem(&[(1, 0)]).to_string();
    let run = at_with_input(&server, &["validate", "-"], &good).with_code(0);
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
    let answer = at_with_input(&server, &["task", "allocate", "-", "-o", "json"], &input);
    let answer = answer.with_code(0).json();
    let problem = file("problem.json", &problem);
    let good = file("answer.json", &answer);
    let run = at(&server, &["verify", &problem, &good]).with_code(0);
    assert!(run.stdout.starts_with("valid"), "{}", run.stdout);
    let mut early = answer["plan"].clone();
    for route in early["routes"].as_array_mut().unwrap() {
        for stop in route["stops"].as_array_mut().unwrap() {
            stop["start_offset"] = json!("0s");
        }
    }
    let early = file("early.json", &early);
    let verdict = at(&server, &["verify", &problem, &early, "-o", "json"])
        .with_code(6)
        .json();
    assert!(
        !verdict["violations"].as_array().unwrap().is_empty(),
        "{verdict}"
    );
    let nothing = file("nothing.json", &json!({"unserved_task_ids": ["t0", "t1"]}));
    assert!(
        at(&server, &["verify", &problem, &nothing])
            .with_code(6)
            .stdout
            .starts_with("partial")
    );
    let allowed = at(&server, &["verify", &problem, &nothing, "--allow-partial"]);
    assert_eq!(allowed.code, 0);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn nonsense_is_2() {
    let cases: [&[&str]; 6] = [
        &[],
        &["task"],
        &["task", "allocate"],
        &["task", "allocate", "/nowhere/at/all.json"],
        &["task", "allocate", "example:tavern", "--budget", "soon"],
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
    let run = run(&["server", "info", "--address", &nobody]).with_code(78);
    assert!(run.stderr.contains(&nobody), "{}", run.stderr);
    let server = Server::start(&["--request-bytes-max", "1024"]).await;
    // 64 + NOT_FOUND, 64 + RESOURCE_EXHAUSTED.
    at(&server, &["example", "get", "allocation/nothing"]).with_code(69);
    at(&server, &["task", "allocate", "example:raid"]).with_code(72);
    at(
        &server,
        &["server", "check", "--service", "nobody.v1.Service"],
    )
    .with_code(69);
}

#[tokio::test]
async fn a_busy_server_is_78_and_says_when_to_come_back() {
    let server = Server::start(&["--slots", "1", "--queue-max", "0"]).await;
    let mut client = server.allocation().await;
    let problem = stratagem_integration_tests::problems::scattered(1, 3, 30);
    let options = stratagem_integration_tests::problems::budget(60_000);
    let request = stratagem_integration_tests::problems::stream(problem, options);
    let mut steps = client
        .stream_allocate_tasks(request)
        .await
        .unwrap()
        .into_inner();
    steps.message().await.unwrap().unwrap();
    let run = at(&server, &["task", "allocate", "example:tavern"]).with_code(78);
    assert!(run.stderr.contains("Try again in"), "{}", run.stderr);
}

#[tokio::test]
async fn the_server_can_be_asked_about_itself() {
    let server = Server::start(&[]).await;
    let info = at(&server, &["server", "info", "-o", "json"])
        .with_code(0)
        .json();
    assert_eq!(info["slot_count"], 2);
    let check = at(&server, &["server", "check"]).with_code(0);
    assert!(check.stdout.contains("SERVING"), "{}", check.stdout);
    let limits = at(&server, &["server", "limits"]).with_code(0);
    assert!(limits.stdout.contains("request_bytes"), "{}", limits.stdout);
    let lines = at(&server, &["server", "limits", "-o", "ndjson"])
        .with_code(0)
        .json_lines();
    assert!(lines.len() >= 3, "one for all methods, one for each");
    assert_eq!(at(&server, &["server", "info"]).with_code(0).stderr, "");
}

#[tokio::test]
async fn the_examples_of_server_and_program_are_the_same() {
    let server = Server::start(&[]).await;
    let list = ["example", "ls", "-o", "ndjson"];
    let remote = at(&server, &list).with_code(0).json_lines();
    let local = run(&[&list[..], &["--offline"]].concat())
        .with_code(0)
        .json_lines();
    assert_eq!(remote, local);
    assert!(remote.len() >= 3);
    for example in &remote {
        let name = example["name"].as_str().unwrap();
        let get = at(&server, &["example", "get", name]).with_code(0);
        let offline = run(&["example", "get", name, "--offline"]).with_code(0);
        assert_eq!(get.stdout, offline.stdout, "{name}");
        at_with_input(&server, &["validate", "-"], &get.stdout).with_code(0);
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
async fn ctrl_c_ends_with_the_best_so_far() {
    let server = Server::start(&[]).await;
    let folder = std::env::temp_dir().join(format!("stratagem-interrupt-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("many.json");
    std::fs::write(&file, many()).unwrap();
    let file = file.to_str().unwrap();
    let arguments = [
        "task", "allocate", file, "--stream", "--budget", "60s", "-o", "json",
    ];
    let child = stratagem_integration_tests::command_line::start(
        &[&arguments[..], &["--address", &server.url()]].concat(),
    );
    stratagem_integration_tests::patience::eventually("a first plan", async || {
        let metrics = server.metrics().await;
        (metrics.sum("stratagem_busy_slots") == 1.0).then_some(())
    })
    .await;
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
