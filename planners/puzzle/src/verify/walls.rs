//! Walls that never matter.

use super::Violation;
use super::plain;
use crate::board::{Board, Tile};
use crate::plan::as_hard;

/// A needless wall of a board that takes so many pushes and such an effort; of all that could be, the first.
pub(super) fn needless(
    board: &Board,
    inner: &[Vec<usize>],
    (pushes, effort): (u32, u32),
) -> Option<Violation> {
    let as_hard = as_hard(effort);
    let is_needless = |images: &&Vec<usize>| {
        let without = without(board, images);
        let solved = without.and_then(|board| plain::search(&board, *as_hard.end()));
        solved.is_some_and(|(fewest, effort)| fewest == pushes && as_hard.contains(&effort))
    };
    let found = inner.iter().find(is_needless)?;
    let (row, column) = board.place(found[0]);
    Some(Violation::NeedlessWall {
        level: 0,
        row,
        column,
    })
}

/// The board with floor in place of walls.
fn without(board: &Board, walls: &[usize]) -> Option<Board> {
    let mut tiles = board.tiles().to_vec();
    for &cell in walls {
        tiles[cell] = Tile::Floor;
    }
    Board::new(board.width(), tiles).ok()
}
