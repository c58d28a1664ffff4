//! What came of a search, for people.

use super::table::{pairs, printable};
use super::{Display, Style, numbers, objective, report};
use stratagem_proto::v1::{SolveReport, SolveStatus};

/// Names and values of a report; `deciding` are the terms that plans are compared by.
#[must_use]
pub fn summary(display: &Display, report: &SolveReport, deciding: &[String]) -> String {
    let mut rows = vec![
        ("status", status(display, report.status())),
        ("stopped", report::stopped(report, "plan")),
    ];
    if let Some(cost) = &report.objective {
        let (main, other) = objective::full(cost, deciding);
        rows.push(("objective", main));
        if !other.is_empty() {
            rows.push(("also", other));
        }
    }
    if let Some(bound) = &report.bound {
        let text = objective::bound_in_full(bound);
        rows.push(("bound", format!("{text} (by {})", printable(&bound.method))));
    }
    if let Some(gap) = report.gap {
        rows.push(("gap", numbers::percent(gap)));
    }
    rows.extend(report::effort(report));
    pairs(&rows, display.terminal_width)
}

/// A status with what it means.
pub(super) fn status(display: &Display, status: SolveStatus) -> String {
    let (style, name, meaning) = match status {
        SolveStatus::Optimal => (Style::Good, "OPTIMAL", "no better plan exists, by proof"),
        SolveStatus::Feasible => (
            Style::Good,
            "FEASIBLE",
            "satisfies every rule; a better plan may exist",
        ),
        SolveStatus::Infeasible => (
            Style::Bad,
            "INFEASIBLE",
            "no plan satisfies every rule, by proof",
        ),
        SolveStatus::Unknown => (
            Style::Doubtful,
            "UNKNOWN",
            "no plan that satisfies every rule was found; one may still exist",
        ),
        SolveStatus::Unspecified => (Style::Doubtful, "CUT OFF", "the best plan so far"),
    };
    format!("{}: {meaning}", display.styled(style, name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use stratagem_proto::v1::StopReason;

    const PLAIN: Display = Display::PLAIN;

    #[test]
    fn a_report_is_summed_up() {
        let report = SolveReport {
            status: SolveStatus::Optimal.into(),
            stop_reason: StopReason::Proved.into(),
            iterations: 1_234,
            seed: 7,
            threads: 2,
            parallel_width: 4,
            strategy: "mcts".into(),
            reproducible: true,
            gap: Some(0.0),
            ..SolveReport::default()
        };
        let expected = "\
status   OPTIMAL: no better plan exists, by proof
stopped  the search is complete; the same request gives the same plan again
gap      0%
search   mcts, 1,234 iterations, seed 7, 2 threads, width 4
";
        assert_eq!(summary(&PLAIN, &report, &[]), expected);
    }
}
