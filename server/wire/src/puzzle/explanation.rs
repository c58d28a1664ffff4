//! Explanations: summaries, and the planner's reasons.

use crate::faults::reason;
use crate::solve;
use anytime::{Conclusion, Names, Reason};
use puzzle::{Game, Loss, Plan, Problem, explain};
use stratagem_proto::v1 as pb;

/// A rung is called by its number.
struct Rungs;

impl Names for Rungs {
    fn id(&self, kind: &str, index: usize) -> Option<String> {
        (kind == "rung").then(|| index.to_string())
    }
}

fn explanation(summary: String, reasons: &[Reason]) -> pb::Explanation {
    let reasons = reasons.iter().map(|it| reason(it, &Rungs));
    pb::Explanation {
        summary,
        reasons: reasons.collect(),
        ..pb::Explanation::default()
    }
}

/// The explanation of a search without a plan. No reason: infeasibility has a proof without a name,
/// or none.
pub(super) fn none_found(conclusion: Conclusion, reason: Option<&Reason>) -> pb::Explanation {
    let summary = match conclusion {
        Conclusion::Infeasible => "No level satisfies every rule.",
        _ => "No level that satisfies every rule was found; one may still exist.",
    };
    explanation(summary.into(), reason.map_or(&[], std::slice::from_ref))
}

/// Missing levels and missed values of a plan; `None` when there are none.
pub(super) fn lacking(problem: &Problem, plan: &Plan) -> Option<pb::Explanation> {
    let wanted = problem.spec().levels;
    let reasons = explain::shortfalls(problem, plan);
    let summary = match (wanted - plan.levels.len().min(wanted), reasons.len()) {
        (_, 0) => return None,
        (0, missed) => format!("{missed} of {wanted} levels miss their value."),
        (missing, all) if missing == all => format!("{missing} of {wanted} levels were not found."),
        (missing, all) => {
            let missed = all - missing;
            format!("{missing} of {wanted} levels were not found, {missed} miss their value.")
        }
    };
    Some(explanation(summary, &reasons))
}

/// Why a board has no solution, or none was found.
pub(super) fn unsolved(
    conclusion: Conclusion,
    game: &Game,
    bound: Option<u32>,
    loss: Option<&Loss>,
) -> pb::Explanation {
    let status = solve::status(conclusion, false);
    let summary = if status == pb::SolveStatus::Infeasible {
        "The board cannot be solved."
    } else {
        "No solution was found; one may still exist."
    };
    let reasons = explain::unsolved(game, loss, conclusion, bound.unwrap_or(0));
    explanation(summary.into(), &reasons)
}
