//! Responses: results of a search on the wire.

use super::explanation::{REASONS_MAX, explanation, passed_over};
use super::request::Request;
use super::{certificate, objective, plan, relaxation};
use crate::contract::AllocateTasks;
use crate::faults::reason;
use crate::method::Asked;
use crate::report::common;
use crate::solve;
use allocation::Unserved;
use allocation::{Allocation, Release};
use anytime::{Conclusion, Stop};
use anytime::{Found, Outcome};
use stratagem_proto::v1 as pb;

/// The response for an outcome.
pub(crate) fn answer(
    asked: &Asked<AllocateTasks>,
    outcome: &Outcome<Allocation>,
) -> pb::AllocateTasksResponse {
    let request = &asked.request;
    let best = outcome.best.as_deref();
    pb::AllocateTasksResponse {
        event: None,
        plan: best.map(|best| plan(&request.problem, &request.names, &best.plan)),
        report: Some(report(asked, outcome)),
    }
}

fn report(asked: &Asked<AllocateTasks>, outcome: &Outcome<Allocation>) -> pb::SolveReport {
    let best = &outcome.best;
    let request = &asked.request;
    let unserved = best.as_ref().map(|best| unserved(request, best));
    let why = outcome.reasons.as_deref();
    let names = &request.names;
    let needs_words = unserved.is_none_or(|unserved| unserved > 0) || !names.releases.is_empty();
    let conclusion = concluded(&names.releases, outcome.conclusion);
    let is_complete = outcome.is_complete() && names.releases.is_empty();
    let gone = names.gone.iter().take(REASONS_MAX);
    pb::SolveReport {
        status: solve::status(conclusion, is_complete).into(),
        stop_reason: solve::stop_reason(conclusion).into(),
        notes: gone.map(passed_over).collect(),
        explanation: needs_words.then(|| explained(request, why, unserved)),
        ..common(asked, outcome)
    }
}

/// What a conclusion about the problem says about the request, where agents had to be released.
fn concluded(releases: &[Release], found: Conclusion) -> Conclusion {
    let is_proved = releases.iter().any(|release| release.proved);
    match found {
        found if releases.is_empty() => found,
        Conclusion::Optimal | Conclusion::Infeasible if is_proved => Conclusion::Infeasible,
        Conclusion::Partial(stop) | Conclusion::Stopped(stop) if is_proved => {
            Conclusion::Partial(stop)
        }
        Conclusion::Optimal => Conclusion::Stopped(Stop::Exhausted),
        other => other,
    }
}

fn explained(
    request: &Request,
    why: Option<&Unserved>,
    unserved: Option<usize>,
) -> pb::Explanation {
    let (names, problem) = (&*request.names, &*request.problem);
    let reasons = why.map(|why| why.reasons.as_slice());
    let certificates = why.iter().flat_map(|why| &why.certificates);
    let relaxations = why.iter().flat_map(|why| &why.relaxations);
    // Without reasons there was no time for them, or nothing is left out.
    let found = (unserved != Some(0)).then(|| explanation(names, problem, reasons, unserved));
    let found = found.unwrap_or_default();
    let count = names.releases.len() + found.reasons.len();
    let releases = names
        .releases
        .iter()
        .map(|one| reason(&one.report(), names));
    pb::Explanation {
        summary: summary(names.releases.len(), found.summary),
        reasons: releases.chain(found.reasons).take(REASONS_MAX).collect(),
        truncated: found.truncated || count > REASONS_MAX,
        certificates: certificates.map(|one| certificate(names, one)).collect(),
        relaxations: relaxations
            .map(|one| relaxation(names, problem, one))
            .collect(),
    }
}

/// The number of released agents, before the rest of the summary.
fn summary(releases: usize, rest: String) -> String {
    let released = match releases {
        0 => return rest,
        1 => "1 agent is released from what it has under way".to_owned(),
        _ => format!("{releases} agents are released from what they have under way"),
    };
    match rest.as_str() {
        "" => released,
        rest => format!("{released}; {rest}"),
    }
}

fn unserved(request: &Request, best: &Found<Allocation>) -> usize {
    let done: usize = best.plan.routes.iter().map(|r| r.stops.len()).sum();
    request.problem.tasks().len() - done
}

/// The objective of a plan. Absent never: every plan here was verified before.
pub(crate) fn found_objective(
    asked: &Asked<AllocateTasks>,
    found: &Found<Allocation>,
) -> Option<pb::Objective> {
    let problem = &asked.request.problem;
    let terms = allocation::verify::terms(problem, &found.plan).ok()?;
    Some(objective(problem, &terms))
}

/// The answer so far.
pub(crate) fn step(
    asked: &Asked<AllocateTasks>,
    best: &Found<Allocation>,
) -> Option<pb::AllocateTasksResponse> {
    let request = &asked.request;
    Some(pb::AllocateTasksResponse {
        plan: Some(plan(&request.problem, &request.names, &best.plan)),
        ..pb::AllocateTasksResponse::default()
    })
}
