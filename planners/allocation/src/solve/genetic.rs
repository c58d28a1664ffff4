//! Strategy `auto` on problems too large for a proof: islands of hybrid genetic search, and of ruin
//! and recreate, that show each other their best plans.

mod breeder;
mod cover;
mod cross;
mod descent;
mod ends;
mod exchange;
mod genome;
mod ground;
mod island;
mod judge;
mod moves;
mod optional;
mod places;
mod pool;
mod population;
mod prices;
#[cfg(test)]
mod tests;
mod tours;
mod walk;

use super::draft::Draft;
use super::params::{Params, Strategy};
use super::tree::SMALL_MAX;
use super::{Scene, known, offer, stopped};
use crate::{Cost, Plan};
use anytime::{Conclusion, Control};
use ground::Ground;
use island::{Island, genome_of};
use pool::Pool;
use std::panic::resume_unwind;

/// Iterations of an island between two barriers, at most, times tasks: some 20 ms.
const ROUND_TASKS: u64 = 800;
/// Iterations before routes are put together for the first time.
const RECOMBINE_FIRST: u64 = 200;
/// Iterations between two barriers in the beginning.
const ROUND_FIRST: u64 = 1;

/// Searches until `control` says stop. `None`, and nothing done, where another search was asked for
/// or is better: where all plans can be gone through, or where `ground` cannot judge them.
pub(crate) fn evolve(
    scene: &Scene<'_>,
    start: &Draft,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Option<Conclusion> {
    if params.strategy != Strategy::Auto || scene.model.jobs.len() <= SMALL_MAX {
        return None;
    }
    let ground = Ground::new(scene, || control.go_on())?;
    let mut islands: Vec<Island> = (0..params.trees().max(2) as u64)
        .map(|index| Island::new(&ground, start, (index, control)))
        .collect();
    let mut best = start.clone();
    let round_max = (ROUND_TASKS / ground.tasks as u64).clamp(1, 8);
    let mut round = ROUND_FIRST;
    let mut recombine_at = RECOMBINE_FIRST;
    while control.go_on() && (control.remaining() > 0 || control.tick()) {
        let turns = deal(control.remaining(), round, islands.len());
        let pulse = control.fork();
        on_threads(
            control.limits().threads,
            &mut islands,
            &turns,
            |island, turn| {
                island.work(&ground, scene, (turn, &pulse));
            },
        );
        control.count(islands.iter().map(|island| island.made).sum());
        exchange(&ground, scene, (&mut islands, &mut best), control);
        if let Some(conclusion) = known(scene.model.problem, control) {
            return Some(conclusion);
        }
        round = (2 * round).min(round_max);
        if control.iterations() >= recombine_at {
            recombine_at = control.iterations() / 5 * 8;
            gather(&mut islands);
        }
    }
    Some(stopped(control))
}

/// Gives the first island the routes of all, to put them together in its next round.
fn gather(islands: &mut [Island]) {
    let mut all = Pool::default();
    for island in islands.iter_mut() {
        all.absorb(island.pool());
    }
    if let Some(first) = islands.first_mut() {
        first.recombine(all);
    }
}

/// Iterations for each island: `round`, or what remains in equal parts.
fn deal(remaining: u64, round: u64, islands: usize) -> Vec<u64> {
    let count = islands as u64;
    let total = round.saturating_mul(count).min(remaining);
    (0..count)
        .map(|index| total / count + u64::from(index < total % count))
        .collect()
}

/// Offers what the islands found, in their order, and shows the best to all of them.
fn exchange(
    ground: &Ground<'_>,
    scene: &Scene<'_>,
    (islands, best): (&mut [Island], &mut Draft),
    control: &mut Control<'_, Plan, Cost>,
) {
    let model = &scene.model;
    let mut finder = None;
    for (index, island) in islands.iter_mut().enumerate() {
        let Some((draft, found_by)) = island.news(ground, scene) else {
            continue;
        };
        if draft.cost(model) < best.cost(model) {
            best.copy(draft);
            finder = Some(index);
            offer(model, best, control, found_by);
        }
    }
    if let Some(finder) = finder {
        let genome = genome_of(ground, best);
        for (index, island) in islands.iter_mut().enumerate() {
            if index != finder {
                island.welcome(ground, scene, (best, &genome));
            }
        }
    }
}

/// Calls `work` for every island, each thread with a stretch of neighbours, the first on this one.
fn on_threads(
    threads: usize,
    islands: &mut [Island],
    turns: &[u64],
    work: impl Fn(&mut Island, u64) + Sync,
) {
    let stretch = islands.len().div_ceil(threads.max(1)).max(1);
    let run = |islands: &mut [Island], turns: &[u64]| {
        for (island, turn) in islands.iter_mut().zip(turns) {
            work(island, *turn);
        }
    };
    let mut parts = islands.chunks_mut(stretch).zip(turns.chunks(stretch));
    let first = parts.next();
    std::thread::scope(|scope| {
        let others: Vec<_> = parts
            .map(|(islands, turns)| scope.spawn(|| run(islands, turns)))
            .collect();
        if let Some((islands, turns)) = first {
            run(islands, turns);
        }
        for other in others {
            other.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
    });
}
