//! What came of a search, for the wire.

use super::request::Request;
use super::{explanation, levels, objective, plan};
use crate::rpc::Asked;
use crate::rpc::allocation::AllocateTasks;
use crate::run::steps::Mark;
use crate::run::{Found, Outcome, Step};
use crate::wire::report::common;
use crate::wire::solve;
use crate::wire::values::duration;
use allocation::{Allocation, Cost};
use anytime::Conclusion;
use stratagem_proto::v1 as pb;

/// The answer that an outcome is.
pub(crate) fn answer(
    asked: &Asked<AllocateTasks>,
    outcome: &Outcome<Allocation>,
) -> pb::AllocateTasksResponse {
    let request = &asked.request;
    let best = outcome.best.as_deref();
    pb::AllocateTasksResponse {
        plan: best.map(|best| plan(&request.problem, &request.names, &best.plan)),
        report: Some(report(asked, outcome)),
    }
}

fn report(asked: &Asked<AllocateTasks>, outcome: &Outcome<Allocation>) -> pb::SolveReport {
    let best = &outcome.best;
    let request = &asked.request;
    // What is proved to be the best is its own bound.
    let bound = match (outcome.conclusion, best) {
        (Conclusion::Optimal, Some(best)) => {
            let method = outcome.bound.map_or("exhausted", |b| b.1);
            Some((best.cost, method))
        }
        _ => outcome.bound,
    };
    let (bound, gap) = bound_and_gap(request, best.as_deref(), bound);
    let unserved = best.as_ref().map(|best| unserved(request, best));
    let reasons = outcome.reasons.as_deref().map(Vec::as_slice);
    let needs_words = unserved.is_none_or(|unserved| unserved > 0);
    pb::SolveReport {
        objective: best.as_ref().and_then(|best| cost(request, best)),
        bound,
        gap,
        explanation: needs_words.then(|| explanation(&request.names, reasons, unserved)),
        ..common(asked, outcome)
    }
}

fn unserved(request: &Request, best: &Found<Allocation>) -> usize {
    let done: usize = best.plan.routes.iter().map(|r| r.stops.len()).sum();
    request.problem.tasks().len() - done
}

/// The objective of a plan. Absent never: every plan here was verified before.
fn cost(request: &Request, best: &Found<Allocation>) -> Option<pb::Objective> {
    let terms = allocation::verify::terms(&request.problem, &best.plan).ok()?;
    Some(objective(&request.problem, &terms))
}

fn bound_and_gap(
    request: &Request,
    best: Option<&Found<Allocation>>,
    bound: Option<(Cost, &'static str)>,
) -> (Option<pb::ProvedBound>, Option<f64>) {
    let Some((bound, method)) = bound else {
        return (None, None);
    };
    let bound = levels(&request.problem, &bound);
    let cost = best.map(|best| levels(&request.problem, &best.cost));
    let gap = cost.and_then(|cost| solve::gap(&cost, &bound));
    (Some(solve::bound(bound, method)), gap)
}

/// A step of a stream for the wire.
pub(crate) fn step(
    asked: &Asked<AllocateTasks>,
    step: &Step<Allocation>,
) -> (
    pb::StreamAllocateTasksResponse,
    Option<pb::AllocateTasksResponse>,
) {
    let request = &asked.request;
    match step {
        Step::Progress {
            at,
            best,
            is_new,
            bound,
            iterations,
        } => {
            let best = best.as_deref();
            let (bound, gap) = bound_and_gap(request, best, *bound);
            let plan = best
                .filter(|_| *is_new)
                .map(|best| plan(&request.problem, &request.names, &best.plan));
            let event = pb::SolveEvent {
                objective: best.and_then(|best| cost(request, best)),
                bound,
                gap,
                iterations: i64::try_from(*iterations).unwrap_or(i64::MAX),
                ..event(*at, best, *is_new)
            };
            let response = pb::StreamAllocateTasksResponse {
                event: Some(event),
                plan,
                report: None,
            };
            (response, None)
        }
        Step::End {
            at,
            is_new,
            outcome,
        } => {
            let answer = answer(asked, outcome);
            let event = event(*at, outcome.best.as_deref(), *is_new);
            (last(event, answer.clone()), Some(answer))
        }
    }
}

fn event(at: Mark, best: Option<&Found<Allocation>>, is_new: bool) -> pb::SolveEvent {
    pb::SolveEvent {
        sequence: at.sequence,
        elapsed: Some(duration(at.elapsed)),
        found_by: best.map(|best| best.found_by.clone()).unwrap_or_default(),
        heartbeat: !is_new,
        ..pb::SolveEvent::default()
    }
}

/// The last message of a stream.
pub(crate) fn last(
    event: pb::SolveEvent,
    answer: pb::AllocateTasksResponse,
) -> pb::StreamAllocateTasksResponse {
    let pb::AllocateTasksResponse { plan, report } = answer;
    let told = report.clone().unwrap_or_default();
    pb::StreamAllocateTasksResponse {
        event: Some(pb::SolveEvent {
            objective: told.objective,
            bound: told.bound,
            gap: told.gap,
            iterations: told.iterations,
            ..event
        }),
        plan,
        report,
    }
}
