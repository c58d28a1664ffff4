//! Needless walls.

use super::plain;
use crate::board::{Board, Tile};
use crate::plan::as_hard;
use anytime::{Pulse, Stop};

/// Result of the plain search for a board.
#[derive(Debug, Clone, Copy)]
pub(super) struct Solved {
    /// The fewest pushes.
    pub(super) pushes: u32,
    pub(super) effort: u32,
    /// Most positions that it opened.
    pub(super) opened_max: u32,
}

/// Cell of the first needless wall of a board.
pub(super) fn needless(
    board: &Board,
    inner: &[Vec<usize>],
    solved: &Solved,
    pulse: &Pulse,
) -> Result<Option<usize>, Stop> {
    let as_hard = as_hard(solved.effort);
    for images in inner {
        let Some(open) = without_walls(board, images) else {
            continue;
        };
        let without = plain::search(&open, solved.opened_max, pulse)?;
        let is_same = |(pushes, effort)| pushes == solved.pushes && as_hard.contains(&effort);
        if without.is_some_and(is_same) {
            return Ok(Some(images[0]));
        }
    }
    Ok(None)
}

/// The board with floor in place of walls.
fn without_walls(board: &Board, walls: &[usize]) -> Option<Board> {
    let mut tiles = board.tiles().to_vec();
    for &cell in walls {
        tiles[cell] = Tile::Floor;
    }
    Board::new(board.width(), tiles).ok()
}
