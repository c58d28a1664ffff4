//! One question, asked as a service would: once, within a deadline.

use crate::processor::processor;
use anytime::{Control, Limits};
use std::time::{Duration, Instant};
use temporal::generate::{Shape, teammates};
use temporal::solve::check_strong;
use temporal::{Detail, Network, Strategy, StrongFinding, StrongParams, Undecided, Verdict};

/// For each network and strategy.
pub(crate) const SECONDS_MAX: u64 = 60;
/// Networks of the benchmark, as in the paper.
pub(crate) const NETWORKS: u64 = 1_000;

/// What came of a question.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    pub(crate) finding: StrongFinding,
    pub(crate) time: Duration,
    /// Time on a processor; where the system does not report it, the same as `time`.
    pub(crate) cpu: Duration,
    pub(crate) iterations: u64,
}

impl Run {
    pub(crate) fn verdict(&self) -> Verdict {
        self.finding.verdict
    }
}

/// A strategy, details and a seed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Question {
    pub(crate) strategy: Strategy,
    pub(crate) detail: Detail,
    pub(crate) seed: u64,
    pub(crate) within: Duration,
}

impl Question {
    /// The bare verdict of a strategy.
    pub(crate) fn bare(strategy: Strategy) -> Self {
        Self {
            strategy,
            detail: Detail::NONE,
            seed: 1,
            within: Duration::from_secs(SECONDS_MAX),
        }
    }

    pub(crate) fn ask(&self, network: &Network) -> Run {
        let mut last = StrongFinding::default();
        let mut sink = |finding: &StrongFinding, _: Undecided| last = finding.clone();
        let (iterations, time, cpu) = timed(|| {
            let limits = Limits::until(Instant::now() + self.within);
            let mut control = Control::new(limits, self.seed, &mut sink);
            let params = StrongParams {
                strategy: self.strategy,
                detail: self.detail,
            };
            check_strong(network, &params, &mut control).expect("the strategy is built in");
            control.iterations()
        });
        Run {
            finding: last,
            time,
            cpu,
            iterations,
        }
    }
}

/// What a computation returns, its time by the clock, and its time on a processor.
pub(crate) fn timed<T>(compute: impl FnOnce() -> T) -> (T, Duration, Duration) {
    let spent = processor();
    let start = Instant::now();
    let result = compute();
    let time = start.elapsed();
    let spent = spent.and_then(|before| processor()?.checked_sub(before));
    // Either is too long: one by waiting for a processor, the other by reading twice.
    (result, time, spent.map_or(time, |spent| spent.min(time)))
}

/// Network `seed` of a kind with 6 to 100 events, all sizes alike.
pub(crate) fn network(seed: u64, horizon_percent: u32) -> Network {
    let tasks = 3 + usize::try_from(seed % 48).expect("small");
    let shape = Shape {
        horizon_percent,
        ..Shape::paper(tasks)
    };
    teammates(seed, &shape)
}

pub(crate) fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// The value below which `percent` of all are; 0 of none.
pub(crate) fn percentile(values: &[f64], percent: usize) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    let last = values.len().saturating_sub(1);
    values.get(last * percent / 100).copied().unwrap_or(0.0)
}

/// Sizes are reported in classes, as `6-20`: the smallest and the largest number of events of each.
pub(crate) const CLASSES: [(usize, usize); 5] = [(6, 20), (22, 40), (42, 60), (62, 80), (82, 100)];
