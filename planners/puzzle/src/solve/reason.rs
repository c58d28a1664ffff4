//! Proofs from the problem alone: reasons for infeasibility, and bounds.

use crate::board::Tile;
use crate::plan::{Cost, Features, MICRO, effort_max, miss_micro};
use crate::problem::{Goal, Mask, Problem, Weights};
use anytime::{Path, Reason, fault};

/// A proof that no plan satisfies every rule: pushes have no room, a box of the template starts in
/// a corner, or every level takes more effort than is counted. None: there may be a plan.
#[must_use]
pub fn impossible(problem: &Problem) -> Option<Reason> {
    let spec = problem.spec();
    if spec.box_pushes_min == 0 {
        return None;
    }
    // More boxes make more effort, of which less is counted.
    let boxes = spec.boxes_min;
    let least = boxes as u32 * spec.box_pushes_min;
    let most = effort_max(spec.width * spec.height, boxes);
    if spec.weights.needs_solving() && least > most {
        return Some(Reason::proved(fault!(
            "UNRATABLE",
            Path::root("min_boxes"),
            "no level can be rated: {} boxes take an effort of at least {}, and on a board of this \
             size at most {} is counted; weights of features that need no solving have no such limit",
            boxes,
            least,
            most
        )));
    }
    let width = spec.width;
    let may_be_floor = |cell: usize| {
        let (row, column) = (cell / width, cell % width);
        let is_border = row == 0 || column == 0 || row + 1 == spec.height || column + 1 == width;
        let images = problem.images(cell);
        !is_border
            && images
                .iter()
                .all(|&image| spec.template[image] != Mask::Is(Tile::Wall))
    };
    let open: Vec<bool> = (0..width * spec.height).map(may_be_floor).collect();
    // The border is closed, so that all neighbours exist.
    let is_pushable = |cell: usize| {
        open[cell]
            && ((open[cell - 1] && open[cell + 1]) || (open[cell - width] && open[cell + width]))
    };
    if !(0..open.len()).any(|cell| open[cell] && is_pushable(cell)) {
        return Some(Reason::proved(fault!(
            "NO_PUSH",
            Path::root("template_rows"),
            "no box can be pushed: no three cells in a row may be floor"
        )));
    }
    let mut fixed = (0..open.len())
        .filter(|&cell| matches!(spec.template[cell], Mask::Is(Tile::Box | Tile::BoxOnGoal)));
    let stuck = fixed.find(|&cell| !is_pushable(cell))?;
    Some(Reason::proved(fault!(
        "BOX_IN_CORNER",
        Path::root("template_rows").index(stuck / width),
        "the box that has to start at row {}, column {} is in a corner of walls and cannot be pushed",
        stuck / width,
        stuck % width
    )))
}

/// A cost that no plan undercuts, where values are bounded.
pub(super) fn bound(problem: &Problem) -> Option<Cost> {
    let spec = problem.spec();
    let miss_micro = match spec.goal {
        Goal::Hit { .. } => (0..spec.levels)
            .map(|rung| least_miss_micro(problem, rung))
            .fold(0, i64::saturating_add),
        Goal::Most => {
            let most = most_micro(&spec.weights, spec.boxes_max)?;
            most.saturating_mul(spec.levels as i64).saturating_neg()
        }
    };
    Some(Cost {
        missing: 0,
        miss_micro,
    })
}

/// A lower bound on how far the level of a rung misses its target, beyond the tolerance, from
/// bounds on the value of all levels.
#[must_use]
pub(crate) fn least_miss_micro(problem: &Problem, rung: usize) -> i64 {
    let Some(target) = problem.target_micro(rung) else {
        return 0;
    };
    let most = most_micro(&problem.spec().weights, problem.spec().boxes_max);
    let nearest = match (least_micro(problem), most) {
        (Some(least), _) if target < least => least,
        (_, Some(most)) if target > most => most,
        _ => target,
    };
    miss_micro(problem, rung, nearest)
}

/// A lower bound on the value of each level; none where a weight is below 0.
fn least_micro(problem: &Problem) -> Option<i64> {
    let spec = problem.spec();
    let boxes = spec.boxes_min as u32;
    // A board that is solved already has no pushes, where none are asked for.
    let pushes = boxes * spec.box_pushes_min;
    let features = Features {
        boxes,
        pushes,
        // Boxes that are all pushed are pushed one after the other.
        box_changes: if spec.box_pushes_min > 0 {
            boxes - 1
        } else {
            0
        },
        // All positions on the path are opened before its last one is reached.
        effort: pushes,
        ..Features::default()
    };
    let terms = features.terms(&spec.weights);
    let is_rising = terms.iter().all(|(_, _, weight)| *weight >= 0);
    is_rising.then(|| features.value_micro(&spec.weights))
}

/// An upper bound on the value of levels with `boxes` boxes; none where an unbounded feature
/// counts.
fn most_micro(weights: &Weights, boxes: usize) -> Option<i64> {
    let boxes = boxes as i64;
    let unbounded = [
        weights.blocks_count,
        weights.mixing,
        weights.goal_distance,
        weights.congestion_sum,
        weights.pushes,
        weights.box_changes,
        weights.counter_intuitive,
        weights.effort_log,
    ];
    if unbounded.iter().any(|weight| *weight > 0) {
        return None;
    }
    // A rectangle has at least as much floor as boxes and as goals: each term of equation 6.2 is at
    // most 2.
    let bounded = [
        (weights.boxes, boxes),
        (weights.blocks, 1),
        (weights.congestion, 2 * boxes),
    ];
    let sum: i128 = bounded
        .iter()
        .map(|&(weight, most)| i128::from(weight.max(0)) * i128::from(most * MICRO))
        .sum();
    // One more, for what was rounded down.
    i64::try_from(sum / i128::from(weights.divisor) + 1).ok()
}
