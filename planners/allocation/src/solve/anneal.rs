//! Simulated annealing with ruin and recreate.

use super::SearchContext;
use super::draft::Draft;
use super::model::Model;
use super::recreate::Recreate;
use super::ruin::ruin;
use anytime::{Pulse, math};
use mcts::Rng;
use rand::RngExt;

/// Cooling schedule, in cycles that become longer; a cycle begins hot and ends cold.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cooling {
    /// Temperature at the start of a cycle, as a share of the average cost of a task.
    hot: f64,
    /// Factor by which the next cycle is longer.
    growth: u64,
    /// Steps of this cycle.
    cycle: u64,
    /// Steps of this cycle so far.
    step: u64,
}

/// Number of halvings of the temperature in a cycle.
pub(crate) const HALVINGS: f64 = 7.0;
/// Steps of the longest cycle.
const STEPS_MAX: u64 = 1 << 24;
/// Steps of the first cycle for each task, where cycles grow.
const STEPS_PER_TASK: u64 = 20;
/// Least number of tasks for [`STEPS_PER_TASK`].
const TASKS_MIN: u64 = 25;

impl Cooling {
    /// Cycles that double, for a search that goes on from its own plans.
    pub(crate) fn growing(tasks: usize) -> Self {
        Self {
            growth: 2,
            ..Self::constant(1.0, STEPS_PER_TASK * (tasks as u64).max(TASKS_MIN))
        }
    }

    /// Cycles of equal length.
    pub(crate) fn constant(hot: f64, cycle: u64) -> Self {
        Self {
            hot,
            growth: 1,
            cycle,
            step: 0,
        }
    }

    /// Share of the cycle that is over.
    pub(crate) fn age(&self) -> f64 {
        self.step as f64 / self.cycle as f64
    }

    /// Counts a step. Whether a new cycle begins.
    pub(crate) fn advance(&mut self) -> bool {
        self.step += 1;
        let is_over = self.step >= self.cycle;
        if is_over {
            self.step = 0;
            self.cycle = (self.cycle * self.growth).min(STEPS_MAX);
        }
        is_over
    }

    /// The temperature, where a task costs this much on average. Falls by half `halvings` times a
    /// cycle, linearly in between.
    pub(crate) fn temperature(&self, cost_per_task: f64, halvings: f64) -> f64 {
        let age = halvings * self.age();
        let whole = age as u32;
        let hot = self.hot * cost_per_task;
        hot / f64::from(1_u32 << whole.min(31)) * (1.0 - (age - f64::from(whole)) / 2.0)
    }
}

/// Simulated annealing over drafts; each step is a ruin and a recreate.
#[derive(Debug, Clone)]
pub(crate) struct Anneal {
    current: Draft,
    trial: Draft,
    best: Draft,
    /// How often each task was left unassigned; tasks that are hard to insert weigh more.
    absences: Vec<u32>,
    /// The schedule at the start.
    first: Cooling,
    cooling: Cooling,
    recreate: Recreate,
}

impl Anneal {
    /// `pulse` is checked within each step.
    pub(crate) fn new(start: &Draft, cooling: Cooling, pulse: Pulse) -> Self {
        Self {
            current: start.clone(),
            trial: start.clone(),
            best: start.clone(),
            absences: vec![1; start.places.len()],
            first: cooling,
            cooling,
            recreate: Recreate::new(pulse),
        }
    }

    /// Restarts the first cycle from another draft.
    pub(crate) fn restart(&mut self, start: &Draft) {
        for draft in [&mut self.current, &mut self.trial, &mut self.best] {
            draft.copy(start);
        }
        self.cooling = self.first;
    }

    /// Starts the next cycle from a migrant if it is better than the own best draft.
    pub(crate) fn add_migrant(&mut self, model: &Model<'_>, draft: &Draft) {
        if draft.cost(model) < self.best.cost(model) {
            self.best.copy(draft);
        }
    }

    /// The current draft.
    pub(crate) fn current(&self) -> &Draft {
        &self.current
    }

    /// The best draft so far.
    pub(crate) fn best(&self) -> &Draft {
        &self.best
    }

    /// Makes one step. Returns whether it found a new best.
    pub(crate) fn step(&mut self, context: &SearchContext<'_>, rng: &mut Rng) -> bool {
        let SearchContext {
            model,
            neighbourhood,
        } = context;
        self.recreate.before_ruin(&self.trial);
        ruin(model, neighbourhood, &mut self.trial, rng);
        self.recreate.recreate(model, &mut self.trial, rng);
        let is_best = self.trial.cost(model) < self.best.cost(model);
        if self.accepts(model, rng) || is_best {
            self.current.apply_changes(&mut self.trial);
        } else {
            self.trial.revert(&self.current);
        }
        if is_best {
            self.best.copy(&self.current);
        }
        if self.cooling.advance() {
            self.current.copy(&self.best);
            self.trial.copy(&self.best);
        }
        is_best
    }

    fn accepts(&mut self, model: &Model<'_>, rng: &mut Rng) -> bool {
        let limit = self.current.penalised_cost(model) + self.temperature(model) * exponential(rng);
        let warm = self.trial.penalised_cost(model) < limit;
        if self.trial.unserved() == 0 && self.current.unserved() == 0 {
            return warm;
        }
        // Fleet minimisation of SISR, section 5.2: a task that is often unassigned outweighs
        // others.
        let hard = |draft: &Draft, absences: &[u32]| -> u64 {
            let mandatory = draft.unassigned.iter().filter(|t| model.is_mandatory(**t));
            mandatory
                .map(|task| u64::from(absences[*task as usize]))
                .sum()
        };
        let easier = hard(&self.trial, &self.absences) < hard(&self.current, &self.absences);
        for &task in &self.trial.unassigned {
            self.absences[task as usize] = self.absences[task as usize].saturating_add(1);
        }
        warm || easier
    }

    fn temperature(&self, model: &Model<'_>) -> f64 {
        let tasks = (model.jobs.len() - self.best.unassigned.len()).max(1) as f64;
        let cost_per_task = model.scale.temperature_base(self.best.terms()) / tasks;
        self.cooling.temperature(cost_per_task, HALVINGS)
    }
}

/// An exponentially distributed random number, mean 1.
pub(crate) fn exponential(rng: &mut Rng) -> f64 {
    // Above 0: ln 0 is infinite.
    -math::ln(1.0 - rng.random::<f64>())
}
