//! Boards: what is refused, and where.

use anytime::Fault;
use puzzle::{Board, Step, Tile};

/// Code and words of each broken rule; the words begin with its field.
fn broken(rows: &[impl AsRef<str>]) -> Vec<(&'static str, String)> {
    let faults = Board::of_rows(rows).expect_err("no board");
    words(&faults)
}

pub(crate) fn words(faults: &[Fault]) -> Vec<(&'static str, String)> {
    let words = faults.iter().map(|fault| (fault.code, fault.to_string()));
    words.collect()
}

#[test]
fn a_board_is_read_and_written_alike() {
    let rows = ["#######", "#@$. *#", "# + ###", "#######"];
    let with_second = ["#######", "#@$. *#", "#   ###", "#######"];
    assert_eq!(
        broken(&rows),
        [
            (
                "SECOND_PLAYER",
                "[2] has a second player at column 2".into()
            ),
            ("UNEQUAL_GOALS", "has 2 boxes, but 3 goals".into())
        ]
    );
    let board = Board::of_rows(&with_second).expect("a board");
    assert_eq!(board.rows(), with_second);
    assert_eq!(board.player(), 8);
    assert_eq!(
        (board.boxes(), board.goals()),
        (&[9, 12][..], &[10, 12][..])
    );
}

#[test]
fn rows_of_any_lengths_are_filled_with_floor() {
    let board = Board::of_rows(&["####", "#@ #", "#$.####", "#     #", "#######"]);
    assert_eq!(board.map(|board| board.width()), Ok(7));
}

#[test]
fn all_broken_rules_are_reported_together() {
    assert_eq!(
        broken(&["####", "#  #", "####"]),
        [
            ("NO_PLAYER", "must have a player: one @ or +".into()),
            ("NO_BOXES", "must have at least one box: $ or *".into())
        ]
    );
    assert_eq!(
        broken(&["#####", "#@$ #", "#####"]),
        [("UNEQUAL_GOALS", "has 1 boxes, but 0 goals".into())]
    );
    let found = broken(&["#####", "#@x #", "#####"]);
    assert_eq!((found.len(), found[0].0), (1, "CHARACTER_UNKNOWN"));
    assert!(found[0].1.starts_with("[1] has 'x' at column 2, "));
}

#[test]
fn an_open_border_is_reported_with_its_place() {
    let open = |place: &str| {
        let why = ": from there the player can walk off the board";
        ("BORDER_OPEN", format!("{place}{why}"))
    };
    assert_eq!(
        broken(&["#####", "#@$. ", "#####"]),
        [open("[1] is open at column 4")]
    );
    assert_eq!(
        broken(&["## ##", "# @ #", "#$. #", "#####"]),
        [open("[0] is open at column 2")]
    );
}

#[test]
fn what_is_walled_off_is_wall_and_must_not_be_missed() {
    let lost = || {
        let text = "[1] has a box or goal at column 5 that is walled off from the player";
        ("WALLED_OFF", text.to_owned())
    };
    let board = Board::of_rows(&["########", "#@$.#  #", "########"]).expect("a board");
    assert!(board.is_wall(13), "floor out of reach");
    assert_eq!(broken(&["########", "#@$ #. #", "########"]), [lost()]);
    assert_eq!(broken(&["########", "#@  #* #", "########"]), [lost()]);
}

#[test]
fn decoration_outside_of_the_walls_is_read() {
    for (beside, above) in [("*", "  $$ "), ("$.", " . ."), (" #$#", "####")] {
        let rows = [
            above.to_owned(),
            "#####".into(),
            "#@$.#".into(),
            format!("#####{beside}"),
        ];
        let board = Board::of_rows(&rows).expect("a board");
        assert_eq!(
            (board.boxes().len(), board.goals().len()),
            (1, 1),
            "{rows:?}"
        );
        assert!(
            board
                .tiles()
                .iter()
                .filter(|tile| **tile != Tile::Wall)
                .count()
                == 3
        );
    }
}

#[test]
fn boards_have_up_to_128_boxes() {
    let rows = |boxes: usize| {
        let mut rows = vec!["#".repeat(64); 10];
        for row in 0..boxes.div_ceil(60) {
            let here = 60.min(boxes - 60 * row);
            rows[2 * row + 1] = format!("#{}{}#", "*".repeat(here), " ".repeat(62 - here));
        }
        rows[8] = format!("#@{}#", " ".repeat(61));
        for row in [2, 4, 6, 7] {
            rows[row] = format!("#{}#", " ".repeat(62));
        }
        rows
    };
    assert_eq!(
        Board::of_rows(&rows(128)).expect("a board").boxes().len(),
        128
    );
    assert_eq!(
        broken(&rows(129)),
        [(
            "TOO_MANY",
            "has 129 boxes, at most 128 are supported".into()
        )]
    );
}

#[test]
fn sizes_have_limits() {
    let long = "#".repeat(65);
    assert_eq!(
        broken(&[&long]),
        [(
            "TOO_MANY",
            "is a board of 65 x 1 cells, at most 64 x 64 are supported".into()
        )]
    );
    for (width, tiles) in [(0, 0), (3, 4)] {
        let board = Board::new(width, vec![Tile::Wall; tiles]);
        let text = format!("must be rows of {width} tiles, got {tiles} tiles");
        assert_eq!(
            words(&board.expect_err("no rows")),
            [("CONTRADICTION", text)]
        );
    }
}

#[test]
fn letters_of_solutions_and_steps_are_the_same() {
    for letter in "lurdLURD".chars() {
        assert_eq!(Step::of_lurd(letter).map(Step::lurd), Some(letter));
    }
    assert_eq!(Step::of_lurd('x'), None);
}
