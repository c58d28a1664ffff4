//! A chain: simulated annealing with ruin and recreate.

use super::instance::CoupledInstance;
use super::levelling::level;
use super::recreate::{InsertionOrder, recreate};
use super::ruin::ruin;
use super::state::State;
use super::waiting;
use crate::plan::{Cost, Terms};
use crate::solve::anneal::{Cooling, HALVINGS, exponential};
use anytime::Pulse;
use mcts::Rng;
use rand::SeedableRng;

/// Number of doublings of the weight of a level, relative to the next one, in a cycle.
const DOUBLINGS: f64 = 10.0;
/// Share of a cycle before plans are levelled for the first time: earlier, the next change undoes
/// it.
const LEVEL_AGE: f64 = 0.3;

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
    cooling: Cooling,
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
            cooling: Cooling::growing(instance.tasks()),
        }
    }

    pub(super) fn best(&self) -> &State {
        &self.best
    }

    pub(super) fn best_cost(&self) -> Cost {
        self.best_cost
    }

    /// Takes a migrant as the best plan if it is better: the next cycle starts there.
    pub(super) fn add_migrant(&mut self, state: &State, cost: Cost) {
        if cost < self.best_cost {
            self.best.copy(state);
            self.best_cost = cost;
        }
    }

    /// Makes at most `steps` steps; returns how many it made.
    pub(super) fn run(&mut self, instance: &CoupledInstance<'_>, steps: u64) -> u64 {
        let mut made = 0;
        while made < steps && self.pulse.beats() {
            self.step(instance);
            made += 1;
        }
        made
    }

    fn step(&mut self, instance: &CoupledInstance<'_>) {
        let scale = instance
            .model
            .scale
            .softened(DOUBLINGS * self.cooling.age());
        (self.current.scale, self.trial.scale) = (scale, scale);
        self.trial.copy(&self.current);
        if self.change(instance) {
            self.accept(instance);
        }
        if self.cooling.advance() {
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
        if self.cooling.age() >= LEVEL_AGE {
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
        self.cooling.temperature(base / tasks, halvings)
    }
}
