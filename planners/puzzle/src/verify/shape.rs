//! Sides, template and symmetry of a board.

use crate::board::{Board, Tile};
use crate::problem::{Mask, Problem};
use anytime::{Fault, Path, fault};

/// Checks sides, template, symmetry and the number of boxes of a board, at this path.
pub(super) fn check(problem: &Problem, board: &Board, at: &Path<'_>, faults: &mut Vec<Fault>) {
    let spec = problem.spec();
    if (board.width(), board.height()) != (spec.width, spec.height) {
        faults.push(fault!(
            "SIZE_WRONG",
            at,
            "is a board of {} x {} cells, {} x {} are wanted",
            board.width(),
            board.height(),
            spec.width,
            spec.height
        ));
        return;
    }
    let boxes = board.boxes().len();
    if !(spec.boxes_min..=spec.boxes_max).contains(&boxes) {
        faults.push(fault!(
            "BOXES_WRONG",
            at,
            "has {} boxes, {} to {} are wanted",
            boxes,
            spec.boxes_min,
            spec.boxes_max
        ));
    }
    for (cell, &mask) in spec.template.iter().enumerate() {
        let (row, column) = board.place(cell);
        if !fits(board, cell, mask) {
            faults.push(fault!(
                "TEMPLATE_BROKEN",
                at.index(row),
                "does not match the template at column {}",
                column
            ));
        }
        let images = problem.images(cell);
        if images
            .iter()
            .any(|&image| board.is_wall(image) != board.is_wall(cell))
        {
            faults.push(fault!(
                "SYMMETRY_BROKEN",
                at.index(row),
                "differs at column {} from its mirror image",
                column
            ));
        }
    }
}

fn fits(board: &Board, cell: usize, mask: Mask) -> bool {
    let is_goal = board.goals().contains(&cell);
    let is_box = board.boxes().contains(&cell);
    let is_player = board.player() == cell;
    match mask {
        Mask::Free => true,
        Mask::Is(Tile::Wall) => board.is_wall(cell),
        Mask::Is(Tile::Floor) => !board.is_wall(cell),
        Mask::Is(Tile::Goal) => is_goal,
        Mask::Is(Tile::Box) => is_box,
        Mask::Is(Tile::BoxOnGoal) => is_box && is_goal,
        Mask::Is(Tile::Player) => is_player,
        Mask::Is(Tile::PlayerOnGoal) => is_player && is_goal,
    }
}
