//! The searching thread: solves, checks every offer, and survives a panic.

use super::Job;
use super::admission::Elastic;
use super::progress::{End, Progress};
use super::watchdog::{Phase, Watched};
use crate::Meters;
use crate::Refusal;
use crate::attributes::set;
use anytime::{Conclusion, Control, Found, Limits, Offer, Pulse, Runnable, Sink, SolveError, Stop};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tracing::Span;

/// All that a searching thread needs.
pub(super) struct Work<P: Runnable> {
    pub job: Job<P>,
    pub limits: Limits,
    /// Until when plans are worth being checked and explained.
    pub wanted: Pulse,
    pub started: Instant,
    /// What lets it give way to others.
    pub elastic: Elastic,
    /// What watches that it stops.
    pub watched: Watched,
    pub progress: watch::Sender<Progress<P>>,
    pub metrics: Meters,
    /// All that happens there.
    pub span: Span,
}

/// Checks of one search that are spans of their own; all of them together are in the log.
const CHECKS_TRACED: usize = 32;

/// Searches to the end. A panic ends this request and nothing else.
pub(super) fn run<P: Runnable>(work: Work<P>) -> Result<End<P>, Refusal> {
    let metrics = work.metrics.clone();
    let _entered = work.span.clone().entered();
    // What was broken by the panic is dropped with `work`; the plans published before it were whole
    // and are checked.
    catch_unwind(AssertUnwindSafe(|| search(work))).unwrap_or_else(|panic| {
        metrics.panicked(P::NAME);
        tracing::error!(planner = P::NAME, "a search panicked: {}", text(&*panic));
        Err(Refusal::Panicked)
    })
}

/// What a panic says.
fn text(panic: &(dyn std::any::Any + Send)) -> &str {
    let fixed = panic.downcast_ref::<&str>().copied();
    let made = panic.downcast_ref::<String>().map(String::as_str);
    fixed.or(made).unwrap_or("no message")
}

fn search<P: Runnable>(work: Work<P>) -> Result<End<P>, Refusal> {
    let Work {
        job,
        limits,
        wanted: pulse,
        started,
        elastic,
        watched,
        progress,
        metrics,
        span,
    } = work;
    let mut listener = Listener::<P> {
        problem: &job.problem,
        progress: &progress,
        wanted: &pulse,
        started,
        elastic: &elastic,
        watched: &watched,
        metrics: &metrics,
        trusted: true,
        checks: 0,
    };
    // Any seed is good: the bits are what counts.
    let control = Control::new(limits, job.seed.cast_unsigned(), &mut listener);
    let mut control = match job.target {
        Some(target) => control.with_target(target),
        None => control,
    };
    let conclusion = P::solve(&job.problem, &job.params, &mut control);
    let conclusion = conclusion.map_err(|error| match error {
        SolveError::Unsupported { .. } => Refusal::Unsupported(error.to_string()),
        other => {
            tracing::error!(planner = P::NAME, "search failed: {other}");
            Refusal::SearchFailed
        }
    })?;
    elastic.close();
    watched.enter(Phase::Explain);
    let (iterations, stop) = (control.iterations(), control.stop());
    let cut_short = stop.is_some_and(|stop| !stop.is_reproducible());
    let wanted = stop != Some(Stop::Cancelled);
    // A proof about a plan that was not sent proves nothing about those that were.
    let conclusion = match conclusion {
        Conclusion::Optimal if !listener.trusted => Conclusion::Stopped(Stop::Exhausted),
        conclusion => conclusion,
    };
    set(&span, "stratagem.iterations", iterations);
    set(&span, "stratagem.conclusion", &*format!("{conclusion:?}"));
    let solve = started.elapsed();
    let explain = || explained(&job, &progress, &pulse);
    let reasons = wanted.then(explain).flatten();
    if stop == Some(Stop::Deadline) {
        job.reserve.stopped_at(job.budget.solve_by());
    }
    Ok(End {
        conclusion,
        iterations,
        cut_short,
        solve,
        parked: Duration::ZERO,
        reasons,
    })
}

