//! What came of a search, for the wire.

use super::names::Names;
use super::plan::plan_of;
use crate::contract::AssignCrew;
use crate::faults::reason;
use crate::method::Asked;
use crate::report::common;
use crate::solve;
use ::crew::Crew;
use anytime::Conclusion;
use anytime::Outcome;
use crew::Cost;
use crew::explain::Impossible;
use stratagem_proto::v1 as pb;

/// The answer that an outcome is.
pub(crate) fn answer(asked: &Asked<AssignCrew>, outcome: &Outcome<Crew>) -> pb::AssignCrewResponse {
    let (problem, names) = (&*asked.request.problem, &*asked.request.names);
    let best = outcome.best.as_deref();
    let reasons = outcome.reasons.as_deref();
    let reasons = reasons.map_or(&[][..], Vec::as_slice);
    let explanation =
        (!outcome.is_complete()).then(|| none_found(outcome.conclusion, reasons, names));
    pb::AssignCrewResponse {
        plan: best.map(|best| plan_of(&best.plan, problem, names, reasons)),
        report: Some(pb::SolveReport {
            explanation,
            ..common(asked, outcome)
        }),
    }
}

/// A cost with its terms.
pub(super) fn objective(cost: Cost) -> pb::Objective {
    let open = f64::from(cost.open);
    pb::Objective {
        levels: vec![open],
        terms: vec![solve::cost("incomplete_fronts", open, "fronts")],
    }
}

/// Why no front has a point.
fn none_found(conclusion: Conclusion, reasons: &[Impossible], names: &Names) -> pb::Explanation {
    let summary = match conclusion {
        Conclusion::Infeasible => "No number of players can do it.",
        _ => "No assignment was found; one may still exist.",
    };
    pb::Explanation {
        summary: summary.into(),
        reasons: reasons.iter().map(|it| reason(&it.reason, names)).collect(),
        truncated: false,
        ..pb::Explanation::default()
    }
}
