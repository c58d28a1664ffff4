//! Levels as SVG documents.

use super::board::Board;
use super::caption::in_lines;
use super::motion;
use super::style::{STYLE, arrow, ground, pieces};
use super::{Picture, Sheet};
use crate::svg::Canvas;

/// Width of a document of several levels, about, in pixels.
const WIDTH: f64 = 1_080.0;
/// Pixels around everything and between levels.
const MARGIN: f64 = 18.0;
/// Largest side of a level in pixels: alone, among a few others, and among many.
const SIDES: [f64; 3] = [720.0, 240.0, 168.0];
/// Levels that are few.
const FEW: usize = 9;
/// Largest cell in pixels.
const CELL_MAX: f64 = 44.0;
/// Pixels of a line of text.
const LINE: f64 = 16.0;
/// Pixels of a letter of a name and of a note, about: what they really take is not known here.
const LETTER_NAME: f64 = 8.0;
const LETTER_NOTE: f64 = 6.4;
/// Pixels for notes, at least.
const NOTES_MIN: f64 = 150.0;

/// What is drawn of a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layer {
    /// As it is at first.
    Still,
    /// The solution, animated in a loop.
    Moving,
}

/// Returns levels as a self-contained SVG document without scripts, in rows; name and notes below
/// each.
#[must_use]
pub fn svg(sheet: &Sheet) -> String {
    titled(sheet, Layer::Still)
}

/// The same, with solutions animated in a loop; without scripts. Solutions stop after 2,000 steps.
#[must_use]
pub fn animated_svg(sheet: &Sheet) -> String {
    titled(sheet, Layer::Moving)
}

/// One level without name and notes, and without a title.
pub(super) fn bare(picture: &Picture, layer: Layer) -> String {
    let alone = Picture {
        name: String::new(),
        notes: Vec::new(),
        ..picture.clone()
    };
    let sheet = Sheet {
        pictures: vec![alone],
        ..Sheet::default()
    };
    titled(&sheet, layer)
}

fn titled(sheet: &Sheet, layer: Layer) -> String {
    let mut canvas = Canvas::new();
    let mut y = MARGIN;
    let mut wide = 0.0_f64;
    if !sheet.title.is_empty() {
        canvas.text(MARGIN, 30.0, "title", &sheet.title);
        y = 48.0;
        // About: what the letters really take is not known here.
        wide = 10.5 * sheet.title.chars().count() as f64;
    }
    let tiles: Vec<Tile<'_>> = {
        let side = match sheet.pictures.len() {
            0 | 1 => SIDES[0],
            2..=FEW => SIDES[1],
            _ => SIDES[2],
        };
        let tile = |picture| Tile::new(picture, side);
        sheet.pictures.iter().map(tile).collect()
    };
    let mut rest = &tiles[..];
    while !rest.is_empty() {
        let count = fitting(rest);
        let (line, after) = rest.split_at(count);
        let heights = line.iter().map(|tile| tile.height);
        let height = heights.fold(0.0, f64::max);
        let mut x = MARGIN;
        for tile in line {
            tile.draw(&mut canvas, x, y, layer);
            tile.caption(&mut canvas, x, y + height);
            x += tile.width + MARGIN;
        }
        wide = wide.max(x - 2.0 * MARGIN);
        let captions = line.iter().map(Tile::caption_height);
        y += height + captions.fold(0.0, f64::max) + MARGIN;
        rest = after;
    }
    canvas.finish(wide + 2.0 * MARGIN, y, STYLE)
}

/// How many tiles fit into a line; one at least.
fn fitting(tiles: &[Tile<'_>]) -> usize {
    let mut used = 0.0;
    let fits = tiles.iter().take_while(|tile| {
        used += tile.width + MARGIN;
        used <= WIDTH
    });
    fits.count().max(1)
}

/// A level and its size.
struct Tile<'a> {
    picture: &'a Picture,
    notes: Vec<String>,
    board: Board,
    cell: f64,
    /// In pixels, that of its caption included.
    width: f64,
    /// In pixels, without its caption.
    height: f64,
}

impl<'a> Tile<'a> {
    fn new(picture: &'a Picture, side: f64) -> Self {
        let board = Board::of_rows(&picture.rows);
        let [_, _, rows, across] = board.crop();
        let cell = (side / rows.max(across).max(1) as f64)
            .min(CELL_MAX)
            .floor()
            .max(2.0);
        let name = LETTER_NAME * picture.name.chars().count() as f64;
        let least = if picture.notes.is_empty() {
            0.0
        } else {
            NOTES_MIN
        };
        let width = (cell * across as f64).max(name.min(side)).max(least);
        Self {
            picture,
            notes: in_lines(&picture.notes, (width / LETTER_NOTE) as usize),
            board,
            cell,
            width,
            height: cell * rows as f64,
        }
    }

    fn draw(&self, canvas: &mut Canvas, x: f64, y: f64, layer: Layer) {
        let drawn = match layer {
            Layer::Still => pieces(&self.board),
            Layer::Moving => motion::pieces(&self.board, &self.picture.solution),
        };
        let arrow = self.picture.marked.map(|marked| arrow(&self.board, marked));
        let all = ground(&self.board) + &drawn + &arrow.unwrap_or_default();
        canvas.scaled(x, y, self.cell, &all);
    }

    fn caption(&self, canvas: &mut Canvas, x: f64, y: f64) {
        let mut y = y + LINE;
        if !self.picture.name.is_empty() {
            canvas.text(x, y, "name", &self.picture.name);
            y += LINE;
        }
        for line in &self.notes {
            canvas.text(x, y, "note", line);
            y += LINE;
        }
    }

    fn caption_height(&self) -> f64 {
        let name = usize::from(!self.picture.name.is_empty());
        LINE * (name + self.notes.len()) as f64
    }
}
