//! Large neighbourhood search for coupled problems, in which routes cannot be evaluated one by one:
//! orders, pickup and delivery, synchronised tasks, breaks, preferences, and objectives that depend
//! on the whole plan.
//!
//! Ruin and recreate under simulated annealing: some units (tasks that are done together or not at
//! all) are removed from their routes and inserted again where they cost least. Each position is
//! evaluated by the earliest times of the whole plan, propagated along routes and couplings: see
//! `timing.rs`. After Pisinger, Ropke, "A general heuristic for vehicle routing problems",
//! Computers & Operations Research 34 (2007), and, for times across routes, Afifi, Dang, Moukrim,
//! "Heuristic solutions for the vehicle routing problem with time windows and synchronized visits",
//! Optimization Letters 10 (2016).
//!
//! Several chains search in parallel. They exchange their best plans after fixed numbers of steps,
//! so that the number of threads does not change the result.

mod breaks;
mod chain;
mod exhaustive;
mod initial;
mod insertion;
mod instance;
mod levelling;
mod recreate;
mod ruin;
mod state;
mod timing;
mod units;
mod waiting;

pub(crate) use fixed_plan::{FixedPlan, insert_task, insertion_costs};

mod fixed_plan;

use super::params::Strategy;
use super::{
    Feasibility, Model, Params, conclusion_from_bound, conclusion_without_optimum, presolve,
    stopped,
};
use crate::{Cost, Plan, Problem, bound};
use anytime::{Conclusion, Control, Pulse, Rounds, SolveError};
use chain::Chain;
use instance::CoupledInstance;
use mcts::Rng;
use rand::SeedableRng;
use recreate::{InsertionOrder, recreate};
use state::State;

/// Steps of each chain between two barriers, at first and at most.
const ROUND_FIRST: u64 = 4;
const ROUND_MAX: u64 = 256;
/// Most first plans, and the number without an improvement after which there are no more.
const FIRST_MAX: u32 = 40;
const STALE_MAX: u32 = 10;
/// Steps of the neighbourhood search before the exhaustive search, where the problem is small.
const FIRST_STEPS: u64 = 400;
/// Iterations of the search for one plan with the committed prefixes.
const TRIAL_ITERATIONS: u64 = 1_000;

