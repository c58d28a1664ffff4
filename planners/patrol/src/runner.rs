//! The planners as their runner sees them.

use crate::diverse::{DiversePlanner, DiversePlans, DiverseProblem, nearest_distances_until};
use crate::mixed_strategy::{
    BestResponse, MixedStrategy, MixedStrategyPlanner, best_response_until,
};
use crate::{Evaluation, Patrol, Plan, Problem, evaluate_until};
use anytime::{Pulse, Runnable};

// An evaluation takes as long as a verification: once, at the end, on the thread of the search.
impl Runnable for Patrol {
    const NAME: &'static str = "patrol";
    const NODE_BYTES: usize = 200;
    type Reasons = Evaluation;

    fn elements(problem: &Problem) -> usize {
        problem.vertices()
    }

    fn explain(problem: &Problem, plan: Option<&Plan>, wanted: &Pulse) -> Option<Evaluation> {
        evaluate_until(problem, plan?, wanted)?.ok()
    }
}

impl Runnable for MixedStrategyPlanner {
    const NAME: &'static str = "patrol";
    const NODE_BYTES: usize = 200;
    type Reasons = BestResponse;

    fn elements(problem: &Problem) -> usize {
        problem.vertices()
    }

    fn explain(
        problem: &Problem,
        mixed: Option<&MixedStrategy>,
        wanted: &Pulse,
    ) -> Option<BestResponse> {
        best_response_until(problem, mixed?, wanted)?.ok()
    }
}

/// Evaluation of one of several plans.
pub struct Variant {
    /// Evaluation of the plan alone.
    pub evaluation: Evaluation,
    /// Distance from the nearest other plan in millionths; `None` when there is none.
    pub nearest_micro: Option<u32>,
}

impl Runnable for DiversePlanner {
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
                evaluation: evaluate_until(problem, plan, wanted)?.ok()?,
                nearest_micro,
            })
        };
        plans.iter().zip(nearest).map(variant).collect()
    }
}
