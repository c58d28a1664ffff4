//! Runs any planner: waits for slots, searches on a thread of its own, checks every offer, ends in
//! time.
//!
//! Neither the wire nor any planner is known: [`Runnable`] describes each planner. A [`Job`] goes
//! in; a [`Search`] comes out, which is followed until its [`Outcome`](anytime::Outcome). The
//! searching thread owns the slots; dropping the [`Search`] stops it. [`work`] does what costs
//! processor time and is no search.
//!
//! # Examples
//! A budget is the least of what a request asks for, its call's deadline, and a cap:
//! ```
//! use runtime::Budget;
//! use std::time::{Duration, Instant};
//! let (now, second) = (Instant::now(), Duration::from_secs(1));
//! let budget = Budget::new(now, Some(now + second), 5 * second, 60 * second);
//! assert_eq!(budget.length(), second);
//! assert!(budget.solve_by() < budget.deadline());
//! ```

mod account;
pub mod admission;
pub mod attributes;
mod budget;
mod class;
mod drain;
mod early;
mod follow;
mod memory;
mod meters;
mod perform;
mod progress;
mod refusal;
mod reserve;
mod search;
pub mod steps;
#[cfg(test)]
mod tests;
mod threads;
pub mod timer;
mod watchdog;
pub mod work;

pub use account::{Account, Tenant};
pub use budget::Budget;
pub use class::Class;
pub use drain::Drain;
pub use memory::{Memory, NODES_LEAST};
pub use meters::Meters;
pub use perform::{Off, Order, Stage};
pub use refusal::Refusal;
pub use reserve::{Due, Reserve, Reserves};
pub use steps::Step;
pub use threads::SearchThreads;
pub use watchdog::Watchdog;

use admission::{Admission, Elastic, Permit, Share, Wish};
use anytime::{CancelToken, Limits, Pulse, Runnable};
use attributes::{Value, set};
use memory::Need;
use progress::Progress;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tracing::{Instrument as _, Span};

/// A problem, and how to search.
pub struct Job<P: Runnable> {
    /// The problem.
    pub problem: Arc<P::Problem>,
    /// How to search.
    pub params: P::Params,
    /// The cost at which to stop.
    pub target: Option<P::Cost>,
    /// Seed of all randomness.
    pub seed: i64,
    /// Iteration limit.
    pub iterations_max: Option<u64>,
    /// Threads that are wanted; no more than there are slots are given.
    pub threads: usize,
    /// Which requests go first.
    pub class: Class,
    /// Its time.
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
pub struct Runner {
    /// Slots and the queue for them.
    pub admission: Admission,
    /// Whether the server is shutting down.
    pub drain: Drain,
    /// What is counted.
    pub metrics: Meters,
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

impl<P: Runnable> Search<P> {
    /// The span of its thread.
    pub fn span(&self) -> Span {
        self.span.clone()
    }

    /// What ends it with the best so far.
    pub fn stopper(&self) -> CancelToken {
        self.cancel.token.clone()
    }
}

/// A search that runs. Dropping it stops the search.
pub struct Search<P: Runnable> {
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
    _explaining: early::Explaining,
}

impl Runner {
    /// Starts a search as soon as there are slots for it.
    ///
    /// # Errors
    /// When the deadline has passed, or there are no slots in time.
    pub async fn start<P: Runnable>(&self, job: Job<P>) -> Result<Search<P>, Refusal> {
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
        let explaining = early::explain(
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
            _explaining: explaining,
        })
    }

    /// What a search needs.
    fn wish<P: Runnable>(&self, job: &Job<P>, need: Need) -> Result<Wish, Refusal> {
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
        Ok(tenant.share())
    }

    /// Searches on a thread of its own.
    fn spawn<P: Runnable>(&self, work: search::Work<P>, permit: Permit, asked: Asked) {
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
fn span<P: Runnable>(job: &Job<P>, need: Need, threads: usize) -> Span {
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
    /// Set when nobody waits any more, and a little after the server began to shut down: what was
    /// found is still checked and explained then.
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

/// How long the best plan is explained when the server shuts down.
const DRAINING_EXPLAIN_MAX: Duration = Duration::from_secs(1);

/// Ends a search because the server shuts down, and a little later what is done about its best plan
/// besides.
fn drain(token: &CancelToken, gone: &CancelToken) {
    token.drain();
    let (gone, until) = (gone.clone(), Instant::now() + DRAINING_EXPLAIN_MAX);
    tokio::spawn(async move {
        timer::sleep_until(until).await;
        gone.cancel();
    });
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
