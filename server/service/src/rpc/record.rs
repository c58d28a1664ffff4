//! One line of log for each search, and its numbers.

use crate::metrics::{Metrics, Solved};
use crate::telemetry::set;
use anytime::Timings;
use std::time::Duration;
use stratagem_proto::v1 as pb;
use tracing::Span;
use wire::solve::{status_name, stop_name};

/// A search that has ended.
pub(super) struct Record<'t> {
    pub method: &'static str,
    pub id: &'t str,
    /// Size of the problem: tasks, or whatever is planned.
    pub elements: usize,
    pub report: &'t pb::SolveReport,
    pub timings: &'t Timings,
    /// How much later than its deadline the answer was made.
    pub overshoot: Duration,
    /// The search, for its trace.
    pub span: &'t Span,
}

pub(super) fn record(metrics: &Metrics, answered: &Record<'_>) {
    let Timings {
        queue,
        validate: _,
        solve,
        verify,
        first_plan,
        parked: _,
    } = *answered.timings;
    let report = answered.report;
    let (status, stop) = (
        status_name(report.status()),
        stop_name(report.stop_reason()),
    );
    metrics.solved(&Solved {
        method: answered.method,
        status,
        stop,
        queue,
        solve,
        verify,
        first_plan,
        overshoot: answered.overshoot,
        gap: report.gap,
    });
    let objective = report.objective.as_ref().map(|o| o.levels.as_slice());
    set(answered.span, "stratagem.status", status);
    set(answered.span, "stratagem.stop_reason", stop);
    set(answered.span, "stratagem.strategy", &*report.strategy);
    if let Some(objective) = objective {
        set(
            answered.span,
            "stratagem.objective",
            &*format!("{objective:?}"),
        );
    }
    if let Some(gap) = report.gap {
        set(answered.span, "stratagem.gap", gap);
    }
    tracing::info!(
        id = answered.id,
        method = answered.method,
        status,
        stop,
        objective = objective.map(tracing::field::debug),
        gap = report.gap,
        elements = answered.elements,
        strategy = report.strategy,
        seed = report.seed,
        iterations = report.iterations,
        threads = report.threads,
        queue_ms = millis(queue),
        solve_ms = millis(solve),
        verify_ms = millis(verify),
        first_plan_ms = first_plan.map(millis),
        overshoot_ms = millis(answered.overshoot),
        "solved"
    );
}

/// Milliseconds to three decimals.
fn millis(length: Duration) -> f64 {
    (length.as_micros() as f64) / 1e3
}
