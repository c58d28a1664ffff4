//! What came of a search, for the wire.

use super::conflict::{conflict, relaxation};
use super::plan::plan;
use super::request::Request;
use crate::contract::ScheduleNarrative;
use crate::method::Asked;
use crate::report::common;
use crate::solve;
use ::narrative::Schedule;
use anytime::{Found, Outcome};
use narrative::plan::{JOINT_EVENTS_MAX, Plan, Undecided, UndecidedReason};
use narrative::verify::PAIRS_MAX;
use narrative::{Answer, Cost, Narrative};
use stratagem_proto::v1 as pb;

/// The answer that an outcome is.
pub(crate) fn answer(
    asked: &Asked<ScheduleNarrative>,
    outcome: &Outcome<Schedule>,
) -> pb::ScheduleNarrativeResponse {
    let request = &asked.request;
    let (narrative, names) = (&*request.problem, &*request.names);
    let best = outcome.best.as_deref();
    let (why, relaxations) = match best.map(|best| &best.plan) {
        Some(Answer::Infeasible {
            conflict: why,
            relaxations,
        }) => {
            let relaxations = relaxations.iter();
            let relaxations = relaxations.filter_map(|one| relaxation(narrative, names, one));
            let why = request
                .params
                .detail
                .shrink
                .then(|| conflict(narrative, names, why));
            (why, relaxations.collect())
        }
        Some(Answer::Plan(_) | Answer::Undecided(_)) | None => (None, Vec::new()),
    };
    pb::ScheduleNarrativeResponse {
        event: None,
        plan: best.and_then(|best| of_plan(request, best)),
        report: Some(report(asked, outcome, why.as_ref())),
        conflict: why,
        relaxations,
    }
}

fn of_plan(request: &Request, best: &Found<Schedule>) -> Option<pb::NarrativePlan> {
    match &best.plan {
        Answer::Plan(found) => Some(plan(&request.problem, &request.names, found)),
        Answer::Infeasible { .. } | Answer::Undecided(_) => None,
    }
}

fn report(
    asked: &Asked<ScheduleNarrative>,
    outcome: &Outcome<Schedule>,
    why: Option<&pb::NarrativeConflict>,
) -> pb::SolveReport {
    let common = common(asked, outcome);
    let undecided = || (common.status() == pb::SolveStatus::Unknown).then(|| undecided(outcome));
    let summary = why.map(|why| why.summary.clone()).or_else(undecided);
    let explanation = summary.map(|summary| pb::Explanation {
        summary,
        ..pb::Explanation::default()
    });
    pb::SolveReport {
        explanation,
        ..common
    }
}

/// Why it is not known whether there is a plan.
fn undecided(outcome: &Outcome<Schedule>) -> String {
    let best = outcome.best.as_deref();
    match best.map(|best| &best.plan) {
        Some(Answer::Undecided(open)) => exhausted(open),
        _ => "not known whether there is a plan: the search ended before it was over".into(),
    }
}

/// What was exhausted.
fn exhausted(open: &Undecided) -> String {
    let why = match open.reason {
        UndecidedReason::TooLarge => format!(
            "the plans that were looked for differ in more than {JOINT_EVENTS_MAX} events, the \
             most that can be planned together; with fewer choices there may be a plan, and some \
             groups can be planned first, then others with what those may use as activities at \
             fixed times"
        ),
        UndecidedReason::Narrow => "no plan satisfies every rule with choices that use only \
                                    observations of all later choices; a link that makes the later \
                                    ones wait may help"
            .into(),
        UndecidedReason::Rounds => {
            "all rounds of the search for storylines that fit together are over".into()
        }
        UndecidedReason::Strands => "no plan was found in which what happens to each group \
        depends only on what is picked and seen there; a choice \
                         of the system instead of the players, or more of what groups share, may \
                         help"
            .into(),
        UndecidedReason::Pairs => format!(
            "the policies of single groups make more than {PAIRS_MAX} pairs of two groups, or too \
             many sets of them compete for what groups share; with fewer groups, or more of what \
             they share, there may be a plan"
        ),
        UndecidedReason::Turns => "there are storylines that fit together, but not with each \
        choice made in its turn"
            .into(),
    };
    let fixed = match (open.combinations_tried, open.combinations) {
        (_, 0) => String::new(),
        (tried, all) if tried == all => {
            format!("; nor is there one known for any of the {all} combinations of our own picks")
        }
        (tried, all) => {
            format!("; nor is there one known for {tried} of {all} combinations of our own picks")
        }
    };
    format!("not known whether there is a plan: {why}{fixed}")
}

/// The one level of a cost, in seconds; `None` for no plan.
pub(super) fn level(cost: Cost) -> Option<f64> {
    match cost {
        Cost::Weighted(micros) => Some(micros as f64 / 1e6),
        Cost::Infeasible { .. } | Cost::Undecided => None,
    }
}

/// The objective of what was found, if it is a plan.
pub(crate) fn found_objective(
    asked: &Asked<ScheduleNarrative>,
    found: &Found<Schedule>,
) -> Option<pb::Objective> {
    match &found.plan {
        Answer::Plan(plan) => objective(&asked.request.problem, plan, found.cost),
        Answer::Infeasible { .. } | Answer::Undecided(_) => None,
    }
}

/// What a plan costs.
pub(super) fn objective(narrative: &Narrative, plan: &Plan, cost: Cost) -> Option<pb::Objective> {
    let weights = &narrative.spec().objective;
    let terms = [
        (
            true,
            solve::cost as fn(&str, f64, &str) -> _,
            "makespan",
            plan.makespan_us,
        ),
        (weights.slack > 0, solve::score, "slack", plan.slack_us),
        (weights.idle > 0, solve::cost, "idle", plan.idle_us),
    ];
    let counted = terms.into_iter().filter(|(counts, ..)| *counts);
    let terms = counted.map(|(_, term, name, micros)| term(name, micros as f64 / 1e6, "s"));
    Some(pb::Objective {
        levels: vec![level(cost)?],
        terms: terms.collect(),
    })
}

/// The answer so far, if what was found is a plan.
pub(crate) fn step(
    asked: &Asked<ScheduleNarrative>,
    best: &Found<Schedule>,
) -> Option<pb::ScheduleNarrativeResponse> {
    let plan = of_plan(&asked.request, best);
    plan.map(|plan| pb::ScheduleNarrativeResponse {
        plan: Some(plan),
        ..pb::ScheduleNarrativeResponse::default()
    })
}
