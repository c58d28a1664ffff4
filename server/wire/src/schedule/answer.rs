//! What came of a search, for the wire.

use super::names::Names;
use crate::contract::ScheduleProject;
use crate::faults::reason;
use crate::method::Asked;
use crate::report::common;
use crate::request::Request;
use crate::solve;
use crate::values::duration_of_micros;
use ::schedule::{Conflict, Cost, Problem, Schedule};
use anytime::Conclusion;
use anytime::{Found, Outcome};
use stratagem_proto::v1 as pb;

/// Most reasons of an explanation.
const REASONS_MAX: usize = 1_000;

/// The answer that an outcome is.
pub(crate) fn answer(
    asked: &Asked<ScheduleProject>,
    outcome: &Outcome<Schedule>,
) -> pb::ScheduleProjectResponse {
    let Request { problem, names, .. } = &asked.request;
    let best = outcome.best.as_deref();
    let explain = || none_found(outcome, problem, names);
    // A conflict proves it even where the search was stopped before.
    let conclusion = match (outcome.conclusion, &outcome.reasons) {
        (Conclusion::Stopped(stop), Some(_)) if best.is_none() => Conclusion::Partial(stop),
        (conclusion, _) => conclusion,
    };
    let report = common(asked, outcome);
    let is_refuted = conclusion != outcome.conclusion;
    pb::ScheduleProjectResponse {
        plan: best.map(|best| plan_of(best, problem, names)),
        report: Some(pb::SolveReport {
            status: solve::status(conclusion, outcome.is_complete()).into(),
            bound: report.bound.clone().filter(|_| !is_refuted),
            explanation: best.is_none().then(explain),
            ..report
        }),
        event: None,
    }
}

/// The answer so far.
pub(crate) fn step(
    asked: &Asked<ScheduleProject>,
    best: &Found<Schedule>,
) -> Option<pb::ScheduleProjectResponse> {
    let Request { problem, names, .. } = &asked.request;
    Some(pb::ScheduleProjectResponse {
        plan: Some(plan_of(best, problem, names)),
        ..pb::ScheduleProjectResponse::default()
    })
}

/// A cost with its term.
pub(super) fn objective(cost: Cost) -> pb::Objective {
    let makespan = seconds(cost);
    pb::Objective {
        levels: vec![makespan],
        terms: vec![solve::cost("makespan", makespan, "s")],
    }
}

pub(super) fn seconds(cost: Cost) -> f64 {
    cost.makespan_us as f64 / 1e6
}

/// A plan for the wire.
fn plan_of(best: &Found<Schedule>, problem: &Problem, names: &Names) -> pb::SchedulePlan {
    let activities = best.plan.activities.iter().map(|it| {
        let mode = &problem.spec().activities[it.activity].modes[it.mode];
        pb::ScheduledActivity {
            activity_id: names.activities.list()[it.activity].clone(),
            start_offset: Some(duration_of_micros(it.start_us)),
            end_offset: Some(duration_of_micros(it.start_us + mode.duration_us)),
            mode_id: names.modes[it.activity].list()[it.mode].clone(),
        }
    });
    pb::SchedulePlan {
        activities: activities.collect(),
        makespan_offset: Some(duration_of_micros(best.cost.makespan_us)),
    }
}

/// Why there is no plan.
fn none_found(outcome: &Outcome<Schedule>, problem: &Problem, names: &Names) -> pb::Explanation {
    let conflict = outcome.reasons.as_deref();
    let requirements = conflict.map_or(&[][..], |it| &it.requirements);
    let reasons = requirements.iter().take(REASONS_MAX);
    let reasons = reasons.map(|it| reason(&it.reason(problem.spec()), names));
    pb::Explanation {
        summary: summary(outcome.conclusion, conflict),
        reasons: reasons.collect(),
        truncated: requirements.len() > REASONS_MAX,
        ..pb::Explanation::default()
    }
}

fn summary(conclusion: Conclusion, conflict: Option<&Conflict>) -> String {
    let Some(conflict) = conflict else {
        let text = match conclusion {
            Conclusion::Infeasible => "No plan satisfies every requirement.",
            _ => "No plan was found; one may still exist.",
        };
        return text.into();
    };
    let count = conflict.requirements.len();
    match (count, conflict.is_minimal) {
        (1, _) => "This requirement cannot be satisfied.".into(),
        (_, true) => format!(
            "These {count} requirements cannot be satisfied together; without any one of them the \
             others can."
        ),
        (_, false) => format!(
            "These {count} requirements cannot be satisfied together; fewer of them may be enough."
        ),
    }
}
