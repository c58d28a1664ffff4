//! Deadlocks: proofs without a search that a board cannot be solved.

use crate::board::Board;
use crate::solver::{Search, Task};
use anytime::{Path, Reason, fault};

/// A deadlock of a board that is found without a search: a box on a dead cell, a frozen box, or
/// boxes that cannot be matched with goals. None: the board has no deadlock, or only a search finds
/// it. The field is in the contract's `PuzzleBoard`.
#[must_use]
pub fn deadlock(board: &Board) -> Option<Reason> {
    let rows = Path::root("rows");
    let (task, boxes, _) = Task::from_board(board);
    let mut cells = board.boxes().iter().zip(&boxes);
    let dead = cells.find(|(_, spot)| task.is_dead[usize::from(**spot)]);
    if let Some((&cell, _)) = dead {
        let (row, column) = board.place(cell);
        return Some(Reason::proved(fault!(
            "DEAD_CELL",
            rows.index(row),
            "the box at row {}, column {} can be pushed to no goal, even with no other box on the \
             board",
            row,
            column
        )));
    }
    let mut search = Search::default();
    if let Some(at) = search.frozen(&task, &boxes) {
        let (row, column) = board.place(board.boxes()[at]);
        return Some(Reason::proved(fault!(
            "BOX_FROZEN",
            rows.index(row),
            "the box at row {}, column {} is frozen off the goals: it can never be pushed again",
            row,
            column
        )));
    }
    (!search.is_matched(&task, &boxes)).then(|| {
        Reason::proved(fault!(
            "BOXES_UNMATCHED",
            rows,
            "boxes cannot be matched with goals: too many of them can only be pushed to the same \
             ones"
        ))
    })
}
