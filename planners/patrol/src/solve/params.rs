//! Parameters and strategies of the search.

use crate::plan::Plan;
use anytime::StrategyInfo;

/// Parameters of the search.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Params {
    /// Method.
    pub strategy: Strategy,
    /// Constant C of the exploration term in UCB1, for tree searches; `None`: the square root of 2.
    pub exploration: Option<f64>,
    /// Horizon of a tree search in ticks, 1 to [`HORIZON_MAX`]; `None`: the window of an intruder
    /// that enters at tick 0, else twice the number of vertices.
    pub horizon: Option<u32>,
    /// Previous plan, one route for each guard. A guard with an empty cycle has none: at first it
    /// stands, or goes back and forth.
    ///
    /// The first plan never costs more than the previous plan, continued from the first visit of
    /// each guard to its start: on its prefix, else on its cycle, else by a shortest path to the
    /// nearest stop of its cycle. Exceptions: that breaks a rule, is too long to be evaluated, or
    /// the search is stopped before. The strategy `auto` improves the first plan, too. Vertices
    /// that the problem lacks are skipped, and shortest paths close the gaps.
    pub warm: Option<Plan>,
}

/// Maximum horizon of a tree search in ticks.
pub const HORIZON_MAX: u32 = 2_000;
/// Iterations of `iterative` before each commitment; doubled for each tree after one that has
/// committed to a complete walk.
pub const COMMIT_AFTER: u64 = 1_000;

/// Method of the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Strategy {
    /// Beam search and branch and bound against entry at tick 0, annealed rounds against entry at
    /// any time.
    #[default]
    Auto,
    /// Monte Carlo tree search for walks of a finite length, which are repeated.
    Mcts,
    /// Monte Carlo tree search with useful cycles: Algorithms 2 and 3 of the thesis.
    MctsUc,
    /// The same with a commitment to one action after the other: Algorithm 5.
    Iterative,
}

/// All strategies, the default first.
pub const STRATEGIES: &[StrategyInfo<Strategy>] = &[
    StrategyInfo {
        strategy: Strategy::Auto,
        name: "auto",
        description: "beams and branch and bound for entries at the start, annealed rounds for \
                      entries at any time",
        proves: true,
    },
    StrategyInfo {
        strategy: Strategy::Mcts,
        name: "mcts",
        description: "Monte Carlo tree search for walks of a finite length",
        proves: false,
    },
    StrategyInfo {
        strategy: Strategy::MctsUc,
        name: "mcts-uc",
        description: "Monte Carlo tree search with useful cycles",
        proves: false,
    },
    StrategyInfo {
        strategy: Strategy::Iterative,
        name: "iterative",
        description: "Monte Carlo tree search with useful cycles that commits to one step \
                      after the other",
        proves: false,
    },
];
