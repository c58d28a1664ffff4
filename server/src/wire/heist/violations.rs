//! What comes of judging a plan from outside, in the caller's words.

use super::answer::objective;
use super::names::Names;
use super::problem::Decoded;
use crate::wire::planning;
use crate::wire::values::shown;
use heist::{Plan, Violation};
use stratagem_proto::v1 as pb;

/// What comes of checking a plan.
pub(crate) fn verdict(decoded: &Decoded, plan: &Plan) -> pb::VerifyPlanResponse {
    let Decoded { problem, names } = decoded;
    let checked = heist::verify(problem, plan).map(|cost| Some(objective(cost)));
    planning::verdict(checked, |one| pb::PlanViolation {
        code: one.code().into(),
        message: message(names, one),
        field: field(one),
    })
}

/// Path in the plan; empty where the rule is about all of it.
fn field(broken: &Violation) -> String {
    match *broken {
        Violation::Refused { index, .. } | Violation::Trapped { index, .. } => {
            format!("steps[{index}]")
        }
        Violation::TooLong { .. } => "steps".into(),
        _ => String::new(),
    }
}

/// One sentence.
fn message(names: &Names, broken: &Violation) -> String {
    let room = |room: usize| shown(&names.rooms[room]);
    match *broken {
        Violation::Refused {
            action, refusal, ..
        } => {
            format!("the agent cannot {}: {refusal}", names.action(action))
        }
        Violation::Trapped { room: trap, .. } => {
            format!("the agent enters {}, which is to be avoided", room(trap))
        }
        Violation::ItemMissing { item } => {
            let item = shown(&names.items[item]);
            format!("{item} is wanted, but the agent does not hold it at the end")
        }
        Violation::VisitMissing { room: left, .. } => {
            format!(
                "the agent does not visit {}, or not in this order",
                room(left)
            )
        }
        Violation::EndsElsewhere { room: last, wanted } => {
            format!("the agent ends in {}, not in {}", room(last), room(wanted))
        }
        // About a number that has no name.
        ref other => other.to_string(),
    }
}
