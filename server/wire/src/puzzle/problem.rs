//! What levels are wanted, from the wire.

mod template;
mod worth;

use super::board::board;
use crate::mistakes::Mistakes;
use crate::values::percent;
use anytime::Step::{Field, Index};
use anytime::{Path, Unnamed};
use puzzle::board::Tile;
use puzzle::problem::{BOXES_MAX, Mask, Problem, Spec, Symmetry, Theme, Walls, Weights};
use stratagem_proto::v1 as pb;

/// Most boxes where nothing is said.
const BOXES_DEFAULT: usize = 4;
/// How far levels differ where nothing is said, in percent.
const DIFFERENCE_DEFAULT: u32 = 20;
/// How often each box is pushed where nothing is said.
const BOX_PUSHES_DEFAULT: u32 = 2;

/// A problem; `None` when it is invalid.
pub(crate) fn problem(
    given: pb::PuzzleProblem,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Option<Problem> {
    let pb::PuzzleProblem {
        title: _,
        description: _,
        width,
        height,
        template_rows,
        min_boxes,
        max_boxes,
        symmetry,
        theme,
        weights,
        target,
        level_count,
        min_difference,
        min_box_pushes,
        avoided,
        walls,
    } = given;
    let board = template::template(width, height, &template_rows, at, wrong);
    let (boxes_min, boxes_max) = boxes(min_boxes, max_boxes, &board.cells);
    let symmetry = self::symmetry(symmetry);
    let spec = Spec {
        width: board.width,
        height: board.height,
        template: board.cells,
        boxes_min,
        boxes_max,
        // What it contradicts is not known.
        symmetry: if board.known {
            symmetry
        } else {
            Symmetry::None
        },
        theme: self::theme(theme),
        walls: self::walls(walls),
        weights: weights.map_or(Weights::DIFFICULTY, worth::weights),
        goal: worth::goal(target),
        levels: level_count.map_or(1, count),
        difference_min_percent: min_difference.map_or(DIFFERENCE_DEFAULT, percent),
        box_pushes_min: min_box_pushes.map_or(BOX_PUSHES_DEFAULT, i32::unsigned_abs),
        avoided: self::avoided(&avoided, &at.field("avoided"), wrong),
    };
    checked(spec, at, wrong)
}

/// Also called after mistakes of single fields: what could not be read was replaced by something
/// harmless, so that the caller gets all mistakes together.
fn checked(spec: Spec, at: &Path<'_>, wrong: &mut Mistakes) -> Option<Problem> {
    let problem = Problem::new(spec).map_err(|faults| {
        for fault in faults {
            // One for each cell. A template with other mistakes was replaced by none.
            if let [Field("template_rows"), Index(_)] = fault.at[..] {
                wrong.add_violations(&[fault], &Unnamed, at);
            } else {
                wrong.add_faults(&[fault], &Unnamed, at);
            }
        }
    });
    problem.ok()
}

/// Fewest and most boxes.
fn boxes(least: Option<i32>, most: Option<i32>, template: &[Mask]) -> (usize, usize) {
    let least = least.map_or(1, count);
    let usual = || BOXES_DEFAULT.max(least).max(asked_for(template));
    (least, most.map_or_else(usual, count))
}

/// A number of things that is not negative.
fn count(given: i32) -> usize {
    given.unsigned_abs() as usize
}

/// As many boxes as a template has boxes or goals, but no more than there may be.
fn asked_for(template: &[Mask]) -> usize {
    let count = |is_one: fn(Tile) -> bool| {
        let cells = template.iter();
        cells
            .filter(|cell| matches!(cell, Mask::Is(tile) if is_one(*tile)))
            .count()
    };
    let goals = count(|tile| matches!(tile, Tile::Goal | Tile::BoxOnGoal | Tile::PlayerOnGoal));
    let boxes = count(|tile| matches!(tile, Tile::Box | Tile::BoxOnGoal));
    goals.max(boxes).min(BOXES_MAX)
}

fn symmetry(given: i32) -> Symmetry {
    use pb::PuzzleSymmetry as Wire;
    match Wire::try_from(given).unwrap_or_default() {
        Wire::Unspecified | Wire::None => Symmetry::None,
        Wire::LeftRight => Symmetry::LeftRight,
        Wire::TopBottom => Symmetry::TopBottom,
        Wire::HalfTurn => Symmetry::HalfTurn,
        Wire::Both => Symmetry::Both,
        Wire::QuarterTurn => Symmetry::QuarterTurn,
    }
}

fn theme(given: i32) -> Theme {
    use pb::PuzzleTheme as Wire;
    match Wire::try_from(given).unwrap_or_default() {
        Wire::Unspecified | Wire::Any => Theme::Any,
        Wire::Dynamic => Theme::Dynamic,
        Wire::Static => Theme::Static,
    }
}

fn walls(given: i32) -> Walls {
    use pb::PuzzleWalls as Wire;
    match Wire::try_from(given).unwrap_or_default() {
        Wire::Unspecified | Wire::Full => Walls::Full,
        Wire::Outline => Walls::Outline,
        Wire::Needed => Walls::Needed,
    }
}

fn avoided(given: &[pb::PuzzleBoard], at: &Path<'_>, wrong: &mut Mistakes) -> Vec<puzzle::Board> {
    let read = given.iter().enumerate().filter_map(|(index, one)| {
        let pb::PuzzleBoard { rows } = one;
        board(rows, &at.index(index).field("rows"), wrong)
    });
    read.collect()
}
