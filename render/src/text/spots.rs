//! Places with a character each, scaled to the terminal.

use super::{TextOptions, blocks};
use crate::scene::{Block, Letter, Point, Spots, line};

/// Most rows of a map.
const ROWS_MAX: usize = 48;

/// Maps of all layers side by side.
pub(super) fn painted(map: &Spots, options: &TextOptions) -> String {
    let cells = cells(map, options);
    let width = 1 + cells.iter().map(|cell| cell[0]).max().unwrap_or(0);
    let height = 1 + cells.iter().map(|cell| cell[1]).max().unwrap_or(0);
    let letter = |signs, style| Letter { signs, style };
    let blocks = map.layers.iter().map(|layer| {
        let mut rows = vec![vec![letter([" "; 2], ""); width]; height];
        if !map.are_tiles {
            for [from, to] in &map.links {
                for [column, row] in between(cells[*from], cells[*to]) {
                    rows[row][column] = letter(["·", "."], "2");
                }
            }
        }
        // Backwards: of two in one cell the first is seen.
        for (cell, letter) in cells.iter().zip(&layer.letters).rev() {
            rows[cell[1]][cell[0]] = *letter;
        }
        Block {
            head: vec![line("1", layer.title)],
            columns_min: usize::MAX,
            rows,
        }
    });
    blocks::painted(&blocks.collect::<Vec<_>>(), options)
}

/// Column and row of each place. A row is as high as two columns are wide; neighbours are at most
/// four rows apart.
fn cells(map: &Spots, options: &TextOptions) -> Vec<[usize; 2]> {
    let places = &map.places;
    let least = |of: fn(&Point) -> f64| places.iter().map(of).fold(f64::MAX, f64::min);
    let most = |of: fn(&Point) -> f64| places.iter().map(of).fold(f64::MIN, f64::max);
    let (left, top) = (least(|p| p.0), least(|p| p.1));
    let (wide, tall) = (most(|p| p.0) - left, most(|p| p.1) - top);
    let columns = (options.columns() - 3) as f64;
    let rows = (ROWS_MAX - 1) as f64;
    let scale = (columns / (2.0 * wide.max(1e-9))).min(rows / tall.max(1e-9));
    let scale = if map.are_tiles && scale >= 1.0 {
        1.0
    } else {
        scale.min(4.0 / map.spacing.max(1e-9))
    };
    // At most as wide and high as there is room.
    let cell = |(x, y): &Point| {
        let (x, y) = (2.0 * (x - left) * scale, (y - top) * scale);
        [x.round() as usize, y.round() as usize]
    };
    places.iter().map(cell).collect()
}

/// The cells between two others.
fn between(from: [usize; 2], to: [usize; 2]) -> Vec<[usize; 2]> {
    let steps = from[0].abs_diff(to[0]).max(from[1].abs_diff(to[1]));
    // Rounded to the nearest.
    let part = |a: usize, b: usize, n: usize| (2 * (a * (steps - n) + b * n) + steps) / (2 * steps);
    let cell = |n: usize| [part(from[0], to[0], n), part(from[1], to[1], n)];
    (1..steps).map(cell).collect()
}
