//! Why a board cannot be solved, where no search is needed.

use crate::board::Board;
use crate::solver::{Search, Task};

/// A position from which no solution leads, without a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[expect(
    missing_docs,
    reason = "fields are named after what they are; variants and texts explain them"
)]
pub enum Deadlock {
    /// No pushes bring a box to any goal, even with no other box on the board.
    #[error(
        "the box at row {row}, column {column} can be pushed to no goal any more, even if no other box were there"
    )]
    DeadCell { row: usize, column: usize },
    /// A box can never be pushed again and is on no goal.
    #[error(
        "the box at row {row}, column {column} is frozen off the goals: it can never be pushed again"
    )]
    Frozen { row: usize, column: usize },
    /// Each box has a goal, but not each another one.
    #[error(
        "boxes cannot be matched with goals: too many of them can only be pushed to the same ones"
    )]
    Unmatched,
}

/// A deadlock of a board that is found without a search. None: the board has no deadlock, or only a
/// search finds it.
#[must_use]
pub fn deadlock(board: &Board) -> Option<Deadlock> {
    let (task, boxes, _) = Task::of(board);
    let mut cells = board.boxes().iter().zip(&boxes);
    let dead = cells.find(|(_, spot)| task.is_dead[usize::from(**spot)]);
    if let Some((&cell, _)) = dead {
        let (row, column) = board.place(cell);
        return Some(Deadlock::DeadCell { row, column });
    }
    let mut search = Search::default();
    if let Some(at) = search.frozen(&task, &boxes) {
        let (row, column) = board.place(board.boxes()[at]);
        return Some(Deadlock::Frozen { row, column });
    }
    (!search.is_matched(&task, &boxes)).then_some(Deadlock::Unmatched)
}
