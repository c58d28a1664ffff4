//! Plans of narratives, and why there is none, for those who write and play the story.

mod difference;
mod policy;

pub use difference::difference;

use super::table::{Table, figures, printable, text};
use super::{Display, clash};
use crate::narrative::Names;
use std::fmt::Write as _;
use stratagem_proto::v1::{
    NarrativeConflict, NarrativePlan, NarrativeProblem, NarrativeRelaxation,
    ScheduleNarrativeResponse, narrative_change,
};
use stratagem_render::time::{micros, span_text};

/// What players could stretch, the conflict as a story, and what would help.
#[must_use]
pub fn known(
    display: &Display,
    problem: &NarrativeProblem,
    answer: &ScheduleNarrativeResponse,
) -> String {
    let names = Names::new(problem);
    let mut out = String::new();
    if let Some(plan) = &answer.plan {
        out += &stretches(display, &names, plan);
    }
    if let Some(conflict) = &answer.conflict {
        out += &why_not(display, &names, conflict);
    }
    out + &help(&names, &answer.relaxations)
}

fn stretches(display: &Display, names: &Names<'_>, plan: &NarrativePlan) -> String {
    if plan.stretches.is_empty() {
        return String::new();
    }
    let mut table = Table::new(vec![text("COULD STRETCH"), figures("FROM"), figures("TO")]);
    for stretch in &plan.stretches {
        table.push(&[
            names.link(&stretch.link_id),
            span_text(micros(stretch.shortest_duration.as_ref())),
            span_text(micros(stretch.longest_duration.as_ref())),
        ]);
    }
    format!("\n{}", table.text(display))
}

/// A conflict, step by step.
fn why_not(display: &Display, names: &Names<'_>, conflict: &NarrativeConflict) -> String {
    let title = match printable(&conflict.summary) {
        summary if summary.is_empty() => "These rules cannot be satisfied together".into(),
        summary => summary,
    };
    let rules = conflict.members.iter().map(|member| member.message.clone());
    clash(
        display,
        &title,
        &rules.collect::<Vec<_>>(),
        conflict.minimal,
    ) + &nobody_bears(names, conflict)
}

/// What happens that no storyline works for.
fn nobody_bears(names: &Names<'_>, conflict: &NarrativeConflict) -> String {
    let durations = conflict.uncovered_durations.iter().map(|d| {
        let span = span_text(micros(d.duration.as_ref()));
        format!("{} takes {span}", names.link(&d.link_id))
    });
    let picks = conflict.uncovered_picks.iter().map(|pick| {
        let option = names.option(pick);
        format!("{} is {option}", names.choice(&pick.choice_id))
    });
    let what: Vec<_> = durations.chain(picks).collect();
    if what.is_empty() {
        return String::new();
    }
    format!("No storyline works when {}.\n", what.join(" and "))
}

/// Changes that help, a line each.
fn help(names: &Names<'_>, relaxations: &[NarrativeRelaxation]) -> String {
    if relaxations.is_empty() {
        return String::new();
    }
    let mut out = String::from("\n");
    for relaxation in relaxations {
        let kinds = relaxation.changes.iter().filter_map(|c| c.kind.as_ref());
        let changes: Vec<_> = kinds.map(|kind| change(names, kind)).collect();
        let _ = writeln!(out, "would help: {}", changes.join(" and "));
    }
    out
}

/// A change in words.
fn change(names: &Names<'_>, kind: &narrative_change::Kind) -> String {
    use narrative_change::Kind;
    match kind {
        Kind::Bound(change) => printable(&crate::network::change_text(change)),
        Kind::Capacity(change) => {
            let name = names.resource(&change.resource_id);
            let more = i64::from(change.new_capacity) - i64::from(change.old_capacity);
            format!(
                "{more} more of {name} ({} -> {})",
                change.old_capacity, change.new_capacity
            )
        }
        Kind::SystemChoiceId(id) => {
            format!("we choose {}, not the players", names.choice(id))
        }
        Kind::OfferedOption(pick) => {
            let (option, choice) = (names.option(pick), names.choice(&pick.choice_id));
            format!("{choice}: offer {option}, too")
        }
        Kind::WithheldOption(pick) => {
            let (option, choice) = (names.option(pick), names.choice(&pick.choice_id));
            format!("{choice}: players may not pick {option}")
        }
    }
}
