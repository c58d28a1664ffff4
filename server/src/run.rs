//! Runs any planner: waits for slots, searches on a thread of its own, checks every offer, ends in
//! time.
//!
//! Nothing here knows a game or the wire. A [`Job`] goes in; a [`Search`] comes out, which is
//! followed until its [`Outcome`]. The searching thread owns the slots; dropping the [`Search`]
//! stops it.

pub(crate) mod admission;
pub(crate) mod budget;
mod early;
mod follow;
mod kinds;
mod perform;
mod progress;
mod search;
pub(crate) mod steps;
#[cfg(test)]
mod tests;

pub(crate) use ::allocation::Allocation as AllocationPlanner;
pub(crate) use ::crew::Crew as CrewPlanner;
pub(crate) use ::heist::analysis::Analyst as AnalysisPlanner;
pub(crate) use ::narrative::Schedule as NarrativePlanner;
pub(crate) use ::patrol::Patrol as PatrolPlanner;
pub(crate) use ::patrol::mixture::Mixtures as MixturePlanner;
pub(crate) use ::patrol::variety::Varieties as VarietyPlanner;
pub(crate) use ::puzzle::{Puzzle as PuzzlePlanner, Solver as SolverPlanner};
pub(crate) use ::temporal::{Levels as LevelsPlanner, Strong as StrongPlanner};
pub(crate) use budget::Budget;
pub(crate) use kinds::Variant;
pub(crate) use kinds::heist::{BurglarPlanner, DesignPlanner, Errand, Wanted};
pub(crate) use perform::{Off, Stage};
pub(crate) use progress::{Bound, Found, Outcome};
pub(crate) use steps::Step;

use crate::drain::Drain;
use crate::metrics::Metrics;
use crate::status::Refusal;
use crate::wire::solve::Class;
use admission::{Admission, Permit, Wish};
use anytime::{CancelToken, Limits, Planner, Pulse};
use progress::Progress;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tracing::Instrument as _;

/// What the runner has to know of a planner beyond how to solve and to verify.
pub(crate) trait Kind:
    Planner<Params: Clone, Plan: Sync, Cost: Sync, Violation: std::fmt::Display> + 'static
{
    /// Name of the planner, in metrics and logs.
    const NAME: &'static str;
    /// Why a plan is not complete, or what else is to be told about it.
    type Reasons: Send + Sync + 'static;

    /// Size of a problem, in logs: tasks, or whatever is planned.
    fn elements(problem: &Self::Problem) -> usize;

    /// Whether the plan leaves out what is mandatory.
    fn is_partial(_: &Self::Problem, _: &Self::Plan) -> bool {
        false
    }

    /// Why something in the plan is missing, or why there is none; `None` when nothing is. Called
    /// on the searching thread, once, at the end, unless nobody waits for it any more; when the
    /// deadline is near, for the best plan so far also beside it. `None`, too, when told to stop:
    /// what may take more than some milliseconds has to ask.
    fn explain(_: &Self::Problem, _: Option<&Self::Plan>, _: &Pulse) -> Option<Self::Reasons> {
        None
    }
}

/// A problem, and how to search.
pub(crate) struct Job<P: Kind> {
    pub problem: Arc<P::Problem>,
    pub params: P::Params,
    pub target: Option<P::Cost>,
    pub seed: i64,
    pub iterations_max: Option<u64>,
    /// As asked for; no more than there are slots are given.
    pub threads: usize,
    pub class: Class,
    pub budget: Budget,
    /// Memory that the problem takes.
    pub bytes: usize,
}

/// Runs searches; clones share slots and queue.
#[derive(Clone)]
pub(crate) struct Runner {
    pub admission: Admission,
    pub drain: Drain,
    pub metrics: Metrics,
    /// Nodes for the search trees of one request.
    pub nodes_max: usize,
}

/// A search that runs. Dropping it stops the search.
pub(crate) struct Search<P: Kind> {
    progress: watch::Receiver<Progress<P>>,
    cancel: Cancel,
    drain: Drain,
    budget: Budget,
    /// Wait for the slots.
    queue: Duration,
    started: Instant,
    threads: usize,
    /// What explains the best plan in time.
    _beside: early::Beside,
}

impl Runner {
    /// Starts a search as soon as there are slots for it.
    ///
    /// # Errors
    /// When the deadline has passed, or there are no slots in time.
    pub(crate) async fn start<P: Kind>(&self, job: Job<P>) -> Result<Search<P>, Refusal> {
        let budget = job.budget;
        if budget.has_passed() && budget.is_the_calls() {
            return Err(Refusal::Expired);
        }
        let wish = Wish {
            class: job.class,
            slots: job.threads.clamp(1, self.admission.slots()),
            bytes: job.bytes,
            arrived: budget.arrived(),
            deadline: budget.solve_by(),
            limited: job.iterations_max.is_some(),
        };
        let span = tracing::debug_span!("queue");
        let permit = self.admission.enter(wish).instrument(span).await?;
        let started = permit.started();
        let threads = permit.slots();
        let cancel = Cancel::new();
        let limits = Limits {
            deadline: Some(budget.solve_by()),
            iterations_max: job.iterations_max,
            nodes_max: self.nodes_max,
            threads,
            cancel: cancel.token.clone(),
        };
        let (sender, progress) = watch::channel(Progress::default());
        let wanted = Pulse::new(Some(budget.answer_by()), cancel.gone.clone());
        let beside = early::explain(
            (Arc::clone(&job.problem), wanted.clone()),
            sender.clone(),
            budget,
        );
        self.spawn(
            search::Work {
                job,
                limits,
                wanted,
                started,
                progress: sender,
                metrics: self.metrics.clone(),
            },
            permit,
            cancel.asked(),
        );
        Ok(Search {
            progress,
            cancel,
            drain: self.drain.clone(),
            budget,
            queue: started.saturating_duration_since(budget.arrived()),
            started,
            threads,
            _beside: beside,
        })
    }

    /// Searches on a thread of the blocking pool. No more than one for each slot are ever at work
    /// there.
    fn spawn<P: Kind>(&self, work: search::Work<P>, permit: Permit, asked: Asked) {
        let metrics = self.metrics.clone();
        let span = tracing::Span::current();
        drop(tokio::task::spawn_blocking(move || {
            let entered = span.entered();
            let progress = work.progress.clone();
            let end = search::run(work);
            drop(entered);
            // The slots first: whoever has the answer finds them free.
            drop(permit);
            if let Some(asked) = asked.get() {
                metrics.cancelled(asked.elapsed());
            }
            progress.send_modify(|progress| progress.end = Some(end));
        }));
    }
}

/// When a search was told to stop because nobody wants it any more.
type Asked = Arc<OnceLock<Instant>>;

/// Tells a search to stop, at the latest when it is dropped.
struct Cancel {
    token: CancelToken,
    /// Set only when nobody waits any more: what was found is still checked and explained when the
    /// server shuts down.
    gone: CancelToken,
    asked: Asked,
    /// Set once the search has ended by itself.
    over: bool,
}

impl Cancel {
    fn new() -> Self {
        Self {
            token: CancelToken::new(),
            gone: CancelToken::new(),
            asked: Asked::default(),
            over: false,
        }
    }

    fn asked(&self) -> Asked {
        Arc::clone(&self.asked)
    }
}

impl Drop for Cancel {
    fn drop(&mut self) {
        if !self.over {
            // Set once: nobody else sets it.
            let _ = self.asked.set(Instant::now());
            self.token.cancel();
            self.gone.cancel();
        }
    }
}
