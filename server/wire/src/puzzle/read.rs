//! Levels that somebody wants judged, from the wire.

use super::board::{board, steps};
use super::plan::ones;
use crate::mistakes::Mistakes;
use anytime::Path;
use puzzle::plan::MICRO;
use puzzle::problem::Problem;
use puzzle::{Features, Level, Plan, verify};
use stratagem_proto::v1 as pb;

/// A plan from outside: not trusted, only readable. `None` when there are mistakes.
pub(crate) fn plan(
    given: pb::PuzzlePlan,
    problem: &Problem,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Option<Plan> {
    let pb::PuzzlePlan { levels } = given;
    let list = at.field("levels");
    let mut read = Vec::with_capacity(levels.len());
    for (index, given) in levels.into_iter().enumerate() {
        read.extend(level(given, problem, &list.index(index), wrong));
    }
    wrong.is_empty().then_some(Plan { levels: read })
}

fn level(
    given: pb::PuzzleLevel,
    problem: &Problem,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Option<Level> {
    let pb::PuzzleLevel {
        rung,
        rows,
        solution,
        value,
        features,
    } = given;
    let board = board(&rows, &at.field("rows"), wrong);
    let solution = steps(&solution, &at.field("solution"), wrong);
    // The others follow from board and solution.
    let effort = features.unwrap_or_default().effort;
    let board = board.filter(|_| wrong.is_empty())?;
    let mut level = Level {
        rung: usize::try_from(rung).unwrap_or(0),
        board,
        solution,
        effort: effort.map(i32::unsigned_abs),
        value_micro: 0,
    };
    complete(&mut level, problem, value);
    Some(level)
}

/// Puts in what was left out.
fn complete(level: &mut Level, problem: &Problem, value: Option<f64>) {
    let weights = &problem.spec().weights;
    let is_asked = weights.needs_solving() && level.effort.is_none();
    // What cannot be played is found out by the judge, whatever it is said to be worth.
    let found = verify::features(&level.board, &level.solution, is_asked).unwrap_or_default();
    if is_asked {
        level.effort = Some(found.effort);
    }
    let counted = Features {
        effort: level.effort.unwrap_or(0),
        ..found
    };
    let counted = counted.value_micro(weights);
    level.value_micro = match value {
        // Large values have no room for millionths on the wire.
        Some(value) if value != ones(counted) => (value * MICRO as f64).round() as i64,
        _ => counted,
    };
}
