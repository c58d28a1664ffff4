//! Runs any planner: waits for slots, searches on a thread of its own, checks every offer, ends in
//! time.
//!
//! No planner is known: a [`Kind`] describes each one. Only the class of a request and the timings
//! of a report are those of the wire. A [`Job`] goes in; a [`Search`] comes out, which is followed
//! until its [`Outcome`]. The searching thread owns the slots; dropping the [`Search`] stops it.

pub(crate) mod admission;
pub(crate) mod budget;
mod early;
mod follow;
pub(crate) mod memory;
mod perform;
mod progress;
mod reserve;
mod search;
pub(crate) mod steps;
#[cfg(test)]
mod tests;
mod threads;
mod watchdog;

pub(crate) use budget::Budget;
pub(crate) use perform::{Off, Order, Stage};
pub(crate) use progress::{Bound, Found, Outcome};
pub(crate) use reserve::{Due, Reserve, Reserves};
pub(crate) use steps::{Snapshot, Step};
pub(crate) use threads::SearchThreads;
pub(crate) use watchdog::Watchdog;

use crate::drain::Drain;
use crate::metrics::Metrics;
use crate::status::Refusal;
use crate::telemetry::{Value, set};
use crate::tenant::Tenant;
use crate::wire::solve::Class;
use admission::{Admission, Elastic, Permit, Share, Wish};
use anytime::{CancelToken, Limits, Planner, Pulse};
use memory::{Memory, Need};
use progress::Progress;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tracing::{Instrument as _, Span};

/// What the runner has to know of a planner beyond how to solve and to verify.
pub(crate) trait Kind: Planner<Params: Clone, Plan: Sync, Cost: Sync> + 'static {
    /// Name of the planner, in metrics and logs.
    const NAME: &'static str;
    /// Most memory for each node of a search, in bytes, with everything that belongs to it; 0 where
    /// the limit of nodes does not matter.
    const NODE_BYTES: usize = 0;
    /// Memory for each pair of elements, in bytes, where it grows with their square.
    const PAIR_BYTES: usize = 0;
    /// Why a plan is not complete, or what else an answer says about it.
    type Reasons: Send + Sync + 'static;

    /// Size of a problem, in logs: tasks, or whatever is planned.
    fn elements(problem: &Self::Problem) -> usize;

    /// Whether the plan leaves out what is mandatory.
    fn is_partial(_: &Self::Problem, _: &Self::Plan) -> bool {
        false
    }

    /// Why something in the plan is missing, or why there is none; `None` when nothing is. Called
    /// on the searching thread, once, at the end, unless nobody waits for it any more; when the
    /// deadline is near, for what there is so far also on a thread of its own. `None`, too, when
    /// stopped:
    /// what may take more than some milliseconds has to ask.
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
    /// What is learned from how long its search takes to end.
    pub reserve: Arc<Reserve>,
    /// Memory that the problem takes.
    pub bytes: usize,
    /// Whose it is.
    pub tenant: Tenant,
}

/// Runs searches; clones share slots and queue.
#[derive(Clone)]
pub(crate) struct Runner {
    pub admission: Admission,
    pub drain: Drain,
    pub metrics: Metrics,
    /// What each search may take.
    pub memory: Memory,
    /// What is kept of budgets for ends and answers.
    pub reserves: Reserves,
    /// Threads that search.
    pub threads: SearchThreads,
    /// What looks after searches that do not stop.
    pub watchdog: Watchdog,
    /// Whether searches are those of jobs: behind everything else.
    pub yields: bool,
}

