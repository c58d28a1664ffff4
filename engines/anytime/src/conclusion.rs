//! How a search ends.

/// What a search knows when it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conclusion {
    /// The last plan offered is proved to be optimal.
    Optimal,
    /// It is proved that no plan satisfies every rule. Offers made, if any, were partial, and the
    /// last is optimal, or the search does not look for a better one.
    Infeasible,
    /// It is proved that no plan keeps every rule, and the search for a better partial plan ended
    /// without a proof.
    Partial(Stop),
    /// The search ended without a proof.
    Stopped(Stop),
}

/// Why a search ended without a proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The deadline has passed.
    Deadline,
    /// The iteration limit is reached.
    Iterations,
    /// A plan at least as good as the target was offered.
    Target,
    /// The caller asked to stop.
    Cancelled,
    /// The process is shutting down.
    Draining,
    /// Another search needed what this one had.
    Yielded,
    /// The method has nothing more to try.
    Exhausted,
}

impl Stop {
    /// Whether the same request would stop at the same place again.
    #[must_use]
    pub fn is_reproducible(self) -> bool {
        matches!(self, Self::Iterations | Self::Target | Self::Exhausted)
    }
}

/// Why a search cannot be done at all.
///
/// Neither lack of time nor lack of a plan: those are conclusions.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The strategy cannot handle something that the problem has.
    #[error("strategy {strategy} does not support {feature}")]
    Unsupported {
        /// Name of the strategy.
        strategy: &'static str,
        /// What it cannot handle, in words of the problem.
        feature: String,
    },
    /// Something that the strategy stands on failed, such as a solver outside of it: not the
    /// problem's fault.
    #[error("strategy {strategy} failed: {why}")]
    Failed {
        /// Name of the strategy.
        strategy: &'static str,
        /// What failed.
        why: String,
    },
}
