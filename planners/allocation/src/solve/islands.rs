//! Parallel islands: searches that run between barriers, with results that do not depend on the
//! number of threads.

use std::panic::resume_unwind;

/// Iterations for each island until the next barrier: `round`, or what remains in equal parts.
pub(super) fn split_iterations(remaining: u64, round: u64, islands: usize) -> Vec<u64> {
    let count = islands as u64;
    let total = round.saturating_mul(count).min(remaining);
    (0..count)
        .map(|index| total / count + u64::from(index < total % count))
        .collect()
}

/// Calls `run` for each island with its share. Each thread has consecutive islands, this one the
/// first.
pub(super) fn on_threads<T: Send>(
    threads: usize,
    islands: &mut [T],
    shares: &[u64],
    run: impl Fn(&mut T, u64) + Sync,
) {
    let count = islands.len().div_ceil(threads.max(1)).max(1);
    let run_all = |islands: &mut [T], shares: &[u64]| {
        for (island, share) in islands.iter_mut().zip(shares) {
            run(island, *share);
        }
    };
    let mut parts = islands.chunks_mut(count).zip(shares.chunks(count));
    let first = parts.next();
    std::thread::scope(|scope| {
        let others: Vec<_> = parts
            .map(|(islands, shares)| scope.spawn(|| run_all(islands, shares)))
            .collect();
        if let Some((islands, shares)) = first {
            run_all(islands, shares);
        }
        for other in others {
            other.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
    });
}
