//! The searches that go on side by side.

use super::breeder::Breeder;
use super::genome::Genome;
use super::ground::Ground;
use super::pool::Pool;
use super::prices::Scales;
use super::tours::Tours;
use crate::solve::Scene;
use crate::solve::anneal::{Anneal, Cooling};
use crate::solve::draft::Draft;
use crate::solve::eject::{Eject, Ejected};
use crate::{Cost, Plan};
use anytime::{Control, Pulse};
use mcts::Rng;
use rand::SeedableRng;

/// One of several searches.
pub(super) struct Island {
    kind: Kind,
    /// Iterations of the last round.
    pub(super) made: u64,
}

enum Kind {
    Breed {
        breeder: Box<Breeder>,
        /// Cost of the best plan that was told.
        told: i64,
        draft: Draft,
        /// Whether the next round is to put routes together.
        recombines: bool,
    },
    Anneal {
        anneal: Box<Anneal>,
        rng: Rng,
        steps: u64,
        /// What found its best plan, if that is new.
        found_by: Option<&'static str>,
        pool: Pool,
        /// While tasks are to be done that no path has room for.
        eject: Option<Box<Eject>>,
    },
}

impl Island {
    pub(super) fn new(
        ground: &Ground<'_>,
        start: &Draft,
        (index, control): (u64, &Control<'_, Plan, Cost>),
    ) -> Self {
        let (seed, pulse) = (control.seed(index), control.fork());
        let (model, tasks) = (ground.model, ground.tasks as u64);
        let kind = if index.is_multiple_of(2) {
            let mut breeder = Box::new(Breeder::new(ground, seed, pulse));
            if start.unserved() == 0 {
                breeder.welcome(ground, &genome_of(ground, start));
            }
            Kind::Breed {
                breeder,
                told: i64::MAX,
                draft: start.clone(),
                recombines: false,
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
                found_by: None,
                pool: Pool::default(),
                eject: (start.unserved() > 0 && model.problem.is_strict())
                    .then(|| Box::new(Eject::new(model, start))),
            }
        };
        Self { kind, made: 0 }
    }

    /// The routes it has seen.
    pub(super) fn pool(&mut self) -> &mut Pool {
        match &mut self.kind {
            Kind::Breed { breeder, .. } => &mut breeder.pool,
            Kind::Anneal { pool, .. } => pool,
        }
    }

    /// Puts these routes together in the next round, if it is one that can.
    pub(super) fn recombine(&mut self, all: Pool) {
        if let Kind::Breed {
            breeder,
            recombines,
            ..
        } = &mut self.kind
        {
            (breeder.pool, *recombines) = (all, true);
        }
    }

    /// Some iterations.
    pub(super) fn work(
        &mut self,
        ground: &Ground<'_>,
        scene: &Scene<'_>,
        (turn, pulse): (u64, &Pulse),
    ) {
        self.made = 0;
        while self.made < turn && pulse.beats() {
            match &mut self.kind {
                Kind::Breed {
                    breeder,
                    recombines,
                    ..
                } => {
                    if std::mem::take(recombines) {
                        breeder.recombine(ground);
                        self.made = turn - 1;
                    } else {
                        breeder.step(ground);
                    }
                }
                Kind::Anneal {
                    anneal,
                    rng,
                    steps,
                    found_by,
                    pool,
                    eject,
                } => {
                    for _ in 0..*steps {
                        if !pulse.beats() {
                            break;
                        }
                        if let Some(ejecting) = eject {
                            if ejecting.step(scene, rng) == Ejected::Some {
                                continue;
                            }
                            if ejecting.best().cost(&scene.model) < anneal.best().cost(&scene.model)
                            {
                                anneal.restart(ejecting.best());
                                *found_by = Some("ejection");
                            }
                            *eject = None;
                        } else if anneal.step(scene, rng) {
                            *found_by = Some("ruin and recreate");
                        }
                    }
                    pool.note(ground, &tours_of(ground, anneal.current()));
                }
            }
            self.made += 1;
        }
    }

    /// The best plan, if it is new.
    pub(super) fn news(
        &mut self,
        ground: &Ground<'_>,
        scene: &Scene<'_>,
    ) -> Option<(&Draft, &'static str)> {
        match &mut self.kind {
            Kind::Breed {
                breeder,
                told,
                draft,
                ..
            } => {
                let (best, found_by) = breeder.best().filter(|best| best.0.cost < *told)?;
                *told = best.cost;
                let legal = lay_out(ground, scene, (best, draft));
                debug_assert!(legal, "legal plans keep all rules");
                legal.then_some((&*draft, found_by))
            }
            Kind::Anneal {
                anneal, found_by, ..
            } => found_by.take().map(|found_by| (anneal.best(), found_by)),
        }
    }

    pub(super) fn welcome(
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
            Kind::Anneal { anneal, eject, .. } => {
                if eject.is_some() && draft.unserved() == 0 {
                    *eject = None;
                    anneal.restart(draft);
                } else {
                    anneal.learn(&scene.model, draft);
                }
            }
        }
    }
}

/// Makes `draft` the plan of a genome. False where it breaks a rule.
pub(super) fn lay_out(
    ground: &Ground<'_>,
    scene: &Scene<'_>,
    (genome, draft): (&Genome, &mut Draft),
) -> bool {
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
pub(super) fn genome_of(ground: &Ground<'_>, draft: &Draft) -> Genome {
    Genome::of(ground, &tours_of(ground, draft))
}

/// A draft, laid out.
fn tours_of(ground: &Ground<'_>, draft: &Draft) -> Tours {
    let mut tours = Tours::new(ground, Scales::new(ground).prices());
    for (lane, path) in draft.paths.iter().enumerate() {
        let mut last = ground.start(lane);
        for visit in &path.visits {
            tours.join(ground, visit.task as u16, last);
            last = visit.task as u16;
        }
        tours.refresh(ground, lane);
    }
    tours
}
