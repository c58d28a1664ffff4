//! Iterated local search (ILS) over penalised solutions.
//!
//! A step:
//!
//! 1. Strings of tasks are removed from routes around a random task.
//! 2. Each removed task is inserted at its best position near its neighbours, at penalties.
//! 3. Local search (`local_search`) improves the solution around the routes that changed.
//! 4. Late acceptance decides whether the result replaces the current solution. If not, the routes
//!    that changed are restored, else they join the pool for set partitioning (`pool`).
//! 5. Penalty weights adapt to the share of feasible results (`penalties`).
//!
//! Many steps without a better solution start the search again, with all tasks unassigned. Where
//! tasks are many or some are optional, it returns to the best solution instead.
//!
//! The time of a step hardly depends on the number of tasks: only new best solutions, new penalty
//! weights and places of tasks without any near them are computed for all routes.

use super::FEW_MAX;
use super::arcs::Arcs;
use super::genome::Genome;
use super::instance::Instance;
use super::local_search::LocalSearch;
use super::optional::{best_insertion, best_insertion_overall};
use super::penalties::{PenaltyManager, Totals};
use super::pool::{RoutePool, assemble};
use super::removal::{REMOVAL, REMOVAL_MANY, Removal};
use super::route_set::RouteSet;
use super::set_partitioning::SetPartitioning;
use anytime::{Pulse, Stop};
use mcts::Rng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use std::ops::Range;

/// Steps between a solution and the one that late acceptance compares it with, where routes are
/// short and where they are long. With more steps it is slower; with fewer, structures of long
/// routes stay that should not.
const HISTORY: [usize; 2] = [100, 300];
/// Most tasks of an agent, on average, for short routes.
const SHORT_MAX: usize = 25;
/// Steps for each task without a better feasible solution after which the search starts again, or
/// returns to the best solution.
const STALE_PER_TASK: u64 = 100;
/// Tasks around which a new solution is improved in one step, some 300 ms.
const PART_MAX: usize = 1_000;
/// Factor of the penalty weights meanwhile.
const STIFF: f64 = 100.0;
const ITERATED: &str = "iterated local search";

/// Iterated local search with its state.
///
/// After the iterated local search of PyVRP 0.14 (its documentation), whose local search and
/// penalties are those of Wouda, Lan, Kool, "PyVRP: a high-performance VRP solver package", INFORMS
/// Journal on Computing 36 (2024). Strings of tasks: see [`super::super::ruin`]. Late acceptance:
/// Burke, Bykov, "The late acceptance hill-climbing heuristic", European Journal of Operational
/// Research 258 (2017); here a solution of equal cost is not accepted.
pub(super) struct IteratedLocalSearch {
    current: RouteSet,
    /// Equals `current` between steps.
    trial: RouteSet,
    removal: Removal,
    local_search: LocalSearch,
    penalty_manager: PenaltyManager,
    rng: Rng,
    /// The solutions of the last steps; the next one replaces that at `oldest`.
    history: Vec<Totals>,
    oldest: usize,
    /// Cost of the best feasible solution since the search started again, and the steps since then.
    run_cost: i64,
    stale: u64,
    may_restart: bool,
    /// Tasks around which a new solution is still to be improved.
    unimproved: Range<u16>,
    removed: Vec<u16>,
    vehicles: Vec<u16>,
    empty: Vec<u16>,
    best: Option<Genome>,
    /// What found the best solution.
    pub(super) found_by: &'static str,
    /// Routes of accepted solutions.
    pub(super) pool: RoutePool,
    pulse: Pulse,
}

impl IteratedLocalSearch {
    /// Starts with a solution, in which tasks may be unassigned.
    pub(super) fn new(
        instance: &Instance<'_, impl Arcs>,
        start: &RouteSet,
        seed: u64,
        pulse: Pulse,
    ) -> Self {
        let penalty_manager = PenaltyManager::new(instance);
        let mut trial = start.clone();
        trial.set_penalties(instance, penalty_manager.penalties());
        let is_few = instance.tasks <= FEW_MAX;
        let mut search = Self {
            current: trial.clone(),
            trial,
            removal: REMOVAL,
            local_search: LocalSearch::new(instance, pulse.clone()),
            penalty_manager,
            rng: Rng::seed_from_u64(seed),
            history: Vec::new(),
            oldest: 0,
            run_cost: i64::MAX,
            stale: 0,
            // Optional tasks that pay only together would not be inserted again one by one.
            may_restart: is_few && instance.unserved_penalties.iter().all(Option::is_none),
            unimproved: 0..0,
            removed: Vec::new(),
            vehicles: Vec::new(),
            empty: Vec::new(),
            best: None,
            found_by: ITERATED,
            pool: RoutePool::default(),
            pulse,
        };
        search.note_best(instance);
        search
    }

