//! Search where routes cannot be judged one by one: tasks wait for each other, go in pairs or start
//! together, agents rest, and the objective counts what only plans as a whole can tell.
//!
//! Large neighbourhood search: some units, tasks that are done together or not at all, are taken
//! off their routes and put back where they cost least, under a falling temperature. Every place is
//! judged by the earliest times of the whole plan, over routes and couplings together: see
//! `timing.rs`. After Pisinger, Ropke, "A general heuristic for vehicle routing problems",
//! Computers & Operations Research 34 (2007), and, for times across routes, Afifi, Dang, Moukrim,
//! "Heuristic solutions for the vehicle routing problem with time windows and synchronized visits",
//! Optimization Letters 10 (2016).
//!
//! Several chains search in parallel, and exchange their best plans after fixed numbers of steps,
//! so that threads do not change the result.

mod chain;
mod early;
mod exhaustive;
mod ground;
mod level;
mod place;
mod recreate;
mod rest;
mod ruin;
mod start;
mod state;
mod timing;
mod units;

pub(crate) use single::{Kept, places, with};

mod single;

use super::params::Strategy;
use super::{Feasibility, Model, Params, ended, known, presolve, stopped};
use crate::{Cost, Plan, Problem, bound};
use anytime::{Conclusion, Control, Pulse, SolveError};
use chain::Chain;
use ground::Ground;
use mcts::Rng;
use rand::SeedableRng;
use recreate::{Turn, recreate};
use state::State;
use std::panic::resume_unwind;

/// Steps of each chain between two exchanges, at first and at most.
const TURNS_MIN: u64 = 4;
const TURNS_MAX: u64 = 256;
/// Most first plans, and how many without a better one are the last.
const FIRST_MAX: u32 = 40;
const STALE_MAX: u32 = 10;
/// Steps of the neighbourhood search before every plan is looked at, where there are not too many.
const FIRST_STEPS: u64 = 400;
/// Iterations in which one plan that keeps what is under way is looked for.
const TRIAL_ITERATIONS: u64 = 1_000;

/// Offers better and better plans of a coupled problem.
///
/// # Errors
/// Where the strategy is not made for couplings: the trees.
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
    let ground = Ground::new(problem, || control.go_on());
    let Some(base) = start::base(&ground, &mut || control.go_on()) else {
        return Ok(based_on_nothing(&ground, params, control));
    };
    let mut first = base;
    offer(&ground, &mut first, control, "under way");
    if problem.previous().is_some() {
        first = start::restore(&ground, &first);
        offer(&ground, &mut first, control, "previous");
    }
    first = insert(&ground, first, control);
    if !control.go_on() {
        return Ok(stopped(control));
    }
    let best = control.best();
    let Some(least) = bound::lower_bound_with(problem, best, &mut || control.go_on()) else {
        return Ok(stopped(control));
    };
    control.prove(least, bound::METHOD);
    if let Some(conclusion) = known(problem, control) {
        return Ok(conclusion);
    }
    let infeasible = problem.is_strict() && least.0[0] > 0;
    let is_searched = params.strategy != Strategy::Insertion;
    if is_searched
        && first.leaves_out()
        && let Some(presolved) = presolve::possible(problem, control)
    {
        return presolved.solve(params, control);
    }
    if is_searched {
        let is_small = exhaustive::is_small(&ground);
        let steps_max = if is_small { FIRST_STEPS } else { u64::MAX };
        search(&ground, (&first, params, steps_max), control);
        if is_small && known(problem, control).is_none() && control.go_on() {
            if exhaustive::search(&ground, least, control) {
                return Ok(seen(&ground, control));
            }
            search(&ground, (&first, params, u64::MAX), control);
        }
    }
    Ok(match known(problem, control) {
        Some(conclusion) => conclusion,
        None => ended(control, infeasible),
    })
}

