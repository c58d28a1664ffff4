//! The game and the survey, without a screen and a server.

use std::collections::BTreeSet;
use stratagem_cli::sokoban::{Game, Wish};
use stratagem_cli::survey::{Said, Survey};
use stratagem_proto::v1::PuzzleComparison;
use stratagem_render::puzzle::Heading;

const ROWS: [&str; 4] = ["######", "#@ $.#", "#    #", "######"];

fn played(steps: &str) -> Game {
    let mut game = Game::new(&ROWS);
    for heading in steps.chars().filter_map(Heading::of_letter) {
        game.step(heading);
    }
    game
}

#[test]
fn steps_and_pushes_are_counted_and_what_cannot_be_done_is_not() {
    let game = played("luRRR");
    assert_eq!(game.lurd(), "rR");
    assert_eq!((game.moves(), game.pushes()), (2, 1));
    assert!(game.is_solved());
}

#[test]
fn what_is_undone_can_be_done_again_until_something_else_is_done() {
    let mut game = played("rRd");
    assert!(game.undo() && game.undo());
    assert_eq!(game.lurd(), "r");
    assert!(game.redo() && game.redo() && !game.redo());
    assert_eq!(game.lurd(), "rRd");
    assert!(game.undo());
    game.step(Heading::Left);
    assert!(!game.redo());
    assert_eq!(game.lurd(), "rRl");
}

#[test]
fn a_push_is_undone_with_the_walk_after_it() {
    let mut game = played("rRdl");
    assert!(game.undo_push());
    assert_eq!(game.lurd(), "r");
    assert!(game.undo_push() && !game.undo_push());
    assert_eq!(game, {
        let mut fresh = played("rRdl");
        fresh.restart();
        fresh
    });
}

#[test]
fn lines_are_words_or_steps() {
    assert_eq!(Wish::of_line(" undo "), Ok(Wish::Undo));
    assert_eq!(Wish::of_line(""), Ok(Wish::Show));
    let steps = vec![Heading::Right, Heading::Up];
    assert_eq!(Wish::of_line("rU"), Ok(Wish::Go(steps)));
    assert!(Wish::of_line("jump").is_err());
    assert_eq!(Wish::of_key('w'), Some(Wish::Go(vec![Heading::Up])));
    assert_eq!(Wish::of_key('x'), None);
}

fn ids(count: usize) -> Vec<String> {
    (0..count).map(|n| n.to_string()).collect()
}

#[test]
fn every_pair_is_asked_about_once_before_any_is_asked_again() {
    let mut survey = Survey::new(ids(5), &[], 3);
    let mut seen = BTreeSet::new();
    for _ in 0..10 {
        let (one, other) = survey.next().unwrap();
        assert!(seen.insert((one.min(other), one.max(other))));
        survey.say(one, other, Said::First);
    }
    assert!(survey.next().is_some());
    assert_eq!(survey.comparisons().len(), 10);
}

#[test]
fn the_first_questions_spread_over_all_levels() {
    let mut survey = Survey::new(ids(10), &[], 0);
    let mut seen = BTreeSet::new();
    for _ in 0..5 {
        let pair = survey.next().unwrap();
        seen.extend([pair.0, pair.1]);
        survey.say(pair.0, pair.1, Said::Same);
    }
    assert_eq!(seen.len(), 10);
}

#[test]
fn answers_say_who_is_harder_and_skipped_ones_nothing() {
    let mut survey = Survey::new(ids(3), &[], 0);
    survey.say(0, 1, Said::Second);
    survey.say(1, 2, Said::Skip);
    survey.say(2, 0, Said::Same);
    survey.say(2, 1, Said::First);
    survey.take_back();
    let said = |harder: &str, easier: &str, draw| PuzzleComparison {
        harder_id: harder.into(),
        easier_id: easier.into(),
        draw,
    };
    assert_eq!(
        survey.comparisons(),
        [said("1", "0", false), said("2", "0", true)]
    );
}

#[test]
fn answers_about_other_levels_are_kept_but_not_told() {
    let other = PuzzleComparison {
        harder_id: "elsewhere".into(),
        easier_id: "0".into(),
        draw: false,
    };
    let survey = Survey::new(ids(2), std::slice::from_ref(&other), 0);
    assert!(survey.comparisons().is_empty());
    assert_eq!(survey.all_comparisons(), [other]);
}

#[test]
fn there_is_nothing_to_ask_about_one_level() {
    assert_eq!(Survey::new(ids(1), &[], 0).next(), None);
}