/// Offers better and better plans of a coupled problem.
///
/// # Errors
/// When the strategy is a tree search, which does not support couplings.
pub(crate) fn solve(
    problem: &Problem,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Result<Conclusion, SolveError> {
    if matches!(params.strategy, Strategy::Mcts | Strategy::MctsUniform) {
        return Err(SolveError::Unsupported {
            strategy: params.strategy.name(),
            feature: features(problem),
        });
    }
    let instance = CoupledInstance::new(problem, || control.go_on());
    let Some(base) = initial::initial_state(&instance, &mut || control.go_on()) else {
        return Ok(solve_without_initial(&instance, params, control));
    };
    let mut first = base;
    offer(&instance, &mut first, control, "under way");
    if problem.previous().is_some() {
        first = initial::restore(&instance, &first);
        offer(&instance, &mut first, control, "previous");
    }
    first = first_plan(&instance, first, control);
    if !control.go_on() {
        return Ok(stopped(control));
    }
    let best = control.best();
    let Some(least) = bound::lower_bound_with(problem, best, &mut || control.go_on()) else {
        return Ok(stopped(control));
    };
    control.prove(least, bound::METHOD);
    if let Some(conclusion) = conclusion_from_bound(problem, control) {
        return Ok(conclusion);
    }
    let infeasible = problem.is_strict() && least.0[0] > 0;
    let is_searched = params.strategy != Strategy::Insertion;
    if is_searched
        && first.has_unassigned()
        && let Some(presolved) = presolve::without_impossible(problem, control)
    {
        return presolved.solve(params, control);
    }
    if is_searched {
        let is_small = exhaustive::is_small(&instance);
        let steps_max = if is_small { FIRST_STEPS } else { u64::MAX };
        search(&instance, &first, params, steps_max, control);
        if is_small && conclusion_from_bound(problem, control).is_none() && control.go_on() {
            if exhaustive::search(&instance, least, control) {
                return Ok(conclusion_after_enumeration(&instance, control));
            }
            search(&instance, &first, params, u64::MAX, control);
        }
    }
    Ok(match conclusion_from_bound(problem, control) {
        Some(conclusion) => conclusion,
        None => conclusion_without_optimum(control, infeasible),
    })
}

/// Searches for a plan where the committed prefixes have no simple one.
pub(crate) fn without_initial(
    problem: &Problem,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Conclusion {
    let instance = CoupledInstance::new(problem, || control.go_on());
    solve_without_initial(&instance, params, control)
}

fn solve_without_initial(
    instance: &CoupledInstance<'_>,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Conclusion {
    if !bound::infeasible_commitments(instance.model.problem).is_empty() {
        return Conclusion::Infeasible;
    }
    let is_searched = params.strategy == Strategy::Auto && exhaustive::is_small(instance);
    if is_searched && exhaustive::search(instance, Cost::default(), control) {
        return conclusion_after_enumeration(instance, control);
    }
    stopped(control)
}

/// As [`super::commitment_feasibility`].
pub(super) fn commitment_feasibility<'p>(
    model: Model<'p>,
    wanted: &Pulse,
) -> (Feasibility, Model<'p>) {
    // Neighbourhoods are not read here.
    let instance = CoupledInstance::from_model(model, || false);
    let found = if initial::initial_state(&instance, &mut || wanted.beats()).is_some() {
        Feasibility::Found
    } else if exhaustive::is_small(&instance) {
        exhaustive_feasibility(&instance, wanted)
    } else {
        Feasibility::Unknown
    };
    (found, instance.model)
}

fn exhaustive_feasibility(instance: &CoupledInstance<'_>, wanted: &Pulse) -> Feasibility {
    let mut is_found = false;
    let mut sink = |_: &Plan, _: Cost| is_found = true;
    let limits = wanted.limits(TRIAL_ITERATIONS);
    let mut control = Control::new(limits, 0, &mut sink).with_target(Cost([i64::MAX; _]));
    let is_over = exhaustive::search(instance, Cost::default(), &mut control);
    match (is_found, is_over) {
        (true, _) => Feasibility::Found,
        (false, true) => Feasibility::Impossible,
        (false, false) => Feasibility::Unknown,
    }
}

/// Conclusion after an exhaustive search.
fn conclusion_after_enumeration(
    instance: &CoupledInstance<'_>,
    control: &mut Control<'_, Plan, Cost>,
) -> Conclusion {
    let Some(best) = control.best() else {
        return Conclusion::Infeasible;
    };
    let problem = instance.model.problem;
    if !instance.counts.early {
        control.prove(best, "exhausted");
    } else if problem.is_strict() {
        // Start times do not change which mandatory tasks are served.
        let mut least = Cost::default();
        least.0[0] = best.0[0];
        control.prove(least, "exhausted");
    }
    let is_partial = problem.is_strict() && best.0[0] > 0;
    conclusion_from_bound(problem, control)
        .unwrap_or_else(|| conclusion_without_optimum(control, is_partial))
}

/// Continues the search from a plan, or from the committed prefixes.
pub(crate) fn improve(
    problem: &Problem,
    plan: Option<&Plan>,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Conclusion {
    let instance = CoupledInstance::new(problem, || control.go_on());
    let whole = plan.and_then(|plan| initial::state_of_plan(&instance, plan));
    if let Some(first) =
        whole.or_else(|| initial::initial_state(&instance, &mut || control.go_on()))
    {
        search(&instance, &first, params, u64::MAX, control);
    }
    match conclusion_from_bound(problem, control) {
        Some(conclusion) => conclusion,
        None => {
            let bound = control.bound().unwrap_or_default();
            conclusion_without_optimum(control, problem.is_strict() && bound.0[0] > 0)
        }
    }
}

/// The best of some first plans. Mandatory units that did not fit come first in the next one.
///
/// Squeaky wheel optimization: Joslin, Clements, Journal of Artificial Intelligence Research 10
/// (1999).
fn first_plan(
    instance: &CoupledInstance<'_>,
    base: State,
    control: &mut Control<'_, Plan, Cost>,
) -> State {
    let mut rng = Rng::seed_from_u64(control.seed(0));
    let mut absences = vec![0; instance.units.len()];
    let mut best: Option<(State, f64)> = None;
    let mut stale = 0;
    for _ in 0..FIRST_MAX {
        let mut state = base.clone();
        let order = InsertionOrder::EarliestDeadline;
        let is_whole = recreate(
            instance,
            &mut state,
            &absences,
            order,
            &mut rng,
            &mut control.fork(),
        );
        if !is_whole || state.retime(instance).is_err() {
            break;
        }
        let penalised_cost = state.penalised_cost(instance);
        stale += 1;
        if best
            .as_ref()
            .is_none_or(|(_, least)| penalised_cost < *least)
        {
            waiting::wait(instance, &mut state);
            offer_state(instance, &state, control, "insertion");
            (best, stale) = (Some((state.clone(), penalised_cost)), 0);
        }
        let before: u32 = absences.iter().sum();
        for (unit, absences) in (0..).zip(&mut absences) {
            let task = instance.units[unit as usize].tasks[0];
            *absences += u32::from(instance.is_mandatory(unit) && !state.is_assigned(task));
        }
        if absences.iter().sum::<u32>() == before || stale == STALE_MAX {
            break;
        }
    }
    best.map_or(base, |(state, _)| state)
}

/// The features of a problem that only this search supports, as a text.
fn features(problem: &Problem) -> String {
    let all = problem.couplings();
    let lists = [
        ("orders between tasks", all.orders.is_empty()),
        ("pickup and delivery", all.pairs.is_empty()),
        ("tasks that start together", all.groups.is_empty()),
        ("breaks", all.breaks.is_empty()),
        ("preferred times", all.preferences.is_empty()),
    ];
    let given: Vec<&str> = lists.iter().filter(|l| !l.1).map(|l| l.0).collect();
    if given.is_empty() {
        "an objective that counts tasks moved or balance".to_owned()
    } else {
        given.join(", ")
    }
}

/// Runs chains of ruin and recreate until the control stops them or they have made about
/// `steps_max` steps.
fn search(
    instance: &CoupledInstance<'_>,
    first: &State,
    params: &Params,
    steps_max: u64,
    control: &mut Control<'_, Plan, Cost>,
) {
    if instance
        .is_committed
        .iter()
        .all(|is_committed| *is_committed)
    {
        return;
    }
    let chain = |index| {
        Chain::new(
            instance,
            first,
            control.seed(1 + index as u64),
            &control.fork(),
        )
    };
    let mut chains: Vec<Chain> = (0..params.trees()).map(chain).collect();
    let mut rounds = Rounds::new(ROUND_FIRST, ROUND_MAX);
    let begun = control.iterations();
    let run = |chain: &mut Chain, share, _: &Pulse| chain.run(instance, share);
    while control.iterations() - begun < steps_max && rounds.run(control, chains.iter_mut(), run) {
        exchange_migrants(instance, &mut chains, control);
        if conclusion_from_bound(instance.model.problem, control).is_some() {
            return;
        }
    }
}

/// Offers the best plan of all chains, and sends it to all of them.
fn exchange_migrants(
    instance: &CoupledInstance<'_>,
    chains: &mut [Chain],
    control: &mut Control<'_, Plan, Cost>,
) {
    let best = (0..chains.len()).min_by_key(|index| (chains[*index].best_cost(), *index));
    let Some(best) = best else {
        return;
    };
    let state = chains[best].best().clone();
    let cost = chains[best].best_cost();
    if control.best().is_none_or(|known| cost < known) {
        offer_state(instance, &state, control, &format!("neighbourhoods {best}"));
    }
    for chain in chains {
        chain.add_migrant(&state, cost);
    }
}

fn offer(
    instance: &CoupledInstance<'_>,
    state: &mut State,
    control: &mut Control<'_, Plan, Cost>,
    found_by: &str,
) {
    if state.retime(instance).is_ok() {
        waiting::wait(instance, state);
        offer_state(instance, state, control, found_by);
    }
}

/// Offers a plan if `verify` accepts it.
fn offer_state(
    instance: &CoupledInstance<'_>,
    state: &State,
    control: &mut Control<'_, Plan, Cost>,
    found_by: &str,
) {
    let problem = instance.model.problem;
    let (plan, cost) = (
        state.plan(instance),
        problem.cost(&state.all_terms(instance)),
    );
    let checked = crate::verify(problem, &plan);
    debug_assert_eq!(checked, Ok(cost), "{plan:?}");
    if checked == Ok(cost) {
        control.offer(&plan, cost, found_by);
    }
}
