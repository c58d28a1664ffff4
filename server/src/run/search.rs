//! The searching thread: solves, checks every offer, and survives a panic.

use super::progress::{End, Found, Progress};
use super::{Job, Kind};
use crate::metrics::Metrics;
use crate::status::Refusal;
use anytime::{Conclusion, Control, Limits, Offer, Pulse, Sink, SolveError, Stop};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// All that a searching thread needs.
pub(super) struct Work<P: Kind> {
    pub job: Job<P>,
    pub limits: Limits,
    /// Until when plans are worth being checked and explained.
    pub wanted: Pulse,
    pub started: Instant,
    pub progress: watch::Sender<Progress<P>>,
    pub metrics: Metrics,
}

/// Searches to the end. A panic ends this request and nothing else.
pub(super) fn run<P: Kind>(work: Work<P>) -> Result<End<P>, Refusal> {
    let metrics = work.metrics.clone();
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

fn search<P: Kind>(work: Work<P>) -> Result<End<P>, Refusal> {
    let Work {
        job,
        limits,
        wanted: pulse,
        started,
        progress,
        metrics,
    } = work;
    let mut listener = Listener::<P> {
        problem: &job.problem,
        progress: &progress,
        wanted: &pulse,
        started,
        metrics: &metrics,
        trusted: true,
    };
    // Any seed is good: the bits are what counts.
    let control = Control::new(limits, job.seed.cast_unsigned(), &mut listener);
    let mut control = match job.target {
        Some(target) => control.with_target(target),
        None => control,
    };
    let conclusion = {
        let _span = tracing::debug_span!("solve").entered();
        P::solve(&job.problem, &job.params, &mut control)
    };
    let conclusion = conclusion.map_err(|error| match error {
        SolveError::Unsupported { .. } => Refusal::Unsupported(error.to_string()),
        other => Refusal::Unsupported(other.to_string()),
    })?;
    let iterations = control.iterations();
    let cut_short = control.stop().is_some_and(|stop| !stop.is_reproducible());
    let wanted = control.stop() != Some(Stop::Cancelled);
    // A proof about a plan that was not sent proves nothing about those that were.
    let conclusion = match conclusion {
        Conclusion::Optimal if !listener.trusted => Conclusion::Stopped(Stop::Exhausted),
        conclusion => conclusion,
    };
    let solve = started.elapsed();
    let (best, early) = {
        let now = progress.borrow();
        (now.best.clone(), now.early_reasons())
    };
    let explain = || {
        let reasons = P::explain(&job.problem, best.as_ref().map(|best| &best.plan), &pulse);
        reasons.map(Arc::new)
    };
    let reasons = wanted.then(|| early.unwrap_or_else(explain)).flatten();
    Ok(End {
        conclusion,
        iterations,
        cut_short,
        solve,
        reasons,
    })
}

/// Hears the planner's offers and passes on those that pass the check.
struct Listener<'w, P: Kind> {
    problem: &'w P::Problem,
    progress: &'w watch::Sender<Progress<P>>,
    wanted: &'w Pulse,
    started: Instant,
    metrics: &'w Metrics,
    /// Whether the last offer passed.
    trusted: bool,
}

impl<P: Kind> Sink<P::Plan, P::Cost> for Listener<'_, P> {
    fn offer(&mut self, offer: Offer<'_, P::Plan, P::Cost>) {
        let before = Instant::now();
        let checked = {
            let _span = tracing::trace_span!("verify").entered();
            P::verify_until(self.problem, offer.plan, self.wanted)
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
        self.progress.send_modify(|progress| {
            progress.sequence += 1;
            progress.bound = Some((bound, method));
        });
    }
}

impl<P: Kind> Listener<'_, P> {
    fn publish(&self, offer: &Offer<'_, P::Plan, P::Cost>, verify: Duration) {
        let elapsed = self.started.elapsed();
        let mut found = Found {
            plan: offer.plan.clone(),
            cost: offer.cost,
            partial: P::is_partial(self.problem, offer.plan),
            found_by: offer.found_by.to_owned(),
            sequence: 0,
        };
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
