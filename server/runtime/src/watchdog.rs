//! Reports searches that go on after they were asked to stop: such a search holds its slot, and
//! whatever does so is a bug of its planner.

use crate::Meters;
use anytime::CancelToken;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// How long a search may go on unnoticed.
const PATIENCE: Duration = Duration::from_millis(50);
/// How often it is looked at all.
const INTERVAL: Duration = Duration::from_millis(25);

/// What a search does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Solve,
    Verify,
    Explain,
}

const PHASES: [(Phase, &str); 3] = [
    (Phase::Solve, "solve"),
    (Phase::Verify, "verify"),
    (Phase::Explain, "explain"),
];

/// All searches; clones share them.
#[derive(Clone, Default)]
pub struct Watchdog(Arc<Mutex<Searches>>);

#[derive(Default)]
struct Searches {
    known: BTreeMap<u64, Known>,
    next: u64,
}

struct Known {
    planner: &'static str,
    solve_by: Instant,
    token: CancelToken,
    phase: Arc<AtomicU8>,
    /// Since when it should have stopped.
    since: Option<Instant>,
    is_reported: bool,
}

/// A search that is watched, until it is dropped.
pub(super) struct Watched {
    watchdog: Watchdog,
    number: u64,
    phase: Arc<AtomicU8>,
}

impl Watched {
    /// It does something else from now on.
    pub(super) fn enter(&self, phase: Phase) {
        self.phase.store(phase as u8, Ordering::Relaxed);
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let known = self.watchdog.lock().known.remove(&self.number);
        if let Some(known) = known.filter(|known| known.is_reported) {
            let late = known.since.map(|since| since.elapsed());
            tracing::warn!(planner = known.planner, ?late, "late search ended");
        }
    }
}

impl Watchdog {
    /// Watches a search that has to stop then, or when its token says so.
    pub(super) fn watch(
        &self,
        planner: &'static str,
        solve_by: Instant,
        token: CancelToken,
    ) -> Watched {
        let phase = Arc::new(AtomicU8::new(Phase::Solve as u8));
        let mut searches = self.lock();
        searches.next += 1;
        let number = searches.next;
        let known = Known {
            planner,
            solve_by,
            token,
            phase: Arc::clone(&phase),
            since: None,
            is_reported: false,
        };
        searches.known.insert(number, known);
        Watched {
            watchdog: self.clone(),
            number,
            phase,
        }
    }

    /// Looks at all searches again and again, until there can be none any more.
    pub fn run(&self, metrics: Meters) {
        let searches = Arc::downgrade(&self.0);
        let patrol = move || {
            while let Some(searches) = Weak::upgrade(&searches) {
                Self(searches).look(Instant::now(), &metrics);
                std::thread::sleep(INTERVAL);
            }
        };
        let thread = std::thread::Builder::new().name("watchdog".into());
        if let Err(error) = thread.spawn(patrol) {
            tracing::error!("no thread for the watchdog: {error}");
        }
    }

    /// Reports whatever is late by now.
    fn look(&self, now: Instant, metrics: &Meters) {
        for known in self.lock().known.values_mut() {
            let should_stop = known.token.stop().is_some() || now >= known.solve_by;
            if !should_stop || known.is_reported {
                continue;
            }
            let since = *known.since.get_or_insert(now.min(known.solve_by));
            if now.saturating_duration_since(since) >= PATIENCE {
                known.is_reported = true;
                let phase = known.phase.load(Ordering::Relaxed);
                let phase = PHASES[usize::from(phase) % PHASES.len()].1;
                metrics.overran(known.planner, phase);
                tracing::warn!(
                    planner = known.planner,
                    phase,
                    "search goes on after its end"
                );
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Searches> {
        // Nothing panics while it is held.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reports(metrics: &Meters) -> Vec<String> {
        let page = metrics.page();
        let lines = page.lines().filter(|line| line.contains("overrun_total{"));
        let counted = lines.filter(|line| !line.ends_with(" 0"));
        counted.map(str::to_owned).collect()
    }

    #[test]
    fn phases_are_numbered_in_the_order_of_their_names() {
        for (i, (phase, _)) in PHASES.iter().enumerate() {
            assert_eq!(*phase as usize, i);
        }
    }

    #[test]
    fn what_goes_on_after_its_end_is_reported_once_with_its_phase() {
        let (watchdog, metrics) = (Watchdog::default(), Meters::with_page());
        let now = Instant::now();
        let (late, cancelled) = (CancelToken::new(), CancelToken::new());
        let hour = Duration::from_secs(3_600);
        let first = watchdog.watch("story", now + hour, cancelled.clone());
        let second = watchdog.watch("patrol", now + PATIENCE, late);
        second.enter(Phase::Explain);
        watchdog.look(now, &metrics);
        watchdog.look(now + PATIENCE, &metrics);
        assert_eq!(reports(&metrics), Vec::<String>::new());
        cancelled.cancel();
        watchdog.look(now + PATIENCE, &metrics);
        for _ in 0..3 {
            watchdog.look(now + 2 * PATIENCE, &metrics);
        }
        let reported = reports(&metrics);
        assert_eq!(reported.len(), 2, "{reported:?}");
        for (planner, phase) in [("story", "solve"), ("patrol", "explain")] {
            let wanted = |line: &&String| line.contains(planner) && line.contains(phase);
            let line = reported.iter().find(wanted);
            assert!(
                line.is_some_and(|line| line.ends_with(" 1")),
                "{reported:?}"
            );
        }
        drop((first, second));
        assert!(watchdog.lock().known.is_empty());
    }
}
