//! Search: the entry point, and the choice of the method.
//!
//! The parts in the order in which they run: `warm` (previous plan), `presolve`, `committed`
//! (committed prefixes), `regret` (first plan), `bound` (lower bound, a module of the crate),
//! `anneal` (ruin and recreate), then `islands` (iterated local search, and ruin and recreate) or
//! `tree` (Monte Carlo tree search). Coupled problems go to `coupled` (large neighbourhood search)
//! after the warm start.

mod anneal;
mod committed;
pub(crate) mod coupled;
mod draft;
mod ejection_pool;
mod insertion;
mod islands;
mod model;
mod neighbourhood;
mod params;
mod path;
mod presolve;
mod recreate;
mod regret;
mod ruin;
mod scale;
mod tree;
mod warm;

pub use params::{Params, STRATEGIES, Strategy};

use crate::{Cost, Plan, Problem, bound};
use anneal::{Anneal, Cooling};
use anytime::{Conclusion, Control, Pulse, SolveError, Stop};
use draft::Draft;
use mcts::Rng;
pub(crate) use model::Model;
use neighbourhood::Neighbourhood;
use rand::SeedableRng;
use tree::Start;

/// Steps of ruin and recreate on the first plan, for each task.
const START_STEPS_PER_TASK: u64 = 3;
/// Their first temperature, as a share of the average cost of a task.
const START_HOT: f64 = 0.02;

/// Offers better and better plans.
///
/// # Errors
/// When a tree search is requested for a problem with couplings ([`Problem::is_coupled`]) or with
/// more than [`DENSE_TASKS_MAX`](crate::problem::DENSE_TASKS_MAX) tasks.
pub fn solve(
    problem: &Problem,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Result<Conclusion, SolveError> {
    warm::offer_previous(problem, control);
    simplified_search(problem, params, control)
}

/// Searches the problem without what is redundant in it.
fn simplified_search(
    problem: &Problem,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Result<Conclusion, SolveError> {
    match presolve::simplify(problem, params, control) {
        Some(presolved) => presolved.solve(params, control),
        None => search(problem, params, control),
    }
}

/// Feasibility of the committed prefixes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Feasibility {
    /// A plan was found.
    Found,
    /// Proved infeasible.
    Impossible,
    /// No plan was found.
    Unknown,
}

/// Searches for one valid plan with the committed prefixes and little else. Returns the model for
/// further use. Unknown where it is stopped.
pub(crate) fn commitment_feasibility<'p>(
    model: Model<'p>,
    wanted: &Pulse,
) -> (Feasibility, Model<'p>) {
    let is_coupled = model.problem.is_coupled();
    if !is_coupled && committed::initial_draft(&model, wanted).is_some() {
        return (Feasibility::Found, model);
    }
    coupled::commitment_feasibility(model, wanted)
}

