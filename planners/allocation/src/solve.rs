//! Search.

mod anneal;
mod draft;
mod insertion;
mod local;
mod model;
mod nearest;
mod params;
mod path;
mod recreate;
mod ruin;
mod scale;
mod slot;
mod warm;

pub use params::{Params, STRATEGIES, Strategy, StrategyInfo};

use crate::{Cost, Plan, Problem};
use anneal::{Anneal, Cooling};
use anytime::{Conclusion, Control, SolveError, Stop};
use draft::Draft;
use local::LocalSearch;
use model::Model;
use nearest::Nearest;
use rand::SeedableRng;

/// Offers better and better plans.
///
/// # Errors
/// None yet.
pub fn solve(
    problem: &Problem,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Result<Conclusion, SolveError> {
    let model = Model::new(problem);
    let Some(mut draft) = Draft::new(&model) else {
        return Ok(Conclusion::Infeasible);
    };
    warm::restore(&model, &mut draft);
    if problem.previous().is_some() {
        offer(&model, &draft, control, "previous");
    }
    insertion::insert_absent(&model, &mut draft, control);
    offer(&model, &draft, control, "insertion");
    if params.strategy == Strategy::Insertion {
        return Ok(Conclusion::Stopped(
            control.stop().unwrap_or(Stop::Exhausted),
        ));
    }
    let nearest = Nearest::new(&model, || control.go_on());
    let scene = Scene { model, nearest };
    LocalSearch::default().improve(&scene, &mut draft, || control.go_on());
    offer(&scene.model, &draft, control, "local search");
    let cooling = Cooling {
        hot: 0.5,
        steps: 4000,
        growth: 2,
    };
    let mut anneal = Anneal::new(&scene.model, &draft, cooling);
    let mut rng = mcts::Rng::seed_from_u64(control.seed(0));
    while control.tick() {
        if anneal.step(&scene, &mut rng) {
            offer(&scene.model, anneal.best(), control, "ruin and recreate");
        }
    }
    Ok(Conclusion::Stopped(
        control.stop().unwrap_or(Stop::Iterations),
    ))
}

/// What all parts of a search read.
struct Scene<'p> {
    model: Model<'p>,
    nearest: Nearest,
}

fn offer(model: &Model<'_>, draft: &Draft, control: &mut Control<'_, Plan, Cost>, found_by: &str) {
    let (plan, cost) = (draft.plan(), draft.cost(model));
    debug_assert_eq!(crate::verify(model.problem, &plan), Ok(cost));
    control.offer(&plan, cost, found_by);
}
