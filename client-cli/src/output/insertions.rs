//! Where a plan can take one task more, for people.

use super::table::{Table, figures, printable, text};
use super::{Display, Style, numbers, objective, unserved};
use std::fmt::Write as _;
use stratagem_proto::v1::{AllocationInsertion, AllocationProblem, InsertTaskResponse, Objective};
use stratagem_render::time::{micros, span_text};

/// The places, or why there are none.
#[must_use]
pub fn table(
    display: &Display,
    problem: &AllocationProblem,
    task: &str,
    answer: &InsertTaskResponse,
) -> String {
    let deciding = objective::deciding(problem);
    let heading = format!("Places for task {}", printable(task));
    let mut out = format!("{}\n\n", display.styled(Style::Heading, &heading));
    if answer.insertions.is_empty() {
        let left_out = [task.to_owned()];
        let list = unserved::list(display, &left_out, answer.explanation.as_ref());
        out.push_str(list.trim_start());
        return out;
    }
    let mut table = Table::new(vec![
        text("AGENT"),
        text("PLACE"),
        figures("START"),
        text("COSTS MORE"),
    ]);
    for place in &answer.insertions {
        table.push(&[
            place.agent_id.clone(),
            format!("{}", place.stop_index + 1),
            span_text(micros(place.start_offset.as_ref())),
            added_cost(answer.kept_objective.as_ref(), place, &deciding),
        ]);
    }
    out.push_str(&table.text(display));
    if let Some(kept) = &answer.kept_objective {
        let _ = writeln!(out, "\nwithout it: {}", objective::full(kept, &deciding).0);
    }
    out
}

/// By how much the deciding terms change.
fn added_cost(
    kept: Option<&Objective>,
    place: &AllocationInsertion,
    deciding: &[String],
) -> String {
    let (Some(kept), Some(then)) = (kept, &place.objective) else {
        return String::new();
    };
    let changes = kept.terms.iter().zip(&then.terms);
    let changes = changes.filter(|(before, _)| deciding.contains(&before.name));
    let changes = changes.filter_map(|(before, after)| {
        let by = after.value - before.value;
        let sign = if by > 0.0 { "+" } else { "" };
        let name = before.name.replace('_', " ");
        (by != 0.0).then(|| format!("{name} {sign}{}", numbers::number(by)))
    });
    let changes: Vec<String> = changes.collect();
    if changes.is_empty() {
        "nothing".into()
    } else {
        changes.join(", ")
    }
}
