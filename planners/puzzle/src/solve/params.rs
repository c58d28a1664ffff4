//! Parameters of the search.

use anytime::StrategyInfo;

/// Parameters of the search. The default is the strategy `auto`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Params {
    /// The method.
    pub strategy: Strategy,
    /// Constant C of the exploration term in UCB1, for `mcts`; `None`: the square root of 2.
    pub exploration: Option<f64>,
}

/// The methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Strategy {
    /// Local search with the solver in the loop.
    #[default]
    Auto,
    /// Monte Carlo tree search over carving and simulated play: section 6.4 of the thesis.
    Mcts,
}

/// All strategies, the default first.
pub const STRATEGIES: &[StrategyInfo<Strategy>] = &[
    StrategyInfo {
        strategy: Strategy::Auto,
        name: "auto",
        description: "boards changed bit by bit and solved each time, so that they are as hard as wanted; on small given floors the most pushes, proved",
        proves: true,
    },
    StrategyInfo {
        strategy: Strategy::Mcts,
        name: "mcts",
        description: "Monte Carlo tree search over carving a board and playing on it",
        proves: true,
    },
];