/// Searches the problem without presolve.
fn search(
    problem: &Problem,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Result<Conclusion, SolveError> {
    if problem.is_coupled() {
        return coupled::solve(problem, params, control);
    }
    if problem.is_large() && matches!(params.strategy, Strategy::Mcts | Strategy::MctsUniform) {
        return Err(SolveError::Unsupported {
            strategy: params.strategy.name(),
            feature: "more than 1,000 tasks".to_owned(),
        });
    }
    uncoupled(problem, params, control)
}

fn uncoupled(
    problem: &Problem,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Result<Conclusion, SolveError> {
    let model = Model::new(problem);
    let Some(mut draft) = committed::initial_draft(&model, &control.fork()) else {
        return Ok(coupled::without_initial(problem, params, control));
    };
    if problem.previous().is_some() {
        warm::restore(&model, &mut draft);
        offer(&model, &draft, control, "previous");
    }
    let inserts = matches!(params.strategy, Strategy::Auto | Strategy::Insertion);
    let inserted = inserts.then(|| insert_all(&model, &mut draft, control));
    let neighbourhood = inserted.flatten();
    let found_by = if inserts { "insertion" } else { "nothing new" };
    offer(&model, &draft, control, found_by);
    if !control.go_on() {
        return Ok(stopped(control));
    }
    let Some(least) = bound::lower_bound_with(problem, control.best(), &mut || control.go_on())
    else {
        return Ok(stopped(control));
    };
    control.prove(least, bound::METHOD);
    if let Some(conclusion) = conclusion_from_bound(problem, control) {
        return Ok(conclusion);
    }
    // In a strict problem a bound above 0 proves that a mandatory task stays unserved: see `bound`.
    let infeasible = problem.is_strict() && least.0[0] > 0;
    if params.strategy == Strategy::Insertion {
        return Ok(conclusion_without_optimum(control, infeasible));
    }
    if !draft.unassigned.is_empty()
        && let Some(presolved) = presolve::without_impossible(problem, control)
    {
        return presolved.solve(params, control);
    }
    let neighbourhood =
        neighbourhood.unwrap_or_else(|| Neighbourhood::new(&model, || control.go_on()));
    let context = SearchContext {
        model,
        neighbourhood,
    };
    // Each step looks at all paths.
    if inserts && !regret::exceeds_table(&context.model) && !wants_ejection(&context.model, &draft)
    {
        anneal_start(&context, &mut draft, control);
    }
    let conclusion = match islands::search(&context, &draft, params, control) {
        Some(conclusion) => conclusion,
        None if !control.go_on() => stopped(control),
        None if problem.is_large() => ruin_and_recreate(&context, &mut draft, control),
        None => {
            let best = &draft;
            tree::grow(&context, &Start { best, least }, params, control)
        }
    };
    let is_partial = problem.is_strict() && control.best().is_some_and(|cost| cost.0[0] > 0);
    Ok(match conclusion {
        Conclusion::Optimal if is_partial => Conclusion::Infeasible,
        Conclusion::Stopped(_) => conclusion_without_optimum(control, infeasible),
        other => other,
    })
}

/// Inserts unassigned tasks. Returns the neighbourhood if it was needed.
fn insert_all(
    model: &Model<'_>,
    draft: &mut Draft,
    control: &mut Control<'_, Plan, Cost>,
) -> Option<Neighbourhood> {
    if !regret::exceeds_table(model) {
        regret::regret_insertion(model, draft, control);
        return None;
    }
    Some(regret::insert_near(model, draft, control))
}

/// Whether mandatory tasks are unassigned. Ejection then comes before other searches.
fn wants_ejection(model: &Model<'_>, draft: &Draft) -> bool {
    model.problem.is_strict() && draft.unserved() > 0
}

/// Improves the first plan by some cold steps of ruin and recreate.
fn anneal_start(
    context: &SearchContext<'_>,
    draft: &mut Draft,
    control: &mut Control<'_, Plan, Cost>,
) {
    let steps = START_STEPS_PER_TASK * context.model.jobs.len() as u64;
    let cooling = Cooling::constant(START_HOT, steps);
    let mut anneal = Anneal::new(draft, cooling, control.fork());
    let mut rng = Rng::seed_from_u64(control.seed(0));
    for _ in 0..steps {
        if !control.go_on() {
            break;
        }
        anneal.step(context, &mut rng);
    }
    draft.copy(anneal.best());
    offer(&context.model, draft, control, "ruin and recreate");
}

/// Ruin and recreate until it is stopped. An iteration is a step.
fn ruin_and_recreate(
    context: &SearchContext<'_>,
    draft: &mut Draft,
    control: &mut Control<'_, Plan, Cost>,
) -> Conclusion {
    let cooling = Cooling::growing(context.model.jobs.len());
    let mut anneal = Anneal::new(draft, cooling, control.fork());
    let mut rng = Rng::seed_from_u64(control.seed(0));
    while control.tick() {
        if anneal.step(context, &mut rng) {
            offer(&context.model, anneal.best(), control, "ruin and recreate");
        }
    }
    stopped(control)
}

/// Conclusion of a search without a proof of optimality.
fn conclusion_without_optimum(control: &Control<'_, Plan, Cost>, infeasible: bool) -> Conclusion {
    match stopped(control) {
        Conclusion::Stopped(stop) if infeasible => Conclusion::Partial(stop),
        other => other,
    }
}

/// Reason for the end of a search without a proof.
fn stopped(control: &Control<'_, Plan, Cost>) -> Conclusion {
    Conclusion::Stopped(control.stop().unwrap_or(Stop::Exhausted))
}

/// Conclusion from the bound and the best plan.
fn conclusion_from_bound(
    problem: &Problem,
    control: &Control<'_, Plan, Cost>,
) -> Option<Conclusion> {
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
pub(crate) struct SearchContext<'p> {
    model: Model<'p>,
    neighbourhood: Neighbourhood,
}

fn offer(model: &Model<'_>, draft: &Draft, control: &mut Control<'_, Plan, Cost>, found_by: &str) {
    let (plan, cost) = (draft.plan(), draft.cost(model));
    debug_assert_eq!(crate::verify(model.problem, &plan), Ok(cost));
    control.offer(&plan, cost, found_by);
}
