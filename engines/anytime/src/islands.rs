//! Parallel islands: searches that run between barriers, with results that do not depend on the
//! number of threads.

use crate::{Control, Pulse};
use std::panic::resume_unwind;
use std::thread;

/// Rounds of several searches with a barrier after each. Rounds become twice as long up to a limit,
/// so that the first plans come early.
///
/// # Examples
/// ```
/// use anytime::{Control, Limits, Rounds};
/// let mut sink = |_: &u64, _: u64| {};
/// let mut control = Control::new(Limits::iterations(10), 0, &mut sink);
/// let mut islands = [0, 0, 0];
/// let mut rounds = Rounds::new(1, 2);
/// while rounds.run(&mut control, islands.iter_mut(), |made, share, _| {
///     *made += share;
///     share
/// }) {}
/// // 1 each, 2 each, and 1 that was left.
/// assert_eq!((islands, control.iterations()), ([4, 3, 3], 10));
/// ```
#[derive(Debug, Clone)]
pub struct Rounds {
    length: u64,
    length_max: u64,
    /// Threads that something else uses.
    reserved: usize,
}

impl Rounds {
    /// Rounds of this many iterations of each island, at first and at most; at least 1.
    #[must_use]
    pub fn new(length_first: u64, length_max: u64) -> Self {
        Self {
            length: length_first.max(1),
            length_max: length_max.max(1),
            reserved: 0,
        }
    }

    /// Leaves this many threads of the search to something else; one thread stays in any case.
    pub fn reserve(&mut self, threads: usize) {
        self.reserved = threads;
    }

    /// Runs the islands until the next barrier. Each makes as many iterations as `run` is asked
    /// for, or what remains in equal parts, the first islands one more; `run` returns how many it
    /// made. False, and nothing done: the control stops, or there are no islands.
    pub fn run<'i, T: Send + 'i, P, C: Ord + Copy>(
        &mut self,
        control: &mut Control<'_, P, C>,
        islands: impl Iterator<Item = &'i mut T>,
        run: impl Fn(&mut T, u64, &Pulse) -> u64 + Sync,
    ) -> bool {
        let islands: Vec<&mut T> = islands.collect();
        let count = islands.len() as u64;
        // A tick that fails records why; with iterations left it would count one.
        if count == 0 || !control.go_on() || (control.remaining() == 0 && !control.tick()) {
            return false;
        }
        let total = self.length.saturating_mul(count).min(control.remaining());
        let share = |index| total / count + u64::from(index < total % count);
        let work: Vec<(&mut T, u64)> = islands.into_iter().zip((0..count).map(share)).collect();
        let pulse = control.fork();
        let threads = control.limits().threads.saturating_sub(self.reserved);
        let made = on_threads(threads, work, |(island, share)| run(island, share, &pulse));
        control.count(made.into_iter().sum());
        self.length = (2 * self.length).min(self.length_max);
        true
    }
}

/// Calls `run` for each item, and returns the results in their order. Each thread has consecutive
/// items, the calling thread the first.
///
/// # Panics
/// Where `run` does, on any thread, with the same payload.
pub fn on_threads<T: Send, R: Send>(
    threads: usize,
    items: Vec<T>,
    run: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let count = items.len().div_ceil(threads.max(1)).max(1);
    let run_all = |part: Vec<T>| part.into_iter().map(&run).collect::<Vec<R>>();
    let mut items = items.into_iter();
    let mut part = || items.by_ref().take(count).collect::<Vec<T>>();
    let first = part();
    thread::scope(|scope| {
        let parts = std::iter::from_fn(|| Some(part()).filter(|part| !part.is_empty()));
        let others: Vec<_> = parts.map(|part| scope.spawn(|| run_all(part))).collect();
        let mut results = run_all(first);
        for other in others {
            results.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        results
    })
}
