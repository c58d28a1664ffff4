//! Improvement of the plans of rollouts by ruin and recreate.

use super::domain::AllocationDomain;
use super::state::State;
use crate::solve::anneal::{Anneal, Cooling};
use crate::solve::draft::Draft;
use crate::solve::recreate::Recreate;
use anytime::Pulse;
use mcts::Rng;

/// Improves the plans of rollouts.
pub(crate) struct Polish {
    mode: Mode,
    /// Iterations so far.
    iterations: u64,
    pulse: Pulse,
    draft: Draft,
    best: Draft,
    recreate: Recreate,
    anneal: Anneal,
}

/// How plans are improved.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mode {
    /// Whether ruin and recreate continues from its last plan instead of the rollout's.
    pub(crate) is_chain: bool,
    /// Steps of ruin and recreate in an iteration.
    pub(crate) steps: u64,
    /// Iterations for one improvement, after the first [`EAGER`].
    pub(crate) stride: u64,
    pub(crate) cooling: Cooling,
}

/// First iterations, which are all improved.
const EAGER: u64 = 32;

impl Polish {
    /// `start` is the initial plan, `pulse` the stop signal.
    pub(crate) fn new(start: &Draft, mode: Mode, pulse: Pulse) -> Self {
        Self {
            mode,
            iterations: 0,
            draft: start.clone(),
            best: start.clone(),
            recreate: Recreate::new(pulse.clone()),
            anneal: Anneal::new(start, mode.cooling, pulse.clone()),
            pulse,
        }
    }

    /// The best plan so far.
    pub(crate) fn best(&self) -> &Draft {
        &self.best
    }

    /// Replaces `end` by a better plan, if it finds one. Returns whether it searched.
    pub(crate) fn improve(
        &mut self,
        domain: &AllocationDomain<'_>,
        end: &mut State,
        rng: &mut Rng,
    ) -> bool {
        self.iterations += 1;
        if self.iterations > EAGER && !self.iterations.is_multiple_of(self.mode.stride) {
            return false;
        }
        if self.mode.is_chain {
            if self.anneal_from(domain, rng) {
                domain.write_plan(&self.best, end);
            }
            return true;
        }
        let model = &domain.context.model;
        if !domain.read_plan(end, &mut self.draft) {
            return false;
        }
        self.recreate.recreate(model, &mut self.draft, rng);
        self.anneal.restart(&self.draft);
        self.anneal_from(domain, rng);
        domain.write_plan(self.anneal.best(), end);
        true
    }

    /// Some steps of ruin and recreate. Returns whether they found a new best.
    fn anneal_from(&mut self, domain: &AllocationDomain<'_>, rng: &mut Rng) -> bool {
        for _ in 0..self.mode.steps {
            if !self.pulse.beats() {
                break;
            }
            self.anneal.step(domain.context, rng);
        }
        let model = &domain.context.model;
        let is_better = self.anneal.best().cost(model) < self.best.cost(model);
        if is_better {
            self.best.copy(self.anneal.best());
        }
        is_better
    }
}
