//! What is wrong with a problem.

use super::BOXES_MAX;
use super::{
    AVOIDED_MAX, BOX_PUSHES_MAX, Goal, LEVELS_MAX, Mask, SIDE_MIN, Spec, Symmetry, VALUE_MAX_MICRO,
    WEIGHT_MAX_MICRO, Walls,
};
use crate::board::{SIDE_MAX, Tile};
use crate::errors::ProblemError;

pub(super) fn check(spec: &Spec) -> Vec<ProblemError> {
    let mut errors = numbers(spec);
    let sides = SIDE_MIN..=SIDE_MAX;
    if !sides.contains(&spec.width) || !sides.contains(&spec.height) {
        errors.push(ProblemError::Size {
            width: spec.width,
            height: spec.height,
        });
        return errors;
    }
    if spec.symmetry == Symmetry::QuarterTurn && spec.width != spec.height {
        errors.push(ProblemError::SymmetrySquare {
            width: spec.width,
            height: spec.height,
        });
        return errors;
    }
    let cells = spec.width * spec.height;
    if !spec.template.is_empty() && spec.template.len() != cells {
        errors.push(ProblemError::TemplateSize {
            given: spec.template.len(),
            expected: cells,
        });
        return errors;
    }
    template(spec, &mut errors);
    room(spec, &mut errors);
    errors
}

fn numbers(spec: &Spec) -> Vec<ProblemError> {
    let mut errors = Vec::new();
    let (least, most) = (spec.boxes_min, spec.boxes_max);
    if least < 1 || most > BOXES_MAX || least > most {
        errors.push(ProblemError::Boxes { least, most });
    }
    if !(1..=LEVELS_MAX).contains(&spec.levels) {
        let given = spec.levels;
        errors.push(ProblemError::Levels { given });
    }
    if spec.avoided.len() > AVOIDED_MAX {
        let given = spec.avoided.len();
        errors.push(ProblemError::Avoided { given });
    }
    if spec.difference_min_percent > 100 {
        let given = spec.difference_min_percent;
        errors.push(ProblemError::Difference { given });
    }
    if spec.box_pushes_min > BOX_PUSHES_MAX {
        let given = spec.box_pushes_min;
        errors.push(ProblemError::BoxPushes { given });
    }
    worth(spec, &mut errors);
    errors
}

fn worth(spec: &Spec, errors: &mut Vec<ProblemError>) {
    let weights = spec.weights.all();
    for given_micro in weights {
        if !(-WEIGHT_MAX_MICRO..=WEIGHT_MAX_MICRO).contains(&given_micro) {
            errors.push(ProblemError::Weight { given_micro });
        }
    }
    if weights.iter().all(|weight| *weight == 0) {
        errors.push(ProblemError::NoWeights);
    }
    if !(1..=WEIGHT_MAX_MICRO).contains(&spec.weights.divisor) {
        let given_micro = spec.weights.divisor;
        errors.push(ProblemError::Divisor { given_micro });
    }
    if spec.walls == Walls::Needed && !spec.weights.needs_solving() {
        errors.push(ProblemError::WallsUnsolved);
    }
    if let Goal::Hit {
        easiest_micro,
        hardest_micro,
        tolerance_percent,
    } = spec.goal
    {
        let values = -VALUE_MAX_MICRO..=VALUE_MAX_MICRO;
        if !values.contains(&easiest_micro)
            || !values.contains(&hardest_micro)
            || easiest_micro > hardest_micro
        {
            errors.push(ProblemError::Target {
                easiest_micro,
                hardest_micro,
            });
        }
        if tolerance_percent > 100 {
            let given = tolerance_percent;
            errors.push(ProblemError::Tolerance { given });
        }
    }
}

/// What the template says about a cell; the border is walls.
fn mask(spec: &Spec, cell: usize) -> Mask {
    if is_border(spec, cell) {
        Mask::Is(Tile::Wall)
    } else {
        spec.template.get(cell).copied().unwrap_or(Mask::Free)
    }
}