/// Looks for a plan where what is under way has no simple one.
pub(crate) fn without_base(
    problem: &Problem,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Conclusion {
    let ground = Ground::new(problem, || control.go_on());
    based_on_nothing(&ground, params, control)
}

fn based_on_nothing(
    ground: &Ground<'_>,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Conclusion {
    if !bound::infeasible_commitments(ground.model.problem).is_empty() {
        return Conclusion::Infeasible;
    }
    let is_searched = params.strategy == Strategy::Auto && exhaustive::is_small(ground);
    if is_searched && exhaustive::search(ground, Cost::default(), control) {
        return seen(ground, control);
    }
    stopped(control)
}

/// As [`super::started_feasibility`].
pub(super) fn started_feasibility<'p>(
    model: Model<'p>,
    wanted: &Pulse,
) -> (Feasibility, Model<'p>) {
    // No list of neighbours is read here.
    let ground = Ground::of(model, || false);
    let found = if start::base(&ground, &mut || wanted.beats()).is_some() {
        Feasibility::Found
    } else if exhaustive::is_small(&ground) {
        exhaustive_feasibility(&ground, wanted)
    } else {
        Feasibility::Unknown
    };
    (found, ground.model)
}

fn exhaustive_feasibility(ground: &Ground<'_>, wanted: &Pulse) -> Feasibility {
    let mut is_found = false;
    let mut sink = |_: &Plan, _: Cost| is_found = true;
    let limits = wanted.limits(TRIAL_ITERATIONS);
    let mut control = Control::new(limits, 0, &mut sink).with_target(Cost([i64::MAX; _]));
    let is_over = exhaustive::search(ground, Cost::default(), &mut control);
    match (is_found, is_over) {
        (true, _) => Feasibility::Found,
        (false, true) => Feasibility::Impossible,
        (false, false) => Feasibility::Unknown,
    }
}

/// What follows once every plan was seen.
fn seen(ground: &Ground<'_>, control: &mut Control<'_, Plan, Cost>) -> Conclusion {
    let Some(best) = control.best() else {
        return Conclusion::Infeasible;
    };
    let problem = ground.model.problem;
    if !ground.counts.early {
        control.prove(best, "exhausted");
    } else if problem.is_strict() {
        // When work starts says nothing of how much of it there is.
        let mut least = Cost::default();
        least.0[0] = best.0[0];
        control.prove(least, "exhausted");
    }
    let is_partial = problem.is_strict() && best.0[0] > 0;
    known(problem, control).unwrap_or_else(|| ended(control, is_partial))
}

/// Searches on from a plan, or from what is under way.
pub(crate) fn improve(
    problem: &Problem,
    (plan, params): (Option<&Plan>, &Params),
    control: &mut Control<'_, Plan, Cost>,
) -> Conclusion {
    let ground = Ground::new(problem, || control.go_on());
    let whole = plan.and_then(|plan| start::planned(&ground, plan));
    if let Some(first) = whole.or_else(|| start::base(&ground, &mut || control.go_on())) {
        search(&ground, (&first, params, u64::MAX), control);
    }
    match known(problem, control) {
        Some(conclusion) => conclusion,
        None => {
            let bound = control.bound().unwrap_or_default();
            ended(control, problem.is_strict() && bound.0[0] > 0)
        }
    }
}

/// The best of some first plans. Mandatory units that did not fit come first in the next one.
///
/// Squeaky wheel optimization: Joslin, Clements, Journal of Artificial Intelligence Research 10
/// (1999).
fn insert(ground: &Ground<'_>, base: State, control: &mut Control<'_, Plan, Cost>) -> State {
    let mut rng = Rng::seed_from_u64(control.seed(0));
    let mut absences = vec![0; ground.units.len()];
    let mut best: Option<(State, f64)> = None;
    let mut stale = 0;
    for _ in 0..FIRST_MAX {
        let mut state = base.clone();
        let luck = (Turn::Urgent, &mut rng);
        let is_whole = recreate(ground, (&mut state, &absences), luck, &mut control.fork());
        if !is_whole || state.retime(ground).is_err() {
            break;
        }
        let energy = state.energy(ground);
        stale += 1;
        if best.as_ref().is_none_or(|(_, least)| energy < *least) {
            early::wait(ground, &mut state);
            publish(ground, &state, control, "insertion");
            (best, stale) = (Some((state.clone(), energy)), 0);
        }
        let before: u32 = absences.iter().sum();
        for (unit, absences) in (0..).zip(&mut absences) {
            let task = ground.units[unit as usize].tasks[0];
            *absences += u32::from(ground.is_mandatory(unit) && !state.is_done(task));
        }
        if absences.iter().sum::<u32>() == before || stale == STALE_MAX {
            break;
        }
    }
    best.map_or(base, |(state, _)| state)
}

