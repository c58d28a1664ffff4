//! Levels as pixels, for formats that have nothing else.

use super::board::{Board, Heading};
use super::caption::in_lines;
use super::letters::{ADVANCE, LINE, dark};
use super::{Marked, Picture, Sheet};

/// Pixels around everything and between levels.
const MARGIN: usize = 12;
/// Width of a picture of several levels, about.
const WIDTH: usize = 1_080;
/// Largest side of a level: alone, among a few others, and among many.
const SIDES: [usize; 3] = [720, 240, 168];
/// Levels that are few.
const FEW: usize = 9;
/// Smallest and largest cell.
const CELL_MIN: usize = 3;
const CELL_MAX: usize = 40;

/// Pixels of a side of a pixel of a letter.
const INK_SIDE: usize = 2;
/// Letters in a line below a level, at least, and lines at most.
const LETTERS_MIN: usize = 14;
const LINES_MAX: usize = 4;

const INK: [u8; 3] = [51, 51, 51];
const PAPER: [u8; 3] = [255, 255, 255];
const FLOOR: [u8; 3] = [239, 233, 220];
const WALL: [u8; 3] = [92, 103, 115];
const TOP: [u8; 3] = [118, 131, 143];
const GOAL: [u8; 3] = [200, 82, 58];
const BOX: [u8; 3] = [210, 154, 74];
const BOX_EDGE: [u8; 3] = [138, 90, 28];
const DONE: [u8; 3] = [127, 174, 90];
const DONE_EDGE: [u8; 3] = [69, 112, 42];
const PLAYER: [u8; 3] = [47, 111, 179];
const EYE: [u8; 3] = [255, 255, 255];
const MARK: [u8; 3] = [192, 57, 43];

/// A picture of pixels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pixels {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Red, green and blue of each pixel, row by row from the top left.
    pub rgb: Vec<u8>,
}

/// Returns levels in rows, in their order, as they are at first; name and notes below each, in
/// plain capitals, without the title.
#[must_use]
pub fn pixels(sheet: &Sheet) -> Pixels {
    let side = match sheet.pictures.len() {
        0 | 1 => SIDES[0],
        2..=FEW => SIDES[1],
        _ => SIDES[2],
    };
    let boards: Vec<(Board, &Picture)> = sheet
        .pictures
        .iter()
        .map(|picture| (Board::of_rows(&picture.rows), picture))
        .collect();
    let mut placed = Vec::new();
    let (mut x, mut y) = (MARGIN, MARGIN);
    let (mut wide, mut tall) = (2 * MARGIN, MARGIN);
    for (board, picture) in &boards {
        let [_, _, rows, across] = board.crop();
        let cell = (side / rows.max(across).max(1)).clamp(CELL_MIN, CELL_MAX);
        let (lines, letters) = words(picture, cell * across);
        let width = (cell * across).max(letters * ADVANCE * INK_SIDE);
        let height = cell * rows + lines.len() * LINE * INK_SIDE;
        let below = if lines.is_empty() { 0 } else { MARGIN / 2 };
        if x > MARGIN && x + width + MARGIN > WIDTH {
            (x, y) = (MARGIN, tall + MARGIN);
        }
        let caption = (lines, y + cell * rows + below);
        placed.push((board, picture.marked, (cell, x, y), caption));
        x += width + MARGIN;
        wide = wide.max(x);
        tall = tall.max(y + height + below);
    }
    let mut pixels = Pixels {
        width: wide,
        height: tall + MARGIN,
        rgb: PAPER.repeat(wide * (tall + MARGIN)),
    };
    for (board, marked, (cell, x, y), (lines, below)) in placed {
        let mut tile = Tile {
            pixels: &mut pixels,
            board,
            cell,
            at: (x, y),
        };
        tile.draw();
        if let Some(marked) = marked {
            tile.mark(marked);
        }
        for (index, line) in lines.iter().enumerate() {
            pixels.write(line, (x, below + index * LINE * INK_SIDE));
        }
    }
    pixels
}

/// What is written below a level of this number of pixels: lines, and letters of the longest.
fn words(picture: &Picture, width: usize) -> (Vec<String>, usize) {
    let letters = (width / (ADVANCE * INK_SIDE)).max(LETTERS_MIN);
    let name = std::slice::from_ref(&picture.name);
    let name = in_lines(if picture.name.is_empty() { &[] } else { name }, letters);
    let all = name.into_iter().chain(in_lines(&picture.notes, letters));
    let short = |line: String| line.chars().take(letters).collect::<String>();
    let lines: Vec<String> = all.map(short).take(LINES_MAX).collect();
    let longest = lines.iter().map(|line| line.chars().count()).max();
    (lines, longest.unwrap_or(0))
}

impl Pixels {
    /// Writes a line that begins at a pixel; there is room for it.
    fn write(&mut self, line: &str, at: (usize, usize)) {
        for (column, row) in dark(line) {
            let (x, y) = (at.0 + column * INK_SIDE, at.1 + row * INK_SIDE);
            for y in y..y + INK_SIDE {
                let first = 3 * (y * self.width + x);
                self.rgb[first..first + 3 * INK_SIDE].copy_from_slice(&INK.repeat(INK_SIDE));
            }
        }
    }
}

