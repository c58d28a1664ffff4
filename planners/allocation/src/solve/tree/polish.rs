//! What is made of the plans that rollouts end in.

use super::rules::World;
use super::state::State;
use crate::solve::anneal::{Anneal, Cooling};
use crate::solve::draft::Draft;
use crate::solve::local::LocalSearch;
use crate::solve::recreate::Recreate;
use anytime::Pulse;
use mcts::Rng;

/// What is made of the plans that rollouts end in.
pub(crate) struct Polish {
    mode: Mode,
    /// Iterations so far.
    iterations: u64,
    pulse: Pulse,
    draft: Draft,
    best: Draft,
    local: LocalSearch,
    recreate: Recreate,
    anneal: Anneal,
}

/// How plans are polished.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mode {
    /// Whether ruin and recreate goes on where it stopped instead of starting from the rollout's
    /// plan.
    pub(crate) is_chain: bool,
    /// Steps of ruin and recreate an iteration.
    pub(crate) steps: u64,
    /// Iterations to which one is polished, after the first [`EAGER`].
    pub(crate) stride: u64,
    pub(crate) cooling: Cooling,
}

/// Iterations that are all polished.
const EAGER: u64 = 32;

impl Polish {
    /// `start` is a plan to start from, `pulse` what says whether to go on.
    pub(crate) fn new(start: &Draft, mode: Mode, pulse: Pulse) -> Self {
        Self {
            mode,
            iterations: 0,
            draft: start.clone(),
            best: start.clone(),
            local: LocalSearch::default(),
            recreate: Recreate::new(pulse.clone()),
            anneal: Anneal::new(start, mode.cooling, pulse.clone()),
            pulse,
        }
    }

    /// The best plan seen.
    pub(crate) fn best(&self) -> &Draft {
        &self.best
    }

    /// May replace `end` by a better one. True if it looked at all.
    pub(crate) fn improve(&mut self, world: &World<'_>, end: &mut State, rng: &mut Rng) -> bool {
        self.iterations += 1;
        if self.iterations > EAGER && !self.iterations.is_multiple_of(self.mode.stride) {
            return false;
        }
        if self.mode.is_chain {
            if self.anneal_from(world, rng) {
                world.put(&self.best, end);
            }
            return true;
        }
        let model = &world.scene.model;
        if !world.take(end, &mut self.draft) {
            return false;
        }
        self.recreate.note_none();
        self.recreate.recreate(model, &mut self.draft, rng);
        self.local
            .improve(world.scene, &mut self.draft, || self.pulse.beats());
        self.anneal.restart(&self.draft);
        self.anneal_from(world, rng);
        world.put(self.anneal.best(), end);
        true
    }

    /// Some steps of ruin and recreate; true if they found a new best.
    fn anneal_from(&mut self, world: &World<'_>, rng: &mut Rng) -> bool {
        for _ in 0..self.mode.steps {
            if !self.pulse.beats() {
                break;
            }
            self.anneal.step(world.scene, rng);
        }
        let model = &world.scene.model;
        let is_better = self.anneal.best().cost(model) < self.best.cost(model);
        if is_better {
            self.best.copy(self.anneal.best());
        }
        is_better
    }
}
