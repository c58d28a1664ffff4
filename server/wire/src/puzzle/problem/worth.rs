//! What levels are worth, and what they are to be worth.

use crate::values::{millionths, percent};
use puzzle::problem::{Goal, Weights};
use stratagem_proto::v1 as pb;

/// Of a divisor that is not given, in millionths.
const DIVISOR_DEFAULT: i64 = 1_000_000;
/// By how much a level may miss its target where nothing is said, in percent.
const TOLERANCE_DEFAULT: u32 = 15;
/// What a level is worth.
pub(super) fn weights(given: pb::PuzzleWeights) -> Weights {
    let pb::PuzzleWeights {
        boxes,
        blocks,
        blocks_count,
        mixing,
        goal_distance,
        congestion_sum,
        congestion,
        pushes,
        box_changes,
        counter_intuitive,
        effort_log,
        divisor,
    } = given;
    Weights {
        boxes: millionths(boxes),
        blocks: millionths(blocks),
        blocks_count: millionths(blocks_count),
        mixing: millionths(mixing),
        goal_distance: millionths(goal_distance),
        congestion_sum: millionths(congestion_sum),
        congestion: millionths(congestion),
        pushes: millionths(pushes),
        box_changes: millionths(box_changes),
        counter_intuitive: millionths(counter_intuitive),
        effort_log: millionths(effort_log),
        divisor: divisor.map_or(DIVISOR_DEFAULT, millionths),
    }
}

/// What levels are to be worth; without a target as much as possible.
pub(super) fn goal(given: Option<pb::PuzzleTarget>) -> Goal {
    use pb::puzzle_target::Kind;
    let Some(pb::PuzzleTarget { kind, tolerance }) = given else {
        return Goal::Most;
    };
    let (easiest, hardest) = match kind {
        None => (0.0, 0.0),
        Some(Kind::Value(value)) => (value, value),
        Some(Kind::Range(pb::PuzzleRange { easiest, hardest })) => (easiest, hardest),
    };
    Goal::Hit {
        easiest_micro: millionths(easiest),
        hardest_micro: millionths(hardest),
        tolerance_percent: tolerance.map_or(TOLERANCE_DEFAULT, percent),
    }
}
