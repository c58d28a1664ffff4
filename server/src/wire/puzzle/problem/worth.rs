//! What levels are worth, and what they are to be worth.

use crate::wire::mistakes::Mistakes;
use crate::wire::path::Path;
use puzzle::problem::{Goal, VALUE_MAX_MICRO, WEIGHT_MAX_MICRO, Weights};
use std::ops::RangeInclusive;
use stratagem_proto::v1 as pb;

/// Of a divisor that is not given, in millionths.
const DIVISOR_DEFAULT: i64 = 1_000_000;
/// By how much a level may miss its target where nothing is said, in percent.
const TOLERANCE_DEFAULT: u32 = 15;
/// In ones.
const WEIGHTS: RangeInclusive<f64> = -WEIGHT_MAX..=WEIGHT_MAX;
const WEIGHT_MAX: f64 = WEIGHT_MAX_MICRO as f64 / 1e6;
const VALUES: RangeInclusive<f64> = -VALUE_MAX..=VALUE_MAX;
const VALUE_MAX: f64 = VALUE_MAX_MICRO as f64 / 1e6;

/// What a level is worth; without weights its difficulty.
pub(super) fn weights(
    given: Option<pb::PuzzleWeights>,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Weights {
    let Some(given) = given else {
        return Weights::DIFFICULTY;
    };
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
    let mut weight = |field, given| wrong.micro(&at.field(field), given, WEIGHTS);
    Weights {
        boxes: weight("boxes", boxes),
        blocks: weight("blocks", blocks),
        blocks_count: weight("blocks_count", blocks_count),
        mixing: weight("mixing", mixing),
        goal_distance: weight("goal_distance", goal_distance),
        congestion_sum: weight("congestion_sum", congestion_sum),
        congestion: weight("congestion", congestion),
        pushes: weight("pushes", pushes),
        box_changes: weight("box_changes", box_changes),
        counter_intuitive: weight("counter_intuitive", counter_intuitive),
        effort_log: weight("effort_log", effort_log),
        divisor: self::divisor(divisor, &at.field("divisor"), wrong),
    }
}

fn divisor(given: Option<f64>, at: &Path<'_>, wrong: &mut Mistakes) -> i64 {
    // The least that does not become 0.
    given.map_or(DIVISOR_DEFAULT, |given| {
        wrong.micro(at, given, 0.000_001..=WEIGHT_MAX)
    })
}

/// What levels are to be worth; without a target as much as possible.
pub(super) fn goal(given: Option<pb::PuzzleTarget>, at: &Path<'_>, wrong: &mut Mistakes) -> Goal {
    use pb::puzzle_target::Kind;
    let Some(pb::PuzzleTarget { kind, tolerance }) = given else {
        return Goal::Most;
    };
    let tolerance = wrong.percent(&at.field("tolerance"), tolerance, 100);
    let (easiest_micro, hardest_micro) = match wrong.required(at, kind) {
        None => (0, 0),
        Some(Kind::Value(value)) => {
            let value = wrong.micro(&at.field("value"), value, VALUES);
            (value, value)
        }
        Some(Kind::Range(pb::PuzzleRange { easiest, hardest })) => {
            let at = at.field("range");
            (
                wrong.micro(&at.field("easiest"), easiest, VALUES),
                wrong.micro(&at.field("hardest"), hardest, VALUES),
            )
        }
    };
    Goal::Hit {
        easiest_micro,
        hardest_micro,
        tolerance_percent: tolerance.unwrap_or(TOLERANCE_DEFAULT),
    }
}
