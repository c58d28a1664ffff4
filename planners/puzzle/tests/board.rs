//! Boards: what is refused, and where.

use puzzle::{Board, BoardError, Step, Tile};

fn errors(rows: &[&str]) -> Vec<BoardError> {
    Board::of_rows(rows).expect_err("no board")
}

#[test]
fn a_board_is_read_and_written_alike() {
    let rows = ["#######", "#@$. *#", "# + ###", "#######"];
    let with_second = ["#######", "#@$. *#", "#   ###", "#######"];
    assert_eq!(
        errors(&rows),
        [
            BoardError::SecondPlayer { row: 2, column: 2 },
            BoardError::UnequalGoals { boxes: 2, goals: 3 }
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
fn all_mistakes_are_told_at_once() {
    assert_eq!(
        errors(&["####", "#  #", "####"]),
        [BoardError::NoPlayer, BoardError::NoBoxes]
    );
    assert_eq!(
        errors(&["#####", "#@$ #", "#####"]),
        [BoardError::UnequalGoals { boxes: 1, goals: 0 }]
    );
    assert_eq!(
        errors(&["#####", "#@x #", "#####"]),
        [BoardError::UnknownCharacter {
            row: 1,
            column: 2,
            character: 'x'
        }]
    );
}

#[test]
fn an_open_border_is_told_with_its_place() {
    assert_eq!(
        errors(&["#####", "#@$. ", "#####"]),
        [BoardError::OpenBorder { row: 1, column: 4 }]
    );
    assert_eq!(
        errors(&["## ##", "# @ #", "#$. #", "#####"]),
        [BoardError::OpenBorder { row: 0, column: 2 }]
    );
}

#[test]
fn what_is_walled_off_is_wall_and_must_not_be_missed() {
    let board = Board::of_rows(&["########", "#@$.#  #", "########"]).expect("a board");
    assert!(board.is_wall(13), "floor out of reach");
    assert_eq!(
        errors(&["########", "#@$ #. #", "########"]),
        [BoardError::OutOfReach { row: 1, column: 5 }]
    );
    assert_eq!(
        errors(&["########", "#@  #* #", "########"]),
        [BoardError::OutOfReach { row: 1, column: 5 }]
    );
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
        Board::of_rows(&rows(129)).expect_err("it has too many"),
        [BoardError::TooManyBoxes { given: 129 }]
    );
}

#[test]
fn sizes_have_limits() {
    let long = "#".repeat(65);
    assert_eq!(
        errors(&[&long]),
        [BoardError::TooLarge {
            width: 65,
            height: 1
        }]
    );
    assert_eq!(
        Board::new(0, Vec::new()),
        Err(vec![BoardError::NotRectangular { tiles: 0, width: 0 }])
    );
    assert_eq!(
        Board::new(3, vec![Tile::Wall; 4]),
        Err(vec![BoardError::NotRectangular { tiles: 4, width: 3 }])
    );
}

#[test]
fn letters_of_solutions_and_steps_are_the_same() {
    for letter in "lurdLURD".chars() {
        assert_eq!(Step::of_lurd(letter).map(Step::lurd), Some(letter));
    }
    assert_eq!(Step::of_lurd('x'), None);
}
