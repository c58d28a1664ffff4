//! Deadlocks that a look finds.

use crate::searched::solved;
use anytime::{Conclusion, Unnamed};
use puzzle::{Board, Tile, deadlock};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Code, field and text of a deadlock.
fn found(rows: &[&str]) -> Option<(&'static str, String, String)> {
    let reason = deadlock(&Board::of_rows(rows).expect("a board"))?;
    assert!(reason.is_proved);
    let fault = reason.fault;
    Some((fault.code, fault.field(), fault.text(&Unnamed)))
}

fn reason(code: &'static str, field: &str, text: &str) -> Option<(&'static str, String, String)> {
    Some((code, field.to_owned(), text.to_owned()))
}

#[test]
fn each_kind_is_found_with_its_place() {
    let corner = ["######", "#$  .#", "# @  #", "######"];
    let text = "the box at row 1, column 1 can be pushed to no goal, even with no other box on the \
                board";
    let dead = reason("DEAD_CELL", "rows[1]", text);
    assert_eq!(found(&corner), dead);
    let square = [
        "#######", "#     #", "#@$$. #", "# $$. #", "# ..  #", "#######",
    ];
    let text = "the box at row 2, column 2 is frozen off the goals: it can never be pushed again";
    let frozen = reason("BOX_FROZEN", "rows[2]", text);
    assert_eq!(found(&square), frozen);
    let wall = ["########", "#$@ $ .#", "#    . #", "########"];
    assert_eq!(found(&wall).map(|it| it.0), Some("DEAD_CELL"));
    let same = ["########", "# $ $ .#", "#@   . #", "#      #", "########"];
    let text = "boxes cannot be matched with goals: too many of them can only be pushed to the same \
                ones";
    assert_eq!(found(&same), reason("BOXES_UNMATCHED", "rows", text));
    let fine = ["#######", "#@ $ .#", "#######"];
    assert_eq!(found(&fine), None);
}

#[test]
fn what_a_look_calls_a_deadlock_has_no_solution() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let (mut lost, mut open) = (0, 0);
    while lost < 100 || open < 100 {
        let mut tiles = vec![Tile::Wall; 49];
        for cell in (8..41).filter(|cell| !matches!(cell % 7, 0 | 6)) {
            if !rng.random_bool(0.15) {
                tiles[cell] = Tile::Floor;
            }
        }
        for tile in [Tile::Box, Tile::Goal, Tile::Box, Tile::Goal, Tile::Player] {
            tiles[rng.random_range(8..41)] = tile;
        }
        let Ok(board) = Board::new(7, tiles) else {
            continue;
        };
        let end = solved(&board, 100_000).conclusion;
        if deadlock(&board).is_some() {
            lost += 1;
            assert_eq!(end, Conclusion::Infeasible, "{board}");
        } else {
            open += 1;
        }
    }
}
