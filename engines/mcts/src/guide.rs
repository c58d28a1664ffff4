//! Hints: they cost time when they are wrong, never correctness.

use crate::{Domain, Outcome, Rng};
use rand::RngExt;
use rand::seq::SliceRandom;

/// Hints to a search. Every method has a default; with all of them this is plain UCT.
///
/// All luck comes from the `rng` that is passed, or the search is not reproducible.
pub trait Guide<D: Domain> {
    /// Puts the actions of a node that is being expanded into the order in which they will be
    /// tried. May only permute them. Default: shuffle.
    fn order(&mut self, domain: &D, state: &D::State, actions: &mut [D::Action], rng: &mut Rng) {
        let _ = (domain, state);
        actions.shuffle(rng);
    }

    /// The index of the action that a rollout takes; `actions` is not empty. Default: uniform.
    ///
    /// Also asked, with the actions that have no node yet, where the tree has no room to grow.
    fn rollout(
        &mut self,
        domain: &D,
        state: &D::State,
        actions: &[D::Action],
        rng: &mut Rng,
    ) -> usize {
        let _ = (domain, state);
        rng.random_range(0..actions.len())
    }

    /// The exploitation term of a child that `action` leads to: W in equation 2.1 of Kartal 2016.
    /// `mean` is its mean reward over `visits` > 0 visits. Default: the mean. Equation 5.5
    /// (history) fits here.
    fn value(&self, action: D::Action, mean: f64, visits: u32) -> f64 {
        let _ = (action, visits);
        mean
    }

    /// May replace a terminal state by a better one (local search), before it is evaluated. What it
    /// leaves must be a terminal state of the domain. Default: leaves it alone.
    fn polish(&mut self, domain: &D, terminal: &mut D::State, rng: &mut Rng) {
        let _ = (domain, terminal, rng);
    }

    /// Sees the actions of an iteration, all from the domain's root, and what (after polishing)
    /// came of them. Default: learns nothing.
    fn learn(&mut self, domain: &D, actions: &[D::Action], outcome: &Outcome<D::Cost>) {
        let _ = (domain, actions, outcome);
    }
}

/// No hints: plain UCT, for any domain.
#[derive(Debug, Clone, Copy, Default)]
pub struct Plain;

impl<D: Domain> Guide<D> for Plain {}
