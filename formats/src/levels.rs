//! Levels of Sokoban in foreign formats: XSB, .sok, RLE and .slc, with titles, authors, comments
//! and solutions.
//!
//! .slc is XML. The others are read by one reader, since files mix them. A board is a block of
//! lines of `#` wall, blank, `-` or `_` floor, `.` goal, `$` box, `*` box on a goal, `@` player,
//! `+` player on a goal; where digits stand before a character it is repeated, and `|` ends a row.
//! Around boards are texts: a line before a board is its title, `;` or not; `Title:`, `Author:`,
//! `Comment:` up to `Comment-End:`, and `Solution` with the letters of the LURD notation belong to
//! the board before them, or, where that has them already, to the next; before the first board,
//! with a blank line between, to the whole file. Lines with `::` are ignored.

mod lines;
mod read;
mod rle;
mod slc;
mod write;

pub use read::read;
pub use rle::{compress, expand};
pub use write::{Style, write};

use super::{MISTAKES_MAX, Mistake, unless_wrong};
use stratagem_proto::v1::PuzzleProblem;
use stratagem_render::puzzle::Board;

/// Most rows and columns of a board.
pub const SIDE_MAX: usize = 64;
/// Most levels in a file.
pub const LEVELS_MAX: usize = 20_000;
/// Longest solution, in steps.
pub const STEPS_MAX: usize = 100_000;
/// Levels, and what is said about them all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Set {
    /// May be empty.
    pub title: String,
    /// May be empty.
    pub author: String,
    /// The levels, one at least.
    pub levels: Vec<Level>,
}

/// A board, and what is said about it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Level {
    /// May be empty.
    pub title: String,
    /// May be empty.
    pub author: String,
    /// Lines; may be empty.
    pub comment: String,
    /// The board, in the XSB notation.
    pub rows: Vec<String>,
    /// In the LURD notation; may be empty.
    pub solution: String,
    /// Line of the file at which the board begins, from 1; 0 where it comes from nowhere.
    pub line: usize,
}

/// Whether a text has levels: a block of rows with a player and a box, or XML with levels.
#[must_use]
pub fn looks_like(text: &str) -> bool {
    if slc::is_xml(text) {
        return text.contains("<SokobanLevels");
    }
    let mut block = String::new();
    for line in text.lines().take(2_000).chain([""]) {
        if lines::is_row(line) {
            block.push_str(line);
        } else {
            if block.contains(['@', '+']) && block.contains(['$', '*']) {
                return true;
            }
            block.clear();
        }
    }
    false
}

/// What has to be where, for levels to be made: rows of the XSB notation with `?` for anything.
/// Blank lines around them, and lines with `;`, are left out.
///
/// # Errors
/// Each character that is none of these, and a template that is too large or not there.
pub fn template(text: &str) -> Result<Vec<String>, Vec<Mistake>> {
    let mut mistakes = Vec::new();
    let mut rows = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim_end();
        if line.starts_with(';') || rows.is_empty() && line.is_empty() {
            continue;
        }
        for (column, character) in line.chars().enumerate() {
            if character != '?' && !lines::is_tile(character) && mistakes.len() < MISTAKES_MAX {
                let message = lines::unknown(character) + ", ? (anything)";
                mistakes.push(Mistake::new(message).placed(index + 1, column + 1));
            }
        }
        if line.chars().count() > SIDE_MAX {
            mistakes.push(Mistake::new(lines::too_wide()).placed(index + 1, SIDE_MAX + 1));
        }
        rows.push(line.to_owned());
    }
    while rows.last().is_some_and(String::is_empty) {
        rows.pop();
    }
    if rows.is_empty() {
        mistakes.push(Mistake::new("no template found").placed(1, 1));
    }
    if rows.len() > SIDE_MAX {
        mistakes.push(Mistake::new(lines::too_high()).placed(SIDE_MAX + 1, 1));
    }
    unless_wrong(rows, mistakes)
}

/// The first level of a file as a template, of which levels with as many boxes are made.
///
/// # Errors
/// Those of [`read()`].
pub fn problem(text: &str) -> Result<PuzzleProblem, Vec<Mistake>> {
    let set = read(text)?;
    let level = set.levels.into_iter().next().unwrap_or_default();
    let board = Board::of_rows(&level.rows);
    let is_seen = |cell: usize| board.is_wall(cell) || board.is_inside(cell);
    let letter = |cell: usize| if is_seen(cell) { board.xsb(cell) } else { ' ' };
    let row = |row: usize| -> String {
        let cells = row * board.width()..(row + 1) * board.width();
        cells.map(letter).collect::<String>().trim_end().to_owned()
    };
    // Boxes and goals that the player cannot reach are decoration.
    let boxes = board
        .boxes()
        .iter()
        .filter(|cell| board.is_inside(**cell))
        .count();
    let title = Some(level.title).filter(|title| !title.is_empty());
    Ok(PuzzleProblem {
        title: title.unwrap_or_else(|| "A level from a file".into()),
        template_rows: (0..board.height()).map(row).collect(),
        min_boxes: i32::try_from(boxes).ok(),
        max_boxes: i32::try_from(boxes).ok(),
        ..PuzzleProblem::default()
    })
}
