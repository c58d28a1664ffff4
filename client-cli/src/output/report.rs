//! What a report says about the search, for each planner.

use super::numbers;
use super::table::printable;
use std::fmt::Write as _;
use stratagem_proto::v1::{SolveReport, SolveStatus, SolveTimings, StopReason};
use stratagem_render::time::{micros, span_text};

/// Rows on what the search took, as far as the report has it.
pub(super) fn effort(report: &SolveReport) -> Vec<(&'static str, String)> {
    let mut rows = Vec::new();
    if let Some(timings) = &report.timings {
        rows.push(("time", times(timings)));
    }
    // Without a report nobody has said how it searched.
    if report.status() != SolveStatus::Unspecified {
        rows.push(("search", search(report)));
    }
    rows
}

/// Why the search ended, in words; `answer` is what the search was for.
pub(super) fn stopped(report: &SolveReport, answer: &str) -> String {
    let why = match report.stop_reason() {
        StopReason::Proved => "the search is complete",
        StopReason::Deadline => "the time budget is used up",
        StopReason::IterationLimit => "the iteration limit is reached",
        StopReason::Target => "the target is reached",
        StopReason::Cancelled => "interrupted",
        StopReason::Draining => "the server is shutting down",
        StopReason::Yielded => "a more urgent request needed its slots",
        StopReason::Exhausted => "the strategy has nothing more to try",
        StopReason::Validated => "only validation was requested",
        StopReason::Unspecified => "no report came",
    };
    let repeat = if report.reproducible {
        format!("; the same request gives the same {answer} again")
    } else {
        String::new()
    };
    format!("{why}{repeat}")
}

fn times(timings: &SolveTimings) -> String {
    let span = |d: &Option<prost_types::Duration>| span_text(micros(d.as_ref()));
    let mut text = format!("searched {}", span(&timings.solve_duration));
    if timings.first_plan_duration.is_some() {
        let _ = write!(
            text,
            ", first plan after {}",
            span(&timings.first_plan_duration)
        );
    }
    let _ = write!(
        text,
        ", checks {}, queued {}",
        span(&timings.verify_duration),
        span(&timings.queue_duration)
    );
    text
}

fn search(report: &SolveReport) -> String {
    let iterations = numbers::things(report.iterations, "iterations");
    let threads = numbers::things(report.threads.into(), "threads");
    let strategy = match printable(&report.strategy) {
        name if name.is_empty() => "no search".into(),
        name => name,
    };
    let mut text = format!("{strategy}, {iterations}, seed {}, {threads}", report.seed);
    if report.parallel_width > 1 {
        let _ = write!(text, ", width {}", report.parallel_width);
    }
    if report.time_budget.is_some() {
        let _ = write!(
            text,
            ", budget {}",
            span_text(micros(report.time_budget.as_ref()))
        );
    }
    if report.shared {
        text.push_str(" (answer shared with an identical request)");
    }
    text
}
