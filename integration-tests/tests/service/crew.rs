//! Crews on the command line.

use crate::command_line::{run_at, run_at_with_input};
use stratagem_integration_tests::Server;

/// The player of the paper's Table 1: stands still for 2 s and takes a step to and fro.
const MOVES: &str = "
moves:
  - role:
      player_id: p1
      tool_id: t1
      fetch_node_ids: [n0, n2, n4, n3, n1, n20]
      carry_node_ids: [n20, n1, n20, n19, n18]
    idle_duration: 2s
";

#[tokio::test]
async fn moves_are_compared_for_people_and_for_programs() {
    let server = Server::start(&[]).await;
    let compare = ["crew", "compare", "example:ship", "-"];
    let shown = run_at_with_input(&server, &compare, MOVES)
        .with_code(0)
        .stdout;
    let line = |name: &str| {
        let mut lines = shown.lines().map(str::trim);
        let line = lines.find_map(|line| line.strip_prefix(name));
        line.map_or_else(|| panic!("no {name}: {shown}"), |it| it.trim().to_owned())
    };
    assert_eq!(line("worst duration"), "17s");
    assert_eq!(line("way duration"), "4s");
    assert_eq!(line("number duration"), "1s");
    assert!(line("Ada").starts_with("11s"), "{shown}");
    let json = [&compare[..], &["-o", "json"]].concat();
    let data = run_at_with_input(&server, &json, MOVES).with_code(0).json();
    assert_eq!(data["time_loss"]["way_duration"], "4s");
}

#[tokio::test]
async fn impossible_moves_are_refused_by_their_fields() {
    let server = Server::start(&[]).await;
    let compare = ["crew", "compare", "example:ship", "-"];
    let wrong = MOVES.replace("n18]", "n0]");
    let shown = run_at_with_input(&server, &compare, &wrong)
        .with_code(5)
        .stderr;
    assert!(
        shown.contains("moves[0].role: there is no such path"),
        "{shown}"
    );
    let twice = format!("problem: {{title: x}}\n{MOVES}");
    let shown = run_at_with_input(&server, &compare, &twice)
        .with_code(2)
        .stderr;
    assert!(shown.contains("has a problem of its own"), "{shown}");
    let both = run_at(&server, &["crew", "compare", "-", "-"]).with_code(2);
    assert!(
        both.stderr.contains("only one file can be stdin"),
        "{}",
        both.stderr
    );
}

#[tokio::test]
async fn pictures_are_the_same_with_the_answer_and_from_it() {
    let server = Server::start(&[]).await;
    let first = ["crew", "plan", "example:ship", "--svg", "-", "-o", "ndjson"];
    let shown = run_at(&server, &first).with_code(0).stdout;
    let end = shown.find("</svg>").expect("a picture") + "</svg>".len();
    let (picture, answer) = shown.split_at(end);
    let render = [
        "crew",
        "render",
        "example:ship",
        "--plan",
        "-",
        "--svg",
        "-",
    ];
    let drawn = run_at_with_input(&server, &render, answer)
        .with_code(0)
        .stdout;
    assert_eq!(drawn.trim_end(), picture);
}
