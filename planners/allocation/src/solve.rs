//! Search.

mod anneal;
pub(crate) mod coupled;
mod draft;
mod eject;
mod genetic;
mod insertion;
mod local;
mod model;
mod nearest;
mod params;
mod path;
mod presolve;
mod recreate;
mod ruin;
mod scale;
mod slot;
mod tree;
mod under_way;
mod warm;

pub use params::{BoundKind, Params, Rollout, STRATEGIES, Strategy, StrategyInfo};

use crate::{Cost, Plan, Problem, bound};
use anytime::{Conclusion, Control, Pulse, SolveError, Stop};
use draft::Draft;
use local::LocalSearch;
pub(crate) use model::Model;
use nearest::Nearest;
use tree::Start;

/// Offers better and better plans.
///
/// # Errors
/// When a strategy that grows trees is asked for a problem with couplings
/// ([`Problem::is_coupled`]).
pub fn solve(
    problem: &Problem,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Result<Conclusion, SolveError> {
    warm::offer_as_it_was(problem, control);
    match presolve::ease(problem, params, control) {
        Some(presolved) => presolved.solve(params, control),
        None => search(problem, params, control),
    }
}

/// Whether a plan exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Feasibility {
    /// One was found.
    Found,
    /// It is proved that none does.
    Impossible,
    /// None was found.
    Unknown,
}

/// Looks for one valid plan, with little effort: with what is under way, and little else. Returns
/// the model for further use. Unknown where it is stopped.
pub(crate) fn started_feasibility<'p>(
    model: Model<'p>,
    wanted: &Pulse,
) -> (Feasibility, Model<'p>) {
    let is_coupled = model.problem.is_coupled();
    if !is_coupled && under_way::base(&model, &mut || wanted.beats()).is_some() {
        return (Feasibility::Found, model);
    }
    coupled::started_feasibility(model, wanted)
}

/// Searches the problem as it is.
fn search(
    problem: &Problem,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Result<Conclusion, SolveError> {
    if problem.is_coupled() {
        return coupled::solve(problem, params, control);
    }
    uncoupled(problem, params, control)
}

fn uncoupled(
    problem: &Problem,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Result<Conclusion, SolveError> {
    let model = Model::new(problem);
    let Some(mut draft) = under_way::base(&model, &mut || control.go_on()) else {
        return Ok(coupled::without_base(problem, params, control));
    };
    if problem.previous().is_some() {
        warm::restore(&model, &mut draft);
        offer(&model, &draft, control, "previous");
    }
    let inserts = matches!(params.strategy, Strategy::Auto | Strategy::Insertion);
    if inserts {
        insertion::insert_absent(&model, &mut draft, control);
        offer(&model, &draft, control, "insertion");
    } else {
        offer(&model, &draft, control, "nothing new");
    }
    if !control.go_on() {
        return Ok(stopped(control));
    }
    let Some(least) = bound::lower_bound_with(problem, control.best(), &mut || control.go_on())
    else {
        return Ok(stopped(control));
    };
    control.prove(least, bound::METHOD);
    if let Some(conclusion) = known(problem, control) {
        return Ok(conclusion);
    }
    // Where mandatory means mandatory, that one has to be left out is a proof: see `bound`.
    let infeasible = problem.is_strict() && least.0[0] > 0;
    if params.strategy == Strategy::Insertion {
        return Ok(ended(control, infeasible));
    }
    if !draft.absent.is_empty()
        && let Some(presolved) = presolve::possible(problem, control)
    {
        return presolved.solve(params, control);
    }
    let nearest = Nearest::new(&model, || control.go_on());
    let scene = Scene { model, nearest };
    if inserts {
        LocalSearch::default().improve(&scene, &mut draft, || control.go_on());
        offer(&scene.model, &draft, control, "local search");
    }
    let conclusion = match genetic::evolve(&scene, &draft, params, control) {
        Some(conclusion) => conclusion,
        None => {
            let start = Start {
                best: &draft,
                least,
            };
            tree::grow(&scene, &start, params, control)
        }
    };
    let is_partial = problem.is_strict() && control.best().is_some_and(|cost| cost.0[0] > 0);
    Ok(match conclusion {
        Conclusion::Optimal if is_partial => Conclusion::Infeasible,
        Conclusion::Stopped(_) => ended(control, infeasible),
        other => other,
    })
}

/// How a search without the best plan is over.
fn ended(control: &Control<'_, Plan, Cost>, infeasible: bool) -> Conclusion {
    match stopped(control) {
        Conclusion::Stopped(stop) if infeasible => Conclusion::Partial(stop),
        other => other,
    }
}

/// Why a search without a proof is over.
fn stopped(control: &Control<'_, Plan, Cost>) -> Conclusion {
    Conclusion::Stopped(control.stop().unwrap_or(Stop::Exhausted))
}

/// What follows from the bound and the best plan.
fn known(problem: &Problem, control: &Control<'_, Plan, Cost>) -> Option<Conclusion> {
    let (best, bound) = control.best().zip(control.bound())?;
    if best > bound {
        return None;
    }
    let is_partial = problem.is_strict() && best.0[0] > 0;
    Some(if is_partial {
        Conclusion::Infeasible
    } else {
        Conclusion::Optimal
    })
}

/// What all parts of a search read.
pub(crate) struct Scene<'p> {
    model: Model<'p>,
    nearest: Nearest,
}

fn offer(model: &Model<'_>, draft: &Draft, control: &mut Control<'_, Plan, Cost>, found_by: &str) {
    let (plan, cost) = (draft.plan(), draft.cost(model));
    debug_assert_eq!(crate::verify(model.problem, &plan), Ok(cost));
    control.offer(&plan, cost, found_by);
}
