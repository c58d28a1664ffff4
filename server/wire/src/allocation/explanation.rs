//! Explanations on the wire: why tasks are left out.

use super::names::Names;
use super::problem::Gone;
use crate::faults::reason;
use crate::values::shown;
use allocation::Problem;
use allocation::explain::Reason;
use stratagem_proto::v1 as pb;

/// Most reasons that are sent.
pub(super) const REASONS_MAX: usize = 1_000;

/// Reasons on the wire; `None`: there was no time to find them. `unserved` is the number of tasks
/// left out of the plan; `None`: there is no plan.
pub(crate) fn explanation(
    names: &Names,
    problem: &Problem,
    reasons: Option<&[Reason]>,
    unserved: Option<usize>,
) -> pb::Explanation {
    let all = reasons.unwrap_or_default();
    let sent = all.iter().take(REASONS_MAX);
    pb::Explanation {
        summary: match unserved {
            None => "no plan was found".into(),
            Some(1) => "1 task is in no route".into(),
            Some(unserved) => format!("{unserved} tasks are in no route"),
        },
        reasons: sent
            .map(|one| reason(&one.report(problem), names))
            .collect(),
        truncated: reasons.is_none() || all.len() > REASONS_MAX,
        ..pb::Explanation::default()
    }
}

/// The note that something of the previous plan is passed over.
pub(crate) fn passed_over(gone: &Gone) -> pb::ExplanationReason {
    let Gone {
        id,
        route,
        position,
    } = gone;
    let (code, what, field) = match position {
        None => ("PREVIOUS_AGENT_GONE", "agent", "agent_id".into()),
        Some(position) => (
            "PREVIOUS_TASK_GONE",
            "task",
            format!("task_ids[{position}]"),
        ),
    };
    pb::ExplanationReason {
        code: code.into(),
        message: format!(
            "the previous plan names {what} {}, which the problem does not have: it is passed over",
            shown(id)
        ),
        subject_id: id.clone(),
        field: format!("previous_plan.routes[{route}].{field}"),
        proved: true,
        ..pb::ExplanationReason::default()
    }
}

#[cfg(test)]
mod tests;
