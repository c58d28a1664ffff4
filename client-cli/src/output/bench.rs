//! What came of a load.

use super::table::{Table, figures as number, pairs, printable, text};
use super::{Display, Style, numbers};
use crate::load::run::{Drive, Results};
use crate::load::tally::{Tally, Times};
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;
use stratagem_render::time::span_text;

/// All figures of a run; times in milliseconds.
#[derive(Debug, Serialize)]
pub struct Figures {
    /// Connections that were used in turn.
    pub connections: usize,
    /// Calls a second that were to be made in the mean, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    /// Callers who never paused, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub callers: Option<usize>,
    /// Calls a second that the server answered when nobody paused, where it was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capacity: Option<f64>,
    /// Time in which calls were counted.
    pub counted_s: f64,
    /// Ended before its time.
    pub interrupted: bool,
    /// Whether as many were in time as were required, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub met: Option<bool>,
    /// How much later than they should the client sent its calls: large where it is too slow for
    /// the load.
    pub behind_ms: Quantiles,
    /// All problems together.
    pub all: Row,
    /// Each of them.
    pub problems: Vec<Row>,
}

/// Figures of some calls.
#[derive(Debug, Serialize)]
pub struct Row {
    /// Of which problem.
    pub problem: String,
    /// Calls that have ended.
    pub calls: u64,
    /// Answered by their deadline.
    pub in_time: u64,
    /// The same as a share of all calls, 0 to 1.
    pub in_time_share: f64,
    /// Answered in time, a second.
    pub goodput: f64,
    /// Answered later.
    pub late: u64,
    /// With a plan, or a proof that there is none.
    pub solved: u64,
    /// Refused: `UNAVAILABLE` or `RESOURCE_EXHAUSTED`, among those that failed.
    pub refused: u64,
    /// Failed, by code.
    pub failed: BTreeMap<&'static str, u64>,
    /// From sending to the answer.
    pub latency_ms: Quantiles,
    /// How much later than the deadline answers came; 0 for those in time.
    pub overshoot_ms: Quantiles,
    /// From sending to a refusal.
    pub refusal_ms: Quantiles,
    /// Mean gap where one is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap: Option<f64>,
}

/// Times, in milliseconds.
#[derive(Debug, Serialize)]
#[expect(missing_docs, reason = "they say it")]
pub struct Quantiles {
    pub p50: f64,
    pub p90: f64,
    pub p99: f64,
    pub p999: f64,
    pub max: f64,
}

impl From<&Times> for Quantiles {
    fn from(times: &Times) -> Self {
        let at = |share| times.quantile(share).as_secs_f64() * 1e3;
        Self {
            p50: at(0.5),
            p90: at(0.9),
            p99: at(0.99),
            p999: at(0.999),
            max: times.max().as_secs_f64() * 1e3,
        }
    }
}

impl Row {
    fn new(problem: &str, tally: &Tally, counted: Duration) -> Self {
        let seconds = counted.as_secs_f64().max(f64::MIN_POSITIVE);
        Self {
            problem: problem.into(),
            calls: tally.calls,
            in_time: tally.in_time,
            in_time_share: tally.in_time_share(),
            goodput: tally.in_time as f64 / seconds,
            late: tally.late,
            solved: tally.solved,
            refused: tally.refused(),
            failed: tally.failed.clone(),
            latency_ms: (&tally.latency).into(),
            overshoot_ms: (&tally.overshoot).into(),
            refusal_ms: (&tally.refusal).into(),
            gap: tally.gap(),
        }
    }
}

impl Figures {
    /// Those of a run that sent problems of these names over this number of connections.
    #[must_use]
    pub fn new(names: &[&str], results: &Results, connections: usize) -> Self {
        let counted = results.counted;
        let problems = names.iter().zip(&results.works);
        Self {
            connections,
            rate: None,
            callers: None,
            capacity: None,
            counted_s: counted.as_secs_f64(),
            interrupted: results.interrupted,
            met: None,
            behind_ms: (&results.all.behind).into(),
            all: Row::new("all", &results.all, counted),
            problems: problems
                .map(|(name, tally)| Row::new(name, tally, counted))
                .collect(),
        }
    }

    /// The same, with what decided when calls were made and what was required.
    #[must_use]
    pub fn driven(self, drive: Drive, capacity: Option<f64>, require: Option<f64>) -> Self {
        let (rate, callers) = match drive {
            Drive::Rate(rate) => (Some(rate), None),
            Drive::Callers(callers) => (None, Some(callers)),
        };
        Self {
            rate,
            callers,
            capacity,
            // Where no call was counted, nothing is known to be in time.
            met: require.map(|share| self.all.calls > 0 && self.all.in_time_share >= share),
            ..self
        }
    }
}

