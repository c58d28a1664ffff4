//! History heuristic: average scores of actions, as hints for tree search (section 5.5).

use super::mcts_domain::{PartialStory, StoryDomain};
use crate::compiled::ActionId;
use crate::plan::Cost;
use mcts::{Guide, Outcome, Rng};
use rand::RngExt;

/// What the history of actions is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bias {
    /// In selection: q of equation 5.5.
    pub(super) selection: Option<u32>,
    /// In rollouts.
    pub(super) rollout: bool,
}

/// Average scores of actions, wherever they were done (section 5.5.2): one entry for each action
/// with its parameters.
pub(super) struct History {
    bias: Bias,
    entries: Vec<Entry>,
    weights: Vec<f64>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    sum: f64,
    count: u32,
}

/// What an action without a good history weighs in rollouts, as a share of the best.
const CURIOSITY: f64 = 0.05;

impl History {
    pub(super) fn new(bias: Bias, action_ids: usize) -> Self {
        let used = bias.selection.is_some() || bias.rollout;
        Self {
            bias,
            entries: vec![Entry::default(); if used { action_ids } else { 0 }],
            weights: Vec::new(),
        }
    }

    /// H of equation 5.5. None: it was never done.
    fn average(&self, action: ActionId) -> Option<f64> {
        let entry = self.entries[action as usize];
        (entry.count > 0).then(|| entry.sum / f64::from(entry.count))
    }
}

impl Guide<StoryDomain<'_>> for History {
    /// Prefers actions of a good history, in proportion to it.
    fn rollout(
        &mut self,
        _: &StoryDomain<'_>,
        _: &PartialStory,
        actions: &[ActionId],
        rng: &mut Rng,
    ) -> usize {
        if !self.bias.rollout {
            return rng.random_range(0..actions.len());
        }
        let mut weights = std::mem::take(&mut self.weights);
        weights.clear();
        weights.extend(actions.iter().map(|a| self.average(*a).unwrap_or(1.0)));
        let best = weights.iter().copied().fold(0.0, f64::max);
        let floor = best * CURIOSITY + 1e-9;
        let total: f64 = weights.iter().map(|w| w + floor).sum();
        let mut left = rng.random_range(0.0..1.0) * total;
        let chosen = weights.iter().position(|weight| {
            left -= weight + floor;
            left < 0.0
        });
        self.weights = weights;
        chosen.unwrap_or(actions.len() - 1)
    }

    /// The first two terms of equation 5.5, with zeta capped at 1: beyond q visits it would weigh
    /// the history negatively.
    fn value(&self, action: ActionId, mean: f64, visits: u32) -> f64 {
        let Some(q) = self.bias.selection else {
            return mean;
        };
        let zeta = (f64::from(visits) / f64::from(q.max(1))).min(1.0);
        let history = self.average(action).unwrap_or(mean);
        zeta * mean + (1.0 - zeta) * history
    }

    fn learn(&mut self, _: &StoryDomain<'_>, actions: &[ActionId], outcome: &Outcome<Cost>) {
        if self.entries.is_empty() {
            return;
        }
        for &action in actions {
            let entry = &mut self.entries[action as usize];
            entry.sum += outcome.reward;
            entry.count += 1;
        }
    }
}
