//! Validation of a problem.

use super::{
    AVOIDED_MAX, BOX_PUSHES_MAX, BOXES_MAX, Goal, LEVELS_MAX, Mask, SIDE_MIN, Spec, Symmetry,
    VALUE_MAX_MICRO, WEIGHT_MAX_MICRO, Walls,
};
use crate::board::{SIDE_MAX, Tile};
use anytime::check::{out_of_range, too_many};
use anytime::{Fault, Path, fault, millionths};

pub(super) fn check(spec: &Spec) -> Vec<Fault> {
    let mut faults = numbers(spec);
    let (width, height) = (spec.width, spec.height);
    let sides = SIDE_MIN..=SIDE_MAX;
    if !sides.contains(&width) || !sides.contains(&height) {
        faults.push(fault!(
            "OUT_OF_RANGE",
            Path::root("width"),
            "and height must be between {} and {}, got {} x {}",
            SIDE_MIN,
            SIDE_MAX,
            width,
            height
        ));
    } else if spec.symmetry == Symmetry::QuarterTurn && width != height {
        faults.push(fault!(
            "CONTRADICTION",
            Path::root("symmetry"),
            "needs a square board, got {} x {}",
            width,
            height
        ));
    } else if !spec.template.is_empty() && spec.template.len() != width * height {
        let given = spec.template.len();
        faults.push(fault!(
            "WRONG_SIZE",
            Path::root("template_rows"),
            "must have {} cells, as the board, got {}",
            width * height,
            given
        ));
    } else {
        template(spec, &mut faults);
        room(spec, &mut faults);
    }
    faults
}

fn numbers(spec: &Spec) -> Vec<Fault> {
    let mut faults = Vec::new();
    let (fewest, most) = (spec.boxes_min, spec.boxes_max);
    if fewest < 1 || most > BOXES_MAX || fewest > most {
        faults.push(fault!(
            "REVERSED",
            Path::root("max_boxes"),
            "and min_boxes must be a range within 1 to {}, got {} to {}",
            BOXES_MAX,
            fewest,
            most
        ));
    }
    if !(1..=LEVELS_MAX).contains(&spec.levels) {
        let (at, most) = (Path::root("level_count"), LEVELS_MAX.into());
        faults.push(out_of_range(&at, spec.levels.into(), 1.into(), most));
    }
    let avoided = Path::root("avoided");
    faults.extend(too_many(&avoided, spec.avoided.len(), AVOIDED_MAX));
    if spec.difference_min_percent > 100 {
        faults.push(fault!(
            "OUT_OF_RANGE",
            Path::root("min_difference"),
            "must be at most 100 %, got {} %",
            spec.difference_min_percent
        ));
    }
    if spec.box_pushes_min > BOX_PUSHES_MAX {
        faults.push(fault!(
            "OUT_OF_RANGE",
            Path::root("min_box_pushes"),
            "must be at most {}, got {}",
            BOX_PUSHES_MAX,
            spec.box_pushes_min
        ));
    }
    weights(spec, &mut faults);
    target(&spec.goal, &mut faults);
    faults
}

fn weights(spec: &Spec, faults: &mut Vec<Fault>) {
    let at = Path::root("weights");
    let weights = spec.weights.values();
    for given in weights {
        if !(-WEIGHT_MAX_MICRO..=WEIGHT_MAX_MICRO).contains(&given) {
            let numbers = [given, -WEIGHT_MAX_MICRO, WEIGHT_MAX_MICRO];
            let [given, min, max] = numbers.map(millionths);
            faults.push(out_of_range(&at, given, min, max));
        }
    }
    if weights.iter().all(|weight| *weight == 0) {
        faults.push(fault!(
            "ALL_ZERO",
            at,
            "must not all be 0: no level is better than another"
        ));
    }
    let divisor = spec.weights.divisor;
    if !(1..=WEIGHT_MAX_MICRO).contains(&divisor) {
        let [given, min, max] = [divisor, 1, WEIGHT_MAX_MICRO].map(millionths);
        faults.push(out_of_range(&at.field("divisor"), given, min, max));
    }
    if spec.walls == Walls::Needed && !spec.weights.needs_solving() {
        faults.push(fault!(
            "CONTRADICTION",
            Path::root("walls"),
            "can be reduced to needed walls only where levels are solved: a weight of pushes, box \
             changes, counter-intuitive pushes or effort is required"
        ));
    }
}

