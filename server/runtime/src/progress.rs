//! What is known about a search, while it runs and at its end.

use super::Search;
use crate::Refusal;
use anytime::{Bound, Conclusion, Found, Outcome, Runnable, Timings};
use std::sync::Arc;
use std::time::Duration;

/// Stands for the number of a step that brought a plan where there is none; steps count from 1.
pub(super) const NO_PLAN: i64 = 0;

/// What the searching thread reports. Newest wins: a reader sees the present.
pub(super) struct Progress<P: Runnable> {
    /// Steps so far.
    pub sequence: i64,
    pub best: Option<Arc<Found<P>>>,
    pub bound: Option<Bound<P>>,
    pub iterations: u64,
    /// Since the search began, of the first plan.
    pub first_plan: Option<Duration>,
    pub verify: Duration,
    /// How long the check of the best plan took.
    pub check: Duration,
    /// Reasons found beside the search, and the number of the step that brought the plan that they
    /// are about, or [`NO_PLAN`].
    pub early: Option<(i64, Option<Arc<P::Reasons>>)>,
    /// Set once, last.
    pub end: Option<Result<End<P>, Refusal>>,
}

impl<P: Runnable> Default for Progress<P> {
    fn default() -> Self {
        Self {
            sequence: 0,
            best: None,
            bound: None,
            iterations: 0,
            first_plan: None,
            verify: Duration::ZERO,
            check: Duration::ZERO,
            early: None,
            end: None,
        }
    }
}

/// How a search ended.
pub(super) struct End<P: Runnable> {
    pub conclusion: Conclusion,
    pub iterations: u64,
    /// Whether time or a cancellation ended it, be it after the proof.
    pub cut_short: bool,
    /// From its start.
    pub solve: Duration,
    /// Part of it without slots, which others needed.
    pub parked: Duration,
    /// What the planner reports about the best plan, or about there being none.
    pub reasons: Option<Arc<P::Reasons>>,
}

impl<P: Runnable> Progress<P> {
    /// Number of the step that brought the best plan, or [`NO_PLAN`].
    pub(super) fn best_sequence(&self) -> i64 {
        self.best.as_ref().map_or(NO_PLAN, |best| best.sequence)
    }

    /// What was found beside the search about its best plan, or about there being none; `None` when
    /// that is not known.
    pub(super) fn early_reasons(&self) -> Option<Option<Arc<P::Reasons>>> {
        let (sequence, reasons) = self.early.as_ref()?;
        (self.best_sequence() == *sequence).then(|| reasons.clone())
    }
}

impl<P: Runnable> Search<P> {
    /// The outcome as of now: of the search's end, or `conclusion` when it has not ended.
    pub(super) fn outcome(&self, conclusion: Conclusion) -> Result<Outcome<P>, Refusal> {
        let progress = self.progress.borrow();
        let end = match &progress.end {
            Some(Err(refusal)) => return Err(refusal.clone()),
            Some(Ok(end)) => Some(end),
            None => None,
        };
        Ok(Outcome {
            best: progress.best.clone(),
            bound: progress.bound,
            conclusion: end.map_or(conclusion, |end| end.conclusion),
            iterations: end.map_or(progress.iterations, |end| end.iterations),
            cut_short: end.is_none_or(|end| end.cut_short),
            reasons: match end {
                Some(end) => end.reasons.clone(),
                None => progress.early_reasons().flatten(),
            },
            threads: self.threads,
            timings: Timings {
                queue: self.queue,
                validate: Duration::ZERO,
                solve: end.map_or_else(|| self.started.elapsed(), |end| end.solve),
                verify: progress.verify,
                first_plan: progress.first_plan,
                parked: end.map_or(Duration::ZERO, |end| end.parked),
            },
        })
    }
}
