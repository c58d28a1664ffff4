//! Walls that never matter.

use super::{Stopped, Violation, plain};
use crate::board::{Board, Tile};
use crate::plan::as_hard;
use anytime::Pulse;

/// The first needless wall of a board with these fewest pushes and this effort.
pub(super) fn needless(
    board: &Board,
    inner: &[Vec<usize>],
    (solved, opened_max): ((u32, u32), u32),
    pulse: &Pulse,
) -> Result<Option<Violation>, Stopped> {
    let (pushes, effort) = solved;
    let as_hard = as_hard(effort);
    for images in inner {
        let Some(open) = without(board, images) else {
            continue;
        };
        let solved = plain::search(&open, opened_max, pulse)?;
        if solved.is_some_and(|(fewest, effort)| fewest == pushes && as_hard.contains(&effort)) {
            let (row, column) = board.place(images[0]);
            return Ok(Some(Violation::NeedlessWall {
                level: 0,
                row,
                column,
            }));
        }
    }
    Ok(None)
}

/// The board with floor in place of walls.
fn without(board: &Board, walls: &[usize]) -> Option<Board> {
    let mut tiles = board.tiles().to_vec();
    for &cell in walls {
        tiles[cell] = Tile::Floor;
    }
    Board::new(board.width(), tiles).ok()
}
