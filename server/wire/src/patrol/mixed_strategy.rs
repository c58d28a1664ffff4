//! Mixed strategies, for the wire.

mod read;

pub(crate) use read::{ReadMixedStrategy, read};

use super::answer::none_found;
use super::evaluation::{level, share};
use super::names::Names;
use super::plan::plan;
use super::request::MixRequest;
use crate::contract::MixPatrols;
use crate::method::Asked;
use crate::report::common;
use crate::solve;
use ::patrol::mixed_strategy::MixedStrategyPlanner;
use anytime::{Found, Outcome};
use patrol::Cost;
use patrol::mixed_strategy::{BestResponse, MixedStrategy, PureStrategy};
use patrol::problem::Problem;
use stratagem_proto::v1 as pb;

/// Answer of a search.
pub(crate) fn mix_answer(
    asked: &Asked<MixPatrols>,
    outcome: &Outcome<MixedStrategyPlanner>,
) -> pb::MixPatrolsResponse {
    let MixRequest { problem, names, .. } = &asked.request;
    let best = outcome.best.as_deref();
    let report = pb::SolveReport {
        explanation: best.is_none().then(|| none_found(outcome.conclusion)),
        ..common(asked, outcome)
    };
    pb::MixPatrolsResponse {
        event: None,
        plan: best.map(|best| mixture(problem, names, &best.plan)),
        report: Some(report),
        evaluation: outcome.reasons.as_deref().map(|it| evaluation(names, it)),
    }
}

/// The answer so far.
pub(crate) fn mix_step(
    asked: &Asked<MixPatrols>,
    best: &Found<MixedStrategyPlanner>,
) -> Option<pb::MixPatrolsResponse> {
    let MixRequest { problem, names, .. } = &asked.request;
    Some(pb::MixPatrolsResponse {
        plan: Some(mixture(problem, names, &best.plan)),
        ..pb::MixPatrolsResponse::default()
    })
}

/// Verified mixed strategy for the wire.
fn mixture(problem: &Problem, names: &Names, mixed: &MixedStrategy) -> pb::PatrolMixture {
    let part = |given: &(patrol::Plan, u64)| pb::PatrolMixturePart {
        probability: share(given.1),
        plan: Some(plan(problem, names, &given.0)),
    };
    pb::PatrolMixture {
        parts: mixed.plans.iter().map(part).collect(),
    }
}

/// Objective of a mixed strategy with this floor, for the wire.
pub(super) fn objective(floor: u64) -> pb::Objective {
    cost_objective(patrol::mixed_strategy::cost(floor))
}

pub(super) fn cost_objective(cost: Cost) -> pb::Objective {
    let escape = level(cost);
    pb::Objective {
        levels: vec![escape],
        terms: vec![solve::cost("escape", escape, "probability")],
    }
}

/// Evaluation of a mixed strategy, for the wire.
pub(super) fn evaluation(names: &Names, given: &BestResponse) -> pb::PatrolMixtureEvaluation {
    let BestResponse {
        vertex: worst,
        capture,
        vertices,
        plans,
    } = given;
    let vertices = vertices.iter().enumerate();
    let vertices = vertices.map(|(vertex, caught)| pb::PatrolMixtureVertex {
        vertex_id: names.vertex(vertex).into(),
        capture_probability: share(*caught),
    });
    let plans = plans.iter().map(|plan| {
        let PureStrategy {
            capture,
            vertex,
            floor,
            // By vertex and plan: part of the evaluation of the plan.
            vertices: _,
        } = plan;
        pb::PatrolMixturePlan {
            capture_probability: share(*capture),
            worst_vertex_id: names.vertex(*vertex).into(),
            floor_probability: share(*floor),
        }
    });
    pb::PatrolMixtureEvaluation {
        floor_probability: share(*capture),
        worst_vertex_id: names.vertex(*worst).into(),
        vertices: vertices.collect(),
        plans: plans.collect(),
    }
}
