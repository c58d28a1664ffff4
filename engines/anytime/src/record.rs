//! A whole search, recorded.

use crate::{Conclusion, Control, Limits, Offer, Sink, SolveError};

/// What a search offered and proved, and how it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record<P, C> {
    /// Plans and their costs, as claimed, each better than those before.
    pub offers: Vec<(P, C)>,
    /// Proved bounds and their methods, each higher than those before.
    pub bounds: Vec<(C, &'static str)>,
    /// How it ended.
    pub conclusion: Conclusion,
    /// Iterations made.
    pub iterations: u64,
}

impl<P, C: Copy> Record<P, C> {
    /// The best plan.
    pub fn plan(mut self) -> Option<P> {
        self.offers.pop().map(|(plan, _)| plan)
    }

    /// The cost of the best plan, as claimed.
    pub fn cost(&self) -> Option<C> {
        self.offers.last().map(|(_, cost)| *cost)
    }

    /// The best proved bound.
    pub fn bound(&self) -> Option<C> {
        self.bounds.last().map(|(bound, _)| *bound)
    }
}

/// Runs a search to its end and records it: for callers that have no use for a plan before the
/// last.
///
/// # Examples
/// ```
/// use anytime::{Conclusion, Control, Limits, record};
/// let search = |control: &mut Control<'_, u8, u32>| {
///     control.tick();
///     control.offer(&1, 50, "example");
///     control.offer(&2, 40, "example");
///     Ok(Conclusion::Optimal)
/// };
/// let record = record(Limits::iterations(9), 7, search).unwrap();
/// assert_eq!(record.offers, [(1, 50), (2, 40)]);
/// assert_eq!((record.iterations, record.conclusion), (1, Conclusion::Optimal));
/// assert_eq!(record.plan(), Some(2));
/// ```
///
/// # Errors
/// Those of the search.
pub fn record<P: Clone, C: Ord + Copy>(
    limits: Limits,
    seed: u64,
    search: impl FnOnce(&mut Control<'_, P, C>) -> Result<Conclusion, SolveError>,
) -> Result<Record<P, C>, SolveError> {
    let mut heard = Heard {
        offers: Vec::new(),
        bounds: Vec::new(),
    };
    let mut control = Control::new(limits, seed, &mut heard);
    let conclusion = search(&mut control)?;
    let iterations = control.iterations();
    Ok(Record {
        offers: heard.offers,
        bounds: heard.bounds,
        conclusion,
        iterations,
    })
}

/// What is heard of a search before it ends.
struct Heard<P, C> {
    offers: Vec<(P, C)>,
    bounds: Vec<(C, &'static str)>,
}

impl<P: Clone, C> Sink<P, C> for Heard<P, C> {
    fn offer(&mut self, offer: Offer<'_, P, C>) {
        self.offers.push((offer.plan.clone(), offer.cost));
    }

    fn bound(&mut self, bound: C, method: &'static str) {
        self.bounds.push((bound, method));
    }
}
