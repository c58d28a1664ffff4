//! Deadlocks that a look finds.

use anytime::{Conclusion, Control, Limits, Unnamed};
use puzzle::{Board, Solution, Tile, deadlock, solve_board};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Code, field and first words of a deadlock.
fn found(rows: &[&str]) -> Option<(&'static str, String, String)> {
    let reason = deadlock(&Board::of_rows(rows).expect("a board"))?;
    assert!(reason.is_proved);
    let text = reason.fault.text(&Unnamed);
    let words = text.split(" can").next().expect("a text").to_owned();
    Some((reason.fault.code, reason.fault.field(), words))
}

fn reason(code: &'static str, field: &str, words: &str) -> Option<(&'static str, String, String)> {
    Some((code, field.to_owned(), words.to_owned()))
}

#[test]
fn each_kind_is_found_with_its_place() {
    let corner = ["######", "#$  .#", "# @  #", "######"];
    let dead = reason("DEAD_CELL", "rows[1]", "the box at row 1, column 1");
    assert_eq!(found(&corner), dead);
    let square = [
        "#######", "#     #", "#@$$. #", "# $$. #", "# ..  #", "#######",
    ];
    let frozen = reason(
        "BOX_FROZEN",
        "rows[2]",
        "the box at row 2, column 2 is frozen off the goals: it",
    );
    assert_eq!(found(&square), frozen);
    let wall = ["########", "#$@ $ .#", "#    . #", "########"];
    assert_eq!(found(&wall).map(|it| it.0), Some("DEAD_CELL"));
    let same = ["########", "# $ $ .#", "#@   . #", "#      #", "########"];
    assert_eq!(found(&same), reason("BOXES_UNMATCHED", "rows", "boxes"));
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
        let mut sink = |_: &Solution, _: u32| {};
        let mut control = Control::new(Limits::iterations(100_000), 0, &mut sink);
        let end = solve_board(&board, &mut control).expect("supported");
        if deadlock(&board).is_some() {
            lost += 1;
            assert_eq!(end, Conclusion::Infeasible, "{board}");
        } else {
            open += 1;
        }
    }
}
