//! The game on the terminal: commands in, a transcript out.

use crate::command_line::{run_at, run_at_with_input};
use std::path::{Path, PathBuf};
use stratagem_integration_tests::Server;
use stratagem_integration_tests::command_line::{Run, start};

/// Four rooms in a ring, with the idol opposite the entrance. One path has a camera that the
/// burglar does not know.
const RING: &str = r#"{
  "name": "The ring", "rooms": ["hall", "east", "vault", "west"], "entrance": "hall",
  "doors": [{"id": "d_east", "a": "hall", "b": "east", "open": true},
            {"id": "d_far_east", "a": "east", "b": "vault", "open": true},
            {"id": "d_far_west", "a": "vault", "b": "west", "open": true},
            {"id": "d_west", "a": "west", "b": "hall", "open": true}],
  "containers": [{"id": "case", "room": "vault", "open": true, "items": ["idol"]}],
  "cameras": [{"id": "eye", "room": "east", "on": true}],
  "artifact": "idol", "burglar": {"room": "hall"}, "costs": {"door": 3, "camera": 9}
}"#;

/// What is typed to win, with all that one can ask for and get wrong.
const WINNING: &str = "\
plan
hint
hint
hint
hint
hint
lock d_east
plan
undo
undo
lock cellar
off d_east
jump
next 0
next 2 3
lock d_east
hint
next
map
next 2
plan
hint
run
";

/// The world as a file, for one test.
fn level(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, RING).expect("there is room for a world");
    path
}

fn play(server: &Server, name: &str, typed: &str) -> Run {
    let path = level(name);
    let file = path.to_str().expect("paths here are UTF-8");
    run_at_with_input(server, &["heist", "play", file, "--ascii"], typed)
}

#[tokio::test]
async fn a_game_that_is_won_reads_as_it_always_did() {
    let server = Server::start(&[]).await;
    let run = play(&server, "heist-won.json", WINNING).with_code(0);
    assert_eq!(run.stderr, "");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/service/heist/golden");
    let path = folder.join("won.txt");
    // Written again where `GOLDEN` is set, as those of pictures.
    if std::env::var_os("GOLDEN").is_some() {
        std::fs::write(&path, &run.stdout).expect("the folder is there");
    }
    let golden = std::fs::read_to_string(&path).expect("there is a transcript");
    assert_eq!(run.stdout, golden);
}

#[tokio::test]
async fn nobody_helps_and_the_burglar_is_caught() {
    let server = Server::start(&[]).await;
    let run = play(&server, "heist-lost.json", "\n\nrun\nmap\n").with_code(4);
    let last = run.stdout.lines().last().expect("there is a last line");
    assert!(last.contains("caught in east by eye"), "{last}");
    let over = "is caught";
    assert_eq!(run.stdout.matches(over).count(), 1, "the game is over");
}

#[tokio::test]
async fn whoever_leaves_has_not_won() {
    let server = Server::start(&[]).await;
    for typed in ["quit\nrun\n", "next\n", ""] {
        let run = play(&server, "heist-left.json", typed).with_code(4);
        assert!(!run.stdout.contains("After "), "{}", run.stdout);
    }
}

#[tokio::test]
async fn a_player_who_presses_ctrl_c_is_heard() {
    let server = Server::start(&[]).await;
    let path = level("heist-interrupted.json");
    let file = path.to_str().expect("paths here are UTF-8");
    let game = start(&["--address", &server.url(), "heist", "play", file]);
    let run = game.interrupted_after("undo\n", "nothing to take back");
    run.await.with_code(130);
}

#[tokio::test]
async fn a_game_needs_a_terminal_and_a_file() {
    let server = Server::start(&[]).await;
    let path = level("heist-refused.json");
    let file = path.to_str().expect("paths here are UTF-8");
    let stdin = run_at_with_input(&server, &["heist", "play", "-"], RING).with_code(2);
    assert!(stdin.stderr.contains("where you play"), "{}", stdin.stderr);
    let data = run_at(&server, &["heist", "play", file, "-o", "json"]).with_code(2);
    assert!(data.stderr.contains("heist simulate"), "{}", data.stderr);
}

#[tokio::test]
async fn hints_and_ratings_are_told_without_a_game() {
    let server = Server::start(&[]).await;
    let path = level("heist-rated.json");
    let file = path.to_str().expect("paths here are UTF-8");
    let hint = run_at(&server, &["heist", "explain", file, "--hint", "2"]).with_code(0);
    let lines: Vec<_> = hint.stdout.lines().collect();
    assert_eq!(lines[0], "one deed is enough");
    assert!(
        lines[1].starts_with("look between hall and east"),
        "{lines:?}"
    );
    assert_eq!(lines.len(), 2);
    let rate = run_at(&server, &["heist", "explain", file, "--rate"]).with_code(0);
    for part in [
        "the burglar does not know that camera eye is on",
        "F(1) holds, F'(0) does not hold, F'(1) holds",
        "difficulty 1",
        "the cheapest costs 3",
    ] {
        assert!(rate.stdout.contains(part), "{part}\n{}", rate.stdout);
    }
    let cheap = ["--rate", "--cost", "camera=1", "-o", "json"];
    let cheap = run_at(&server, &[&["heist", "explain", file][..], &cheap].concat()).with_code(0);
    let help = &cheap.json()["analysis"]["help"];
    assert_eq!(help["cost"], 1, "{help}");
    assert_eq!(
        help["interventions"][0]["verb"],
        "HEIST_INTERVENTION_VERB_SWITCH_OFF"
    );
}