/// Reasons for the best plan. A caller that cannot wait for all of them gets those known first.
fn explained<P: Runnable>(
    job: &Job<P>,
    progress: &watch::Sender<Progress<P>>,
    wanted: &Pulse,
) -> Option<Arc<P::Reasons>> {
    let _span = tracing::debug_span!("explain").entered();
    let (best, early) = {
        let now = progress.borrow();
        (now.best.clone(), now.early_reasons())
    };
    let plan = best.as_ref().map(|best| &best.plan);
    let explain = || P::explain(&job.problem, plan, wanted).map(Arc::new);
    let reasons = early.unwrap_or_else(explain)?;
    progress.send_if_modified(|progress| {
        progress.early = Some((progress.best_sequence(), Some(Arc::clone(&reasons))));
        false
    });
    let more = P::explain_more(&job.problem, plan, &reasons, wanted);
    let reasons = more.map_or(reasons, Arc::new);
    for bug in P::bugs(&reasons) {
        tracing::error!(planner = P::NAME, "{bug}");
    }
    Some(reasons)
}

/// Hears the planner's offers and passes on those that pass the check.
struct Listener<'w, P: Runnable> {
    problem: &'w P::Problem,
    progress: &'w watch::Sender<Progress<P>>,
    wanted: &'w Pulse,
    started: Instant,
    elastic: &'w Elastic,
    watched: &'w Watched,
    metrics: &'w Meters,
    /// Whether the last offer passed.
    trusted: bool,
    /// Offers so far.
    checks: usize,
}

impl<P: Runnable> Sink<P::Plan, P::Cost> for Listener<'_, P> {
    fn offer(&mut self, offer: Offer<'_, P::Plan, P::Cost>) {
        let before = Instant::now();
        self.checks += 1;
        let checked = {
            let is_traced = self.checks <= CHECKS_TRACED;
            let _span = is_traced.then(|| tracing::trace_span!("verify").entered());
            self.watched.enter(Phase::Verify);
            let passed = self.progress.borrow().best.clone();
            let passed = passed.as_ref().map(|passed| &passed.plan);
            let checked = P::verify_next(self.problem, offer.plan, passed, self.wanted);
            self.watched.enter(Phase::Solve);
            checked
        };
        let Some(checked) = checked else {
            // Nobody waits any more, and what is not checked does not leave.
            self.trusted = false;
            return;
        };
        let verify = before.elapsed();
        let wrong = match checked {
            Ok(cost) if cost == offer.cost => None,
            Ok(cost) => Some(format!("it costs {cost:?}, not {:?}", offer.cost)),
            Err(broken) => Some(match broken.first() {
                Some(first) => format!("{} rules are broken, the first: {first}", broken.len()),
                None => "the check failed".into(),
            }),
        };
        self.trusted = wrong.is_none();
        match wrong {
            None => self.publish(&offer, verify),
            Some(wrong) => {
                self.metrics.mismatch(P::NAME);
                let found_by = offer.found_by;
                tracing::error!(
                    planner = P::NAME,
                    found_by,
                    "an offer fails its check: {wrong}"
                );
                self.progress.send_if_modified(|progress| {
                    progress.verify += verify;
                    false
                });
            }
        }
    }

    fn bound(&mut self, bound: P::Cost, method: &'static str) {
        tracing::trace!(cost = ?bound, method, "bound");
        self.progress.send_modify(|progress| {
            progress.sequence += 1;
            progress.bound = Some((bound, method));
        });
    }
}

impl<P: Runnable> Listener<'_, P> {
    fn publish(&self, offer: &Offer<'_, P::Plan, P::Cost>, verify: Duration) {
        let elapsed = self.started.elapsed();
        let (cost, found_by) = (offer.cost, offer.found_by);
        tracing::trace!(?cost, found_by, iterations = offer.iterations, "incumbent");
        let mut found = Found {
            plan: offer.plan.clone(),
            cost: offer.cost,
            partial: P::is_partial(self.problem, offer.plan),
            found_by: offer.found_by.to_owned(),
            sequence: 0,
        };
        if !found.partial {
            self.elastic.improved();
        }
        self.progress.send_modify(|progress| {
            progress.sequence += 1;
            found.sequence = progress.sequence;
            progress.verify += verify;
            progress.iterations = offer.iterations;
            progress.check = verify;
            progress.first_plan.get_or_insert(elapsed);
            progress.best = Some(Arc::new(found));
        });
    }
}
