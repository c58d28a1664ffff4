//! Results of searches for plans, to the wire.

use super::names::Names;
use super::plan::plan_of;
use crate::contract::PlanBurglar;
use crate::faults::reason;
use crate::method::Asked;
use crate::report::common;
use crate::solve;
use crate::values::shown;
use anytime::{Conclusion, Reason};
use anytime::{Found, Outcome};
use heist::BurglarPlanner;
use heist::execution::{Cause, PlanOutcome};
use heist::explain::Alternative;
use heist::{Cost, Problem};
use stratagem_proto::v1 as pb;

/// Most reasons that are sent.
const REASONS_MAX: usize = 1_000;

/// The answer that an outcome is.
pub(crate) fn answer(
    asked: &Asked<PlanBurglar>,
    outcome: &Outcome<BurglarPlanner>,
) -> pb::PlanBurglarResponse {
    let names = &*asked.request.names;
    let problem = &asked.request.problem.problem;
    let best = outcome.best.as_deref();
    let report = outcome.reasons.as_deref();
    let reasons = report.map_or(&[][..], |report| &report.infeasibility_reasons);
    let explanation = match best {
        Some(_) => None,
        None => Some(no_plan(outcome.conclusion, reasons, problem, names)),
    };
    // What was found after the search is about the best plan, too.
    let report = report.filter(|_| best.is_some());
    let rooms = report.map_or(&[][..], |report| &report.unavoidable);
    let others = report.map_or(&[][..], |report| &report.alternatives);
    pb::PlanBurglarResponse {
        event: None,
        plan: best.map(|best| plan_of(&best.plan, names)),
        report: Some(pb::SolveReport {
            explanation,
            ..common(asked, outcome)
        }),
        alternatives: others.iter().map(|one| alternative(one, names)).collect(),
        unavoidable_room_ids: rooms.iter().map(|it| names.rooms[*it].clone()).collect(),
        outcome: report
            .and_then(|report| report.outcome)
            .map(|outcome| self::outcome(outcome, names)),
    }
}

/// The explanation of a search without a plan.
fn no_plan(
    conclusion: Conclusion,
    reasons: &[Reason],
    problem: &Problem,
    names: &Names,
) -> pb::Explanation {
    let agent = shown(&names.agents[problem.agent()]);
    let summary = match conclusion {
        Conclusion::Infeasible => format!("By what {agent} believes, there is no plan."),
        _ => "No plan was found; one may still exist.".into(),
    };
    explanation(summary, reasons, names)
}

/// A summary with its reasons.
pub(super) fn explanation(summary: String, reasons: &[Reason], names: &Names) -> pb::Explanation {
    let sent = reasons.iter().take(REASONS_MAX);
    pb::Explanation {
        summary,
        reasons: sent.map(|it| reason(it, names)).collect(),
        truncated: reasons.len() > REASONS_MAX,
        ..pb::Explanation::default()
    }
}

/// The answer so far.
pub(crate) fn step(
    asked: &Asked<PlanBurglar>,
    best: &Found<BurglarPlanner>,
) -> Option<pb::PlanBurglarResponse> {
    Some(pb::PlanBurglarResponse {
        plan: Some(plan_of(&best.plan, &asked.request.names)),
        ..pb::PlanBurglarResponse::default()
    })
}

/// A cost with its terms.
pub(super) fn objective(cost: Cost) -> pb::Objective {
    let actions = f64::from(cost.actions);
    pb::Objective {
        levels: vec![actions],
        terms: vec![solve::cost("actions", actions, "ticks")],
    }
}

fn alternative(given: &Alternative, names: &Names) -> pb::HeistAlternative {
    let Alternative { without, plan } = given;
    pb::HeistAlternative {
        without_room_id: names.rooms[*without].clone(),
        plan: Some(plan_of(plan, names)),
    }
}

/// The outcome of a plan in the real world, for the wire.
fn outcome(given: PlanOutcome, names: &Names) -> pb::HeistOutcome {
    use pb::HeistOutcomeKind as Kind;
    let (kind, step, by) = match given {
        PlanOutcome::Holds => (Kind::Holds, None, ""),
        PlanOutcome::Fails { step, by, .. } => {
            let by = match by {
                Cause::Thing(thing) => names.thing_id(thing),
                Cause::Item(item) => &names.items[item],
            };
            (Kind::Fails, Some(step), by)
        }
        PlanOutcome::Caught { step, by } => (Kind::Caught, Some(step), names.catcher(by)),
    };
    pb::HeistOutcome {
        kind: kind.into(),
        // Plans are shorter.
        step: step.map(|step| i32::try_from(step).unwrap_or(i32::MAX)),
        by_id: by.into(),
    }
}
