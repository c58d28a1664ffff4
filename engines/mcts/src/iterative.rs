//! The driver that plans one action at a time.

use crate::{Bound, Domain, Guide, Search, Step};
use anytime::{Conclusion, Control, Stop};

/// How [`iterative`] divides its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IterativeSettings {
    /// Iterations before each commitment, at least 1: the budget of Algorithm 5.
    pub budget: u64,
    /// What the offers say found them.
    pub found_by: &'static str,
}

/// Searches for a while, commits to the most visited action, prunes the others, and so on.
///
/// Needs less memory than one tree for all, and goes deeper; but what was pruned is lost, so the
/// optimum is proved only if the tree is exhausted before a commitment left anything out. Offers
/// the best over all steps. Source: Kartal 2016, Algorithm 5, with the difference that the most
/// visited *open* child becomes the root: a closed one has nothing left to find.
///
/// Ends as `Optimal`, or as `Stopped`: by `control`, or `Exhausted` when the last commitment is
/// explored.
pub fn iterative<D, G, B, P>(
    control: &mut Control<'_, P, D::Cost>,
    mut search: Search<'_, D, G, B>,
    export: impl Fn(&D::State) -> P,
    settings: IterativeSettings,
) -> Conclusion
where
    D: Domain,
    G: Guide<D>,
    B: Bound<D>,
{
    loop {
        for _ in 0..settings.budget.max(1) {
            if search.is_exhausted() {
                return Conclusion::Optimal;
            }
            if search.is_finished() {
                return Conclusion::Stopped(Stop::Exhausted);
            }
            if !control.tick() {
                return Conclusion::Stopped(control.stop().unwrap_or(Stop::Iterations));
            }
            if search.step(control.best()) == Step::Improved
                && let Some((state, cost)) = search.best()
            {
                control.offer(&export(state), cost, settings.found_by);
            }
        }
        // Where no child is open yet, the next budget goes to the same root.
        search.commit();
    }
}
