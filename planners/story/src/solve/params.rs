//! Parameters of the search.

use crate::plan::Plan;
pub use crate::relax::Caps;

/// A search strategy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strategy {
    /// A quick story, then tree search and a proof in turns.
    #[default]
    Auto,
    /// Monte Carlo tree search, plain.
    Mcts,
    /// The same, with the history of actions in selection (equation 5.5).
    MctsSelection,
    /// The same, with the history of actions in rollouts (section 5.5.2).
    MctsRollout,
    /// The same, one action at a time (Algorithm 5).
    Iterative,
    /// Best first in -ln B, with bounds: ends with a proof.
    Optimal,
}

/// Parameters of the search.
#[derive(Debug, Clone, PartialEq)]
pub struct Params {
    /// The method.
    pub strategy: Strategy,
    /// C of equation 2.1, at least 0. Rewards of stories are small: so is this. Default: 0.2.
    pub exploration: f64,
    /// q of equation 5.5: visits after which the history of an action no longer counts, at least 1.
    /// Default: 30.
    pub history_visits: u32,
    /// Iterations before each commitment of [`Strategy::Iterative`], at least 1. Default: 20,000.
    pub commit_after: u64,
    /// A story to begin with, such as the best one before a slider was moved.
    pub warm: Option<Plan>,
    /// How much of the domain proofs distinguish: with less of it they are quicker and weaker.
    pub caps: Caps,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            strategy: Strategy::Auto,
            exploration: 0.2,
            history_visits: 30,
            commit_after: 20_000,
            warm: None,
            caps: Caps::default(),
        }
    }
}
