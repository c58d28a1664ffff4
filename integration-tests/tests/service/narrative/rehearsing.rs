//! `stratagem narrative rehearse`: a script or random picks play the players.

use crate::command_line::{run_at, run_at_with_input};
use stratagem_integration_tests::Server;

const DRAGON: [&str; 3] = ["narrative", "rehearse", "example:dragon"];

#[tokio::test]
async fn the_story_stays_on_schedule_whatever_the_players_do() {
    let server = Server::start(&[]).await;
    for (found, way) in [("10m", "magic"), ("70m", "sword"), ("90m", "robbery")] {
        let script = format!("wait {found}\nhappen dragon-found\nstatus\nend\n");
        let text = run_at_with_input(&server, &DRAGON, &script)
            .with_code(0)
            .stdout;
        assert!(text.contains(&format!("we pick how: {way}")), "{text}");
        assert!(
            text.ends_with("kept: the story stayed on schedule\n"),
            "{text}"
        );
    }
}

#[tokio::test]
async fn wrong_commands_are_told_and_change_nothing() {
    let server = Server::start(&[]).await;
    let script = "dance\nwait\nwait soon\nwait -5m\nhappen nothing\nhappen fight\n\
        happen dragon-found\npick how sword\npick who sword\nhappen dragon-found 99999999h\n\
        help\n\nhappen dragon-found 20m\nhappen dragon-found\nend\n";
    let run = run_at_with_input(&server, &DRAGON, script).with_code(0);
    let text = &run.stdout;
    for part in [
        "dance",
        "a number with a unit is wanted",
        "how is ours: the plan decides",
        "longer than ten years",
        "there is no event `nothing`",
        "fight is ours: the plan decides",
        "dragon-found may not happen before 10m",
        "there is no choice `who`",
        "choose as the players do",
        "dragon-found happened at 20m",
        "kept: the story stayed on schedule",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[tokio::test]
async fn a_script_and_luck_play_too() {
    let server = Server::start(&[]).await;
    let file = std::env::temp_dir().join(format!("stratagem-script-{}", std::process::id()));
    std::fs::write(&file, "happen dragon-found 20m\n").unwrap();
    let script = ["--script", file.to_str().unwrap()];
    let run = run_at(&server, &[&DRAGON[..], &script].concat()).with_code(0);
    assert!(run.stdout.contains("kept"), "{}", run.stdout);
    std::fs::remove_file(&file).unwrap();
    run_at(&server, &[&DRAGON[..], &script].concat()).with_code(2);
    let played = |seed: &str| {
        let evening = ["narrative", "rehearse", "example:evening", "--auto", seed];
        run_at(&server, &evening).with_code(0).stdout
    };
    let first = played("7");
    assert!(first.contains("kept"), "{first}");
    assert_eq!(first, played("7"), "the same seed, the same story");
    assert_ne!(first, played("8"));
}

#[tokio::test]
async fn without_a_plan_there_is_nothing_to_rehearse() {
    let server = Server::start(&[]).await;
    let run = run_at(&server, &["narrative", "rehearse", "example:vote"]).with_code(3);
    assert!(
        run.stdout.ends_with("there is nothing to rehearse\n"),
        "{}",
        run.stdout
    );
    run_at(&server, &[&DRAGON[..], &["-o", "json"]].concat()).with_code(2);
    run_at(&server, &["narrative", "rehearse", "-"]).with_code(2);
}

/// Two groups live through one story, each with a beginning of its own.
#[tokio::test]
async fn whatever_groups_do_their_plan_is_kept() {
    let server = Server::start(&[]).await;
    for seed in 0..12 {
        let seed = seed.to_string();
        let evening = ["narrative", "rehearse", "example:evening", "--auto", &seed];
        run_at(&server, &evening).with_code(0);
    }
}

#[tokio::test]
async fn rehearsals_close_their_sessions() {
    let server = Server::start(&["--sessions-max", "1"]).await;
    for seed in ["3", "4"] {
        let run = run_at(&server, &[&DRAGON[..], &["--auto", seed]].concat()).with_code(0);
        assert!(run.stdout.contains("kept"), "{}", run.stdout);
    }
}
