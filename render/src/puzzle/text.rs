//! Levels on a terminal.

use super::board::{Board, Heading};
use super::caption::in_lines;
use super::{Marked, Picture, Sheet};
use crate::label::{columns, fit, printable};
use crate::text::TextOptions;
use std::fmt::Write as _;

/// Columns between levels.
const GAP: usize = 3;
/// Columns for names and notes, at least.
const NOTES_MIN: usize = 24;

/// Returns levels side by side, as many as fit: names and notes above, boards below. In ASCII
/// boards are in the XSB notation, otherwise a cell takes two columns: `██` wall, `[]` box, `{}`
/// box on a goal, `··` goal, `☺` the player. A marked push is an arrow in its box, as in `[→`.
#[must_use]
pub fn text(sheet: &Sheet, options: &TextOptions) -> String {
    let mut out = String::new();
    if !sheet.title.is_empty() {
        let title = printable(&sheet.title);
        let _ = write!(out, "{}\n\n", options.styled("1", &title));
    }
    let mut line: Vec<Block> = Vec::new();
    let mut used = 0;
    for picture in &sheet.pictures {
        let block = Block::new(picture, options);
        if !line.is_empty() && used + GAP + block.width > options.columns() {
            put(&mut out, &line);
            line.clear();
            used = 0;
        }
        used += block.width + if line.is_empty() { 0 } else { GAP };
        line.push(block);
    }
    put(&mut out, &line);
    out
}

/// A level as lines, each with its width in columns.
struct Block {
    width: usize,
    lines: Vec<(String, usize)>,
}

impl Block {
    fn new(picture: &Picture, options: &TextOptions) -> Self {
        let board = Board::of_rows(&picture.rows);
        let lines = marked_lines(&board, picture.marked, options);
        let [_, _, _, across] = board.crop();
        let across = if options.ascii { across } else { 2 * across };
        let name = printable(&picture.name);
        let width = across
            .max(columns(&name).min(NOTES_MIN))
            .max(match picture.notes.len() {
                0 => 0,
                _ => NOTES_MIN,
            });
        let ellipsis = if options.ascii { "~" } else { "…" };
        let mut all = Vec::new();
        let mut write = |text: &str, code: &str| {
            let cut = fit(text, width.min(columns(text)), ellipsis);
            all.push((options.styled(code, &cut), columns(&cut)));
        };
        if !name.is_empty() {
            write(&name, "1");
        }
        for line in in_lines(&picture.notes, width) {
            write(&line, "2");
        }
        all.extend(lines.into_iter().map(|line| (line, across)));
        Self { width, lines: all }
    }
}

/// Writes blocks side by side, their bottoms in one line.
fn put(out: &mut String, blocks: &[Block]) {
    let height = blocks.iter().map(|block| block.lines.len()).max();
    let height = height.unwrap_or(0);
    for row in 0..height {
        let mut line = String::new();
        let mut owed = 0;
        for block in blocks {
            let above = height - block.lines.len();
            match row.checked_sub(above).and_then(|row| block.lines.get(row)) {
                Some((text, width)) => {
                    line.push_str(&" ".repeat(owed));
                    line.push_str(text);
                    owed = block.width - width + GAP;
                }
                None => owed += block.width + GAP,
            }
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
    if height > 0 {
        out.push('\n');
    }
}

/// Returns the lines of a board as things stand: what can be reached and the walls around it. As
/// [`text`] draws it.
#[must_use]
pub fn board_lines(board: &Board, options: &TextOptions) -> Vec<String> {
    marked_lines(board, None, options)
}

/// The same with a push that is marked.
fn marked_lines(board: &Board, marked: Option<Marked>, options: &TextOptions) -> Vec<String> {
    let [top, left, rows, across] = board.crop();
    let sign = |cell: usize| match marked {
        Some(marked) if board.place(cell) == (marked.row, marked.column) => {
            marked_sign(board, cell, marked.heading, options)
        }
        _ => sign(board, cell, options),
    };
    let line = |row: usize| {
        let cells = (left..left + across).map(|column| row * board.width() + column);
        cells.map(sign).collect()
    };
    (top..top + rows).map(line).collect()
}

/// A box that is pushed.
fn marked_sign(board: &Board, cell: usize, heading: Heading, options: &TextOptions) -> String {
    if options.ascii {
        return options.styled("1;31", &board.xsb(cell).to_string());
    }
    let arrow = match heading {
        Heading::Left => "←",
        Heading::Up => "↑",
        Heading::Right => "→",
        Heading::Down => "↓",
    };
    options.styled("1;31", &format!("[{arrow}"))
}

fn sign(board: &Board, cell: usize, options: &TextOptions) -> String {
    let kind = match board.xsb(cell) {
        '#' if !board.is_edge(cell) => ' ',
        kind => kind,
    };
    // Colours: walls grey, boxes yellow, on goals green, goals and player bright.
    let (code, wide) = match kind {
        '#' => ("90", "██"),
        '.' => ("95", "··"),
        '$' => ("33", "[]"),
        '*' => ("1;32", "{}"),
        '@' => ("1;96", "☺ "),
        '+' => ("1;96", "☺·"),
        _ => ("", "  "),
    };
    let text = if options.ascii {
        kind.to_string()
    } else {
        wide.to_owned()
    };
    if code.is_empty() {
        text
    } else {
        options.styled(code, &text)
    }
}
