//! Optimism, for branch and bound.

use crate::Domain;

/// What every terminal state below a state costs at least.
///
/// Nodes whose bound is not strictly below the incumbent's cost are closed (Kartal 2016, section
/// 4.5). A bound that is too high cuts the optimum and makes proofs wrong: this is a contract, not
/// a hint.
pub trait Bound<D: Domain> {
    /// A lower bound on the cost of the terminal states at or below `state`. None: unknown.
    ///
    /// Called once for each new node and for the root.
    fn lower(&self, domain: &D, state: &D::State) -> Option<D::Cost>;

    /// Whether [`Bound::lower`] keeps its contract, and the domain can reach a best plan at all.
    /// Where not, as with a published bound that is too high in some cases, the search prunes all
    /// the same but proves nothing. Default: it does.
    fn is_sound(&self) -> bool {
        true
    }
}

/// Knows nothing; takes no memory.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoBound;

impl<D: Domain> Bound<D> for NoBound {
    fn lower(&self, _domain: &D, _state: &D::State) -> Option<D::Cost> {
        None
    }
}
