//! What came of the calls.

use crate::exit::code_name;
use hdrhistogram::Histogram;
use std::collections::BTreeMap;
use std::time::Duration;
use stratagem_proto::v1::{SolveReport, SolveStatus};
use tonic::Code;

/// One call that has ended.
#[derive(Debug)]
pub struct Sample {
    /// Which problem was sent.
    pub work: usize,
    /// How long its answer was wanted.
    pub deadline: Duration,
    /// From sending to the answer.
    pub took: Duration,
    /// How much later than it should the client sent it: the client's own fault.
    pub behind: Duration,
    /// The report, or how the call failed.
    pub answer: Result<Option<SolveReport>, Code>,
}

/// Times with three digits, from a microsecond to an hour.
#[derive(Debug, Clone)]
pub struct Times(Histogram<u64>);

impl Default for Times {
    fn default() -> Self {
        let histogram = Histogram::new_with_bounds(1, 3_600_000_000, 3);
        // Bounds and digits are those above.
        Self(histogram.unwrap_or_else(|_| unreachable!("bounds are in order")))
    }
}

impl Times {
    fn add(&mut self, time: Duration) {
        let us = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.0.saturating_record(us);
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.len()
    }

    /// The time within which this share of them is, 0 where there are none.
    #[must_use]
    pub fn quantile(&self, share: f64) -> Duration {
        if self.0.is_empty() {
            return Duration::ZERO;
        }
        Duration::from_micros(self.0.value_at_quantile(share))
    }

    /// The longest.
    #[must_use]
    pub fn max(&self) -> Duration {
        Duration::from_micros(self.0.max())
    }
}

/// Counts and times of calls.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    /// All that were sent and have ended.
    pub calls: u64,
    /// Answered by their deadline.
    pub in_time: u64,
    /// Answered later.
    pub late: u64,
    /// Those with a plan or a proof that there is none.
    pub solved: u64,
    /// From sending to the answer, of those that were answered.
    pub latency: Times,
    /// How much later than its deadline an answer came; 0 for those in time.
    pub overshoot: Times,
    /// From sending to a refusal: `UNAVAILABLE` where there is no room in time,
    /// `RESOURCE_EXHAUSTED` where too much was asked for.
    pub refusal: Times,
    /// How much later than they should calls were sent.
    pub behind: Times,
    /// Failed calls by their code.
    pub failed: BTreeMap<&'static str, u64>,
    gaps: (f64, u64),
}

impl Tally {
    /// Takes a call.
    pub fn add(&mut self, sample: &Sample) {
        self.calls += 1;
        self.behind.add(sample.behind);
        let report = match &sample.answer {
            Ok(report) => report,
            Err(code) => {
                if matches!(code, Code::ResourceExhausted | Code::Unavailable) {
                    self.refusal.add(sample.took);
                }
                *self.failed.entry(code_name(*code)).or_default() += 1;
                return;
            }
        };
        self.latency.add(sample.took);
        let over = sample.took.saturating_sub(sample.deadline);
        self.overshoot.add(over);
        if over.is_zero() {
            self.in_time += 1;
        } else {
            self.late += 1;
        }
        let Some(report) = report else { return };
        self.solved += u64::from(report.status() != SolveStatus::Unknown);
        if let Some(gap) = report.gap.filter(|gap| gap.is_finite()) {
            self.gaps.0 += gap;
            self.gaps.1 += 1;
        }
    }

    /// Calls that were answered, in time or not.
    #[must_use]
    pub fn answered(&self) -> u64 {
        self.in_time + self.late
    }

    /// Calls that were refused.
    #[must_use]
    pub fn refused(&self) -> u64 {
        self.refusal.count()
    }

    /// Share of all calls that were answered in time; of none all.
    #[must_use]
    pub fn in_time_share(&self) -> f64 {
        match self.calls {
            0 => 1.0,
            calls => self.in_time as f64 / calls as f64,
        }
    }

    /// Mean gap of the plans whose bound is known.
    #[must_use]
    pub fn gap(&self) -> Option<f64> {
        (self.gaps.1 > 0).then(|| self.gaps.0 / self.gaps.1 as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    fn sample(took: u64, answer: Result<Option<SolveReport>, Code>) -> Sample {
        Sample {
            work: 0,
            deadline: MS(50),
            took: MS(took),
            behind: MS(1),
            answer,
        }
    }

    #[test]
    fn calls_are_in_time_late_refused_or_failed() {
        let solved = |gap| {
            let mut report = SolveReport {
                gap,
                ..SolveReport::default()
            };
            report.set_status(SolveStatus::Feasible);
            Ok(Some(report))
        };
        let mut unknown = SolveReport::default();
        unknown.set_status(SolveStatus::Unknown);
        let mut tally = Tally::default();
        for (took, answer) in [
            (20, solved(Some(0.1))),
            (50, solved(Some(0.3))),
            (54, solved(None)),
            (40, Ok(Some(unknown))),
            (2, Err(Code::Unavailable)),
            (1_050, Err(Code::DeadlineExceeded)),
        ] {
            tally.add(&sample(took, answer));
        }
        assert_eq!((tally.calls, tally.in_time, tally.late), (6, 3, 1));
        assert_eq!((tally.answered(), tally.refused(), tally.solved), (4, 1, 3));
        assert_eq!(tally.in_time_share(), 0.5);
        assert!((tally.gap().unwrap() - 0.2).abs() < 1e-12);
        assert_eq!(tally.failed["DEADLINE_EXCEEDED"], 1);
        assert_eq!(tally.failed["UNAVAILABLE"], 1);
        let near = |time: Duration, ms: f64| (time.as_secs_f64() * 1e3 / ms - 1.0).abs() < 1e-3;
        assert!(near(tally.overshoot.max(), 4.0));
        assert_eq!(tally.overshoot.quantile(0.5), Duration::ZERO);
        assert!(near(tally.refusal.quantile(0.99), 2.0));
        assert!(near(tally.latency.max(), 54.0));
    }

    #[test]
    fn of_nothing_nothing_is_said() {
        let tally = Tally::default();
        assert_eq!(tally.in_time_share(), 1.0);
        assert_eq!(tally.gap(), None);
        assert_eq!(tally.latency.quantile(0.99), Duration::ZERO);
    }
}
