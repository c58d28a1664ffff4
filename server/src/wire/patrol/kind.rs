//! The planners, as the runner sees them.

use crate::run::Kind;
use ::patrol::diverse::{DiversePlanner, DiversePlans, DiverseProblem, nearest_distances_until};
use ::patrol::mixed_strategy::{
    BestResponse, MixedStrategy, MixedStrategyPlanner, best_response_until,
};
use ::patrol::{Evaluation, Patrol};
use anytime::Pulse;

// How good a plan is takes as long as a check: once, at the end, on the thread that searched.
impl Kind for Patrol {
    const NAME: &'static str = "patrol";
    const NODE_BYTES: usize = 200;
    type Reasons = Evaluation;

    fn elements(problem: &::patrol::Problem) -> usize {
        problem.vertices()
    }

    fn explain(
        problem: &::patrol::Problem,
        plan: Option<&::patrol::Plan>,
        wanted: &Pulse,
    ) -> Option<Evaluation> {
        ::patrol::evaluate_until(problem, plan?, wanted)?.ok()
    }
}

// The same planner's, and as long as a check, too.
impl Kind for MixedStrategyPlanner {
    const NAME: &'static str = "patrol";
    const NODE_BYTES: usize = 200;
    type Reasons = BestResponse;

    fn elements(problem: &::patrol::Problem) -> usize {
        problem.vertices()
    }

    fn explain(
        problem: &::patrol::Problem,
        mixture: Option<&MixedStrategy>,
        wanted: &Pulse,
    ) -> Option<BestResponse> {
        best_response_until(problem, mixture?, wanted)?.ok()
    }
}

/// How good one of several plans is.
pub(crate) struct Variant {
    /// By itself.
    pub evaluation: Evaluation,
    /// How far it is from the plan that is most like it, in millionths; `None` when it is alone.
    pub nearest_micro: Option<u32>,
}

// And these.
impl Kind for DiversePlanner {
    const NAME: &'static str = "patrol";
    const NODE_BYTES: usize = 200;
    type Reasons = Vec<Variant>;

    fn elements(variety: &DiverseProblem) -> usize {
        variety.problem().vertices()
    }

    fn explain(
        variety: &DiverseProblem,
        plans: Option<&DiversePlans>,
        wanted: &Pulse,
    ) -> Option<Vec<Variant>> {
        let (problem, plans) = (variety.problem(), &plans?.plans);
        let nearest = nearest_distances_until(problem, plans, wanted)?.ok()?;
        let variant = |(plan, nearest_micro)| {
            Some(Variant {
                evaluation: ::patrol::evaluate_until(problem, plan, wanted)?.ok()?,
                nearest_micro,
            })
        };
        plans.iter().zip(nearest).map(variant).collect()
    }
}
