//! Simulated annealing by ruin and recreate.

use super::early;
use super::ground::Ground;
use super::level::level;
use super::recreate::{Turn, recreate};
use super::ruin::ruin;
use super::state::State;
use crate::plan::{Cost, Terms};
use crate::solve::anneal::{HALVINGS, STEPS_MAX, exponential, halved};
use anytime::Pulse;
use mcts::Rng;
use rand::SeedableRng;

/// Temperature at the start of a cycle, as a share of the cost of a task on average.
const HOT: f64 = 1.0;
/// How often the price of a level, in terms of the next one, is doubled in a cycle.
const DOUBLINGS: f64 = 10.0;
/// How much of a cycle is over when plans are levelled for the first time: before, the next change
/// undoes it.
const LEVEL_AGE: f64 = 0.3;
/// Steps of the first cycle for each task.
const STEPS_PER_TASK: u64 = 20;
/// Fewest tasks that this is taken of.
const TASKS_MIN: u64 = 25;

/// A search that goes from plan to plan, and remembers the best.
pub(super) struct Chain {
    current: State,
    trial: State,
    /// For exchanges of the trial.
    exchanged: State,
    best: State,
    best_cost: Cost,
    current_terms: Terms,
    /// How often each unit was left out.
    absences: Vec<u32>,
    rng: Rng,
    pulse: Pulse,
    step: u64,
    cycle: u64,
    made: u64,
}

impl Chain {
    pub(super) fn new(ground: &Ground<'_>, start: &State, seed: u64, pulse: &Pulse) -> Self {
        let terms = start.all_terms(ground);
        Self {
            current: start.clone(),
            trial: start.clone(),
            exchanged: start.clone(),
            best: start.clone(),
            best_cost: ground.model.problem.cost(&terms),
            current_terms: terms,
            absences: vec![0; ground.units.len()],
            rng: Rng::seed_from_u64(seed),
            pulse: pulse.clone(),
            step: 0,
            cycle: STEPS_PER_TASK * (ground.tasks() as u64).max(TASKS_MIN),
            made: 0,
        }
    }

    pub(super) fn best(&self) -> &State {
        &self.best
    }

    pub(super) fn best_cost(&self) -> Cost {
        self.best_cost
    }

    /// Steps made since this was asked last.
    pub(super) fn made(&mut self) -> u64 {
        std::mem::take(&mut self.made)
    }

    /// Takes a plan from elsewhere for its best if it is: the next cycle starts there.
    pub(super) fn learn(&mut self, state: &State, cost: Cost) {
        if cost < self.best_cost {
            self.best.copy(state);
            self.best_cost = cost;
        }
    }

    pub(super) fn run(&mut self, ground: &Ground<'_>, steps: u64) {
        for _ in 0..steps {
            if self.pulse.stop().is_some() {
                return;
            }
            self.made += 1;
            self.step(ground);
        }
    }

    fn step(&mut self, ground: &Ground<'_>) {
        let scale = ground.model.scale.softened(DOUBLINGS * self.age());
        (self.current.scale, self.trial.scale) = (scale, scale);
        self.trial.copy(&self.current);
        if self.change(ground) {
            self.accept(ground);
        }
        self.step += 1;
        if self.step >= self.cycle {
            self.step = 0;
            self.cycle = (2 * self.cycle).min(STEPS_MAX);
            self.current.copy(&self.best);
            self.current_terms = self.current.all_terms(ground);
        }
    }

    /// Makes another plan of the trial. False if it is none.
    fn change(&mut self, ground: &Ground<'_>) -> bool {
        ruin(ground, &mut self.trial, &mut self.rng);
        if self.trial.retime(ground).is_err() || self.trial.rest(ground, &mut Vec::new()).is_err() {
            return false;
        }
        let whole = recreate(
            ground,
            (&mut self.trial, &self.absences),
            (Turn::Luck, &mut self.rng),
            &mut self.pulse,
        );
        // Without the triangle inequality a stop in between may have made others earlier.
        if !whole || self.trial.retime(ground).is_err() || !self.trial.may_end(ground) {
            return false;
        }
        early::wait(ground, &mut self.trial);
        if self.age() >= LEVEL_AGE {
            let states = (&mut self.trial, &mut self.exchanged);
            level(ground, states, &self.pulse);
        }
        true
    }

    fn accept(&mut self, ground: &Ground<'_>) {
        let terms = self.trial.all_terms(ground);
        let cost = ground.model.problem.cost(&terms);
        let [energy, current] =
            [&terms, &self.current_terms].map(|terms| self.trial.scale.energy(terms));
        for (unit, one) in ground.units.iter().enumerate() {
            if !self.trial.is_done(one.tasks[0]) {
                self.absences[unit] = self.absences[unit].saturating_add(1);
            }
        }
        let warmth = self.temperature(ground) * exponential(&mut self.rng);
        let is_best = cost < self.best_cost;
        if is_best || energy < current + warmth {
            std::mem::swap(&mut self.current, &mut self.trial);
            self.current_terms = terms;
        }
        if is_best {
            self.best.copy(&self.current);
            self.best_cost = cost;
        }
    }

    fn temperature(&self, ground: &Ground<'_>) -> f64 {
        let tasks = ground.tasks().max(1) as f64;
        let warmth = ground.model.scale.warmth(&self.best.usual_terms(ground));
        let halvings = if ground.model.scale.warms_balance() {
            2.0 * HALVINGS
        } else {
            HALVINGS
        };
        halved(HOT * warmth / tasks, halvings * self.age())
    }

    /// How much of the cycle is over.
    fn age(&self) -> f64 {
        self.step as f64 / self.cycle as f64
    }
}