/// Room for a level in a picture.
struct Tile<'a> {
    pixels: &'a mut Pixels,
    board: &'a Board,
    /// Pixels of a cell's side.
    cell: usize,
    at: (usize, usize),
}

impl Tile<'_> {
    fn draw(&mut self) {
        let [top, left, rows, across] = self.board.crop();
        for row in 0..rows {
            for column in 0..across {
                let cell = (top + row) * self.board.width() + left + column;
                let at = (self.at.0 + column * self.cell, self.at.1 + row * self.cell);
                self.cell(cell, at);
            }
        }
    }

    fn cell(&mut self, cell: usize, at: (usize, usize)) {
        let board = self.board;
        if board.is_edge(cell) {
            self.paint(at, |_, _| Some(WALL));
            let above = cell.checked_sub(board.width());
            if !above.is_some_and(|above| board.is_edge(above)) {
                self.paint(at, |_, y| (y < 0.18).then_some(TOP));
            }
            return;
        }
        if !board.is_drawn(cell) {
            return;
        }
        self.paint(at, |_, _| Some(FLOOR));
        if board.is_goal(cell) {
            self.paint(at, |x, y| {
                let far = (x - 0.5).hypot(y - 0.5);
                ((0.2..0.3).contains(&far) || far < 0.1).then_some(GOAL)
            });
        }
        if board.boxes().contains(&cell) {
            let (inner, edge) = if board.is_goal(cell) {
                (DONE, DONE_EDGE)
            } else {
                (BOX, BOX_EDGE)
            };
            self.paint(at, |x, y| crate_at(x, y, inner, edge));
        }
        if board.player() == Some(cell) {
            self.paint(at, player_at);
        }
    }

    /// An arrow from a box to where it is pushed; nothing beyond what is drawn.
    fn mark(&mut self, marked: Marked) {
        let [top, left, rows, across] = self.board.crop();
        let row = marked.row.wrapping_sub(top);
        let column = marked.column.wrapping_sub(left);
        if row >= rows || column >= across {
            return;
        }
        let target = match marked.heading {
            Heading::Left => (row, column.wrapping_sub(1)),
            Heading::Up => (row.wrapping_sub(1), column),
            Heading::Right => (row, column + 1),
            Heading::Down => (row + 1, column),
        };
        for (cell, before) in [((row, column), 0.0), (target, 1.0)] {
            if cell.0 >= rows || cell.1 >= across {
                continue;
            }
            let at = (
                self.at.0 + cell.1 * self.cell,
                self.at.1 + cell.0 * self.cell,
            );
            self.paint(at, |x, y| {
                let (along, aside) = match marked.heading {
                    Heading::Right => (x - 0.5, y - 0.5),
                    Heading::Left => (0.5 - x, y - 0.5),
                    Heading::Down => (y - 0.5, x - 0.5),
                    Heading::Up => (0.5 - y, x - 0.5),
                };
                arrow_at(before + along, aside.abs())
            });
        }
    }

    /// Paints the pixels of a cell, each by its place in it, from 0 to 1.
    fn paint(&mut self, at: (usize, usize), colour: impl Fn(f64, f64) -> Option<[u8; 3]>) {
        let share = |pixel: usize| (pixel as f64 + 0.5) / self.cell as f64;
        for y in 0..self.cell {
            for x in 0..self.cell {
                if let Some(colour) = colour(share(x), share(y)) {
                    let first = 3 * ((at.1 + y) * self.pixels.width + at.0 + x);
                    self.pixels.rgb[first..first + 3].copy_from_slice(&colour);
                }
            }
        }
    }
}

/// A box with an edge and a cross.
fn crate_at(x: f64, y: f64, inner: [u8; 3], edge: [u8; 3]) -> Option<[u8; 3]> {
    let far = (x - 0.5).abs().max((y - 0.5).abs());
    if far > 0.4 {
        return None;
    }
    let across = (x - y).abs().min((x + y - 1.0).abs());
    let is_slat = far < 0.28 && across < 0.05;
    Some(if far > 0.33 || is_slat { edge } else { inner })
}

/// An arrow of the length of a cell, by how far along it and how far aside.
fn arrow_at(along: f64, aside: f64) -> Option<[u8; 3]> {
    // Not thinner than a pixel of a small cell.
    let is_shaft = (0.0..1.0).contains(&along) && aside < 0.08;
    let is_head = (0.7..1.0).contains(&along) && aside < 1.0 - along;
    (is_shaft || is_head).then_some(MARK)
}

/// A face.
fn player_at(x: f64, y: f64) -> Option<[u8; 3]> {
    if (x - 0.5).hypot(y - 0.5) > 0.35 {
        return None;
    }
    let is_eye = ((x - 0.5).abs() - 0.11).hypot(y - 0.43) < 0.08;
    let mouth = (x - 0.5).hypot(y - 0.48);
    let is_mouth = (0.15..0.21).contains(&mouth) && y > 0.58;
    Some(if is_eye || is_mouth { EYE } else { PLAYER })
}
