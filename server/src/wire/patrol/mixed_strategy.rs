//! MixedStrategyPlanner, for the wire and from it.

mod evaluate;

pub(crate) use evaluate::{ReadMixedStrategy, evaluated, read, verdict};

use super::answer::{bound_and_gap, none_found, proved};
use super::evaluation::{level, share};
use super::names::Names;
use super::plan::plan;
use super::request::MixRequest;
use crate::rpc::contract::MixPatrols;
use crate::rpc::{Asked, Now};
use crate::run::Outcome;
use crate::wire::report::common;
use crate::wire::solve;
use ::patrol::mixed_strategy::MixedStrategyPlanner;
use patrol::Cost;
use patrol::mixed_strategy::{BestResponse, MixedStrategy, PureStrategy};
use patrol::problem::Problem;
use stratagem_proto::v1 as pb;

/// The answer that an outcome is.
pub(crate) fn mix_answer(
    asked: &Asked<MixPatrols>,
    outcome: &Outcome<MixedStrategyPlanner>,
) -> pb::MixPatrolsResponse {
    let MixRequest { problem, names, .. } = &asked.request;
    let best = outcome.best.as_deref();
    let cost = best.map(|best| best.cost);
    let (bound, gap) = bound_and_gap(cost, proved(outcome.conclusion, cost, outcome.bound));
    let report = pb::SolveReport {
        objective: cost.map(objective),
        bound,
        gap,
        explanation: best.is_none().then(|| none_found(outcome.conclusion)),
        ..common(asked, outcome)
    };
    pb::MixPatrolsResponse {
        event: None,
        plan: best.map(|best| mixture((&**problem, &**names), &best.plan)),
        report: Some(report),
        evaluation: outcome.reasons.as_deref().map(|it| evaluation(names, it)),
    }
}

/// A step of a stream for the wire, before the last.
pub(crate) fn mix_update(
    asked: &Asked<MixPatrols>,
    event: pb::SolveEvent,
    now: &Now<'_, MixPatrols>,
) -> pb::MixPatrolsResponse {
    let MixRequest { problem, names, .. } = &asked.request;
    let cost = now.best.map(|best| best.cost);
    let (bound, gap) = bound_and_gap(cost, now.bound);
    let improved = now.improved();
    pb::MixPatrolsResponse {
        event: Some(pb::SolveEvent {
            objective: cost.map(objective),
            bound,
            gap,
            ..event
        }),
        plan: improved.map(|best| mixture((&**problem, &**names), &best.plan)),
        ..pb::MixPatrolsResponse::default()
    }
}

/// A verified mixture for the wire.
fn mixture(about: (&Problem, &Names), mixture: &MixedStrategy) -> pb::PatrolMixture {
    let part = |(one, drawn): &(patrol::Plan, u64)| pb::PatrolMixturePart {
        probability: share(*drawn),
        plan: Some(plan(about, one)),
    };
    pb::PatrolMixture {
        parts: mixture.plans.iter().map(part).collect(),
    }
}

/// What a mixture costs, for the wire.
fn objective(cost: Cost) -> pb::Objective {
    let escape = level(cost);
    pb::Objective {
        levels: vec![escape],
        terms: vec![solve::cost("escape", escape, "probability")],
    }
}

/// How good a mixture is, for the wire.
fn evaluation(names: &Names, given: &BestResponse) -> pb::PatrolMixtureEvaluation {
    let BestResponse {
        vertex: worst,
        capture,
        vertices,
        plans,
    } = given;
    let watched = vertices.iter().enumerate();
    let watched = watched.map(|(vertex, caught)| pb::PatrolMixtureVertex {
        vertex_id: names.vertex(vertex).into(),
        capture_probability: share(*caught),
    });
    let alone = plans.iter().map(|one| {
        let PureStrategy {
            capture,
            vertex,
            floor,
            // For each vertex and plan: the plan's own evaluation tells it to who asks.
            vertices: _,
        } = one;
        pb::PatrolMixturePlan {
            capture_probability: share(*capture),
            worst_vertex_id: names.vertex(*vertex).into(),
            floor_probability: share(*floor),
        }
    });
    pb::PatrolMixtureEvaluation {
        floor_probability: share(*capture),
        worst_vertex_id: names.vertex(*worst).into(),
        vertices: watched.collect(),
        plans: alone.collect(),
    }
}
