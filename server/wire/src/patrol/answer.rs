//! Answer of a search, for the wire.

use super::evaluation::{Known, evaluation, objective};
use super::plan::plan;
use super::request::Request;
use crate::contract::GeneratePatrol;
use crate::method::Asked;
use crate::report::common;
use ::patrol::Patrol;
use anytime::Conclusion;
use anytime::{Found, Outcome};
use patrol::Evaluation;
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
        report: Some(pb::SolveReport {
            explanation: best.is_none().then(|| none_found(outcome.conclusion)),
            ..common(asked, outcome)
        }),
        evaluation: evaluated.map(|given| evaluation(names, given)),
    }
}

/// Why there is no plan.
pub(super) fn none_found(conclusion: Conclusion) -> pb::Explanation {
    let summary = match conclusion {
        Conclusion::Infeasible => "No patrol satisfies every rule.",
        _ => "No patrol that satisfies every rule was found; one may still exist.",
    };
    pb::Explanation {
        summary: summary.into(),
        ..pb::Explanation::default()
    }
}

/// The answer so far.
pub(crate) fn step(
    asked: &Asked<GeneratePatrol>,
    best: &Found<Patrol>,
) -> Option<pb::GeneratePatrolResponse> {
    let Request { problem, names, .. } = &asked.request;
    Some(pb::GeneratePatrolResponse {
        plan: Some(plan(problem, names, &best.plan)),
        ..pb::GeneratePatrolResponse::default()
    })
}

/// The objective of a plan, with all terms where it was evaluated.
pub(crate) fn found_objective(
    asked: &Asked<GeneratePatrol>,
    found: &Found<Patrol>,
    evaluated: Option<&Evaluation>,
) -> pb::Objective {
    let Request { problem, names, .. } = &asked.request;
    let known = match evaluated {
        Some(evaluated) => Known::All(found.cost, &evaluated.terms),
        None => Known::Cost(found.cost),
    };
    objective(problem, names, known)
}
