//! Ruin and recreate, again and again, under a falling temperature.

use super::Scene;
use super::draft::Draft;
use super::model::Model;
use super::recreate::Recreate;
use super::ruin::ruin;
use anytime::{Pulse, math};
use mcts::Rng;
use rand::RngExt;

/// How a temperature falls: in cycles, the next longer than the last.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cooling {
    /// Temperature at the start of a cycle, as a share of the cost of a task on average.
    pub(crate) hot: f64,
    /// Steps of the first cycle.
    pub(crate) steps: u64,
    /// By what the next cycle is longer.
    pub(crate) growth: u64,
}

/// How often the temperature is halved in a cycle.
pub(crate) const HALVINGS: f64 = 7.0;
/// Longest cycle.
pub(crate) const STEPS_MAX: u64 = 1 << 24;

/// A search that goes from draft to draft by ruin and recreate, and remembers the best.
#[derive(Debug, Clone)]
pub(crate) struct Anneal {
    current: Draft,
    trial: Draft,
    best: Draft,
    /// How often each task was left out; tasks that are hard to place weigh more.
    absences: Vec<u32>,
    cooling: Cooling,
    cycle: u64,
    step: u64,
    recreate: Recreate,
}

impl Anneal {
    /// `pulse` is asked within each step.
    pub(crate) fn new(start: &Draft, cooling: Cooling, pulse: Pulse) -> Self {
        Self {
            current: start.clone(),
            trial: start.clone(),
            best: start.clone(),
            absences: vec![1; start.places.len()],
            cycle: cooling.steps,
            cooling,
            step: 0,
            recreate: Recreate::new(pulse),
        }
    }

    /// Goes on from another draft, at the start of a first cycle.
    pub(crate) fn restart(&mut self, start: &Draft) {
        for draft in [&mut self.current, &mut self.trial, &mut self.best] {
            draft.copy(start);
        }
        (self.cycle, self.step) = (self.cooling.steps, 0);
    }

    /// Starts the next cycle from a draft from elsewhere, if that is better than its own.
    pub(crate) fn learn(&mut self, model: &Model<'_>, draft: &Draft) {
        if draft.cost(model) < self.best.cost(model) {
            self.best.copy(draft);
        }
    }

    /// Where it is.
    pub(crate) fn current(&self) -> &Draft {
        &self.current
    }

    /// The best draft so far.
    pub(crate) fn best(&self) -> &Draft {
        &self.best
    }

    /// One step. True if it found a new best.
    pub(crate) fn step(&mut self, scene: &Scene<'_>, rng: &mut Rng) -> bool {
        let Scene { model, nearest } = scene;
        self.recreate.note(&self.trial);
        ruin(model, nearest, &mut self.trial, rng);
        self.recreate.recreate(model, &mut self.trial, rng);
        let is_best = self.trial.cost(model) < self.best.cost(model);
        if self.accepts(model, rng) || is_best {
            self.current.follow(&mut self.trial);
        } else {
            self.trial.revert(&self.current);
        }
        if is_best {
            self.best.copy(&self.current);
        }
        self.step += 1;
        if self.step >= self.cycle {
            self.step = 0;
            self.cycle = (self.cycle * self.cooling.growth).min(STEPS_MAX);
            self.current.copy(&self.best);
            self.trial.copy(&self.best);
        }
        is_best
    }

    fn accepts(&mut self, model: &Model<'_>, rng: &mut Rng) -> bool {
        let limit = self.current.energy(model) + self.temperature(model) * exponential(rng);
        let warm = self.trial.energy(model) < limit;
        if self.trial.unserved() == 0 && self.current.unserved() == 0 {
            return warm;
        }
        // A task that is often left out is worth others that are not: fleet minimisation of SISR,
        // section 5.2.
        let hard = |draft: &Draft, absences: &[u32]| -> u64 {
            let mandatory = draft.absent.iter().filter(|t| model.is_mandatory(**t));
            mandatory
                .map(|task| u64::from(absences[*task as usize]))
                .sum()
        };
        let easier = hard(&self.trial, &self.absences) < hard(&self.current, &self.absences);
        for &task in &self.trial.absent {
            self.absences[task as usize] = self.absences[task as usize].saturating_add(1);
        }
        warm || easier
    }

    /// Falls by half [`HALVINGS`] times a cycle.
    fn temperature(&self, model: &Model<'_>) -> f64 {
        let tasks = (model.jobs.len() - self.best.absent.len()).max(1) as f64;
        let hot = self.cooling.hot * model.scale.warmth(self.best.terms()) / tasks;
        halved(hot, HALVINGS * self.step as f64 / self.cycle as f64)
    }
}

/// `hot` halved so many times, with straight lines in between.
pub(crate) fn halved(hot: f64, age: f64) -> f64 {
    let halvings = age as u32;
    hot / f64::from(1_u32 << halvings.min(31)) * (1.0 - (age - f64::from(halvings)) / 2.0)
}

/// A number that is exponentially distributed, mean 1.
pub(crate) fn exponential(rng: &mut Rng) -> f64 {
    // Above 0: ln 0 is infinite.
    -math::ln(1.0 - rng.random::<f64>())
}
