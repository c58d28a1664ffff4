//! A chain: simulated annealing with ruin and recreate.

use super::instance::CoupledInstance;
use super::levelling::level;
use super::recreate::{InsertionOrder, recreate};
use super::ruin::ruin;
use super::state::State;
use super::waiting;
use crate::plan::{Cost, Terms};
use crate::solve::anneal::{HALVINGS, STEPS_MAX, exponential, halved};
use anytime::Pulse;
use mcts::Rng;
use rand::SeedableRng;

/// Temperature at the start of a cycle, as a share of the average cost of a task.
const HOT: f64 = 1.0;
/// Number of doublings of the weight of a level, relative to the next one, in a cycle.
const DOUBLINGS: f64 = 10.0;
/// Share of a cycle before plans are levelled for the first time: earlier, the next change undoes
/// it.
const LEVEL_AGE: f64 = 0.3;
/// Steps of the first cycle for each task.
const STEPS_PER_TASK: u64 = 20;
/// Least number of tasks for [`STEPS_PER_TASK`].
const TASKS_MIN: u64 = 25;

/// Simulated annealing over plans.
pub(super) struct Chain {
    current: State,
    trial: State,
    /// Scratch space of levelling.
    exchanged: State,
    best: State,
    best_cost: Cost,
    current_terms: Terms,
    /// How often each unit was left unassigned.
    absences: Vec<u32>,
    rng: Rng,
    pulse: Pulse,
    step: u64,
    cycle: u64,
    steps_made: u64,
}

impl Chain {
    pub(super) fn new(
        instance: &CoupledInstance<'_>,
        start: &State,
        seed: u64,
        pulse: &Pulse,
    ) -> Self {
        let terms = start.all_terms(instance);
        Self {
            current: start.clone(),
            trial: start.clone(),
            exchanged: start.clone(),
            best: start.clone(),
            best_cost: instance.model.problem.cost(&terms),
            current_terms: terms,
            absences: vec![0; instance.units.len()],
            rng: Rng::seed_from_u64(seed),
            pulse: pulse.clone(),
            step: 0,
            cycle: STEPS_PER_TASK * (instance.tasks() as u64).max(TASKS_MIN),
            steps_made: 0,
        }
    }

    pub(super) fn best(&self) -> &State {
        &self.best
    }

    pub(super) fn best_cost(&self) -> Cost {
        self.best_cost
    }

    /// Returns the number of steps since the last call.
    pub(super) fn take_steps(&mut self) -> u64 {
        std::mem::take(&mut self.steps_made)
    }

    /// Takes a migrant as the best plan if it is better: the next cycle starts there.
    pub(super) fn add_migrant(&mut self, state: &State, cost: Cost) {
        if cost < self.best_cost {
            self.best.copy(state);
            self.best_cost = cost;
        }
    }

    pub(super) fn run(&mut self, instance: &CoupledInstance<'_>, steps: u64) {
        for _ in 0..steps {
            if self.pulse.stop().is_some() {
                return;
            }
            self.steps_made += 1;
            self.step(instance);
        }
    }

    fn step(&mut self, instance: &CoupledInstance<'_>) {
        let scale = instance.model.scale.softened(DOUBLINGS * self.age());
        (self.current.scale, self.trial.scale) = (scale, scale);
        self.trial.copy(&self.current);
        if self.change(instance) {
            self.accept(instance);
        }
        self.step += 1;
        if self.step >= self.cycle {
            self.step = 0;
            self.cycle = (2 * self.cycle).min(STEPS_MAX);
            self.current.copy(&self.best);
            self.current_terms = self.current.all_terms(instance);
        }
    }

    /// Changes the trial. Returns false if the result is no plan.
    fn change(&mut self, instance: &CoupledInstance<'_>) -> bool {
        ruin(instance, &mut self.trial, &mut self.rng);
        if self.trial.retime(instance).is_err()
            || self.trial.insert_breaks(instance, &mut Vec::new()).is_err()
        {
            return false;
        }
        let whole = recreate(
            instance,
            &mut self.trial,
            &self.absences,
            InsertionOrder::Random,
            &mut self.rng,
            &mut self.pulse,
        );
        // Without the triangle inequality an insertion may have made other starts earlier.
        if !whole || self.trial.retime(instance).is_err() || !self.trial.takes_all_breaks(instance)
        {
            return false;
        }
        waiting::wait(instance, &mut self.trial);
        if self.age() >= LEVEL_AGE {
            level(instance, &mut self.trial, &mut self.exchanged, &self.pulse);
        }
        true
    }

    fn accept(&mut self, instance: &CoupledInstance<'_>) {
        let terms = self.trial.all_terms(instance);
        let cost = instance.model.problem.cost(&terms);
        let [penalised_cost, current] =
            [&terms, &self.current_terms].map(|terms| self.trial.scale.penalised_cost(terms));
        for (unit, one) in instance.units.iter().enumerate() {
            if !self.trial.is_assigned(one.tasks[0]) {
                self.absences[unit] = self.absences[unit].saturating_add(1);
            }
        }
        let tolerance = self.temperature(instance) * exponential(&mut self.rng);
        let is_best = cost < self.best_cost;
        if is_best || penalised_cost < current + tolerance {
            std::mem::swap(&mut self.current, &mut self.trial);
            self.current_terms = terms;
        }
        if is_best {
            self.best.copy(&self.current);
            self.best_cost = cost;
        }
    }

    fn temperature(&self, instance: &CoupledInstance<'_>) -> f64 {
        let tasks = instance.tasks().max(1) as f64;
        let base = instance
            .model
            .scale
            .temperature_base(&self.best.usual_terms(instance));
        let halvings = if instance.model.scale.warms_balance() {
            2.0 * HALVINGS
        } else {
            HALVINGS
        };
        halved(HOT * base / tasks, halvings * self.age())
    }

    /// Share of the cycle that is over.
    fn age(&self) -> f64 {
        self.step as f64 / self.cycle as f64
    }
}