    /// Inserts unassigned tasks, and improves the solution around the first of them.
    fn complete(&mut self, instance: &Instance<'_, impl Arcs>) {
        (self.run_cost, self.stale, self.oldest) = (i64::MAX, 0, 0);
        self.unimproved = 0..instance.tasks as u16;
        let tasks = self.unimproved.clone();
        self.removed = tasks
            .filter(|task| !self.trial.is_assigned(*task))
            .collect();
        self.repair(instance);
        self.local_search.forget_tests(&mut self.trial);
        if instance.tasks > PART_MAX {
            // Solutions stay feasible, so that those of all parts can be reported.
            let penalties = self.penalty_manager.penalties().scaled(STIFF);
            self.trial.set_penalties(instance, penalties);
        }
        self.improve_part(instance);
        let is_long = instance.tasks > SHORT_MAX * self.used();
        if instance.tasks > FEW_MAX {
            self.removal = REMOVAL_MANY[usize::from(is_long)];
        }
        self.history = vec![Totals::default(); HISTORY[usize::from(is_long)]];
        self.restart();
    }

    /// Improves the solution around some tasks by local search.
    fn improve_part(&mut self, instance: &Instance<'_, impl Arcs>) {
        for task in self.unimproved.by_ref().take(PART_MAX) {
            self.local_search.mark(task);
        }
        let (solution, rng) = (&mut self.trial, &mut self.rng);
        // A search that is stopped leaves a solution all the same.
        let _ = self.local_search.run_promising(instance, solution, rng);
        self.local_search.clear_marks();
        self.note_best(instance);
        if !self.is_starting() && instance.tasks > PART_MAX {
            let penalties = self.penalty_manager.penalties();
            self.trial.set_penalties(instance, penalties);
            self.local_search.forget_tests(&mut self.trial);
        }
    }

    /// Whether the search has just started, and solutions are improved part by part.
    pub(super) fn is_starting(&self) -> bool {
        !self.unimproved.is_empty()
    }

    /// The number of routes with tasks, at least 1.
    fn used(&self) -> usize {
        let used = self.trial.routes.iter().filter(|route| route.tasks > 0);
        used.count().max(1)
    }

    /// Makes the trial solution the current one, and forgets those before.
    fn restart(&mut self) {
        self.trial.forget_touched();
        self.current = self.trial.clone();
        self.history.fill(self.current.totals);
    }

    /// The best feasible solution.
    pub(super) fn best(&self) -> Option<&Genome> {
        self.best.as_ref()
    }

    /// Takes over a migrant if it is better than the best feasible solution, and continues from it
    /// unless the current solution, at penalties, is better.
    pub(super) fn add_migrant(&mut self, instance: &Instance<'_, impl Arcs>, genome: &Genome) {
        let best = self.best.as_ref();
        if best.is_some_and(|best| genome.totals.cost >= best.totals.cost) {
            return;
        }
        self.best = Some(genome.clone());
        if genome.totals.cost < self.current.penalised_cost() {
            self.return_to_best(instance);
        }
    }

    /// Makes the best solution, if there is one, the current one.
    fn return_to_best(&mut self, instance: &Instance<'_, impl Arcs>) {
        self.stale = 0;
        if let Some(best) = &self.best {
            self.run_cost = best.totals.cost;
            best.decode(instance, &mut self.trial);
            self.local_search.forget_tests(&mut self.trial);
            self.restart();
        }
    }

    /// Recombines the routes of the pool by set partitioning.
    pub(super) fn recombine(&mut self, instance: &Instance<'_, impl Arcs>) {
        let Some(best) = &self.best else {
            return;
        };
        let columns = self.pool.columns(instance);
        let limit = best.totals.cost - instance.idle_cost;
        let set_partitioning = SetPartitioning::new(instance, &columns, limit);
        if let Some(chosen) = set_partitioning.solve(&self.pulse) {
            let penalties = self.penalty_manager.penalties();
            let genome = assemble(instance, &columns, &chosen, penalties);
            if genome.is_feasible(instance) {
                self.add_migrant(instance, &genome);
                self.found_by = "recombined routes";
            }
        }
    }

    /// Makes one step.
    ///
    /// # Errors
    /// When it was stopped before.
    pub(super) fn step(&mut self, instance: &Instance<'_, impl Arcs>) -> Result<(), Stop> {
        if self.is_starting() {
            self.improve_part(instance);
            self.restart();
        } else if self.history.is_empty() {
            // Not before, since islands are made one after the other.
            self.complete(instance);
        } else if self.stale > STALE_PER_TASK * instance.tasks as u64 {
            if self.may_restart {
                self.trial.clear(instance);
                self.complete(instance);
            } else {
                self.return_to_best(instance);
            }
        }
        if self.is_starting() {
            return Ok(());
        }
        self.stale += 1;
        self.local_search.clear_marks();
        self.remove_strings(instance);
        self.repair(instance);
        let (solution, rng) = (&mut self.trial, &mut self.rng);
        let searched = self.local_search.run_promising(instance, solution, rng);
        self.note_best(instance);
        self.penalty_manager.note(&self.trial.totals);
        if self.accepts() {
            if instance.tasks <= FEW_MAX {
                let vehicles = self.trial.touched().iter().map(|it| usize::from(*it));
                self.pool.add_feasible(instance, &self.trial, vehicles);
            }
            self.current.apply_changes(instance, &mut self.trial);
        } else {
            self.trial.revert(instance, &self.current);
        }
        if self.penalty_manager.update() {
            let penalties = self.penalty_manager.penalties();
            self.current.set_penalties(instance, penalties);
            self.trial.set_penalties(instance, penalties);
            self.local_search.forget_tests(&mut self.trial);
        }
        searched
    }