fn target(goal: &Goal, faults: &mut Vec<Fault>) {
    let &Goal::Hit {
        easiest_micro,
        hardest_micro,
        tolerance_percent,
    } = goal
    else {
        return;
    };
    let at = Path::root("target");
    let values = -VALUE_MAX_MICRO..=VALUE_MAX_MICRO;
    if !values.contains(&easiest_micro)
        || !values.contains(&hardest_micro)
        || easiest_micro > hardest_micro
    {
        faults.push(fault!(
            "REVERSED",
            at.field("range").field("hardest"),
            "must be at least the easiest value, both between {} and {}, got {} and {}",
            millionths(-VALUE_MAX_MICRO),
            millionths(VALUE_MAX_MICRO),
            millionths(hardest_micro),
            millionths(easiest_micro)
        ));
    }
    if tolerance_percent > 100 {
        faults.push(fault!(
            "OUT_OF_RANGE",
            at.field("tolerance"),
            "must be at most 100 %, got {} %",
            tolerance_percent
        ));
    }
}

/// Rule of the template for a cell; the border is walls.
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

fn template(spec: &Spec, faults: &mut Vec<Fault>) {
    let rows = Path::root("template_rows");
    let mut start = None;
    for (cell, &given) in spec.template.iter().enumerate() {
        let (row, column) = (cell / spec.width, cell % spec.width);
        if is_border(spec, cell) && is_open(given) {
            faults.push(fault!(
                "BORDER_OPEN",
                rows.index(row),
                "must have a wall at column {}, which is on the border",
                column
            ));
        }
        if matches!(given, Mask::Is(Tile::Player | Tile::PlayerOnGoal))
            && start.replace(cell).is_some()
        {
            faults.push(fault!(
                "SECOND_PLAYER",
                rows.index(row),
                "has a second start at column {}",
                column
            ));
        }
        let images = spec.images(cell);
        let is_inside = !is_border(spec, cell);
        if is_inside && is_open(given) && images.iter().any(|&image| is_wall(mask(spec, image))) {
            faults.push(fault!(
                "CONTRADICTION",
                rows.index(row),
                "has floor at column {}, whose mirror image is a wall of the template",
                column
            ));
        }
    }
    let goals = count(spec, |tile| {
        matches!(tile, Tile::Goal | Tile::BoxOnGoal | Tile::PlayerOnGoal)
    });
    let boxes = count(spec, |tile| matches!(tile, Tile::Box | Tile::BoxOnGoal));
    let wanted = goals.max(boxes);
    if wanted > spec.boxes_max {
        faults.push(fault!(
            "CONTRADICTION",
            rows,
            "has {} boxes or goals, but levels have at most {} boxes",
            wanted,
            spec.boxes_max
        ));
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
fn room(spec: &Spec, faults: &mut Vec<Fault>) {
    let rows = Path::root("template_rows");
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
            faults.push(fault!(
                "DISCONNECTED",
                rows.index(row),
                "is cut off at column {} from the other floor of the template by its walls",
                column
            ));
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
    if room == 0 && !spec.template.is_empty() && spec.boxes_min > 0 {
        faults.push(fault!("NO_FLOOR", rows, "leaves no floor to push a box on"));
    } else if spec.boxes_min > room {
        faults.push(fault!(
            "NO_ROOM",
            Path::root("min_boxes"),
            "is {}, but the board has room for at most {} boxes",
            spec.boxes_min,
            room
        ));
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
