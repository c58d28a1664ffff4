//! Hybrid genetic search (HGS): Vidal et al. 2012 and 2013.
//!
//! A step makes one child:
//!
//! 1. Two parents from the population are combined by selective route exchange (`srex`).
//! 2. Local search over penalised solutions (`local_search`) improves the child around arcs that
//!    neither parent has. If the child is promising, all tasks follow, and then SWAP* where it may
//!    pay.
//! 3. The child joins the feasible or the infeasible subpopulation (`population`), and its feasible
//!    routes join the pool for set partitioning (`pool`).
//! 4. An infeasible child is repaired with probability one half: local search with larger penalty
//!    weights.
//! 5. Penalty weights adapt to the share of feasible children (`penalties`).
//!
//! The first steps make an initial population instead. Many children without an improvement restart
//! the population.

use super::genome::Genome;
use super::instance::Instance;
use super::local_search::LocalSearch;
use super::penalties::{Adaptation, PenaltyManager};
use super::pool::{RoutePool, assemble};
use super::population::{Population, Sizes};
use super::route_set::RouteSet;
use super::set_partitioning::SetPartitioning;
use super::srex::SelectiveRouteExchange;
use anytime::{Pulse, Stop};
use mcts::Rng;
use rand::{RngExt, SeedableRng};

/// Individuals of the initial population.
const INITIAL: usize = 20;
/// Sizes of the population.
const SIZES: Sizes = Sizes {
    minimum: 20,
    generation: 30,
    elite: 4,
    closest: 5,
};
/// Probability that an infeasible solution is repaired, and the factor of the penalty weights then.
const REPAIR_SHARE: f64 = 0.5;
const REPAIR_FACTOR: f64 = 10.0;
/// Children within one part in this many of the best get the full local search.
const PROMISING: i64 = 50;
/// Adaptation of penalty weights.
pub(super) const ADAPTATION: Adaptation = Adaptation {
    first: 1.0,
    period: 50,
    target: 0.3,
    rise: 1.3,
    fall: 0.75,
};
/// Size of a granular neighbourhood.
pub(super) const NEAR: usize = 30;
const GENETIC: &str = "genetic search";
/// Children without an improvement after which the population restarts.
const STALE_MAX: u64 = 5_000;

/// Genetic algorithm with local search: Vidal et al. 2012 and 2013.
pub(super) struct GeneticAlgorithm {
    population: Population,
    solution: RouteSet,
    local_search: LocalSearch,
    srex: SelectiveRouteExchange,
    penalty_manager: PenaltyManager,
    rng: Rng,
    genome: Genome,
    /// Cost of the best feasible solution since the last restart.
    run_cost: i64,
    best: Option<Genome>,
    found_by: &'static str,
    pub(super) pool: RoutePool,
    pulse: Pulse,
    initial_left: usize,
    stale: u64,
}

impl GeneticAlgorithm {
    pub(super) fn new(instance: &Instance<'_>, seed: u64, pulse: Pulse) -> Self {
        let penalty_manager = PenaltyManager::new(instance, ADAPTATION);
        Self {
            population: Population::new(SIZES),
            solution: RouteSet::new(instance, penalty_manager.penalties()),
            local_search: LocalSearch::new(instance, pulse.clone(), NEAR),
            srex: SelectiveRouteExchange::new(instance),
            penalty_manager,
            rng: Rng::seed_from_u64(seed),
            genome: Genome::default(),
            run_cost: i64::MAX,
            best: None,
            found_by: GENETIC,
            pool: RoutePool::default(),
            pulse,
            initial_left: INITIAL,
            stale: 0,
        }
    }

    /// The best feasible solution, and what found it.
    pub(super) fn best(&self) -> Option<(&Genome, &'static str)> {
        Some((self.best.as_ref()?, self.found_by))
    }

    /// Recombines routes of the pool by set partitioning.
    pub(super) fn recombine(&mut self, instance: &Instance<'_>) {
        let columns = self.pool.columns(instance);
        let limit = match &self.best {
            Some(best) => best.totals.cost,
            None => self.genome.totals.cost + self.genome.totals.cost / 5,
        };
        if self.genome.next.is_empty() || limit >= instance.forbidden_cost {
            return;
        }
        if let Some(chosen) = SetPartitioning::new(instance, &columns, limit).solve(&self.pulse) {
            let genome = assemble(instance, &columns, &chosen, &mut self.solution);
            if genome.is_feasible(instance) {
                self.found_by = "recombined routes";
                self.population
                    .add(instance, &self.penalty_manager.penalties(), &genome);
                self.update_best(instance, &genome);
            }
        }
    }

