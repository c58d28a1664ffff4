//! Plans of narratives, and why there is none, for those who write and play the story.

mod difference;
mod policy;

pub use difference::difference;

use super::table::{Table, figures, pairs, printable, text};
use super::{Display, Style, heading, solve};
use crate::narrative::{Names, deciding};
use policy::storyline;
use std::fmt::Write as _;
use stratagem_proto::v1::{
    NarrativeConflict, NarrativeObjective, NarrativePlan, NarrativeProblem, NarrativeRelaxation,
    ScheduleNarrativeResponse, narrative_change,
};
use stratagem_render::narrative::storylines;
use stratagem_render::time::{micros, span_text};

/// Policies that are shown in full.
const POLICIES_MAX: usize = 12;

/// Heading, status, storylines and what else is known, or the conflict as a story.
#[must_use]
pub fn answer(
    display: &Display,
    problem: &NarrativeProblem,
    answer: &ScheduleNarrativeResponse,
) -> String {
    let names = Names::new(problem);
    let mut report = answer.report.clone().unwrap_or_default();
    let is_counted =
        |it: &NarrativeObjective| it.makespan_weight + it.slack_weight + it.idle_weight > 0;
    // Where nothing counts there is nothing to bound.
    if !problem.objective.as_ref().is_some_and(is_counted) {
        (report.bound, report.gap) = (None, None);
    }
    let mut out = heading(display, problem) + "\n";
    out += &solve::summary(display, &report, &deciding(problem));
    if let Some(plan) = &answer.plan {
        out += &policies(display, &names, plan);
    }
    if let Some(conflict) = &answer.conflict {
        out += &why_not(display, &names, conflict);
    } else if let Some(why) = &report.explanation {
        out += &format!("\n{}\n", printable(&why.summary));
    }
    out + &help(&names, &answer.relaxations)
}

/// All of a plan.
fn policies(display: &Display, names: &Names<'_>, plan: &NarrativePlan) -> String {
    let mut out = String::new();
    let storylines = storylines(names.problem(), plan);
    for (n, policy) in storylines.policies.iter().enumerate() {
        if n < POLICIES_MAX {
            out += &policy::text(display, names, n + 1, policy);
        } else {
            let _ = writeln!(out, "\n{}. {}", n + 1, storyline(names, policy));
        }
    }
    if storylines.policies.len() > POLICIES_MAX {
        let _ = writeln!(out, "\nthe last of them in short: see -o json");
    }
    let between = plan.policies.len() - storylines.policies.len();
    if between > 0 {
        let _ = writeln!(
            out,
            "\nEach group's storylines apply whatever others pick. What two groups have to keep between them: {between} more, see -o json"
        );
    }
    if !plan.peaks.is_empty() {
        let peak = |p: &stratagem_proto::v1::NarrativePeak| {
            let name = names.resource(&p.resource_id);
            format!("{name}: {} of {}", p.amount, p.capacity)
        };
        let peaks: Vec<_> = plan.peaks.iter().map(peak).collect();
        let row = [("most in use", peaks.join(", "))];
        let _ = write!(out, "\n{}", pairs(&row, Some(display.width())));
    }
    out + &stretches(display, names, plan)
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
        summary if summary.is_empty() => "These rules cannot all be kept".into(),
        summary => summary,
    };
    let mut out = format!("\n{}\n", display.styled(Style::Bad, &title));
    for (n, member) in conflict.members.iter().enumerate() {
        let _ = writeln!(out, "{:>3}. {}", n + 1, printable(&member.message));
    }
    if !conflict.members.is_empty() {
        out += if conflict.minimal {
            "Each of these rules is needed for the clash.\n"
        } else {
            "Not all of these rules may be needed for the clash.\n"
        };
    }
    out + &nobody_bears(names, conflict)
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
