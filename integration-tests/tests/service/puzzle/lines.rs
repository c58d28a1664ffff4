//! `stratagem puzzle` against the real server: what it says, writes, plays and ends with.

use crate::command_line::{run_at, run_at_with_input};
use stratagem_integration_tests::Server;
use stratagem_integration_tests::command_line::{Run, run, run_with_input};

/// Two pushes, and a box in a corner.
const LEVELS: &str = "\
; open
######
#@$ .#
######

; stuck
######
#@ .$#
#    #
######
";
const THREE: &str = "\
; one
######
#@$. #
######

; two
#######
#@$  .#
#######

; three
########
#@$   .#
########
";

/// A file of one's own.
pub(super) fn file(name: &str, text: &str) -> String {
    let path = format!("{}/{name}", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&path, text).unwrap();
    path
}

fn generated(server: &Server, more: &[&str]) -> Run {
    let small = [
        "puzzle",
        "plan",
        "--size",
        "7x7",
        "--boxes",
        "2",
        "--iterations",
        "3000",
    ];
    run_at(server, &[&small, more].concat())
}

#[tokio::test]
async fn levels_come_with_solutions_and_are_the_same_again() {
    let server = Server::start(&[]).await;
    let first = generated(&server, &["--seed", "4", "-o", "json"]).with_code(0);
    let again = generated(&server, &["--seed", "4", "-o", "json"]).with_code(0);
    let (first, again) = (first.json(), again.json());
    assert_eq!(first["plan"], again["plan"]);
    let level = &first["plan"]["levels"][0];
    assert_eq!(level["rows"].as_array().unwrap().len(), 7);
    assert!(!level["solution"].as_str().unwrap().is_empty());
    let table = generated(&server, &["--seed", "4"]).with_code(0);
    assert!(table.stdout.contains("solution: "), "{}", table.stdout);
}

#[tokio::test]
async fn levels_are_written_in_every_format_and_solved_again() {
    let server = Server::start(&[]).await;
    let names = [
        "made.sok",
        "made.xsb",
        "made.rle",
        "made.svg",
        "made.html",
        "made.png",
    ];
    let paths = names.map(|name| file(name, ""));
    let [sok, xsb, rle, svg, html, png] = paths.each_ref().map(String::as_str);
    let pictures = ["--svg", svg, "--animate", "--html", html, "--png", png];
    let made = [&["--out", sok][..], &pictures].concat();
    generated(&server, &made).with_code(0);
    for (path, start, part) in [
        (svg, "<svg ", "<animate"),
        (html, "<!DOCTYPE html>", "data-track="),
    ] {
        let text = std::fs::read_to_string(path).unwrap();
        assert!(text.starts_with(start) && text.contains(part), "{path}");
    }
    assert!(std::fs::read(png).unwrap().starts_with(b"\x89PNG"));
    for path in [xsb, rle] {
        run(&["convert", sok, path]).with_code(0);
    }
    let mut pushes = Vec::new();
    for path in [sok, xsb, rle] {
        let solved = run_at(&server, &["puzzle", "solve", path, "-o", "json"]).with_code(0);
        pushes.push(solved.json()["plan"]["push_count"].clone());
    }
    assert!(
        pushes[0].as_i64().unwrap() >= 4 && pushes.iter().all(|p| *p == pushes[0]),
        "{pushes:?}"
    );
}

#[tokio::test]
async fn named_difficulties_and_templates_are_understood() {
    let server = Server::start(&[]).await;
    let template = file(
        "room.xsb",
        "#######\n#     #\n#??.??#\n#?????#\n#?????#\n#######\n",
    );
    let wanted = [
        "--template",
        &template,
        "--difficulty",
        "easy",
        "--boxes",
        "1..2",
        "-o",
        "json",
    ];
    let generate = ["puzzle", "plan", "--iterations", "3000"];
    let run = run_at(&server, &[&generate[..], &wanted].concat()).with_code(0);
    let level = run.json()["plan"]["levels"][0].clone();
    let row = level["rows"][2].as_str().unwrap().to_owned();
    assert!([".", "*", "+"].contains(&&row[3..4]), "{row}");
    let named = ["--weights", "thesis", "--difficulty", "hard"];
    let refused = run_at(&server, &[&generate[..], &named].concat()).with_code(2);
    assert!(
        refused.stderr.contains("default weights"),
        "{}",
        refused.stderr
    );
}

