//! Boards and steps, from the wire.

use crate::mistakes::{Code, Mistakes};
use anytime::{Path, Unnamed};
use puzzle::plan::STEPS_MAX;
use puzzle::{Board, Step};

/// A board; `None` when there are mistakes. `at` leads to its rows.
pub(super) fn board(rows: &[String], at: &Path<'_>, wrong: &mut Mistakes) -> Option<Board> {
    if rows.is_empty() {
        return None;
    }
    let board = Board::of_rows(rows);
    let board = board.map_err(|faults| wrong.add_violations(&faults, &Unnamed, at));
    board.ok()
}

/// Steps in the LURD notation; those that could be read.
pub(super) fn steps(text: &str, at: &Path<'_>, wrong: &mut Mistakes) -> Vec<Step> {
    // That the text is short enough is a rule of its field: a letter is one byte.
    if text.len() > STEPS_MAX {
        return Vec::new();
    }
    let mut steps = Vec::with_capacity(text.len());
    for (index, letter) in text.chars().enumerate() {
        match Step::of_lurd(letter) {
            Some(step) => steps.push(step),
            None => {
                let letter = letter.escape_default();
                let why = format!("has '{letter}' as letter {index}, which is none of lurdLURD");
                wrong.add(at, Code::CharacterUnknown, why);
                return Vec::new();
            }
        }
    }
    steps
}
