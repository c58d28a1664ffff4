//! Strategy `auto` on problems too large for a proof: islands of hybrid genetic search, and of ruin
//! and recreate, that show each other their best plans.

mod breeder;
mod cross;
mod descent;
mod genome;
mod ground;
mod moves;
mod optional;
mod population;
mod prices;
#[cfg(test)]
mod tests;
mod tours;

use super::anneal::{Anneal, Cooling};
use super::draft::Draft;
use super::params::{Params, Strategy};
use super::tree::SMALL_MAX;
use super::{Scene, known, offer, stopped};
use crate::{Cost, Plan};
use anytime::{Conclusion, Control, Pulse};
use breeder::Breeder;
use genome::Genome;
use ground::Ground;
use mcts::Rng;
use rand::SeedableRng;
use std::panic::resume_unwind;
use tours::Tours;

/// Iterations of an island between two barriers, at most: some 20 ms with 100 tasks.
const ROUND_MAX: u64 = 8;
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
    let ground = Ground::new(scene)?;
    let mut islands: Vec<Island> = (0..params.trees().max(2) as u64)
        .map(|index| Island::new(&ground, start, (index, control)))
        .collect();
    let mut best = start.clone();
    let mut round = ROUND_FIRST;
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
        round = (2 * round).min(ROUND_MAX);
    }
    Some(stopped(control))
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

/// One of several searches.
struct Island {
    kind: Kind,
    /// Iterations of the last round.
    made: u64,
}

enum Kind {
    Breed {
        breeder: Box<Breeder>,
        /// Cost of the best plan that was told.
        told: i64,
        draft: Draft,
    },
    Anneal {
        anneal: Box<Anneal>,
        rng: Rng,
        steps: u64,
        improved: bool,
    },
}

impl Island {
    fn new(
        ground: &Ground<'_>,
        start: &Draft,
        (index, control): (u64, &Control<'_, Plan, Cost>),
    ) -> Self {
        let (seed, pulse) = (control.seed(index), control.fork());
        let tasks = ground.tasks as u64;
        let kind = if index.is_multiple_of(2) {
            let mut breeder = Box::new(Breeder::new(ground, seed, pulse));
            if start.unserved() == 0 {
                breeder.welcome(ground, &genome_of(ground, start));
            }
            Kind::Breed {
                breeder,
                told: i64::MAX,
                draft: start.clone(),
            }
        } else {
            let cooling = Cooling {
                hot: 1.0,
                steps: 20 * tasks.max(25),
                growth: 2,
            };
            Kind::Anneal {
                anneal: Box::new(Anneal::new(start, cooling, pulse)),
                rng: Rng::seed_from_u64(seed),
                steps: tasks.clamp(8, 1_000),
                improved: false,
            }
        };
        Self { kind, made: 0 }
    }

    /// Some iterations.
    fn work(&mut self, ground: &Ground<'_>, scene: &Scene<'_>, (turn, pulse): (u64, &Pulse)) {
        self.made = 0;
        while self.made < turn && pulse.beats() {
            match &mut self.kind {
                Kind::Breed { breeder, .. } => {
                    breeder.step(ground);
                }
                Kind::Anneal {
                    anneal,
                    rng,
                    steps,
                    improved,
                } => {
                    for _ in 0..*steps {
                        if !pulse.beats() {
                            break;
                        }
                        *improved |= anneal.step(scene, rng);
                    }
                }
            }
            self.made += 1;
        }
    }

    /// The best plan, if it is new.
    fn news(&mut self, ground: &Ground<'_>, scene: &Scene<'_>) -> Option<(&Draft, &'static str)> {
        match &mut self.kind {
            Kind::Breed {
                breeder,
                told,
                draft,
            } => {
                let best = breeder.best().filter(|best| best.cost < *told)?;
                *told = best.cost;
                let legal = lay_out(ground, scene, (best, draft));
                debug_assert!(legal, "legal plans keep all rules");
                legal.then_some((&*draft, "genetic search"))
            }
            Kind::Anneal {
                anneal, improved, ..
            } => std::mem::take(improved).then(|| (anneal.best(), "ruin and recreate")),
        }
    }

    fn welcome(
        &mut self,
        ground: &Ground<'_>,
        scene: &Scene<'_>,
        (draft, genome): (&Draft, &Genome),
    ) {
        match &mut self.kind {
            Kind::Breed { breeder, .. } => {
                if genome.is_legal(ground) {
                    breeder.welcome(ground, genome);
                }
            }
            Kind::Anneal { anneal, .. } => anneal.learn(&scene.model, draft),
        }
    }
}

/// Makes `draft` the plan of a genome. False where it breaks a rule.
fn lay_out(ground: &Ground<'_>, scene: &Scene<'_>, (genome, draft): (&Genome, &mut Draft)) -> bool {
    let model = &scene.model;
    let agents = model.workers.len();
    (0..agents).for_each(|agent| draft.clear(model, agent));
    let mut tasks: Vec<u32> = Vec::with_capacity(ground.tasks);
    (0..agents).all(|agent| {
        tasks.clear();
        tasks.extend(genome.route(agent).map(u32::from));
        draft.set(model, agent, &tasks)
    })
}

/// The genome of a draft.
fn genome_of(ground: &Ground<'_>, draft: &Draft) -> Genome {
    let mut tours = Tours::new(ground, prices::Scales::new(ground).prices());
    for (lane, path) in draft.paths.iter().enumerate() {
        let mut last = ground.start(lane);
        for visit in &path.visits {
            tours.join(ground, visit.task as u16, last);
            last = visit.task as u16;
        }
        tours.refresh(ground, lane);
    }
    Genome::of(ground, &tours)
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
