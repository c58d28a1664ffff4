//! What comes of judging stories from outside, in the caller's words.

use super::answer::objective;
use super::problem::Decoded;
use crate::wire::planning;
use story::{Plan, Violation, account};
use stratagem_proto::v1 as pb;

/// What comes of checking a story.
pub(crate) fn verdict(decoded: &Decoded, plan: &Plan) -> pb::VerifyPlanResponse {
    let checked = account(&decoded.problem, plan).map(|account| {
        let acts = plan.actions.len();
        Some(objective(account.cost, acts, Some(&account)))
    });
    planning::verdict(checked, |one| pb::PlanViolation {
        code: code(one).into(),
        message: one.to_string(),
        field: match act_of(one) {
            Some(act) => format!("acts[{act}]"),
            None => "acts".into(),
        },
    })
}

/// Stable name of a broken rule.
pub(super) fn code(broken: &Violation) -> &'static str {
    match broken {
        Violation::TooLong { .. } => "STORY_TOO_LONG",
        Violation::NoAction { .. } => "NO_SUCH_ACTION",
        Violation::Precondition { .. } => "PRECONDITION",
        Violation::NotDistinct { .. } => "NOT_DISTINCT",
        Violation::Unbelievable { .. } => "UNBELIEVABLE",
        Violation::Forbidden { .. } => "EVENT_FORBIDDEN",
        Violation::Missing { .. } => "EVENT_MISSING",
        // Of a planner that is newer than this.
        _ => "STORY_RULE",
    }
}

/// The act that breaks it; `None` where it is all of them.
pub(super) fn act_of(broken: &Violation) -> Option<usize> {
    match *broken {
        Violation::NoAction { action }
        | Violation::Precondition { action, .. }
        | Violation::NotDistinct { action }
        | Violation::Unbelievable { action }
        | Violation::Forbidden { action, .. } => Some(action),
        _ => None,
    }
}
