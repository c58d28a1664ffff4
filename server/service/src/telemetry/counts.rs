//! Outcomes of spans. Log and traces belong to the process, and so do these counts.

use std::sync::atomic::{AtomicU64, Ordering};

/// The collector has them.
pub(super) static EXPORTED: AtomicU64 = AtomicU64::new(0);
/// The collector did not take them.
pub(super) static FAILED: AtomicU64 = AtomicU64::new(0);

/// Spans by what became of them.
pub(crate) fn spans() -> [(&'static str, u64); 2] {
    [("exported", &EXPORTED), ("failed", &FAILED)]
        .map(|(outcome, count)| (outcome, count.load(Ordering::Relaxed)))
}
