//! What work takes, estimated from what it took before.

use super::{Piece, Quantile, Stage};
use dashmap::DashMap;
use std::time::Duration;

/// Share of all work that takes no longer than is usual.
const SHARE: f64 = 0.95;
/// The estimate where nothing is known.
const START: Duration = Duration::from_millis(1);
/// Work that usually takes no longer costs less than to hand it over, twice: on a busy machine a
/// thread that is woken waits for a processor for up to 3 ms, now and then.
pub(super) const TINY: Duration = Duration::from_micros(300);
/// And what the threads of the network can bear of the rare cases.
const PEAK_MAX: Duration = Duration::from_micros(700);
/// What is left of a peak after one more piece of work.
const PEAK_DECAY: f64 = 0.99;

/// What a piece of work takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Estimate {
    /// Usually at most.
    pub usual: Duration,
    /// Whether to do it where it comes up: it never took long of late.
    pub is_tiny: bool,
}

/// What is known about one kind of work.
#[derive(Debug)]
struct Known {
    usual: Quantile,
    peak: Duration,
}

/// Estimates by method, stage and size; sizes that differ by less than a factor of two are one.
#[derive(Debug, Default)]
pub(super) struct Costs(DashMap<(&'static str, Stage, u32), Known>);

fn key(piece: &Piece) -> (&'static str, Stage, u32) {
    (piece.method, piece.stage, piece.size.max(1).ilog2())
}

impl Costs {
    /// What this takes.
    pub(super) fn estimate(&self, piece: &Piece) -> Estimate {
        let known = self.0.get(&key(piece));
        let unknown = Estimate {
            usual: START,
            is_tiny: false,
        };
        known.map_or(unknown, |known| {
            let usual = known.usual.value();
            let is_tiny = usual <= TINY && known.peak <= PEAK_MAX && known.usual.is_known();
            Estimate { usual, is_tiny }
        })
    }

    /// One was not tried, since it would have taken too long: the estimate falls a little, so that
    /// it cannot stay too high for good.
    pub(super) fn passed_over(&self, piece: &Piece) {
        if let Some(known) = self.0.get(&key(piece)) {
            known.usual.learn(Duration::ZERO);
        }
    }

    /// It took so long.
    pub(super) fn learn(&self, piece: &Piece, took: Duration) {
        let mut known = self.0.entry(key(piece)).or_insert_with(|| Known {
            usual: Quantile::new(SHARE),
            peak: Duration::ZERO,
        });
        known.usual.learn(took);
        known.peak = known.peak.mul_f64(PEAK_DECAY).max(took);
    }
}