/// What of a problem only this search can do, for people.
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

/// Chains of ruin and recreate, until the control ends them or they have made about this many
/// steps.
fn search(
    ground: &Ground<'_>,
    (first, params, steps_max): (&State, &Params, u64),
    control: &mut Control<'_, Plan, Cost>,
) {
    if ground.fixed.iter().all(|fixed| *fixed) {
        return;
    }
    let chain = |index| {
        Chain::new(
            ground,
            first,
            control.seed(1 + index as u64),
            &control.fork(),
        )
    };
    let mut chains: Vec<Chain> = (0..params.trees()).map(chain).collect();
    let mut turns = TURNS_MIN;
    let begun = control.iterations();
    while control.go_on() && control.iterations() - begun < steps_max {
        let count = chains.len() as u64;
        let left = control.remaining();
        let mut shares = vec![turns.min(left / count); chains.len()];
        if left / count < turns {
            // What does not divide goes to the first chains.
            let odd = (left % count) as usize;
            shares.iter_mut().take(odd).for_each(|share| *share += 1);
        }
        if shares[0] == 0 {
            // Says why.
            control.tick();
            return;
        }
        run(ground, (&mut chains, &shares), control.limits().threads);
        control.count(chains.iter_mut().map(Chain::made).sum());
        exchange(ground, &mut chains, control);
        if known(ground.model.problem, control).is_some() {
            return;
        }
        turns = (2 * turns).min(TURNS_MAX);
    }
}

/// Lets each chain make its steps, on as many threads as there may be.
fn run(ground: &Ground<'_>, (chains, shares): (&mut [Chain], &[u64]), threads: usize) {
    let stretch = chains.len().div_ceil(threads.max(1));
    let all = |chains: &mut [Chain], shares: &[u64]| {
        for (chain, share) in chains.iter_mut().zip(shares) {
            chain.run(ground, *share);
        }
    };
    let mut parts = chains.chunks_mut(stretch).zip(shares.chunks(stretch));
    let own = parts.next();
    std::thread::scope(|scope| {
        let others: Vec<_> = parts
            .map(|(chains, shares)| scope.spawn(|| all(chains, shares)))
            .collect();
        if let Some((chains, shares)) = own {
            all(chains, shares);
        }
        for other in others {
            other.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
    });
}

/// Offers the best plan of all chains, and shows it to all.
fn exchange(ground: &Ground<'_>, chains: &mut [Chain], control: &mut Control<'_, Plan, Cost>) {
    let best = (0..chains.len()).min_by_key(|index| (chains[*index].best_cost(), *index));
    let Some(best) = best else {
        return;
    };
    let state = chains[best].best().clone();
    let cost = chains[best].best_cost();
    if control.best().is_none_or(|known| cost < known) {
        publish(ground, &state, control, &format!("neighbourhoods {best}"));
    }
    for chain in chains {
        chain.learn(&state, cost);
    }
}

fn offer(
    ground: &Ground<'_>,
    state: &mut State,
    control: &mut Control<'_, Plan, Cost>,
    found_by: &str,
) {
    if state.retime(ground).is_ok() {
        early::wait(ground, state);
        publish(ground, state, control, found_by);
    }
}

/// Offers a plan that the check agrees with.
fn publish(
    ground: &Ground<'_>,
    state: &State,
    control: &mut Control<'_, Plan, Cost>,
    found_by: &str,
) {
    let problem = ground.model.problem;
    let (plan, cost) = (state.plan(ground), problem.cost(&state.all_terms(ground)));
    let checked = crate::verify(problem, &plan);
    debug_assert_eq!(checked, Ok(cost), "{plan:?}");
    if checked == Ok(cost) {
        control.offer(&plan, cost, found_by);
    }
}