    /// Late acceptance: whether the trial solution is better than the current one, or than that of
    /// [`HISTORY`] steps ago. All at the penalty weights of now.
    fn accepts(&mut self) -> bool {
        let penalties = self.penalty_manager.penalties();
        let cost = |totals: &Totals| totals.penalised_cost(&penalties);
        let length = self.history.len();
        let late = &mut self.history[self.oldest];
        self.oldest = (self.oldest + 1) % length;
        let (trial, current) = (self.trial.totals, self.current.totals);
        let accepts = cost(&trial) < cost(late).max(cost(&current));
        let next = if accepts { trial } else { current };
        if cost(&next) < cost(late) {
            *late = next;
        }
        accepts
    }

    fn note_best(&mut self, instance: &Instance<'_, impl Arcs>) {
        let cost = self.trial.totals.cost;
        if cost >= self.run_cost || !self.trial.totals.is_feasible(instance) {
            return;
        }
        (self.run_cost, self.stale) = (cost, 0);
        if self
            .best
            .as_ref()
            .is_none_or(|best| cost < best.totals.cost)
        {
            let best = self.best.get_or_insert_default();
            best.copy(instance, &self.trial);
            self.found_by = ITERATED;
        }
    }

    /// Removes a string of tasks from each of some routes around a random task.
    fn remove_strings(&mut self, instance: &Instance<'_, impl Arcs>) {
        self.removed.clear();
        self.vehicles.clear();
        let length_mean = instance.tasks as f64 / self.used() as f64;
        let string_max = self.removal.string_max.min(length_mean).max(1.0);
        let routes_max = (4.0 * self.removal.tasks_mean / (1.0 + string_max) - 1.0).max(1.0);
        let routes = (1.0 + self.rng.random::<f64>() * routes_max) as usize;
        let seed = self.rng.random_range(0..instance.tasks as u32) as u16;
        let near = instance.free.neighbours(seed);
        for &task in std::iter::once(&seed).chain(near) {
            if self.vehicles.len() >= routes {
                break;
            }
            let vehicle = self.trial.nodes[task as usize].vehicle;
            if !self.trial.is_assigned(task) {
                // A string may have had it.
                if !self.removed.contains(&task) {
                    self.removed.push(task);
                }
            } else if !self.vehicles.contains(&vehicle) {
                self.vehicles.push(vehicle);
                self.remove_string(instance, task, string_max);
            }
        }
        for &vehicle in &self.vehicles {
            self.trial.refresh(instance, vehicle as usize);
        }
    }

    /// Removes up to `longest` tasks of a route, `task` among them.
    fn remove_string(&mut self, instance: &Instance<'_, impl Arcs>, task: u16, longest: f64) {
        let solution = &mut self.trial;
        let tasks = usize::from(solution.routes[solution.vehicle(task)].tasks);
        let count = (1.0 + self.rng.random::<f64>() * longest) as usize;
        let count = count.min(tasks);
        let position = usize::from(solution.nodes[task as usize].position);
        let earliest = (position + 1).saturating_sub(count).max(1);
        let first = self
            .rng
            .random_range(earliest..=position.min(tasks + 1 - count));
        let mut node = task;
        for _ in first..position {
            node = solution.prev(node);
        }
        self.local_search.mark(solution.prev(node));
        for _ in 0..count {
            let next = solution.next(node);
            solution.remove(instance, node);
            self.removed.push(node);
            node = next;
        }
        self.local_search.mark(node);
    }

    /// Inserts the removed tasks in random order, until it is stopped; optional tasks only where
    /// that lowers the penalised cost.
    fn repair(&mut self, instance: &Instance<'_, impl Arcs>) {
        self.removed.shuffle(&mut self.rng);
        let solution = &mut self.trial;
        for &task in &self.removed {
            if self.local_search.ticker.step(1).is_err() {
                return;
            }
            solution.empty_vehicles(instance, &mut self.empty);
            let penalty = instance.unserved_penalties[task as usize];
            let limit = penalty.unwrap_or(i64::MAX);
            let near = best_insertion(instance, solution, task, limit, &self.empty);
            // Of an optional task it is likely that it costs too much elsewhere, too.
            let position = match (near, penalty) {
                (None, None) => best_insertion_overall(instance, solution, task, limit),
                _ => near,
            };
            self.local_search.mark(task);
            if let Some(after) = position {
                solution.insert(instance, task, after);
                solution.refresh(instance, solution.vehicle(after));
                self.local_search.mark(after);
                self.local_search.mark(solution.next(task));
            }
        }
    }
}
