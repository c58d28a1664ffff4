//! Boards of characters.

use super::board::{Board, Heading};
use super::caption::in_lines;
use super::{Marked, Picture};
use crate::scene::{Block, Letter, line};
use crate::text::TextOptions;

/// Columns for names and notes, at least.
const NOTES_MIN: usize = 24;

/// A level with its name and notes. In ASCII boards are in the XSB notation, otherwise a cell takes
/// two columns: `██` wall, `[]` box, `{}` box on a goal, `··` goal, `☺` the player. A marked push
/// is an arrow in its box, as in `[→`.
pub(super) fn block(picture: &Picture) -> Block {
    let board = Board::of_rows(&picture.rows);
    let name = (!picture.name.is_empty()).then(|| line("1", picture.name.clone()));
    let notes = in_lines(&picture.notes, NOTES_MIN.max(2 * board.crop()[3]));
    let notes = notes.into_iter().map(|note| line("2", note));
    Block {
        head: name.into_iter().chain(notes).collect(),
        columns_min: NOTES_MIN,
        rows: letters(&board, picture.marked),
    }
}

/// Returns the lines of a board as things stand: what can be reached and the walls around it.
#[must_use]
pub fn board_lines(board: &Board, options: &TextOptions) -> Vec<String> {
    let rows = letters(board, None).into_iter();
    let sign = |it: Letter| options.styled(it.style, options.pick(&it.signs));
    rows.map(|row| row.into_iter().map(sign).collect())
        .collect()
}

fn letters(board: &Board, marked: Option<Marked>) -> Vec<Vec<Letter>> {
    let [top, left, rows, across] = board.crop();
    let letter = |cell: usize| {
        let here = marked.filter(|it| board.place(cell) == (it.row, it.column));
        letter(board, cell, here.map(|it| it.heading))
    };
    let row = |row: usize| {
        let cells = (left..left + across).map(|column| row * board.width() + column);
        cells.map(letter).collect()
    };
    (top..top + rows).map(row).collect()
}

/// A cell, and where its box is pushed. Walls are grey, boxes yellow, on goals green, goals and the
/// player bright.
fn letter(board: &Board, cell: usize, heading: Option<Heading>) -> Letter {
    let (signs, style) = match board.xsb(cell) {
        '#' if board.is_edge(cell) => (["██", "#"], "90"),
        '.' => (["··", "."], "95"),
        '$' => (["[]", "$"], "33"),
        '*' => (["{}", "*"], "1;32"),
        '@' => (["☺ ", "@"], "1;96"),
        '+' => (["☺·", "+"], "1;96"),
        _ => (["  ", " "], ""),
    };
    let Some(heading) = heading else {
        return Letter { signs, style };
    };
    let arrow = match heading {
        Heading::Left => "[←",
        Heading::Up => "[↑",
        Heading::Right => "[→",
        Heading::Down => "[↓",
    };
    Letter {
        signs: [arrow, signs[1]],
        style: "1;31",
    }
}
