//! Counts and times of calls.

use hdrhistogram::Histogram;
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use std::collections::BTreeMap;
use std::time::Duration;
use stratagem_proto::code_name;
use stratagem_proto::v1::{SolveReport, SolveStatus};
use tonic::Code;

/// One call that has ended.
#[derive(Debug)]
pub struct Sample {
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

/// Quantiles that are reported, with their names.
pub const QUANTILES: [(&str, f64); 5] = [
    ("p50", 0.5),
    ("p90", 0.9),
    ("p99", 0.99),
    ("p999", 0.999),
    ("max", 1.0),
];

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

    /// The time within which this share of them is, in milliseconds; 0 where there are none.
    #[must_use]
    pub fn quantile_ms(&self, share: f64) -> f64 {
        if self.0.is_empty() {
            return 0.0;
        }
        self.0.value_at_quantile(share) as f64 / 1e3
    }
}

impl Serialize for Times {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(QUANTILES.len()))?;
        for (name, share) in QUANTILES {
            map.serialize_entry(name, &self.quantile_ms(share))?;
        }
        map.end()
    }
}

/// Counts and times of calls; times in milliseconds.
#[derive(Debug, Clone, Default, serde::Serialize)]
pub struct Figures {
    /// Connections that were used in turn.
    pub connections: usize,
    /// Calls a second that were to be made in the mean, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    /// Callers who never paused, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub callers: Option<usize>,
    /// Calls a second that the server answered when no caller paused, where it was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capacity: Option<f64>,
    /// Time in which calls were counted.
    pub counted_s: f64,
    /// Ended before its time.
    pub interrupted: bool,
    /// Whether as many were in time as were required, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub met: Option<bool>,
    /// Calls that have ended.
    pub calls: u64,
    /// Answered by their deadline.
    pub in_time: u64,
    /// Answered later.
    pub late: u64,
    /// With a plan, or a proof that there is none.
    pub solved: u64,
    /// Failed, by code.
    pub failed: BTreeMap<&'static str, u64>,
    /// From sending to the answer.
    pub latency_ms: Times,
    /// How much later than the deadline answers came; 0 for those in time.
    pub overshoot_ms: Times,
    /// From sending to a refusal: `UNAVAILABLE` or `RESOURCE_EXHAUSTED`.
    pub refusal_ms: Times,
    /// How much later than they should the client sent its calls: large where it is too slow for
    /// the load.
    pub behind_ms: Times,
}

impl Figures {
    /// Takes a call.
    pub fn add(&mut self, sample: &Sample) {
        self.calls += 1;
        self.behind_ms.add(sample.behind);
        let report = match &sample.answer {
            Ok(report) => report,
            Err(code) => {
                if matches!(code, Code::ResourceExhausted | Code::Unavailable) {
                    self.refusal_ms.add(sample.took);
                }
                *self.failed.entry(code_name(*code)).or_default() += 1;
                return;
            }
        };
        self.latency_ms.add(sample.took);
        let over = sample.took.saturating_sub(sample.deadline);
        self.overshoot_ms.add(over);
        self.in_time += u64::from(over.is_zero());
        self.late += u64::from(!over.is_zero());
        let is_solved = |report: &SolveReport| report.status() != SolveStatus::Unknown;
        self.solved += u64::from(report.as_ref().is_some_and(is_solved));
    }

    /// Calls a second that were answered, those in time.
    #[must_use]
    pub fn goodput(&self) -> f64 {
        self.in_time as f64 / self.counted_s.max(f64::MIN_POSITIVE)
    }

    /// Share of all calls that was answered in time, 0 where there were none.
    #[must_use]
    pub fn in_time_share(&self) -> f64 {
        self.in_time as f64 / (self.calls.max(1)) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_in_time_late_refused_or_failed() {
        let report = |status: SolveStatus| {
            Ok(Some(SolveReport {
                status: status.into(),
                ..SolveReport::default()
            }))
        };
        let mut figures = Figures::default();
        for (took, answer) in [
            (20, report(SolveStatus::Feasible)),
            (50, report(SolveStatus::Infeasible)),
            (54, report(SolveStatus::Feasible)),
            (40, report(SolveStatus::Unknown)),
            (2, Err(Code::Unavailable)),
            (1_050, Err(Code::DeadlineExceeded)),
        ] {
            figures.add(&Sample {
                deadline: Duration::from_millis(50),
                took: Duration::from_millis(took),
                behind: Duration::ZERO,
                answer,
            });
        }
        let counts = (figures.calls, figures.in_time, figures.late, figures.solved);
        assert_eq!(counts, (6, 3, 1, 3));
        assert_eq!(figures.in_time_share(), 0.5);
        assert_eq!(figures.failed["DEADLINE_EXCEEDED"], 1);
        assert_eq!(figures.failed["UNAVAILABLE"], 1);
        let near = |time: f64, ms: f64| (time / ms - 1.0).abs() < 1e-3;
        assert!(near(figures.overshoot_ms.quantile_ms(1.0), 4.0));
        assert_eq!(figures.overshoot_ms.quantile_ms(0.5), 0.0);
        assert!(near(figures.refusal_ms.quantile_ms(0.99), 2.0));
        assert!(near(figures.latency_ms.quantile_ms(1.0), 54.0));
        assert_eq!(Times::default().quantile_ms(0.99), 0.0);
    }
}
