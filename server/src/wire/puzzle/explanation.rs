//! Why levels are missing or miss what is wanted, for people and programs.

use super::plan::ones;
use crate::wire::solve;
use anytime::Conclusion;
use puzzle::plan::miss_micro;
use puzzle::solve::{Impossible, least_miss_micro};
use puzzle::{Deadlock, Game, Goal, Level, Loss, Plan, Problem, Way, deadlock};
use stratagem_proto::v1 as pb;

/// Why there is no plan; `None`: that is proved by nothing that has a name, or not at all.
pub(super) fn none_found(conclusion: Conclusion, why: Option<&Impossible>) -> pb::Explanation {
    let summary = match conclusion {
        Conclusion::Infeasible => "No level keeps all rules.",
        _ => "No level was found that keeps all rules; nor is it proved that there is none.",
    };
    pb::Explanation {
        summary: summary.into(),
        reasons: why.map(impossible).into_iter().collect(),
        truncated: false,
        ..pb::Explanation::default()
    }
}

fn impossible(why: &Impossible) -> pb::ExplanationReason {
    let (code, field) = match why {
        Impossible::NoPush => ("NO_PUSH", "template_rows".into()),
        Impossible::BoxInCorner { row, .. } => ("BOX_IN_CORNER", format!("template_rows[{row}]")),
        Impossible::Unratable { .. } => ("UNRATABLE", "min_boxes".into()),
        _ => ("IMPOSSIBLE", String::new()),
    };
    pb::ExplanationReason {
        code: code.into(),
        message: why.to_string(),
        field,
        proved: true,
        ..pb::ExplanationReason::default()
    }
}

/// What a plan lacks; `None` when nothing.
pub(super) fn lacking(problem: &Problem, plan: &Plan) -> Option<pb::Explanation> {
    let wanted = problem.spec().levels;
    let mut reasons = Vec::new();
    for rung in 0..wanted {
        let level = plan.levels.iter().find(|level| level.rung == rung);
        let miss = |value| miss_micro(problem, rung, value);
        match (level, problem.spec().goal) {
            (None, _) => reasons.push(missing(problem, plan, rung)),
            (Some(level), Goal::Hit { .. }) if miss(level.value_micro) > 0 => {
                let value = level.value_micro;
                reasons.push(missed(problem, rung, (value, miss(value))));
            }
            _ => {}
        }
    }
    let summary = match (wanted - plan.levels.len().min(wanted), reasons.len()) {
        (_, 0) => return None,
        (0, missed) => format!("{missed} of {wanted} levels miss their value."),
        (missing, all) if missing == all => format!("{missing} of {wanted} levels were not found."),
        (missing, all) => {
            let missed = all - missing;
            format!("{missing} of {wanted} levels were not found, {missed} miss their value.")
        }
    };
    Some(pb::Explanation {
        summary,
        reasons,
        truncated: false,
        ..pb::Explanation::default()
    })
}

/// A rung without a level: what a level would have to be, beside those that were found.
fn missing(problem: &Problem, plan: &Plan, rung: usize) -> pb::ExplanationReason {
    let spec = problem.spec();
    let mut message = format!("no level was found for rung {rung}");
    if let Some(target) = problem.target_micro(rung) {
        message += &format!(", which is to be worth {}", ones(target));
    }
    let found = |level: Option<&Level>| level.map(|level| ones(level.value_micro));
    let below = found(plan.levels.iter().rfind(|level| level.rung < rung));
    let above = found(plan.levels.iter().find(|level| level.rung > rung));
    let between = match (spec.goal, below, above) {
        (Goal::Most, ..) | (_, None, None) => String::new(),
        (_, Some(below), None) => format!(", more than the {below} of the rung below"),
        (_, None, Some(above)) => format!(", less than the {above} of the rung above"),
        (_, Some(below), Some(above)) => format!(", between the {below} and {above} beside it"),
    };
    message += &between;
    if spec.difference_min_percent > 0 && !(plan.levels.is_empty() && spec.avoided.is_empty()) {
        let least = spec.difference_min_percent;
        message += &format!(", and to differ from each other level in {least} % of its cells");
    }
    pb::ExplanationReason {
        code: "LEVEL_MISSING".into(),
        message,
        subject_id: rung.to_string(),
        field: "level_count".into(),
        ..pb::ExplanationReason::default()
    }
}

