//! Reasons: for levels that are missing or miss their value, and for boards without a solution.

use crate::board::Direction;
use crate::deadlock::deadlock;
use crate::game::Game;
use crate::loss::Loss;
use crate::plan::{Level, MICRO, Plan, miss_micro};
use crate::problem::{Goal, Problem};
use crate::solve::least_miss_micro;
use anytime::{Conclusion, Path, Reason, fault, millionths};

/// The rungs without a level, and those whose level misses its value, in order.
#[must_use]
pub fn shortfalls(problem: &Problem, plan: &Plan) -> Vec<Reason> {
    let mut reasons = Vec::new();
    for rung in 0..problem.spec().levels {
        match plan.levels.iter().find(|level| level.rung == rung) {
            None => reasons.push(missing(problem, plan, rung)),
            Some(level) => reasons.extend(missed(problem, rung, level)),
        }
    }
    reasons
}

/// A rung without a level: what a level would have to be, given those that were found.
fn missing(problem: &Problem, plan: &Plan, rung: usize) -> Reason {
    let spec = problem.spec();
    let mut wanted = String::new();
    if let Some(target) = problem.target_micro(rung) {
        wanted += &format!(", which is to be worth {}", ones(target));
    }
    let found = |level: Option<&Level>| level.map(|level| ones(level.value_micro));
    let below = found(plan.levels.iter().rfind(|level| level.rung < rung));
    let above = found(plan.levels.iter().find(|level| level.rung > rung));
    wanted += &match (spec.goal, below, above) {
        (Goal::Most, ..) | (_, None, None) => String::new(),
        (_, Some(below), None) => format!(", more than the {below} of the nearest level below"),
        (_, None, Some(above)) => format!(", less than the {above} of the nearest level above"),
        (_, Some(below), Some(above)) => {
            format!(", between the {below} and {above} of the nearest levels found")
        }
    };
    let difference = spec.difference_min_percent;
    if difference > 0 && !(plan.levels.is_empty() && spec.avoided.is_empty()) {
        wanted += &format!(", and to differ from each other level in {difference} % of its cells");
    }
    let fault = fault!(
        "LEVEL_MISSING",
        Path::root("level_count"),
        "no level was found for rung {}{}",
        rung,
        wanted
    );
    Reason::tried(fault).subject("rung", rung)
}

/// A level that misses its value by more than the tolerance.
fn missed(problem: &Problem, rung: usize, level: &Level) -> Option<Reason> {
    let value = level.value_micro;
    let target = problem.target_micro(rung)?;
    let miss = miss_micro(problem, rung, value);
    if miss <= 0 {
        return None;
    }
    // As near as any level comes.
    let is_proved = least_miss_micro(problem, rung) == miss;
    let proof = if is_proved {
        "; no level is worth anything nearer"
    } else {
        ""
    };
    let fault = fault!(
        "VALUE_MISSED",
        Path::root("target"),
        "the level of rung {} is worth {}, {} is wanted{}",
        rung,
        millionths(value),
        millionths(target),
        proof
    );
    let reason = Reason {
        is_proved,
        ..Reason::tried(fault)
    };
    Some(reason.subject("rung", rung).shortfall(ones(miss), "value"))
}

/// Why a game has no solution, or none was found: the push that lost it, and a deadlock, the proof
/// or the limit that ended the search. Every solution has at least `pushes_min` pushes.
#[must_use]
pub fn unsolved(
    game: &Game,
    loss: Option<&Loss>,
    conclusion: Conclusion,
    pushes_min: u32,
) -> Vec<Reason> {
    let lost = loss.map(|loss| lost(game, loss));
    let end = deadlock(game.board()).unwrap_or_else(|| {
        if conclusion == Conclusion::Infeasible {
            Reason::proved(fault!(
                "EXHAUSTED",
                Path::WHOLE,
                "all positions that pushes lead to were searched, none of them is solved"
            ))
        } else {
            Reason::tried(fault!(
                "SEARCH_STOPPED",
                Path::WHOLE,
                "a limit of time, iterations or memory ended the search; every solution has at \
                 least {} pushes",
                pushes_min
            ))
        }
    });
    lost.into_iter().chain([end]).collect()
}

/// The push that lost the board.
fn lost(game: &Game, loss: &Loss) -> Reason {
    let number = loss.lost_after;
    let Some(index) = number.checked_sub(1) else {
        return Reason::proved(fault!(
            "NEVER_SOLVABLE",
            Path::root("rows"),
            "the board had no solution before the first push"
        ));
    };
    let made = game.pushes()[index];
    let (row, column) = game.board().place(made.cell);
    let direction = match made.direction {
        Direction::Up => "up",
        Direction::Right => "right",
        Direction::Down => "down",
        Direction::Left => "left",
    };
    let push = format!("push {number}, of the box at row {row}, column {column} {direction}");
    let (code, at) = ("PUSH_LOST", Path::root("played_moves"));
    match &loss.solved_after {
        _ if loss.is_first() => Reason::proved(fault!(
            code,
            at,
            "{}, lost the board: before it a solution exists",
            push
        )),
        Some((solved, _)) => Reason::tried(fault!(
            code,
            at,
            "{}, lost the board, or one of pushes {} to {} did: before push {} a solution exists",
            push,
            solved + 1,
            index,
            solved + 1
        )),
        None => Reason::tried(fault!(
            code,
            at,
            "{}, lost the board, or it was lost before: limits ended the search",
            push
        )),
    }
}

/// Millionths as a decimal number.
fn ones(micro: i64) -> f64 {
    micro as f64 / MICRO as f64
}
