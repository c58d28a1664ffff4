//! Diverse plans, for the wire.

use super::answer::none_found;
use super::evaluation::{evaluation, level};
use super::names::Names;
use super::plan::plan;
use super::request::VaryRequest;
use crate::contract::VaryPatrols;
use crate::method::Asked;
use crate::report::common;
use crate::solve;
use ::patrol::diverse::DiversePlanner;
use anytime::{Found, Outcome};
use patrol::Variant;
use patrol::diverse::{DISTANCE_MAX_MICRO, DiverseCost, DiversePlans};
use patrol::problem::Problem;
use stratagem_proto::v1 as pb;

/// Answer of a search.
pub(crate) fn vary_answer(
    asked: &Asked<VaryPatrols>,
    outcome: &Outcome<DiversePlanner>,
) -> pb::VaryPatrolsResponse {
    let VaryRequest { problem, names, .. } = &asked.request;
    let best = outcome.best.as_deref();
    let report = pb::SolveReport {
        explanation: best.is_none().then(|| none_found(outcome.conclusion)),
        ..common(asked, outcome)
    };
    let known = outcome.reasons.as_deref();
    pb::VaryPatrolsResponse {
        event: None,
        plans: best.map_or_else(Vec::new, |best| {
            variants(
                problem.problem(),
                names,
                &best.plan,
                known.map(Vec::as_slice),
            )
        }),
        report: Some(report),
    }
}

/// The answer so far.
pub(crate) fn vary_step(
    asked: &Asked<VaryPatrols>,
    best: &Found<DiversePlanner>,
) -> Option<pb::VaryPatrolsResponse> {
    let VaryRequest { problem, names, .. } = &asked.request;
    Some(pb::VaryPatrolsResponse {
        plans: variants(problem.problem(), names, &best.plan, None),
        ..pb::VaryPatrolsResponse::default()
    })
}

/// Verified plans for the wire, with their evaluations if known; the best first.
fn variants(
    problem: &Problem,
    names: &Names,
    plans: &DiversePlans,
    known: Option<&[Variant]>,
) -> Vec<pb::PatrolVariant> {
    let mut order: Vec<usize> = (0..plans.plans.len()).collect();
    if let Some(known) = known {
        order.sort_by_key(|index| known[*index].evaluation.cost);
    }
    let variant = |index: usize| {
        let known = known.map(|known| &known[index]);
        let distance = known.and_then(|known| known.nearest_micro);
        pb::PatrolVariant {
            plan: Some(plan(problem, names, &plans.plans[index])),
            evaluation: known.map(|known| evaluation(names, &known.evaluation)),
            distance: distance.map(|micro| f64::from(micro) / f64::from(DISTANCE_MAX_MICRO)),
        }
    };
    order.into_iter().map(variant).collect()
}

pub(super) fn levels(cost: DiverseCost) -> Vec<f64> {
    vec![cost.missing as f64, level(cost.worst), level(cost.sum)]
}

/// Cost of diverse plans, for the wire.
pub(super) fn diverse_objective(cost: DiverseCost) -> pb::Objective {
    let levels = levels(cost);
    let names = [
        ("missing_plans", "plans"),
        ("worst_cost", ""),
        ("cost_sum", ""),
    ];
    let terms = names.iter().zip(&levels);
    let terms = terms.map(|((name, unit), value)| solve::cost(name, *value, unit));
    pb::Objective {
        terms: terms.collect(),
        levels,
    }
}