#[tokio::test]
async fn solving_tells_solutions_proofs_and_the_worst_in_its_exit_code() {
    let server = Server::start(&[]).await;
    let levels = file("two.xsb", LEVELS);
    let both = run_at(&server, &["puzzle", "solve", &levels]).with_code(3);
    assert!(both.stdout.contains("solution: RR"), "{}", both.stdout);
    assert!(both.stdout.contains("INFEASIBLE"), "{}", both.stdout);
    let lines = run_at(&server, &["puzzle", "solve", &levels, "-o", "ndjson"]).with_code(3);
    assert_eq!(lines.stdout.lines().count(), 2);
    let stream = [
        "puzzle", "solve", &levels, "--level", "1", "--stream", "-o", "ndjson",
    ];
    let steps = run_at(&server, &stream).with_code(0);
    let last = steps.stdout.lines().last().unwrap();
    assert!(last.contains("SOLVE_STATUS_OPTIMAL"), "{last}");
    let list = run_at(&server, &["puzzle", "solve", &levels, "-o", "json"]).with_code(3);
    assert_eq!(list.json().as_array().unwrap().len(), 2);
    let one = [
        "puzzle", "solve", &levels, "--level", "1", "--played", "R", "--hint",
    ];
    let hint = run_at(&server, &one).with_code(0);
    assert_eq!(
        hint.stdout,
        "open: push the box in row 2, column 4 right (R)\n"
    );
}

#[tokio::test]
async fn bad_levels_are_refused_with_their_places() {
    let server = Server::start(&[]).await;
    let bad = file("bad.xsb", "####\n#@x#\n####\n");
    let refused = run_at(&server, &["puzzle", "solve", &bad]).with_code(5);
    assert!(
        refused.stderr.contains("bad.xsb:2:3: `x` is none of"),
        "{}",
        refused.stderr
    );
    // What only the server sees.
    let open = file("open.xsb", "; far\n######\n#@$. \n######\n");
    let refused = run_at(&server, &["puzzle", "solve", &open]).with_code(5);
    assert!(
        refused.stderr.contains("open.xsb:2: level 1"),
        "{}",
        refused.stderr
    );
    run(&["puzzle", "solve", &open, "--level", "7"]).with_code(2);
    run(&["puzzle", "render", &open, "--out", "x.gif"]).with_code(2);
}

#[tokio::test]
async fn a_game_is_played_by_lines() {
    let server = Server::start(&[]).await;
    let levels = file("play.xsb", LEVELS);
    let play = ["puzzle", "play", &levels, "--ascii"];
    let played = run_at_with_input(&server, &play, "hint\ndo it\nundo\nredo\nr\n").with_code(0);
    assert!(
        played
            .stdout
            .contains("push the box in row 2, column 3 right (R)"),
        "{}",
        played.stdout
    );
    assert!(
        played
            .stdout
            .ends_with("#  @*#\n######\nSolved in 2 moves, 2 pushes.\n\n"),
        "{}",
        played.stdout
    );
    let shown = run_at_with_input(&server, &play, "solution\n").with_code(0);
    assert!(
        shown.stdout.contains("Solved in 2 moves, 2 pushes."),
        "{}",
        shown.stdout
    );
    let stuck = run_at_with_input(&server, &play, "next\nhint\njump\nnext\n").with_code(4);
    assert!(
        stuck.stdout.contains("it cannot be solved any more"),
        "{}",
        stuck.stdout
    );
    assert!(
        stuck.stdout.contains("steps are letters"),
        "{}",
        stuck.stdout
    );
    assert!(
        stuck.stdout.contains("this is the last level"),
        "{}",
        stuck.stdout
    );
}

