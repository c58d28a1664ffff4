//! Routes as bars of characters, for terminals.

use super::activity::{horizon, rows};
use super::chart::{ASCII, BLOCKS, Chart};
use crate::axis::{CharAxis, push_line};
use crate::label::{columns, fit, printable};
use crate::text::TextOptions;
use std::collections::BTreeSet;
use stratagem_proto::v1::{AllocationPlan, AllocationProblem};

/// Most columns of an agent's name.
const NAME_MAX: usize = 24;

/// Returns the routes of a plan as text: an axis of game time, a row for each agent with tasks, the
/// names of the idle, and a legend. Lines end with `\n` and have no blanks at their ends.
///
/// The column of a moment shows what the agent does for most of it, but every task has a column of
/// its own as long as no two begin in the same. Task names are written into bars that are long
/// enough.
///
/// # Examples
/// ```
/// use stratagem_proto::v1::{AllocationPlan, AllocationProblem};
/// use stratagem_render::allocation::{TextOptions, timeline_text};
/// let text = timeline_text(
///     &AllocationProblem::default(),
///     &AllocationPlan::default(),
///     &TextOptions::default(),
/// );
/// assert_eq!(text, "nobody has anything to do\n");
/// ```
#[must_use]
pub fn timeline_text(
    problem: &AllocationProblem,
    plan: &AllocationPlan,
    options: &TextOptions,
) -> String {
    let rows = rows(problem, plan);
    if rows.is_empty() {
        return "nobody has anything to do\n".into();
    }
    let pen = if options.ascii { &ASCII } else { &BLOCKS };
    let width = options.columns();
    let longest = rows.iter().map(|r| columns(&printable(r.agent))).max();
    let name_width = longest.unwrap_or(0).min(NAME_MAX).min(width / 3).max(4);
    let chart = Chart {
        pen,
        axis: CharAxis {
            width: width - name_width - 1,
            horizon: horizon(&rows),
            ascii: options.ascii,
        },
        colour: options.colour,
    };
    let mut text = String::new();
    let blank = " ".repeat(name_width);
    for line in chart.axis.lines() {
        push_line(&mut text, &format!("{blank} {line}"));
    }
    for row in &rows {
        let name = fit(row.agent, name_width, pen.ellipsis);
        push_line(
            &mut text,
            &format!("{name} {}", chart.paint(&chart.bar(row))),
        );
    }
    let idle = idle(problem, plan);
    if !idle.is_empty() {
        let names = fit(&idle.join(", "), width - name_width - 1, pen.ellipsis);
        push_line(
            &mut text,
            &format!("{} {names}", fit("idle", name_width, "")),
        );
    }
    push_line(&mut text, &chart.legend(&rows));
    text
}

/// The agents without a route.
fn idle<'a>(problem: &'a AllocationProblem, plan: &AllocationPlan) -> Vec<&'a str> {
    let busy: BTreeSet<_> = plan.routes.iter().map(|r| r.agent_id.as_str()).collect();
    let ids = problem.agents.iter().map(|a| a.id.as_str());
    ids.filter(|id| !busy.contains(id)).collect()
}