/// How it goes, in a line.
#[must_use]
pub fn line(at: Duration, tally: &Tally) -> String {
    let at = span_text(Duration::from_secs(at.as_secs()).as_micros() as i64);
    let calls = numbers::count(tally.calls.cast_signed());
    let share = share(tally.in_time_share());
    let p99 = millis(tally.latency.quantile(0.99).as_secs_f64() * 1e3);
    format!("{at}  {calls} calls, {share} in time, p99 {p99} ms")
}

/// For people.
#[must_use]
pub fn table(display: &Display, figures: &Figures) -> String {
    let all = &figures.all;
    let style = match (figures.met, all.late, all.failed.is_empty()) {
        (Some(false), ..) => Style::Bad,
        (Some(true), ..) | (None, 0, true) => Style::Good,
        (None, ..) => Style::Doubtful,
    };
    let calls = numbers::count(all.calls.cast_signed());
    let in_time = format!("{} of {calls} calls", share(all.in_time_share));
    let mut rows = vec![
        ("in time", display.styled(style, &in_time)),
        ("load", load(figures)),
        (
            "goodput",
            format!("{} a second", numbers::number(all.goodput)),
        ),
    ];
    if let Some(capacity) = figures.capacity {
        let text = format!("{} a second when nobody pauses", numbers::number(capacity));
        rows.push(("capacity", text));
    }
    if !all.failed.is_empty() {
        let failed = all.failed.iter();
        let failed = failed.map(|(code, count)| format!("{code} {count}"));
        rows.push(("failed", failed.collect::<Vec<_>>().join(", ")));
    }
    // Milliseconds: timers are no finer.
    if figures.behind_ms.p99 > 5.0 {
        let p99 = millis(figures.behind_ms.p99);
        let text = format!(
            "p99 {p99} ms: this program was too slow for the load; believe the latencies less"
        );
        rows.push(("sent late", display.styled(Style::Doubtful, &text)));
    }
    let mut out = pairs(&rows, display.terminal_width);
    out.push('\n');
    out + &times(display, figures)
}

fn times(display: &Display, figures: &Figures) -> String {
    let mut table = Table::new(vec![
        text("PROBLEM"),
        text("MS"),
        number("CALLS"),
        number("P50"),
        number("P90"),
        number("P99"),
        number("P99.9"),
        number("MAX"),
    ]);
    let several = figures.problems.len() > 1;
    let rows = several.then_some(&figures.all).into_iter();
    for row in rows.chain(&figures.problems) {
        let answered = row.in_time + row.late;
        for (what, count, times) in [
            ("latency", answered, &row.latency_ms),
            ("overshoot", answered, &row.overshoot_ms),
            ("refusal", row.refused, &row.refusal_ms),
        ] {
            if count == 0 {
                continue;
            }
            let count = numbers::count(count.cast_signed());
            let mut cells = vec![printable(&row.problem), what.into(), count];
            let times = [times.p50, times.p90, times.p99, times.p999, times.max];
            cells.extend(times.map(millis));
            table.push(&cells);
        }
    }
    table.text(display)
}

fn load(figures: &Figures) -> String {
    let connections = numbers::things(figures.connections as i64, "connections");
    let seconds = numbers::number(figures.counted_s);
    let drive = match (figures.rate, figures.callers) {
        (Some(rate), _) => format!("{} calls a second", numbers::number(rate)),
        (_, callers) => numbers::things(callers.unwrap_or(0) as i64, "callers"),
    };
    format!("{drive}, {connections}, {seconds} s counted")
}

fn millis(ms: f64) -> String {
    format!("{ms:.2}")
}

/// A share with two decimals, never rounded up to all.
fn share(share: f64) -> String {
    let percent = (share * 1e4).floor() / 100.0;
    format!("{percent:.2}%")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_required_is_met_by_calls_and_not_by_their_absence() {
        let in_time = |calls, in_time| {
            let mut results = Results::default();
            (results.all.calls, results.all.in_time) = (calls, in_time);
            let figures = Figures::new(&[], &results, 1);
            figures.driven(Drive::Rate(1.0), None, Some(0.9)).met
        };
        assert_eq!(in_time(10, 9), Some(true));
        assert_eq!(in_time(10, 8), Some(false));
        assert_eq!(in_time(0, 0), Some(false));
    }
}
