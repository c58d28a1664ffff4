//! A search as a stream of steps. Newest wins: a slow reader misses steps, never the last.

use super::{Search, drain};
use crate::Refusal;
use crate::timer::sleep_until;
use anytime::{Conclusion, Mark, Outcome, Runnable, Snapshot, Stop};
use std::time::{Duration, Instant};

/// One step.
pub enum Step<P: Runnable> {
    /// The search goes on.
    Progress(Snapshot<P>),
    /// It has ended. Nothing follows.
    End {
        /// Number and time of the step.
        at: Mark,
        /// Whether the best plan was not sent before.
        is_new: bool,
        /// The result.
        outcome: Box<Outcome<P>>,
    },
}

/// The steps of a search.
pub struct Steps<P: Runnable> {
    search: Search<P>,
    silence_max: Duration,
    /// Signs of life sent so far: steps that the search does not know of.
    beats: i64,
    /// Step of the search sent last, and of the plan sent last.
    sent: i64,
    told_plan: i64,
    over: bool,
}

impl<P: Runnable> Search<P> {
    /// Its steps; after `silence_max` without any, a sign of life.
    pub fn steps(self, silence_max: Duration) -> Steps<P> {
        Steps {
            search: self,
            silence_max,
            beats: 0,
            sent: 0,
            told_plan: 0,
            over: false,
        }
    }
}

enum Woken {
    Changed,
    Silence,
    Deadline,
    Draining,
}

impl<P: Runnable> Steps<P> {
    /// The next step; `None` after the last.
    ///
    /// # Errors
    /// When the search failed; nothing follows.
    pub async fn next(&mut self) -> Option<Result<Step<P>, Refusal>> {
        let silence = Instant::now() + self.silence_max;
        let mut drained = false;
        while !self.over {
            if self.search.progress.borrow_and_update().end.is_some() {
                return Some(self.end());
            }
            if let Some(step) = self.news() {
                return Some(Ok(step));
            }
            match self.sleep(silence, drained).await {
                Woken::Changed => {}
                Woken::Silence => {
                    self.beats += 1;
                    return Some(Ok(self.progress()));
                }
                Woken::Deadline => return Some(self.end()),
                Woken::Draining => {
                    let cancel = &self.search.cancel;
                    drain(&cancel.token, &cancel.gone);
                    drained = true;
                }
            }
        }
        None
    }

    /// A step, if there is anything that was not sent.
    fn news(&self) -> Option<Step<P>> {
        let news = self.search.progress.borrow().sequence > self.sent;
        news.then(|| self.progress())
    }

    async fn sleep(&mut self, silence: Instant, drained: bool) -> Woken {
        let deadline = self.search.budget.answer_by();
        let drain = self.search.drain.clone();
        tokio::select! {
            biased;
            // The sender goes away only after the end is sent.
            _ = self.search.progress.changed() => Woken::Changed,
            () = sleep_until(deadline) => Woken::Deadline,
            () = sleep_until(silence) => Woken::Silence,
            () = drain.begun(), if !drained => Woken::Draining,
        }
    }

    fn mark(&self, sequence: i64) -> Mark {
        Mark {
            sequence: sequence + self.beats,
            elapsed: self.search.started.elapsed(),
        }
    }

    /// The present.
    fn progress(&self) -> Step<P> {
        let progress = self.search.progress.borrow();
        let best = progress.best.clone();
        Step::Progress(Snapshot {
            at: self.mark(progress.sequence),
            is_new: best
                .as_ref()
                .is_some_and(|best| best.sequence > self.told_plan),
            best,
            bound: progress.bound,
            iterations: progress.iterations,
        })
    }

    fn end(&mut self) -> Result<Step<P>, Refusal> {
        self.over = true;
        let (sequence, ended) = {
            let progress = self.search.progress.borrow();
            (progress.sequence, progress.end.is_some())
        };
        self.search.cancel.over = ended;
        let outcome = self.search.outcome(Conclusion::Stopped(Stop::Deadline))?;
        let best = outcome.best.as_ref();
        Ok(Step::End {
            at: self.mark(sequence + 1),
            is_new: best.is_some_and(|best| best.sequence > self.told_plan),
            outcome: Box::new(outcome),
        })
    }

    /// Remembers that a step was sent.
    pub fn mark_sent(&mut self, step: &Step<P>) {
        if let Step::Progress(now) = step {
            self.sent = now.at.sequence - self.beats;
            self.told_plan = now.best.as_ref().map_or(0, |best| best.sequence);
        }
    }
}
