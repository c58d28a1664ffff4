//! Strategy `auto` on problems too large for a proof: islands of hybrid genetic search and of ruin
//! and recreate, which exchange their best plans as migrants; iterated local search where tasks are
//! many.

mod delta;
mod genetic_algorithm;
mod genome;
mod instance;
mod island;
mod iterated_local_search;
mod local_search;
mod matrix;
mod moves;
mod optional;
mod penalties;
mod pool;
mod population;
mod route_set;
mod set_partitioning;
mod srex;
mod swap_star;
#[cfg(test)]
mod tests;
mod two_opt;
mod walk;

use super::draft::Draft;
use super::params::{Params, Strategy};
use super::tree::SMALL_MAX;
use super::{SearchContext, conclusion_from_bound, offer, stopped};
use crate::{Cost, Plan};
use anytime::{Conclusion, Control, Pulse, Rounds};
use instance::Instance;
use island::{Island, encode};
use pool::RoutePool;

/// Iterations of an island between two barriers, at most, times tasks: some 20 ms. Of iterated
/// local search one or two.
const ROUND_TASKS: u64 = 800;
/// Most tasks for genetic search; with more it makes too few children.
const GENETIC_MAX: usize = 300;
/// Iterations before the first recombination of routes.
const RECOMBINE_FIRST: u64 = 200;
/// Iterations between two barriers at first.
const ROUND_FIRST: u64 = 1;

/// Searches until `control` stops it. `None`, and nothing done, where another search is requested
/// or better: for small problems, where proofs are possible, and for those that `instance` does not
/// support.
pub(crate) fn evolve(
    context: &SearchContext<'_>,
    start: &Draft,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Option<Conclusion> {
    if params.strategy != Strategy::Auto || context.model.jobs.len() <= SMALL_MAX {
        return None;
    }
    let instance = Instance::new(context, || control.go_on())?;
    let mut islands = islands(&instance, start, params, control);
    let mut best = start.clone();
    let round_max = (ROUND_TASKS / instance.tasks as u64).clamp(1, 8);
    let mut rounds = Rounds::new(ROUND_FIRST, round_max);
    let mut recombine_at = RECOMBINE_FIRST;
    let run =
        |island: &mut Island, share, pulse: &Pulse| island.run(&instance, context, share, pulse);
    while rounds.run(control, islands.iter_mut(), run) {
        exchange_migrants(&instance, context, &mut islands, &mut best, control);
        if let Some(conclusion) = conclusion_from_bound(context.model.problem, control) {
            return Some(conclusion);
        }
        if islands.iter().any(Island::is_iterated) {
            // Their routes are not recombined.
            if best.unserved() == 0 {
                islands.retain(Island::is_iterated);
            }
        } else if control.iterations() >= recombine_at {
            recombine_at = control.iterations() / 5 * 8;
            schedule_recombination(&mut islands);
        }
    }
    Some(stopped(control))
}

/// The islands at the start. Many tasks: iterated local search, and ruin and recreate, with
/// ejection where tasks are mandatory, until there is a plan that serves all tasks. Where a bound
/// proves that tasks stay unassigned, the islands are those of few tasks.
fn islands(
    instance: &Instance<'_>,
    start: &Draft,
    params: &Params,
    control: &Control<'_, Plan, Cost>,
) -> Vec<Island> {
    let is_strict = instance.model.problem.is_strict();
    let is_infeasible = is_strict && control.bound().is_some_and(|bound| bound.0[0] > 0);
    if instance.tasks <= GENETIC_MAX || is_infeasible {
        let indices = 0..params.trees().max(2) as u64;
        return indices
            .map(|index| Island::new(instance, start, index, control))
            .collect();
    }
    let count = params.width.clamp(1, params.trees()) as u64;
    let mut islands: Vec<Island> = (0..count)
        .map(|index| Island::iterated(instance, start, index, control))
        .collect();
    if start.unserved() > 0 {
        islands.push(Island::ejection(instance, start, count, control));
    }
    islands
}

/// Collects the routes of all islands, and lets the first recombine them in its next round.
fn schedule_recombination(islands: &mut [Island]) {
    let mut all = RoutePool::default();
    for pool in islands.iter_mut().filter_map(Island::pool) {
        all.merge(pool);
    }
    if let Some(first) = islands.first_mut() {
        first.recombine(all);
    }
}

/// Offers the improvements of all islands in order, and sends the best to all others.
fn exchange_migrants(
    instance: &Instance<'_>,
    context: &SearchContext<'_>,
    islands: &mut [Island],
    best: &mut Draft,
    control: &mut Control<'_, Plan, Cost>,
) {
    let model = &context.model;
    let mut finder = None;
    for (index, island) in islands.iter_mut().enumerate() {
        let Some((draft, found_by)) = island.take_improvement(instance, context) else {
            continue;
        };
        if draft.cost(model) < best.cost(model) {
            best.copy(draft);
            finder = Some(index);
            offer(model, best, control, found_by);
        }
    }
    if let Some(finder) = finder {
        let genome = encode(instance, best);
        for (index, island) in islands.iter_mut().enumerate() {
            if index != finder {
                island.add_migrant(instance, context, best, &genome);
            }
        }
    }
}
