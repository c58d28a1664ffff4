//! Islands: independent searches that exchange migrants.

use super::FEW_MAX;
use super::arcs::Arcs;
use super::genome::Genome;
use super::instance::Instance;
use super::iterated_local_search::IteratedLocalSearch;
use super::penalties::PenaltyManager;
use super::pool::RoutePool;
use super::route_set::RouteSet;
use crate::solve::anneal::{Anneal, Cooling};
use crate::solve::draft::Draft;
use crate::solve::ejection_pool::{EjectionPool, EjectionStep};
use crate::solve::{SearchContext, wants_ejection};
use crate::{Cost, Plan};
use anytime::{Control, Pulse, Stop};
use mcts::Rng;
use rand::SeedableRng;

/// One of several searches.
pub(super) enum Island {
    Iterated(Iterated),
    RuinAndRecreate(RuinAndRecreate),
}

/// Steps of an iteration: one or two milliseconds.
const STEPS: u64 = 32;
/// Steps of an iteration of the ejection pool where tasks are many: they take longer.
const EJECTION_STEPS: u64 = 8;

pub(super) struct Iterated {
    search: Box<IteratedLocalSearch>,
    /// Cost of the best solution that was reported.
    reported_cost: i64,
    draft: Draft,
    /// Whether the next round recombines routes.
    recombines: bool,
}

pub(super) struct RuinAndRecreate {
    anneal: Box<Anneal>,
    rng: Rng,
    /// What found its best solution, if that is new.
    found_by: Option<&'static str>,
    pool: RoutePool,
    /// Active while mandatory tasks are unassigned.
    ejection_pool: Option<Box<EjectionPool>>,
}

impl Iterated {
    /// Makes the steps of an iteration.
    fn steps(&mut self, instance: &Instance<'_, impl Arcs>) -> Result<(), Stop> {
        for _ in 0..STEPS {
            self.search.step(instance)?;
            // Each step takes long, and its solution is worth reporting.
            if self.search.is_starting() {
                break;
            }
        }
        Ok(())
    }
}

impl RuinAndRecreate {
    fn iterate(
        &mut self,
        instance: &Instance<'_, impl Arcs>,
        context: &SearchContext<'_>,
        pulse: &Pulse,
    ) {
        for _ in 0..self.steps(instance) {
            if !pulse.beats() {
                break;
            }
            self.step(context);
        }
        if instance.tasks <= FEW_MAX {
            let solution = to_route_set(instance, self.anneal.current());
            let vehicles = 0..solution.routes.len();
            self.pool.add_feasible(instance, &solution, vehicles);
        }
    }

    /// Steps of the next iteration. While mandatory tasks are unassigned, the solutions of iterated
    /// local search are infeasible: it has the smaller share of the time.
    fn steps(&self, instance: &Instance<'_, impl Arcs>) -> u64 {
        if instance.tasks <= FEW_MAX && wants_ejection(instance.model, self.anneal.best()) {
            2 * instance.tasks as u64
        } else if self.ejection_pool.is_some() {
            EJECTION_STEPS
        } else {
            STEPS
        }
    }

    fn step(&mut self, context: &SearchContext<'_>) {
        if let Some(ejection_pool) = &mut self.ejection_pool {
            if ejection_pool.step(context, &mut self.rng) == EjectionStep::Continue {
                return;
            }
            let best = ejection_pool.best();
            if best.cost(&context.model) < self.anneal.best().cost(&context.model) {
                self.anneal.restart(best);
                self.found_by = Some("ejection");
            }
            self.ejection_pool = None;
        } else if self.anneal.step(context, &mut self.rng) {
            self.found_by = Some("ruin and recreate");
        }
    }
}

impl Island {
    /// Iterated local search.
    pub(super) fn iterated(
        instance: &Instance<'_, impl Arcs>,
        start: &Draft,
        index: u64,
        control: &Control<'_, Plan, Cost>,
    ) -> Self {
        let (seed, pulse) = (control.seed(index), control.fork());
        let solution = to_route_set(instance, start);
        let search = IteratedLocalSearch::new(instance, &solution, seed, pulse);
        Self::Iterated(Iterated {
            search: Box::new(search),
            reported_cost: i64::MAX,
            draft: start.clone(),
            recombines: false,
        })
    }

    /// Ruin and recreate, with ejection first where mandatory tasks are unassigned.
    pub(super) fn ruin_and_recreate(
        instance: &Instance<'_, impl Arcs>,
        start: &Draft,
        index: u64,
        control: &Control<'_, Plan, Cost>,
    ) -> Self {
        let (seed, pulse) = (control.seed(index), control.fork());
        let cooling = Cooling::growing(instance.tasks);
        let model = instance.model;
        Self::RuinAndRecreate(RuinAndRecreate {
            anneal: Box::new(Anneal::new(start, cooling, pulse)),
            rng: Rng::seed_from_u64(seed),
            found_by: None,
            pool: RoutePool::default(),
            ejection_pool: wants_ejection(model, start)
                .then(|| Box::new(EjectionPool::new(model, start))),
        })
    }

