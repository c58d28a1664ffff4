//! What came of a search, for people.

use super::table::{Table, figures, pairs, printable, text};
use super::{Display, Style, heading, numbers, objective, report, unserved};
use std::fmt::Write as _;
use stratagem_proto::v1::{
    AllocateTasksResponse, AllocationPlan, AllocationProblem, AllocationRoute, SolveReport,
    SolveStatus,
};
use stratagem_render::allocation::times;
use stratagem_render::text::TextOptions;
use stratagem_render::time::{micros, span_text};

/// Summary, routes, timeline and unserved tasks of an answer.
#[must_use]
pub fn allocation(
    display: &Display,
    problem: &AllocationProblem,
    answer: &AllocateTasksResponse,
) -> String {
    let report = answer.report.clone().unwrap_or_default();
    let mut out = heading(display, problem) + "\n";
    out.push_str(&summary(display, &report, &objective::deciding(problem)));
    let plan = answer.plan.as_ref();
    if let Some(plan) = plan {
        if !plan.routes.is_empty() {
            let _ = write!(out, "\n{}", routes(display, plan));
        }
        let options = TextOptions {
            width: display.width(),
            ascii: display.ascii,
            colour: display.colour,
        };
        let _ = write!(out, "\n{}", times(problem, plan).text(&options));
    }
    let left_out = plan.map_or(&[][..], |p| &p.unserved_task_ids);
    out.push_str(&unserved::list(
        display,
        left_out,
        report.explanation.as_ref(),
    ));
    out.push_str(&unserved::notes(display, &report.notes));
    out
}

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
        SolveStatus::Optimal => (Style::Good, "OPTIMAL", "proved to be the best there is"),
        SolveStatus::Feasible => (
            Style::Good,
            "FEASIBLE",
            "keeps every rule, a better plan may exist",
        ),
        SolveStatus::Infeasible => (
            Style::Bad,
            "INFEASIBLE",
            "proved that no plan keeps every rule",
        ),
        SolveStatus::Unknown => (
            Style::Doubtful,
            "UNKNOWN",
            "no plan found that keeps every rule, nor a proof that there is none",
        ),
        SolveStatus::Unspecified => (Style::Doubtful, "CUT OFF", "the best plan so far"),
    };
    format!("{}: {meaning}", display.styled(style, name))
}

/// One line for each route.
fn routes(display: &Display, plan: &AllocationPlan) -> String {
    let mut table = Table::new(vec![
        text("AGENT"),
        figures("TASKS"),
        figures("FIRST"),
        figures("DONE"),
        figures("TRAVEL"),
        text("ROUTE"),
    ]);
    for route in &plan.routes {
        table.push(&cells(display, route));
    }
    table.text(display)
}

fn cells(display: &Display, route: &AllocationRoute) -> [String; 6] {
    let arrow = if display.ascii { " > " } else { " → " };
    let ids: Vec<_> = route.stops.iter().map(|s| s.task_id.as_str()).collect();
    let first = route.stops.first().and_then(|s| s.start_offset.as_ref());
    [
        route.agent_id.clone(),
        route.stops.len().to_string(),
        span_text(micros(first)),
        span_text(micros(route.end_offset.as_ref())),
        numbers::number(route.travel_cost),
        ids.join(arrow),
    ]
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
status   OPTIMAL: proved to be the best there is
stopped  nothing is left to search; the same request gives the same plan again
gap      0%
search   mcts, 1,234 iterations, seed 7, 2 threads, width 4
";
        assert_eq!(summary(&PLAIN, &report, &[]), expected);
    }

    #[test]
    fn names_cannot_control_the_terminal() {
        let problem = AllocationProblem {
            title: "\u{1b}[2Jgone".into(),
            ..AllocationProblem::default()
        };
        let text = allocation(&PLAIN, &problem, &AllocateTasksResponse::default());
        assert!(!text.contains('\u{1b}'), "{text:?}");
    }
}