fn missed(problem: &Problem, rung: usize, (value, miss): (i64, i64)) -> pb::ExplanationReason {
    let target = problem.target_micro(rung).unwrap_or(value);
    let (value, target) = (ones(value), ones(target));
    // As near as any level comes.
    let proved = least_miss_micro(problem, rung) == miss;
    let why = if proved {
        "; no level is worth anything nearer"
    } else {
        ""
    };
    pb::ExplanationReason {
        code: "VALUE_MISSED".into(),
        message: format!("the level of rung {rung} is worth {value}, {target} is wanted{why}"),
        subject_id: rung.to_string(),
        field: "target".into(),
        shortfall: Some(ones(miss)),
        unit: "value".into(),
        proved,
        ..pb::ExplanationReason::default()
    }
}

/// Why a board has no solution, or none was found: what a look tells, and what is proved.
pub(super) fn unsolved(
    conclusion: Conclusion,
    (game, bound): (&Game, Option<(u32, &'static str)>),
    loss: Option<&Loss>,
) -> pb::Explanation {
    let is_infeasible = solve::status(conclusion, false) == pb::SolveStatus::Infeasible;
    let summary = if is_infeasible {
        "The board cannot be solved."
    } else {
        "No solution was found; nor is it proved that there is none."
    };
    let reason = match (deadlock(game.board()), is_infeasible) {
        (Some(why), _) => in_deadlock(why),
        (None, true) => pb::ExplanationReason {
            code: "EXHAUSTED".into(),
            message: "all positions that pushes lead to were searched, none of them is solved"
                .into(),
            proved: true,
            ..pb::ExplanationReason::default()
        },
        (None, false) => {
            let least = bound.map_or(0, |(least, _)| least);
            pb::ExplanationReason {
                code: "SEARCH_STOPPED".into(),
                message: format!(
                    "a limit of time, iterations or memory ended the search; every solution has at least {least} pushes"
                ),
                ..pb::ExplanationReason::default()
            }
        }
    };
    pb::Explanation {
        summary: summary.into(),
        reasons: loss
            .map(|loss| lost(game, loss))
            .into_iter()
            .chain([reason])
            .collect(),
        ..pb::Explanation::default()
    }
}

/// The push that lost the board.
fn lost(game: &Game, loss: &Loss) -> pb::ExplanationReason {
    let Some(index) = loss.lost_after.checked_sub(1) else {
        return pb::ExplanationReason {
            code: "NEVER_SOLVABLE".into(),
            message: "the board had no solution before the first push".into(),
            field: "rows".into(),
            proved: true,
            ..pb::ExplanationReason::default()
        };
    };
    let push = game.pushes()[index];
    let (row, column) = game.board().place(push.cell);
    let way = match push.way {
        Way::Up => "up",
        Way::Right => "right",
        Way::Down => "down",
        Way::Left => "left",
    };
    let number = loss.lost_after;
    let push = format!("push {number}, of the box at row {row}, column {column} {way}");
    let message = match &loss.solved_after {
        _ if loss.is_first() => format!("{push}, lost the board: before it a solution exists"),
        Some((solved, _)) => format!(
            "{push}, lost the board, or one of pushes {first} to {index} did: before push {first} a solution exists",
            first = solved + 1
        ),
        None => format!("{push}, lost the board, or it was lost before: limits ended the search"),
    };
    pb::ExplanationReason {
        code: "PUSH_LOST".into(),
        message,
        field: "played_moves".into(),
        proved: loss.is_first(),
        ..pb::ExplanationReason::default()
    }
}

/// A deadlock: one of the pushes that led here lost the board.
fn in_deadlock(why: Deadlock) -> pb::ExplanationReason {
    let (code, row) = match why {
        Deadlock::DeadCell { row, .. } => ("DEAD_CELL", Some(row)),
        Deadlock::Frozen { row, .. } => ("BOX_FROZEN", Some(row)),
        _ => ("BOXES_UNMATCHED", None),
    };
    pb::ExplanationReason {
        code: code.into(),
        message: why.to_string(),
        field: row.map_or_else(|| "rows".into(), |row| format!("rows[{row}]")),
        proved: true,
        ..pb::ExplanationReason::default()
    }
}
