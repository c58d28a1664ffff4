//! What a runner has to know of a planner, and what it reports about a search.

use crate::{Conclusion, Planner, Pulse};
use std::sync::Arc;
use std::time::Duration;

/// A planner that a runner can carry: its name, its memory, and the reasons for its plans.
pub trait Runnable: Planner<Params: Clone, Plan: Sync, Cost: Sync> + 'static {
    /// Name of the planner, in metrics and logs.
    const NAME: &'static str;
    /// Maximal memory for each node of a search, in bytes, with everything that belongs to it; 0
    /// where the limit of nodes does not matter.
    const NODE_BYTES: usize = 0;
    /// Memory for each pair of elements, in bytes, where it grows with their square.
    const PAIR_BYTES: usize = 0;
    /// Why a plan is not complete, or what else an answer says about it.
    type Reasons: Send + Sync + 'static;

    /// Size of a problem, in logs: the number of tasks, or of whatever is planned.
    fn elements(problem: &Self::Problem) -> usize;

    /// Number of pairs of elements that a search keeps something about.
    fn pairs(problem: &Self::Problem) -> usize {
        let elements = Self::elements(problem);
        elements.saturating_mul(elements)
    }

    /// Whether the plan leaves out what is mandatory.
    fn is_partial(_: &Self::Problem, _: &Self::Plan) -> bool {
        false
    }

    /// Why something in the plan is missing, or why there is none; `None` when nothing is. Called
    /// on the searching thread, once, at the end, unless nobody waits for it any more; when the
    /// deadline is near, also on a thread of its own, for the best plan so far. `None`, too, when
    /// stopped: what may take more than some milliseconds has to look at the pulse.
    fn explain(_: &Self::Problem, _: Option<&Self::Plan>, _: &Pulse) -> Option<Self::Reasons> {
        None
    }

    /// The same reasons with all that takes longer to find, if there is more. Called on the
    /// searching thread, at the end, with the reasons for that plan: a caller that cannot wait gets
    /// these.
    fn explain_more(
        _: &Self::Problem,
        _: Option<&Self::Plan>,
        _: &Self::Reasons,
        _: &Pulse,
    ) -> Option<Self::Reasons> {
        None
    }

    /// Bugs of the planner that were noticed on the way to these reasons, for the log.
    fn bugs(_: &Self::Reasons) -> Vec<String> {
        Vec::new()
    }
}

/// A checked plan.
#[derive(Debug)]
pub struct Found<P: Planner> {
    /// The plan.
    pub plan: P::Plan,
    /// As the check computed it.
    pub cost: P::Cost,
    /// Whether it leaves out what is mandatory.
    pub partial: bool,
    /// What found it, for people.
    pub found_by: String,
    /// Number of the step that brought it.
    pub sequence: i64,
}

/// A proved bound: the cost, and how it was proved.
pub type Bound<P> = (<P as Planner>::Cost, &'static str);

/// The result of a search, as of its end or of its deadline.
pub struct Outcome<P: Runnable> {
    /// The best plan.
    pub best: Option<Arc<Found<P>>>,
    /// The best proved bound.
    pub bound: Option<Bound<P>>,
    /// How the search ended.
    pub conclusion: Conclusion,
    /// Iterations done.
    pub iterations: u64,
    /// Whether time or a cancellation ended it, be it after the proof.
    pub cut_short: bool,
    /// Absent when there is nothing to report, or the time did not suffice.
    pub reasons: Option<Arc<P::Reasons>>,
    /// Threads that it ran on.
    pub threads: usize,
    /// All but validation.
    pub timings: Timings,
}

impl<P: Runnable> Outcome<P> {
    /// Whether there is a plan that satisfies every rule.
    pub fn is_complete(&self) -> bool {
        self.best.as_ref().is_some_and(|best| !best.partial)
    }
}

/// A search while it goes on.
pub struct Snapshot<P: Planner> {
    /// Number and time of the step.
    pub at: Mark,
    /// Best plan so far.
    pub best: Option<Arc<Found<P>>>,
    /// Whether that plan was not sent before.
    pub is_new: bool,
    /// The best proved bound.
    pub bound: Option<Bound<P>>,
    /// Iterations done.
    pub iterations: u64,
}

/// Number and time of a step of a search.
#[derive(Debug, Clone, Copy)]
pub struct Mark {
    /// Its number; steps count from 1.
    pub sequence: i64,
    /// Since the search began.
    pub elapsed: Duration,
}

/// How the time of a request was used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Timings {
    /// Wait for a slot.
    pub queue: Duration,
    /// Decoding and validation.
    pub validate: Duration,
    /// Search, checks included.
    pub solve: Duration,
    /// Checks of plans.
    pub verify: Duration,
    /// From the start of the search to the first plan.
    pub first_plan: Option<Duration>,
    /// Part of the search without slots, which others needed.
    pub parked: Duration,
}
