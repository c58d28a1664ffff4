//! Reasons found beside a search that may end too late to find them itself.
//!
//! The searching thread explains its best plan when it is done. Where the deadline ends the search,
//! little time is left for that: less than it takes, for large problems, and none at all when the
//! planner was in the middle of something. So shortly before the answer is made, another thread
//! begins to explain the best plan so far, or that there is none yet, and again when a better one
//! comes.

use super::Budget;
use super::progress::{NO_PLAN, Progress};
use crate::timer::sleep_until;
use crate::work::Threads;
use anytime::{Pulse, Runnable};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
use tokio::sync::watch;
use tokio::task::AbortHandle;

/// How much longer than to check a plan it may take to explain it.
const CHECKS: u32 = 6;
/// How much longer than what is kept for it at the end it may take until a thread is there for it.
const RESERVES: u32 = 5;

/// Explains the best plan of a search while it goes on. Dropping it ends that.
pub(super) struct Explaining(AbortHandle);

impl Drop for Explaining {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Watches a search, and explains its best plan when the time for that has come, as long as that is
/// wanted.
pub(super) fn explain<P: Runnable>(
    problem: Arc<P::Problem>,
    wanted: Pulse,
    progress: watch::Sender<Progress<P>>,
    threads: Threads,
    budget: Budget,
) -> Explaining {
    let watching = tokio::spawn(async move {
        let mut news = progress.subscribe();
        // The sender of news is kept here, so that there are always some to wait for.
        while !is_time(&mut news, budget).await {}
        while let Some(more) = step(&problem, &wanted, &progress, &threads).await {
            if !more && news.changed().await.is_err() {
                return;
            }
        }
    });
    Explaining(watching.abort_handle())
}

/// Waits until it is time to begin, or something changes that may change when that is.
async fn is_time<P: Runnable>(news: &mut watch::Receiver<Progress<P>>, budget: Budget) -> bool {
    let check = news.borrow_and_update().check;
    tokio::select! {
        () = sleep_until(begin(budget, check)) => true,
        _ = news.changed() => false,
    }
}

/// When to begin, so that there is time enough; no earlier than when half of the time is over.
fn begin(budget: Budget, check: Duration) -> Instant {
    let answer = budget.answer_by();
    let reserve = answer.saturating_duration_since(budget.solve_by());
    let lead = (check * CHECKS).max(reserve * RESERVES);
    answer
        .checked_sub(lead.min(budget.length() / 2))
        .unwrap_or(answer)
}

/// Explains the best plan, or why no plan was found, unless that is done already; whether it did.
/// `None` when the search is over.
async fn step<P: Runnable>(
    problem: &Arc<P::Problem>,
    wanted: &Pulse,
    progress: &watch::Sender<Progress<P>>,
    threads: &Threads,
) -> Option<bool> {
    let best = {
        let now = progress.borrow();
        if now.end.is_some() {
            return None;
        }
        let known = now.early.as_ref().map(|early| early.0);
        if known == Some(now.best_sequence()) {
            return Some(false);
        }
        now.best.clone()
    };
    let (problem, wanted) = (Arc::clone(problem), wanted.clone());
    let sequence = best.as_ref().map_or(NO_PLAN, |best| best.sequence);
    let (sender, reasons) = oneshot::channel();
    threads.spawn(move || {
        let plan = best.as_ref().map(|best| &best.plan);
        // Fails when nobody waits any more.
        let _ = sender.send(P::explain(&problem, plan, &wanted));
    });
    // A panic there is one of the searching thread's, too, which reports it.
    let reasons = reasons.await.ok()?.map(Arc::new);
    progress.send_if_modified(|progress| {
        progress.early = Some((sequence, reasons));
        false
    });
    Some(true)
}
