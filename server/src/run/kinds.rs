//! The planners, as the runner sees them.

pub(super) mod heist;

use super::Kind;
use ::patrol::mixture::{Mixture, Mixtures, Response, response_until};
use ::patrol::variety::{Plans, Varieties, Variety, nearest_until};
use ::patrol::{Evaluation, Patrol};
use allocation::{Allocation, Plan, Problem, explain::Reason};
use anytime::Pulse;
use crew::Crew;
use narrative::{Answer, Narrative, Schedule};
use puzzle::solve::Impossible;
use puzzle::{Board, Puzzle, Solver};
use std::convert::Infallible;
use temporal::{Levels, Network, Strong};

impl Kind for Allocation {
    const NAME: &'static str = "allocation";
    type Reasons = Vec<Reason>;

    fn elements(problem: &Problem) -> usize {
        problem.tasks().len()
    }

    fn is_partial(problem: &Problem, plan: &Plan) -> bool {
        allocation::verify::is_partial(problem, plan)
    }

    fn explain(problem: &Problem, plan: Option<&Plan>, _: &Pulse) -> Option<Vec<Reason>> {
        let Some(plan) = plan else {
            // Without a plan only that counts which holds in every plan.
            let mut reasons = allocation::explain::explain(problem, &Plan::default());
            reasons.retain(|reason| reason.proved);
            return Some(reasons);
        };
        let done: usize = plan.routes.iter().map(|route| route.stops.len()).sum();
        (done < problem.tasks().len()).then(|| allocation::explain::explain(problem, plan))
    }
}

// A plan without a point is no plan of anybody's; why some numbers of players cannot do it is told anyway.
impl Kind for Crew {
    const NAME: &'static str = "crew";
    type Reasons = Vec<crew::explain::Reason>;

    fn elements(problem: &crew::Problem) -> usize {
        problem.spec().vertices
    }

    fn is_partial(_: &crew::Problem, plan: &crew::Plan) -> bool {
        let mut fronts = plan.events.iter().flatten();
        fronts.all(|front| front.points.is_empty())
    }

    fn explain(
        problem: &crew::Problem,
        plan: Option<&crew::Plan>,
        wanted: &Pulse,
    ) -> Option<Vec<crew::explain::Reason>> {
        crew::explain::explain(problem, plan?, wanted)
    }
}

// Why there is no plan is part of the answer.
impl Kind for Schedule {
    const NAME: &'static str = "narrative";
    type Reasons = Infallible;

    fn elements(narrative: &Narrative) -> usize {
        narrative.spec().events
    }

    fn is_partial(_: &Narrative, answer: &Answer) -> bool {
        matches!(answer, Answer::Infeasible { .. })
    }
}

// How good a plan is takes as long as a check: once, at the end, on the thread that searched.
impl Kind for Patrol {
    const NAME: &'static str = "patrol";
    type Reasons = Evaluation;

    fn elements(problem: &patrol::Problem) -> usize {
        problem.vertices()
    }

    fn explain(
        problem: &patrol::Problem,
        plan: Option<&patrol::Plan>,
        wanted: &Pulse,
    ) -> Option<Evaluation> {
        patrol::evaluate_until(problem, plan?, wanted)?.ok()
    }
}

// The same planner's, and as long as a check, too.
impl Kind for Mixtures {
    const NAME: &'static str = "patrol";
    type Reasons = Response;

    fn elements(problem: &patrol::Problem) -> usize {
        problem.vertices()
    }

    fn explain(
        problem: &patrol::Problem,
        mixture: Option<&Mixture>,
        wanted: &Pulse,
    ) -> Option<Response> {
        response_until(problem, mixture?, wanted)?.ok()
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
impl Kind for Varieties {
    const NAME: &'static str = "patrol";
    type Reasons = Vec<Variant>;

    fn elements(variety: &Variety) -> usize {
        variety.problem().vertices()
    }

    fn explain(variety: &Variety, plans: Option<&Plans>, wanted: &Pulse) -> Option<Vec<Variant>> {
        let (problem, plans) = (variety.problem(), &plans?.plans);
        let nearest = nearest_until(problem, plans, wanted)?.ok()?;
        let variant = |(plan, nearest_micro)| {
            Some(Variant {
                evaluation: patrol::evaluate_until(problem, plan, wanted)?.ok()?,
                nearest_micro,
            })
        };
        plans.iter().zip(nearest).map(variant).collect()
    }
}

// Without a plan it is told what cannot be. Levels that are missing cost; a plan of fewer keeps every rule all the same.
impl Kind for Puzzle {
    const NAME: &'static str = "puzzle";
    type Reasons = Impossible;

    fn elements(problem: &puzzle::Problem) -> usize {
        problem.spec().template.len()
    }

    fn explain(
        problem: &puzzle::Problem,
        plan: Option<&puzzle::Plan>,
        _: &Pulse,
    ) -> Option<Impossible> {
        match plan {
            Some(_) => None,
            None => puzzle::solve::impossible(problem),
        }
    }
}

// That a board cannot be solved has no reasons.
impl Kind for Solver {
    const NAME: &'static str = "puzzle";
    type Reasons = Infallible;

    fn elements(board: &Board) -> usize {
        board.tiles().len()
    }
}

// Both temporal planners answer questions: a finding is never partial, and has its own reasons in
// it.
impl Kind for Strong {
    const NAME: &'static str = "temporal";
    type Reasons = Infallible;

    fn elements(network: &Network) -> usize {
        network.owners().len()
    }
}

impl Kind for Levels {
    const NAME: &'static str = "temporal";
    type Reasons = Infallible;

    fn elements(network: &Network) -> usize {
        network.owners().len()
    }
}
