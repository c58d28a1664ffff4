//! How to search.

/// How to search. The default is the strategy `auto` with its own choices.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Params {
    /// The method.
    pub strategy: Strategy,
    /// Trees or islands that search side by side, 1 to 64; `auto` has two islands at least; 0: the
    /// strategy's own choice. A part of the method: it changes the answer, which the number of
    /// threads does not.
    pub width: usize,
    /// Constant C of the exploration term in UCB1; `None`: the strategy's own choice.
    pub exploration: Option<f64>,
    /// How unfinished plans are completed; `None`: the strategy's own choice.
    pub rollout: Option<Rollout>,
    /// How the tree is cut; `None`: the strategy's own choice.
    pub bound: Option<BoundKind>,
}

/// Trees unless the parameters say otherwise.
const WIDTH: usize = 2;

impl Params {
    /// Trees that search side by side: those asked for or the strategy's own choice, at most 64.
    ///
    /// # Examples
    /// ```
    /// use allocation::{Params, Strategy};
    /// assert!(Params::default().trees() > 1);
    /// let one = Params { strategy: Strategy::Insertion, ..Params::default() };
    /// assert_eq!(one.trees(), 1, "it grows none, and searches once");
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
    /// Insertion, then local search, then hybrid genetic search in parallel with ruin and recreate.
    /// Up to 24 tasks, and where the makespan counts, tasks are under way or changes are limited:
    /// tree search around a persistent ruin and recreate.
    #[default]
    Auto,
    /// Monte Carlo tree search with rollouts that learn, and local search on what they find.
    Mcts,
    /// Monte Carlo tree search with uniform rollouts, as in Kartal 2016, chapter 4.
    MctsUniform,
    /// Regret insertion alone.
    Insertion,
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
    /// Whether it can conclude that a plan is optimal by search.
    pub proves: bool,
}

/// All strategies, the default first.
pub const STRATEGIES: &[StrategyInfo] = &[
    StrategyInfo {
        strategy: Strategy::Auto,
        name: "auto",
        description: "insertion at once, then genetic search beside ruin and recreate; tree search if small",
        proves: true,
    },
    StrategyInfo {
        strategy: Strategy::Mcts,
        name: "mcts",
        description: "Monte Carlo tree search with learning rollouts and local search",
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

/// How unfinished plans are completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rollout {
    /// Every legal action is as likely as every other, going home included; nothing else is done.
    /// As in Kartal 2016.
    Uniform,
    /// Near and urgent tasks first, with noise, and what was good before more often; what comes out
    /// is improved.
    Guided,
}

/// How the tree is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoundKind {
    /// Not at all.
    None,
    /// The q cheapest ways, q as in Kartal 2016, section 4.5. Takes for granted that every agent
    /// does something: where fewer agents suffice it can cut the best plan, and nothing is proved.
    Thesis,
    /// The q cheapest ways, q = tasks left to do, and one to go home.
    Edges,
    /// For each task left to do, the cheapest way to it that is left, or what leaving it out costs.
    Arrival,
}
