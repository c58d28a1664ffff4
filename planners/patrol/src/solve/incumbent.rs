//! Incumbent of a search inside of another one.

use crate::plan::{Cost, Plan};
use anytime::{Conclusion, Control, Limits, Offer, Sink, SolveError};

/// Best plan and bound of a search.
#[derive(Default)]
pub(crate) struct Incumbent {
    /// Best plan and its cost.
    pub best: Option<(Plan, Cost)>,
    /// Method that found it.
    pub found_by: String,
    /// Lower bound on the cost.
    pub bound: Cost,
}

impl Sink<Plan, Cost> for Incumbent {
    fn offer(&mut self, offer: Offer<'_, Plan, Cost>) {
        self.best = Some((offer.plan.clone(), offer.cost));
        self.found_by = offer.found_by.to_owned();
    }

    fn bound(&mut self, bound: Cost, _: &'static str) {
        self.bound = bound;
    }
}

impl Incumbent {
    /// Runs a search of at most `iterations` iterations inside of another one, which counts them.
    pub(crate) fn search<P, C: Ord + Copy>(
        control: &mut Control<'_, P, C>,
        iterations: u64,
        stream: u64,
        solve: impl FnOnce(&mut Control<'_, Plan, Cost>) -> Result<Conclusion, SolveError>,
    ) -> Result<(Self, Conclusion), SolveError> {
        let limits = Limits {
            iterations_max: Some(iterations.min(control.remaining())),
            ..control.limits().clone()
        };
        let mut incumbent = Self::default();
        let mut inner = Control::new(limits, control.seed(stream), &mut incumbent);
        let conclusion = solve(&mut inner)?;
        let iterations = inner.iterations();
        // One at least, so that a limit also ends searches that take none.
        control.count(iterations.max(1).min(control.remaining()));
        Ok((incumbent, conclusion))
    }
}
