//! What comes of judging levels from outside.

use super::objective::objective;
use super::plan::features_of;
use crate::wire::planning;
use puzzle::{Plan, Problem, Violation};
use stratagem_proto::v1 as pb;

/// What comes of checking a plan.
pub(crate) fn verdict(problem: &Problem, plan: &Plan) -> pb::VerifyPlanResponse {
    let checked = puzzle::verify(problem, plan);
    let checked = checked.map(|cost| Some(objective(problem, cost, Some(&features_of(plan)))));
    let verdict = planning::verdict(checked, |one| pb::PlanViolation {
        code: one.code().into(),
        message: one.to_string(),
        field: field(one),
    });
    pb::VerifyPlanResponse {
        partial: verdict.valid && plan.levels.len() < problem.spec().levels,
        ..verdict
    }
}

/// Path in the plan; empty where the rule is about all of it.
fn field(broken: &Violation) -> String {
    let Some(level) = broken.level() else {
        return String::new();
    };
    let level = format!("levels[{level}]");
    match broken {
        Violation::UnknownRung { .. } | Violation::RungOrder { .. } => format!("{level}.rung"),
        Violation::Template { row, .. }
        | Violation::Symmetry { row, .. }
        | Violation::NeedlessWall { row, .. } => {
            format!("{level}.rows[{row}]")
        }
        Violation::Size { .. } | Violation::Boxes { .. } => format!("{level}.rows"),
        Violation::SolutionTooLong { .. }
        | Violation::BadStep { .. }
        | Violation::NotSolved { .. }
        | Violation::LazyBox { .. }
        | Violation::NotShortest { .. } => format!("{level}.solution"),
        Violation::WrongEffort { .. } => format!("{level}.features.effort"),
        Violation::WrongValue { .. } | Violation::NotRising { .. } => format!("{level}.value"),
        _ => level,
    }
}
