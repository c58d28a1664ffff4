//! The game of Sokoban, without a screen and a server.

use stratagem_cli::sokoban::{Game, Wish};
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
