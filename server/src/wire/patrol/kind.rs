//! The planners of patrols for the runner.

use crate::run::Kind;
use ::patrol::diverse::{DiversePlanner, DiversePlans, DiverseProblem, nearest_distances_until};
use ::patrol::mixed_strategy::{
    BestResponse, MixedStrategy, MixedStrategyPlanner, best_response_until,
};
use ::patrol::{Evaluation, Patrol};
use anytime::Pulse;

// An evaluation takes as long as a verification: once, at the end, on the thread of the search.
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

impl Kind for MixedStrategyPlanner {
    const NAME: &'static str = "patrol";
    const NODE_BYTES: usize = 200;
    type Reasons = BestResponse;

    fn elements(problem: &::patrol::Problem) -> usize {
        problem.vertices()
    }

    fn explain(
        problem: &::patrol::Problem,
        mixed: Option<&MixedStrategy>,
        wanted: &Pulse,
    ) -> Option<BestResponse> {
        best_response_until(problem, mixed?, wanted)?.ok()
    }
}

/// Evaluation of one of several plans.
pub(crate) struct Variant {
    /// Evaluation of the plan alone.
    pub evaluation: Evaluation,
    /// Distance from the nearest other plan in millionths; `None` when there is none.
    pub nearest_micro: Option<u32>,
}

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