impl<P: Kind> Search<P> {
    /// What ends it with the best so far.
    pub(crate) fn stopper(&self) -> CancelToken {
        self.cancel.token.clone()
    }
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
    /// Of the searching thread.
    span: Span,
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
        let need = self.memory.need::<P>(&job.problem, job.bytes)?;
        let permit = self.enter(self.wish(&job, need)?, &job.tenant).await?;
        let started = permit.started();
        let threads = permit.slots();
        let cancel = Cancel::new();
        let elastic = Elastic::new(cancel.token.clone(), started);
        // Searches of jobs have slots of their own, and threads behind all others.
        if !self.yields {
            permit.stretch(elastic.clone());
        }
        let token = cancel.token.clone();
        let watched = self.watchdog.watch(P::NAME, budget.solve_by(), token);
        let span = span::<P>(&job, need, threads);
        let limits = Limits {
            deadline: Some(budget.solve_by()),
            iterations_max: job.iterations_max,
            nodes_max: need.nodes_max,
            threads,
            cancel: cancel.token.clone(),
        };
        let (sender, progress) = watch::channel(Progress::default());
        let wanted = Pulse::new(Some(budget.answer_by()), cancel.gone.clone());
        let beside = early::explain(
            Arc::clone(&job.problem),
            wanted.clone(),
            sender.clone(),
            self.threads.short.clone(),
            budget,
        );
        self.spawn(
            search::Work {
                job,
                limits,
                wanted,
                started,
                elastic,
                watched,
                progress: sender,
                metrics: self.metrics.clone(),
                span: span.clone(),
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
            span,
            _beside: beside,
        })
    }

    /// What a search needs.
    fn wish<P: Kind>(&self, job: &Job<P>, need: Need) -> Result<Wish, Refusal> {
        let share = self.share(&job.tenant)?;
        let slots_max = self.admission.slots().min(share.slots_max);
        Ok(Wish {
            share,
            class: job.class,
            slots: job.threads.clamp(1, slots_max),
            bytes: job.bytes,
            memory: need.bytes,
            arrived: job.budget.arrived(),
            deadline: job.budget.solve_by(),
            limited: job.iterations_max.is_some(),
        })
    }

    /// Waits for slots.
    async fn enter(&self, wish: Wish, tenant: &Tenant) -> Result<Permit, Refusal> {
        // Jobs have a queue of their own.
        let waits = (!self.yields).then(|| {
            let priority = wish.class.name();
            self.metrics.waits(tenant.label(), priority)
        });
        let span = tracing::debug_span!("queue", class = ?wish.class, slots = wish.slots);
        let entered = self.admission.enter(wish).instrument(span).await;
        drop(waits);
        entered.map_err(|refusal| match refusal {
            // The queue knows numbers only.
            Refusal::Quota {
                what, retry_after, ..
            } => tenant.over(what, retry_after),
            other => other,
        })
    }

    /// A search has ended: its tenant pays.
    fn pay(permit: &Permit, tenant: &Tenant) {
        let slots = u32::try_from(permit.slots()).unwrap_or(u32::MAX);
        tenant.searched(permit.active().saturating_mul(slots));
    }

    /// What a tenant may have of slots and queue.
    ///
    /// # Errors
    /// Its searches of late took as much as they may.
    fn share(&self, tenant: &Tenant) -> Result<Share, Refusal> {
        // Jobs have a queue of their own, and pay afterwards.
        if self.yields {
            return Ok(Share::ALL);
        }
        tenant.may_search()?;
        let quota = tenant.quota();
        Ok(Share {
            tenant: tenant.id(),
            weight: quota.weight.unwrap_or(Share::ALL.weight),
            slots_max: quota.slots_max.unwrap_or(Share::ALL.slots_max),
            queue: quota.queue_share.unwrap_or(Share::ALL.queue),
        })
    }

    /// Searches on a thread of its own.
    fn spawn<P: Kind>(&self, work: search::Work<P>, permit: Permit, asked: Asked) {
        let metrics = self.metrics.clone();
        let tenant = work.job.tenant.clone();
        let threads = if self.yields {
            &self.threads.background
        } else {
            self.threads.for_call(work.job.class, work.job.budget)
        };
        let work = move || {
            let progress = work.progress.clone();
            let mut end = search::run(work);
            if let Ok(end) = &mut end {
                let life = permit.started().elapsed();
                end.parked = life.saturating_sub(permit.active());
            }
            Self::pay(&permit, &tenant);
            // The slots first: a caller with the answer finds them free.
            drop(permit);
            if let Some(asked) = asked.get() {
                metrics.cancelled(asked.elapsed());
            }
            progress.send_modify(|progress| progress.end = Some(end));
        };
        threads.spawn(work);
    }
}

/// The span of a search, within that of its call.
fn span<P: Kind>(job: &Job<P>, need: Need, threads: usize) -> Span {
    // What is logged there is about that call, whatever is logged.
    let span = tracing::error_span!("solve", planner = P::NAME);
    let count = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
    set(
        &span,
        "stratagem.elements",
        count(P::elements(&job.problem)),
    );
    set(&span, "stratagem.seed", Value::Whole(job.seed));
    set(&span, "stratagem.threads", count(threads));
    set(&span, "stratagem.nodes_max", count(need.nodes_max));
    set(&span, "stratagem.memory_bytes", count(need.bytes));
    set(
        &span,
        "stratagem.budget_ms",
        job.budget.length().as_secs_f64() * 1e3,
    );
    if let Some(iterations_max) = job.iterations_max {
        set(&span, "stratagem.iterations_max", iterations_max);
    }
    span
}

/// When a search was stopped because nobody wants it any more.
type Asked = Arc<OnceLock<Instant>>;

/// Stops a search, at the latest when it is dropped.
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
