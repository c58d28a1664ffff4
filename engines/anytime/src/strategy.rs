//! Descriptions of strategies.

/// A method of search, as callers know it. `S` is what a planner calls it; `()` where there is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StrategyInfo<S> {
    /// The strategy.
    pub strategy: S,
    /// Its stable name.
    pub name: &'static str,
    /// Description in one line.
    pub description: &'static str,
    /// Whether it can conclude that a plan is optimal.
    pub proves: bool,
}
