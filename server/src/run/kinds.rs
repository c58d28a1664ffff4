//! The planners, as the runner sees them.

mod allocation;
pub(super) mod heist;

pub(crate) use allocation::Why;

use super::Kind;
use ::patrol::mixture::{Mixture, Mixtures, Response, response_until};
use ::patrol::variety::{Plans, Varieties, Variety, nearest_until};
use ::patrol::{Evaluation, Patrol};
use anytime::Pulse;
use crew::Crew;
use narrative::{Answer, Narrative, Schedule};
use puzzle::solve::Impossible;
use puzzle::{Game, Loss, Puzzle, Solution, Solver};
use std::convert::Infallible;
use story::Story;
use story::branch::{Branches, Quest};
use story::learn::{Books, Lesson, Scholar};
use story::stories::{Anthology, Commission, Stories};
use temporal::{Levels, Network, Strong};

// A plan without a point is no plan of anybody's; why some numbers of players cannot do it is told anyway.
impl Kind for Crew {
    const NAME: &'static str = "crew";
    const NODE_BYTES: usize = 800;
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
    const PAIR_BYTES: usize = 1_024;
    type Reasons = Infallible;

    fn elements(narrative: &Narrative) -> usize {
        narrative.spec().events
    }

    fn is_partial(_: &Narrative, answer: &Answer) -> bool {
        !matches!(answer, Answer::Plan(_))
    }
}

// How good a plan is takes as long as a check: once, at the end, on the thread that searched.
impl Kind for Patrol {
    const NAME: &'static str = "patrol";
    const NODE_BYTES: usize = 200;
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
    const NODE_BYTES: usize = 200;
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
    const NODE_BYTES: usize = 200;
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
    const NODE_BYTES: usize = 256;
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

// Without a solution: where the game was lost, if it is.
impl Kind for Solver {
    const NAME: &'static str = "puzzle";
    // Of 128 boxes with two bytes each, in lists that double.
    const NODE_BYTES: usize = 640;
    type Reasons = Loss;

    fn elements(game: &Game) -> usize {
        game.board().tiles().len()
    }

    fn explain(game: &Game, plan: Option<&Solution>, wanted: &Pulse) -> Option<Loss> {
        if plan.is_some() {
            return None;
        }
        let limits = puzzle::LossLimits::default();
        let loss = puzzle::loss(game, limits, &mut || wanted.beats())?;
        let is_checked = puzzle::verify_loss(game, &loss, wanted) == Ok(true);
        is_checked.then_some(loss)
    }
}

// What every step of a story is made of takes as long as a check: once, at the end, on the thread that searched.
impl Kind for Story {
    const NAME: &'static str = "story";
    const NODE_BYTES: usize = 400;
    type Reasons = story::Account;

    fn elements(problem: &story::Problem) -> usize {
        problem.entities().len()
    }

    fn explain(
        problem: &story::Problem,
        plan: Option<&story::Plan>,
        _: &Pulse,
    ) -> Option<story::Account> {
        story::account(problem, plan?).ok()
    }
}

// The same for each of several.
impl Kind for Stories {
    const NAME: &'static str = "story";
    const NODE_BYTES: usize = 400;
    type Reasons = Vec<story::Account>;

    fn elements(commission: &Commission) -> usize {
        commission.problem().entities().len()
    }

    fn explain(
        commission: &Commission,
        anthology: Option<&Anthology>,
        wanted: &Pulse,
    ) -> Option<Vec<story::Account>> {
        let each = anthology?.stories.iter().map(|story| {
            let account = story::account(commission.problem(), story).ok();
            account.filter(|_| wanted.stop().is_none())
        });
        each.collect()
    }
}

// What choices are worth is part of the tree.
impl Kind for Branches {
    const NAME: &'static str = "story";
    const NODE_BYTES: usize = 400;
    type Reasons = Infallible;

    fn elements(quest: &Quest) -> usize {
        quest.problem().entities().len()
    }
}

// Why nothing can be learned is part of the lesson.
impl Kind for Scholar {
    const NAME: &'static str = "story";
    type Reasons = Infallible;

    fn elements(books: &Books) -> usize {
        books.bytes()
    }

    fn is_partial(_: &Books, lesson: &Lesson) -> bool {
        lesson.spec.is_none()
    }
}

// Both temporal planners answer questions: a finding is never partial, and has its own reasons in
// it.
impl Kind for Strong {
    const NAME: &'static str = "temporal";
    const PAIR_BYTES: usize = 48;
    type Reasons = Infallible;

    fn elements(network: &Network) -> usize {
        network.owners().len()
    }
}

impl Kind for Levels {
    const NAME: &'static str = "temporal";
    const PAIR_BYTES: usize = 48;
    type Reasons = Infallible;

    fn elements(network: &Network) -> usize {
        network.owners().len()
    }
}
