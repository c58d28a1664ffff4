//! Levels, for the wire.

use puzzle::plan::MICRO;
use puzzle::{Features, Level, Plan, Problem, Step, Walls, verify};
use stratagem_proto::v1 as pb;

/// A checked plan for the wire.
pub(super) fn plan(problem: &Problem, plan: &Plan, features: &[Features]) -> pb::PuzzlePlan {
    let walls = problem.spec().walls;
    let levels = plan.levels.iter().zip(features);
    let level = |(one, features)| level(walls, one, features);
    pb::PuzzlePlan {
        levels: levels.map(level).collect(),
    }
}

/// What the levels of a checked plan are like.
pub(super) fn features_of(plan: &Plan) -> Vec<Features> {
    let of = |level: &Level| {
        // Its effort takes long, and is known.
        let found = verify::features(&level.board, &level.solution, false);
        Features {
            effort: level.effort.unwrap_or(0),
            ..found.expect("the plan was checked: it solves its boards")
        }
    };
    plan.levels.iter().map(of).collect()
}

fn level(walls: Walls, level: &Level, features: &Features) -> pb::PuzzleLevel {
    let Level {
        rung,
        board,
        solution,
        effort,
        value_micro,
    } = level;
    pb::PuzzleLevel {
        rung: count(*rung),
        rows: match walls {
            Walls::Full => board.rows(),
            Walls::Outline | Walls::Needed => board.outline(),
        },
        solution: lurd(solution),
        value: Some(ones(*value_micro)),
        features: Some(self::features(features, *effort)),
    }
}

/// Features for the wire; `effort` where it is known.
pub(super) fn features(given: &Features, effort: Option<u32>) -> pb::PuzzleFeatures {
    let Features {
        boxes,
        blocks_count,
        blocks_micro,
        mixing,
        goal_distance_micro,
        congestion_sum,
        congestion_micro,
        pushes,
        moves,
        box_changes,
        counter_intuitive,
        box_pushes_min,
        effort: _,
    } = *given;
    pb::PuzzleFeatures {
        boxes: count(boxes),
        blocks: f64::from(blocks_micro) / MICRO as f64,
        blocks_count: count(blocks_count),
        mixing: count(mixing),
        goal_distance: goal_distance_micro as f64 / MICRO as f64,
        congestion_sum: count(congestion_sum),
        congestion: congestion_micro as f64 / MICRO as f64,
        pushes: count(pushes),
        box_changes: count(box_changes),
        counter_intuitive: count(counter_intuitive),
        effort: effort.map(count),
        moves: count(moves),
        min_box_pushes: count(box_pushes_min),
    }
}

/// Steps in the LURD notation.
pub(super) fn lurd(steps: &[Step]) -> String {
    steps.iter().map(|step| step.lurd()).collect()
}

/// A number of things for the wire. All are far below its largest.
pub(super) fn count(given: impl TryInto<i32>) -> i32 {
    given.try_into().unwrap_or(i32::MAX)
}

/// Millionths for the wire.
pub(super) fn ones(micro: i64) -> f64 {
    micro as f64 / MICRO as f64
}
