//! How to search.

use crate::plan::Plan;

/// How to search. The default is the strategy `auto` with its own choices.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Params {
    /// The method.
    pub strategy: Strategy,
    /// Constant C of the exploration term in UCB1, for tree searches; `None`: the square root of 2.
    pub exploration: Option<f64>,
    /// Ticks that a tree search looks ahead, 1 to [`HORIZON_MAX`]; `None`: as long as an intruder
    /// who enters at tick 0 can be seen, else twice as many as there are vertices.
    pub horizon: Option<u32>,
    /// The plan that is being carried out, one route for each guard; an empty cycle: the guard has
    /// none, and stands or goes to and fro at first. The first plan never costs more than the
    /// previous plan continued from the first visit of each guard to its start: on its prefix, else
    /// on its cycle, else by a quickest path to the nearest stop of its cycle. Exceptions: that
    /// breaks a rule, is too long to be judged, or the search is stopped before it is judged. The
    /// strategy `auto` improves the first plan, too. Vertices that the problem lacks are passed
    /// over, and gaps between stops are bridged by quickest paths.
    pub warm: Option<Plan>,
}

/// Farthest that a tree search looks ahead, in ticks.
pub const HORIZON_MAX: u32 = 2_000;
/// Iterations of `iterative` before each commitment; twice as many for each tree that follows one
/// that has committed to a whole walk.
pub const COMMIT_AFTER: u64 = 1_000;

/// The methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Strategy {
    /// What is best for the case: beams and branch and bound for who enters at tick 0, rounds for
    /// who enters at any time.
    #[default]
    Auto,
    /// Monte Carlo tree search for plans of a finite length, which are walked again and again.
    Mcts,
    /// Monte Carlo tree search with useful cycles: Algorithms 2 and 3 of the thesis.
    MctsUc,
    /// The same, which commits to one action after the other: Algorithm 5.
    Iterative,
}

/// What people may want to know about a strategy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StrategyInfo {
    /// The strategy.
    pub strategy: Strategy,
    /// Its name on the wire.
    pub name: &'static str,
    /// One line about it.
    pub description: &'static str,
    /// Whether it can conclude that a plan is optimal.
    pub proves: bool,
}

/// All strategies, the default first.
pub const STRATEGIES: &[StrategyInfo] = &[
    StrategyInfo {
        strategy: Strategy::Auto,
        name: "auto",
        description: "beams and branch and bound for who enters at the start, annealed rounds for who enters at any time",
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
        description: "Monte Carlo tree search with useful cycles that commits to one step after the other",
        proves: false,
    },
];