    /// Whether it is an iterated local search.
    pub(super) fn is_iterated(&self) -> bool {
        matches!(self, Self::Iterated(_))
    }

    /// The routes it has seen.
    pub(super) fn pool(&mut self) -> &mut RoutePool {
        match self {
            Self::Iterated(island) => &mut island.search.pool,
            Self::RuinAndRecreate(search) => &mut search.pool,
        }
    }

    /// Recombines these routes in the next round, if the island can.
    pub(super) fn recombine(&mut self, all: RoutePool) {
        if let Self::Iterated(island) = self {
            island.search.pool = all;
            island.recombines = true;
        }
    }

    /// Runs at most `limit` iterations; returns how many it made.
    pub(super) fn run(
        &mut self,
        instance: &Instance<'_, impl Arcs>,
        context: &SearchContext<'_>,
        limit: u64,
        pulse: &Pulse,
    ) -> u64 {
        let mut made = 0;
        while made < limit && pulse.beats() {
            match self {
                Self::Iterated(island) => {
                    if std::mem::take(&mut island.recombines) {
                        island.search.recombine(instance);
                        made = limit - 1;
                    } else if island.steps(instance).is_err() {
                        return made;
                    }
                }
                Self::RuinAndRecreate(search) => search.iterate(instance, context, pulse),
            }
            made += 1;
        }
        made
    }

    /// The best solution, if it is new.
    pub(super) fn take_improvement(
        &mut self,
        instance: &Instance<'_, impl Arcs>,
        context: &SearchContext<'_>,
    ) -> Option<(&Draft, &'static str)> {
        match self {
            Self::Iterated(Iterated {
                search,
                reported_cost,
                draft,
                ..
            }) => decode_better(instance, context, search.best()?, reported_cost, draft)
                .then_some((&*draft, search.found_by)),
            Self::RuinAndRecreate(search) => {
                let found_by = search.found_by.take()?;
                Some((search.anneal.best(), found_by))
            }
        }
    }

    /// Offers the best solution of another island.
    pub(super) fn add_migrant(
        &mut self,
        instance: &Instance<'_, impl Arcs>,
        context: &SearchContext<'_>,
        draft: &Draft,
        genome: &Genome,
    ) {
        match self {
            Self::Iterated(island) => {
                if genome.is_feasible(instance) {
                    island.search.add_migrant(instance, genome);
                }
            }
            Self::RuinAndRecreate(search) => {
                if search.ejection_pool.is_some() && draft.unserved() == 0 {
                    search.ejection_pool = None;
                    search.anneal.restart(draft);
                } else {
                    search.anneal.add_migrant(&context.model, draft);
                }
            }
        }
    }
}

/// Writes a feasible genome into `draft` if it costs less than the one that was reported last.
fn decode_better(
    instance: &Instance<'_, impl Arcs>,
    context: &SearchContext<'_>,
    genome: &Genome,
    reported_cost: &mut i64,
    draft: &mut Draft,
) -> bool {
    if genome.totals.cost >= *reported_cost {
        return false;
    }
    *reported_cost = genome.totals.cost;
    let is_feasible = decode(instance, context, genome, draft);
    debug_assert!(is_feasible, "feasible genomes are valid plans");
    is_feasible
}

/// Writes a genome into `draft`. Returns false where it breaks a rule.
pub(super) fn decode(
    instance: &Instance<'_, impl Arcs>,
    context: &SearchContext<'_>,
    genome: &Genome,
    draft: &mut Draft,
) -> bool {
    let model = &context.model;
    let agents = model.workers.len();
    (0..agents).for_each(|agent| draft.clear(model, agent));
    let mut tasks: Vec<u32> = Vec::with_capacity(instance.tasks);
    (0..agents).all(|agent| {
        tasks.clone_from(&model.workers[agent].committed);
        tasks.extend(
            genome
                .route(agent)
                .map(|node| instance.free.tasks[node as usize]),
        );
        draft.set(model, agent, &tasks)
    })
}

/// The genome of a draft.
pub(super) fn encode(instance: &Instance<'_, impl Arcs>, draft: &Draft) -> Genome {
    Genome::from_solution(instance, &to_route_set(instance, draft))
}

/// The penalised solution of a draft.
fn to_route_set(instance: &Instance<'_, impl Arcs>, draft: &Draft) -> RouteSet {
    let mut solution = RouteSet::new(instance, PenaltyManager::new(instance).penalties());
    for (vehicle, path) in draft.paths.iter().enumerate() {
        let mut last = instance.start(vehicle);
        let committed = instance.model.workers[vehicle].committed.len();
        for visit in path.visits.iter().skip(committed) {
            let node = instance.free.node(visit.task);
            solution.insert(instance, node, last);
            last = node;
        }
        solution.refresh(instance, vehicle);
    }
    solution
}
