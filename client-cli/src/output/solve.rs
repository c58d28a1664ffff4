//! What came of a search, for people.

use super::table::{Table, figures, pairs, printable, text};
use super::{Display, Style, numbers, objective, unserved};
use std::fmt::Write as _;
use stratagem_proto::v1::{
    AllocationPlan, AllocationProblem, AllocationRoute, SolveReport, SolveStatus, SolveTimings,
    StopReason,
};
use stratagem_render::allocation::{TextOptions, timeline_text};
use stratagem_render::time::{micros, span_text};

/// Summary, routes, timeline and unserved tasks of an answer.
#[must_use]
pub fn allocation(
    display: &Display,
    problem: &AllocationProblem,
    plan: Option<&AllocationPlan>,
    report: &SolveReport,
) -> String {
    let mut out = heading(display, problem);
    out.push_str(&summary(display, report, &objective::deciding(problem)));
    if let Some(plan) = plan {
        if !plan.routes.is_empty() {
            let _ = write!(out, "\n{}", routes(display, plan));
        }
        let options = TextOptions {
            width: display.width(),
            ascii: display.ascii,
            colour: display.colour,
        };
        let _ = write!(out, "\n{}", timeline_text(problem, plan, &options));
    }
    let left_out = plan.map_or(&[][..], |p| &p.unserved_task_ids);
    out.push_str(&unserved::list(
        display,
        left_out,
        report.explanation.as_ref(),
    ));
    out
}

fn heading(display: &Display, problem: &AllocationProblem) -> String {
    let tasks = numbers::things(problem.tasks.len() as i64, "tasks");
    let agents = numbers::things(problem.agents.len() as i64, "agents");
    let title = printable(&problem.title);
    let title = if title.is_empty() {
        "Allocation".into()
    } else {
        title
    };
    format!(
        "{}  ({tasks}, {agents})\n\n",
        display.styled(Style::Heading, &title)
    )
}

/// Names and values of a report; `deciding` are the terms that plans are compared by.
#[must_use]
pub fn summary(display: &Display, report: &SolveReport, deciding: &[String]) -> String {
    let mut rows = vec![
        ("status", status(display, report)),
        ("stopped", stopped(report)),
    ];
    if let Some(cost) = &report.objective {
        let (main, other) = objective::full(cost, deciding);
        rows.push(("objective", main));
        if !other.is_empty() {
            rows.push(("also", other));
        }
    }
    if let Some(bound) = &report.bound {
        let text = objective::levels(&bound.levels);
        rows.push(("bound", format!("{text} (by {})", printable(&bound.method))));
    }
    if let Some(gap) = report.gap {
        rows.push(("gap", numbers::percent(gap)));
    }
    if let Some(timings) = &report.timings {
        rows.push(("time", times(timings)));
    }
    // Without a report nobody has said how it searched.
    if report.status() != SolveStatus::Unspecified {
        rows.push(("search", search(report)));
    }
    pairs(&rows, display.terminal_width)
}

fn status(display: &Display, report: &SolveReport) -> String {
    let (style, name, meaning) = match report.status() {
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

/// Why the search ended, in words.
fn stopped(report: &SolveReport) -> String {
    let why = match report.stop_reason() {
        StopReason::Proved => "nothing is left to search",
        StopReason::Deadline => "the time budget is used up",
        StopReason::IterationLimit => "the iteration limit is reached",
        StopReason::Target => "the target is reached",
        StopReason::Cancelled => "interrupted",
        StopReason::Draining => "the server is shutting down",
        StopReason::Exhausted => "the strategy has nothing more to try",
        StopReason::Validated => "only validation was asked for",
        StopReason::Unspecified => "no report came",
    };
    let repeat = if report.reproducible {
        "; the same request gives the same plan again"
    } else {
        ""
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
    let mut lines = table.lines(display.terminal_width).into_iter();
    let heading = lines.next().map(|l| display.styled(Style::Heading, &l));
    let lines: Vec<_> = heading.into_iter().chain(lines).collect();
    lines.join("\n") + "\n"
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

    const PLAIN: Display = Display {
        format: None,
        colour: false,
        progress_colour: false,
        terminal_width: None,
        live: false,
        ascii: false,
        quiet: false,
    };

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
        let text = allocation(&PLAIN, &problem, None, &SolveReport::default());
        assert!(!text.contains('\u{1b}'), "{text:?}");
    }
}
