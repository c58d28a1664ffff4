//! Parameters of the search.

use anytime::StrategyInfo;

/// Parameters of the search. The default is the strategy `auto` with its own width.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Params {
    /// The method.
    pub strategy: Strategy,
    /// Number of parallel trees or islands, 1 to 64; 0: chosen by the strategy. Up to 300 tasks
    /// `auto` has at least two islands. The width is a part of the method: it changes the result.
    /// The number of threads does not.
    pub width: usize,
}

/// Default number of trees.
const WIDTH: usize = 2;

impl Params {
    /// Number of parallel trees: as requested or as the strategy chooses, at most 64.
    ///
    /// # Examples
    /// ```
    /// use allocation::{Params, Strategy};
    /// assert!(Params::default().trees() > 1);
    /// let one = Params { strategy: Strategy::Insertion, ..Params::default() };
    /// assert_eq!(one.trees(), 1, "it has no trees, and searches once");
    /// ```
    #[must_use]
    pub fn trees(&self) -> usize {
        match (self.strategy, self.width) {
            (Strategy::Insertion, _) => 1,
            (_, 0) => WIDTH,
            (_, width) => width.min(anytime::THREADS_MAX),
        }
    }
}

/// The methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strategy {
    /// Insertion, then iterated local search in parallel with ruin and recreate.
    /// Up to 24 tasks that are not under way, and where the makespan counts or changes are limited:
    /// tree search around a persistent ruin and recreate; above 1,000 tasks without the tree.
    #[default]
    Auto,
    /// Monte Carlo tree search with rollouts that learn, and ruin and recreate on their plans. At
    /// most 1,000 tasks.
    Mcts,
    /// Monte Carlo tree search with uniform rollouts, as in Kartal 2016, chapter 4. At most 1,000
    /// tasks.
    MctsUniform,
    /// Regret insertion alone.
    Insertion,
}

/// All strategies, the default first.
pub const STRATEGIES: &[StrategyInfo<Strategy>] = &[
    StrategyInfo {
        strategy: Strategy::Auto,
        name: "auto",
        description: "insertion, then iterated local search and ruin and recreate in parallel; \
                      tree search if small; an iteration is 32 steps, 8 of ejection, or one \
                      of the other searches",
        proves: true,
    },
    StrategyInfo {
        strategy: Strategy::Mcts,
        name: "mcts",
        description: "Monte Carlo tree search with learning rollouts, and ruin and recreate",
        proves: true,
    },
    StrategyInfo {
        strategy: Strategy::MctsUniform,
        name: "mcts-uniform",
        description: "Monte Carlo tree search with uniform rollouts, as published",
        proves: true,
    },
    StrategyInfo {
        strategy: Strategy::Insertion,
        name: "insertion",
        description: "regret insertion alone: one plan, in milliseconds",
        proves: false,
    },
];

impl Strategy {
    /// The strategy of this name.
    ///
    /// # Examples
    /// ```
    /// use allocation::solve::{STRATEGIES, Strategy};
    /// assert_eq!(Strategy::parse("mcts"), Some(Strategy::Mcts));
    /// assert_eq!(Strategy::parse("magic"), None);
    /// assert!(STRATEGIES.iter().all(|info| Strategy::parse(info.name) == Some(info.strategy)));
    /// ```
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        STRATEGIES
            .iter()
            .find(|info| info.name == name)
            .map(|info| info.strategy)
    }

    /// Its name on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Mcts => "mcts",
            Self::MctsUniform => "mcts-uniform",
            Self::Insertion => "insertion",
        }
    }
}