    /// Adds a migrant to the population.
    pub(super) fn add_migrant(&mut self, instance: &Instance<'_>, genome: &Genome) {
        self.population
            .add(instance, &self.penalty_manager.penalties(), genome);
        self.update_best(instance, genome);
    }

    /// Makes one child, or one individual of the initial population.
    ///
    /// # Errors
    /// When it was stopped before.
    pub(super) fn step(&mut self, instance: &Instance<'_>) -> Result<(), Stop> {
        self.solution
            .set_penalties(instance, self.penalty_manager.penalties());
        let is_child = self.initial_left == 0 && self.population.len() > 1;
        let mut is_promising = true;
        if is_child {
            let (a, b) = self.population.parents(&mut self.rng);
            let child = &mut self.solution;
            self.srex.crossover(instance, a, b, child, &mut self.rng);
            // Most children deserve local search only at arcs that are new.
            self.local_search.mark_new_arcs(&self.solution, a, b);
            self.local_search.forget_tests(&mut self.solution);
            self.local_search
                .run_promising(instance, &mut self.solution, &mut self.rng)?;
            let limit = self.run_cost.saturating_add(self.run_cost / PROMISING);
            is_promising = self.solution.penalised_cost() < limit;
        } else {
            self.initial_left = self.initial_left.saturating_sub(1);
            self.solution.clear(instance);
            self.srex
                .insert_unassigned(instance, &mut self.solution, &mut self.rng);
        }
        if is_promising {
            self.local_search
                .run(instance, &mut self.solution, &mut self.rng)?;
        }
        // Where windows determine the order of tasks, SWAP* finds too little for its time.
        let penalised_cost = self.solution.penalised_cost();
        let is_worth_more =
            penalised_cost < self.run_cost || is_child && is_promising && instance.has_wide_windows;
        if is_worth_more {
            self.local_search.intensify(instance, &mut self.solution)?;
        }
        let is_feasible = self.add_current(instance);
        self.penalty_manager.note(&self.genome.totals);
        if !is_feasible && self.rng.random::<f64>() < REPAIR_SHARE {
            self.repair(instance)?;
        }
        if self.penalty_manager.update() {
            self.population.rank(&self.penalty_manager.penalties());
        }
        self.stale += 1;
        if self.stale > STALE_MAX {
            self.population.clear();
            (self.run_cost, self.initial_left, self.stale) = (i64::MAX, INITIAL, 0);
        }
        Ok(())
    }

    /// Searches again with larger penalty weights.
    fn repair(&mut self, instance: &Instance<'_>) -> Result<(), Stop> {
        let penalties = self.penalty_manager.penalties().scaled(REPAIR_FACTOR);
        self.solution.set_penalties(instance, penalties);
        let (solution, rng) = (&mut self.solution, &mut self.rng);
        self.local_search.run(instance, solution, rng)?;
        if self.current_is_feasible(instance) {
            self.add_current(instance);
        }
        Ok(())
    }

    fn current_is_feasible(&mut self, instance: &Instance<'_>) -> bool {
        self.genome.copy(instance, &self.solution);
        self.genome.is_feasible(instance)
    }

    /// Adds the current solution to the population. Returns whether it is feasible.
    fn add_current(&mut self, instance: &Instance<'_>) -> bool {
        self.genome.copy(instance, &self.solution);
        self.pool.add_feasible(instance, &self.solution);
        let genome = std::mem::take(&mut self.genome);
        self.found_by = GENETIC;
        self.population
            .add(instance, &self.penalty_manager.penalties(), &genome);
        self.update_best(instance, &genome);
        self.genome = genome;
        self.genome.is_feasible(instance)
    }

    fn update_best(&mut self, instance: &Instance<'_>, genome: &Genome) {
        if !genome.is_feasible(instance) {
            return;
        }
        if genome.totals.cost < self.run_cost {
            (self.run_cost, self.stale) = (genome.totals.cost, 0);
        }
        if self
            .best
            .as_ref()
            .is_none_or(|best| genome.totals.cost < best.totals.cost)
        {
            self.best = Some(genome.clone());
        }
    }
}