#[tokio::test]
async fn a_game_without_a_file_goes_on_with_harder_levels() {
    let server = Server::start(&[]).await;
    let wanted = ["--size", "7x7", "--boxes", "2", "--difficulty", "4..5"];
    let play = [&["puzzle", "play", "--ascii"][..], &wanted].concat();
    // Another one of the first kind, then a harder one, then the hardest that is wanted.
    let input = "next\nsolution\nnext\nsolution\nnext\nsolution\n";
    let played = run_at_with_input(&server, &play, input).with_code(0);
    let text = &played.stdout;
    for part in [
        "level 4, difficulty ",
        "(4 of 4)",
        "`next` is a harder one.",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let more = run_at_with_input(&server, &[&play[..], &["--levels", "2"]].concat(), "");
    assert!(more.with_code(2).stderr.contains("one after the other"));
}

#[tokio::test]
async fn walls_that_do_not_matter_are_left_out() {
    let server = Server::start(&[]).await;
    let wanted = ["--difficulty", "5", "--walls", "needed", "-o", "json"];
    let made = generated(&server, &wanted).with_code(0).json();
    let rows = made["plan"]["levels"][0]["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 7);
    assert!(rows.iter().all(|row| row.as_str().unwrap().len() == 7));
    let thesis = ["--weights", "thesis", "--walls", "needed"];
    let refused = generated(&server, &thesis).with_code(5);
    assert!(refused.stderr.contains("walls"), "{}", refused.stderr);
}

/// Nobody listens there: hints fail, the game goes on.
#[test]
fn a_game_goes_on_without_a_server() {
    let levels = file("alone.xsb", LEVELS);
    let play = ["puzzle", "play", &levels, "--address", "http://127.0.0.1:1"];
    let played = run_with_input(&play, "hint\nRR\n").with_code(0);
    assert!(played.stdout.contains("no help: "), "{}", played.stdout);
}

#[tokio::test]
async fn answers_of_players_become_ratings_and_weights() {
    let server = Server::start(&[]).await;
    let levels = file("three.xsb", THREE);
    let answers = file("three.ndjson", "");
    let weights = file("weights.json", "");
    let rate = [
        "puzzle",
        "rate",
        &levels,
        "--answers",
        &answers,
        "--weights",
        &weights,
    ];
    // The longer corridor is always called the harder one.
    let said = [
        r#"{"harder_id": "two", "easier_id": "one"}"#,
        r#"{"harder_id": "three", "easier_id": "two"}"#,
        r#"{"harder_id": "three", "easier_id": "one"}"#,
        r#"{"harder_id": "one", "easier_id": "elsewhere"}"#,
    ];
    std::fs::write(&answers, said.join("\n")).unwrap();
    let rated = run_at(&server, &rate).with_code(0);
    let note = "1 of 4 answers in ";
    assert!(rated.stderr.contains(note), "{}", rated.stderr);
    let place = |name: &str| rated.stdout.rfind(&format!("\n{name} ")).unwrap();
    assert!(
        place("one") < place("two") && place("two") < place("three"),
        "{}",
        rated.stdout
    );
    let fitted = std::fs::read_to_string(&weights).unwrap();
    assert!(fitted.contains("pushes"), "{fitted}");
    let json = run_at(&server, &[&rate[..], &["-o", "json"]].concat());
    let json = json.with_code(0).json();
    assert_eq!(json["levels"].as_array().unwrap().len(), 3);
    generated(&server, &["--weights", &weights]).with_code(0);
}

#[test]
fn answers_that_cannot_be_read_are_named_by_their_line() {
    let levels = file("silent.xsb", THREE);
    let bad = file("bad.ndjson", "{}\n{\"harder\": 1}\n");
    let refused = run(&["puzzle", "rate", &levels, "--answers", &bad]).with_code(5);
    assert!(
        refused.stderr.contains("bad.ndjson:2:"),
        "{}",
        refused.stderr
    );
}

#[test]
fn levels_are_drawn_without_a_server() {
    let levels = file("drawn.xsb", THREE);
    let drawn = run(&["puzzle", "render", &levels, "--ascii"]).with_code(0);
    assert!(drawn.stdout.contains("#@$. #"), "{}", drawn.stdout);
    let svg = run(&["puzzle", "render", &levels, "--level", "2", "--svg", "-"]).with_code(0);
    assert!(svg.stdout.starts_with("<svg "), "{}", svg.stdout);
}
