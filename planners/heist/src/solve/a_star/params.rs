//! Parameters of the search, its checks and how it ends.

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::solve) enum SearchEnd {
    /// No plan is shorter than the upper bound.
    Proved,
    /// The observer stopped it.
    Stopped,
    /// It may be resumed.
    Paused,
    /// No plan is shorter by more than the slack.
    Near,
    /// The maximal number of nodes is reached.
    Full,
}

/// What comes after a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::solve) enum Checkpoint {
    /// The expansion of a node.
    Node,
    /// More work between two expansions.
    More,
}

/// Parameters of the search.
#[derive(Debug, Clone, Copy)]
pub(in crate::solve) struct SearchParams {
    /// Only plans with fewer actions are wanted.
    pub upper_bound: u32,
    /// Optimality gap, in percent.
    pub slack_percent: u32,
    /// Weight of the bound, in percent (weighted A*): 100 finds the shortest plan, more finds some
    /// plan sooner.
    pub weight_percent: u32,
    /// Maximal number of nodes.
    pub nodes_max: usize,
}
