//! Strategy `auto` on problems too large for a proof: islands of iterated local search and of ruin
//! and recreate, which exchange their best plans as migrants. From time to time set partitioning
//! recombines the routes of all islands. In long searches a thread searches for lower bounds.

mod arcs;
#[cfg(feature = "milp")]
mod bound_search;
#[cfg(not(feature = "milp"))]
#[path = "islands/no_bound_search.rs"]
mod bound_search;
mod delta;
mod free_tasks;
mod genome;
mod instance;
mod island;
mod iterated_local_search;
mod local_search;
mod moves;
mod optional;
mod penalties;
mod pool;
mod removal;
mod route_set;
mod set_partitioning;
#[cfg(test)]
mod tests;
mod two_opt;
mod walk;

use super::draft::Draft;
use super::params::{Params, Strategy};
use super::tree::is_small;
use super::{SearchContext, conclusion_from_bound, offer, stopped, wants_ejection};
use crate::{Cost, Plan};
use anytime::{Conclusion, Control, Pulse, Rounds};
use arcs::{Arcs, Computed, Layout, Matrices};
use bound_search::BoundSearch;
use instance::Instance;
use island::{Island, encode};
use pool::RoutePool;

/// Iterations of an island between two barriers, at first and at most: some 20 ms once all tasks
/// are assigned.
const ROUND_FIRST: u64 = 1;
const ROUND_MAX: u64 = 8;
/// Most tasks for ruin and recreate after all tasks are served, and for recombination. Where there
/// are more, iterated local search uses the time better.
const FEW_MAX: usize = 300;
/// Largest size of all travel matrices, one a speed: 64 MB.
const CELLS_MAX: usize = 1 << 22;
/// Iterations of all islands before the first recombination of routes.
const RECOMBINE_FIRST: u64 = 200;

/// Searches until `control` stops it. `None`, and nothing done, where another search is requested
/// or better: for small problems, and for those that [`Layout`] does not support. Nor where it is
/// stopped before it begins.
pub(crate) fn search(
    context: &SearchContext<'_>,
    start: &Draft,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Option<Conclusion> {
    // Trees are not for large problems.
    let is_small = is_small(&context.model) && !context.model.problem.is_large();
    if params.strategy != Strategy::Auto || is_small {
        return None;
    }
    let layout = Layout::supported(context, || control.go_on())?;
    if layout.cells() > CELLS_MAX {
        let (layout, model) = (&layout, &context.model);
        let instance = Instance::new(context, layout, Computed { layout, model });
        return Some(explore(&instance, context, start, params, control));
    }
    let matrices = Matrices::new(&layout, &context.model, &mut || control.go_on())?;
    let instance = Instance::new(context, &layout, matrices);
    Some(explore(&instance, context, start, params, control))
}

fn explore(
    instance: &Instance<'_, impl Arcs>,
    context: &SearchContext<'_>,
    start: &Draft,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Conclusion {
    let mut islands = islands(instance, start, params, control);
    let mut best = start.clone();
    let mut rounds = Rounds::new(ROUND_FIRST, ROUND_MAX);
    let mut recombine_at = RECOMBINE_FIRST;
    let problem = context.model.problem;
    let run =
        |island: &mut Island, share, pulse: &Pulse| island.run(instance, context, share, pulse);
    std::thread::scope(|scope| {
        let mut bounds = BoundSearch::new(problem, control);
        while rounds.run(control, islands.iter_mut(), run) {
            exchange_migrants(instance, context, &mut islands, &mut best, control);
            bounds.step(scope, &best, &mut rounds, control);
            if let Some(conclusion) = conclusion_from_bound(problem, control) {
                return conclusion;
            }
            if instance.tasks > FEW_MAX {
                if best.unserved() == 0 {
                    islands.retain(Island::is_iterated);
                }
            } else if control.iterations() >= recombine_at {
                recombine_at = control.iterations() / 5 * 8;
                schedule_recombination(&mut islands);
            }
        }
        bounds.receive(control);
        conclusion_from_bound(problem, control).unwrap_or_else(|| stopped(control))
    })
}

/// The islands at the start. Where tasks are many, ruin and recreate is only for tasks that are
/// unassigned.
fn islands(
    instance: &Instance<'_, impl Arcs>,
    start: &Draft,
    params: &Params,
    control: &Control<'_, Plan, Cost>,
) -> Vec<Island> {
    let iterated = |index| Island::iterated(instance, start, index, control);
    let recreating = |index| Island::ruin_and_recreate(instance, start, index, control);
    if instance.tasks <= FEW_MAX {
        // Ejection comes first.
        let first = u64::from(wants_ejection(instance.model, start));
        let island = |index| match (index + first) % 2 {
            0 => iterated(index),
            _ => recreating(index),
        };
        return (0..params.trees().max(2) as u64).map(island).collect();
    }
    let count = params.width.clamp(1, params.trees()) as u64;
    let ejection = (start.unserved() > 0).then(|| recreating(count));
    (0..count).map(iterated).chain(ejection).collect()
}

/// Collects the routes of all islands, and lets the first recombine them in its next round.
fn schedule_recombination(islands: &mut [Island]) {
    let mut all = RoutePool::default();
    for island in islands.iter_mut() {
        all.merge(island.pool());
    }
    if let Some(first) = islands.iter_mut().find(|island| island.is_iterated()) {
        first.recombine(all);
    }
}

/// Offers the improvements of all islands in order, and sends the best to all others.
fn exchange_migrants(
    instance: &Instance<'_, impl Arcs>,
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
