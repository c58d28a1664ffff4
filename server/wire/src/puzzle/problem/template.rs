//! The size of the board, and what each cell has to be.

use crate::mistakes::{Code, Mistakes};
use anytime::Path;
use puzzle::Tile;
use puzzle::board::SIDE_MAX;
use puzzle::problem::{Mask, SIDE_MIN};

/// A board that was read.
pub(super) struct Template {
    pub width: usize,
    pub height: usize,
    /// Row by row; empty: all is free.
    pub cells: Vec<Mask>,
    /// Whether the sides could be read: if not, nothing about cells makes sense.
    pub known: bool,
}

impl Template {
    /// Stands for one that could not be read: whatever else is asked for has room there.
    fn unknown() -> Self {
        Self {
            width: SIDE_MAX,
            height: SIDE_MAX,
            cells: Vec::new(),
            known: false,
        }
    }
}

/// The character for anything.
const FREE: char = '?';

/// Sides and cells of a board.
pub(super) fn template(
    width: Option<i32>,
    height: Option<i32>,
    rows: &[String],
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Template {
    let list = at.field("template_rows");
    let longest = rows.iter().map(|row| row.chars().count()).max();
    let width = side(width, longest, &at.field("width"), wrong);
    let height = side(height, Some(rows.len()), &at.field("height"), wrong);
    let (Some(width), Some(height)) = (width, height) else {
        return Template::unknown();
    };
    let mut board = Template {
        width,
        height,
        cells: Vec::new(),
        known: true,
    };
    if rows.is_empty() {
        return board;
    }
    if rows.len() != height {
        let given = rows.len();
        let why = format!("has {given} rows, the board has {height}");
        wrong.add(&list, Code::WrongSize, why);
        return Template::unknown();
    }
    for (index, row) in rows.iter().enumerate() {
        let at = list.index(index);
        let given = row.chars().count();
        if given > width {
            let why = format!("has {given} characters, the board has {width} columns");
            wrong.add(&at, Code::TooLong, why);
            board.known = false;
        }
        for (column, character) in row.chars().enumerate().take(width) {
            board.cells.push(mask(character).unwrap_or_else(|| {
                let character = character.escape_default();
                let why = format!(
                    "has '{character}' at column {column}, which is none of ? (anything), # (wall), \
                     blank, - and _ (floor), . (goal), $ (box), * (box on goal), @ (player), + \
                     (player on goal)"
                );
                wrong.add(&at, Code::CharacterUnknown, why);
                board.known = false;
                Mask::Free
            }));
        }
        board.cells.resize((index + 1) * width, Mask::Free);
    }
    if board.known {
        board
    } else {
        Template::unknown()
    }
}

fn mask(character: char) -> Option<Mask> {
    if character == FREE {
        return Some(Mask::Free);
    }
    Tile::of_xsb(character).map(Mask::Is)
}

/// A side: as given, or else as long as that of the template; `None` when there is a mistake.
fn side(
    given: Option<i32>,
    of_template: Option<usize>,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Option<usize> {
    let side = match (given, of_template.unwrap_or(0)) {
        (None, 0) => return wrong.required(at, None),
        (None, of_template) => of_template as i64,
        (Some(given), _) => given.into(),
    };
    let sides = SIDE_MIN as i64..=SIDE_MAX as i64;
    // Also of a side that was replaced: what it had to be is not known.
    wrong.whole(at, side, sides);
    if wrong.lists_at(at) {
        None
    } else {
        usize::try_from(side).ok()
    }
}