fn is_border(spec: &Spec, cell: usize) -> bool {
    let (row, column) = (cell / spec.width, cell % spec.width);
    row == 0 || column == 0 || row + 1 == spec.height || column + 1 == spec.width
}

fn is_wall(mask: Mask) -> bool {
    mask == Mask::Is(Tile::Wall)
}

fn is_open(mask: Mask) -> bool {
    !matches!(mask, Mask::Free | Mask::Is(Tile::Wall))
}

fn template(spec: &Spec, errors: &mut Vec<ProblemError>) {
    let mut start = None;
    for (cell, &given) in spec.template.iter().enumerate() {
        let (row, column) = (cell / spec.width, cell % spec.width);
        if is_border(spec, cell) && is_open(given) {
            errors.push(ProblemError::TemplateBorder { row, column });
        }
        if matches!(given, Mask::Is(Tile::Player | Tile::PlayerOnGoal))
            && start.replace(cell).is_some()
        {
            errors.push(ProblemError::TemplateStart { row, column });
        }
        let images = spec.images(cell);
        let is_inside = !is_border(spec, cell);
        if is_inside && is_open(given) && images.iter().any(|&image| is_wall(mask(spec, image))) {
            errors.push(ProblemError::TemplateSymmetry { row, column });
        }
    }
    let goals = count(spec, |tile| {
        matches!(tile, Tile::Goal | Tile::BoxOnGoal | Tile::PlayerOnGoal)
    });
    let boxes = count(spec, |tile| matches!(tile, Tile::Box | Tile::BoxOnGoal));
    if goals.max(boxes) > spec.boxes_max {
        errors.push(ProblemError::TemplateGoals {
            goals: goals.max(boxes),
            most: spec.boxes_max,
        });
    }
}

fn count(spec: &Spec, is_one: impl Fn(Tile) -> bool) -> usize {
    let masks = spec.template.iter();
    masks
        .filter(|mask| matches!(mask, Mask::Is(tile) if is_one(*tile)))
        .count()
}

/// Whether what has to be floor hangs together, and whether boxes and the player have room where it
/// does.
fn room(spec: &Spec, errors: &mut Vec<ProblemError>) {
    let may_be_floor: Vec<bool> = (0..spec.width * spec.height)
        .map(|cell| {
            let images = spec.images(cell);
            images.iter().all(|&image| !is_wall(mask(spec, image)))
        })
        .collect();
    let regions = regions(spec, &may_be_floor);
    let wanted = (0..may_be_floor.len()).filter(|&cell| is_open(mask(spec, cell)));
    let mut first = None;
    for cell in wanted {
        let region = *first.get_or_insert(regions[cell]);
        if regions[cell] != region {
            let (row, column) = (cell / spec.width, cell % spec.width);
            errors.push(ProblemError::TemplateCut { row, column });
        }
    }
    let mut sizes = vec![0_usize; regions.len()];
    for &region in regions.iter().filter(|region| **region != 0) {
        sizes[region] += 1;
    }
    let room = match first {
        Some(region) => sizes[region],
        None => sizes.into_iter().max().unwrap_or(0),
    };
    // The player stands somewhere, and each box has to be pushed from somewhere to somewhere.
    let room = room.saturating_sub(1);
    if spec.boxes_min > room {
        errors.push(ProblemError::BoxesNoRoom {
            wanted: spec.boxes_min,
            room,
        });
    }
}

/// For each cell the first cell of its region of what may be floor; 0, which is on the border, for
/// walls.
fn regions(spec: &Spec, may_be_floor: &[bool]) -> Vec<usize> {
    let mut regions = vec![0; may_be_floor.len()];
    for first in 0..may_be_floor.len() {
        if !may_be_floor[first] || regions[first] != 0 {
            continue;
        }
        let mut open = vec![first];
        regions[first] = first;
        while let Some(cell) = open.pop() {
            // No neighbour is beyond the border: the border is walls.
            for next in [cell - spec.width, cell + 1, cell + spec.width, cell - 1] {
                if may_be_floor[next] && regions[next] == 0 {
                    regions[next] = first;
                    open.push(next);
                }
            }
        }
    }
    regions
}
