//! Answer of a search, for the wire.

use super::evaluation::{Known, evaluation, level, objective};
use super::plan::plan;
use super::request::Request;
use crate::rpc::contract::GeneratePatrol;
use crate::rpc::{Asked, Now};
use crate::run::Outcome;
use crate::wire::report::common;
use crate::wire::solve;
use ::patrol::Patrol;
use anytime::Conclusion;
use patrol::Cost;
use stratagem_proto::v1 as pb;

/// Answer of a search.
pub(crate) fn answer(
    asked: &Asked<GeneratePatrol>,
    outcome: &Outcome<Patrol>,
) -> pb::GeneratePatrolResponse {
    let request = &asked.request;
    let (problem, names) = (&*request.problem, &*request.names);
    let best = outcome.best.as_deref();
    let evaluated = outcome.reasons.as_deref();
    pb::GeneratePatrolResponse {
        event: None,
        plan: best.map(|best| plan(problem, names, &best.plan)),
        report: Some(report(asked, outcome)),
        evaluation: evaluated.map(|given| evaluation(names, given)),
    }
}

fn report(asked: &Asked<GeneratePatrol>, outcome: &Outcome<Patrol>) -> pb::SolveReport {
    let request = &asked.request;
    let best = outcome.best.as_deref();
    let cost = best.map(|best| best.cost);
    let bound = proved(outcome.conclusion, cost, outcome.bound);
    let (bound, gap) = bound_and_gap(cost, bound);
    let known = best.map(|best| match outcome.reasons.as_deref() {
        Some(evaluated) => Known::All(best.cost, &evaluated.terms),
        None => Known::Cost(best.cost),
    });
    pb::SolveReport {
        objective: known.map(|known| objective(&request.problem, &request.names, known)),
        bound,
        gap,
        explanation: best.is_none().then(|| none_found(outcome.conclusion)),
        ..common(asked, outcome)
    }
}

/// Bound on the cost; an optimal cost is its own bound.
pub(super) fn proved(
    conclusion: Conclusion,
    best: Option<Cost>,
    bound: Option<Proof>,
) -> Option<Proof> {
    match (conclusion, best) {
        (Conclusion::Optimal, Some(best)) => Some((best, bound.map_or("exhausted", |b| b.1))),
        _ => bound,
    }
}

/// Bound and its method.
type Proof = (Cost, &'static str);

/// Why there is no plan.
pub(super) fn none_found(conclusion: Conclusion) -> pb::Explanation {
    let summary = match conclusion {
        Conclusion::Infeasible => "No patrol keeps all rules.",
        _ => "No patrol was found that keeps all rules; nor is it proved that there is none.",
    };
    pb::Explanation {
        summary: summary.into(),
        ..pb::Explanation::default()
    }
}

/// Bound for the wire, and the gap to the best cost.
pub(super) fn bound_and_gap(
    best: Option<Cost>,
    bound: Option<Proof>,
) -> (Option<pb::ProvedBound>, Option<f64>) {
    solve::bound_and_gap(best, bound, |cost| vec![level(cost)])
}

/// Message of a stream before the last.
pub(crate) fn update(
    asked: &Asked<GeneratePatrol>,
    event: pb::SolveEvent,
    now: &Now<'_, GeneratePatrol>,
) -> pb::GeneratePatrolResponse {
    let Request { problem, names, .. } = &asked.request;
    let (bound, gap) = bound_and_gap(now.best.map(|best| best.cost), now.bound);
    let improved = now.improved();
    pb::GeneratePatrolResponse {
        event: Some(pb::SolveEvent {
            objective: now
                .best
                .map(|best| objective(problem, names, Known::Cost(best.cost))),
            bound,
            gap,
            ..event
        }),
        plan: improved.map(|best| plan(problem, names, &best.plan)),
        ..pb::GeneratePatrolResponse::default()
    }
}
