//! Why a verdict fails, in sentences.

use super::{Finding, level_name, verdict_text};
use crate::network::change_text;
use crate::output::table::printable;
use crate::output::{Display, Style, numbers};
use std::fmt::Write as _;
use stratagem_proto::v1::{
    TemporalConflict, TemporalConflictMember, TemporalConflictMemberKind, TemporalRelaxation,
    TemporalScheduledEvent, TemporalVerdict,
};
use stratagem_render::time::{micros, span_text};

/// Most members of a short text.
const BRIEF_MAX: usize = 4;

/// The conflict in a few lines, and the cheapest change that helps.
pub(super) fn brief(display: &Display, finding: &Finding<'_>) -> String {
    let Some(conflict) = finding.conflict else {
        return String::new();
    };
    let mut out = title(display, finding, conflict);
    for member in conflict.members.iter().take(BRIEF_MAX) {
        let _ = writeln!(out, "  {}", sentence(member));
    }
    if conflict.members.len() > BRIEF_MAX {
        let more = numbers::things((conflict.members.len() - BRIEF_MAX) as i64, "rules");
        let _ = writeln!(out, "  and {more} more: see `stratagem temporal explain`");
    }
    if let Some(change) = finding.relaxations.first() {
        let _ = writeln!(out, "  would help: {}", changes(change));
    }
    out
}

/// All that is known about why a verdict fails; one sentence where it does not.
#[must_use]
pub fn explanation(display: &Display, finding: &Finding<'_>) -> String {
    let Some(conflict) = finding.conflict else {
        let name = level_name(finding.level);
        let verdict = verdict_text(display, finding.verdict);
        let rest = match finding.verdict {
            TemporalVerdict::Holds => "nothing clashes",
            TemporalVerdict::Fails => "without a reason",
            _ => "nothing that clashes is known",
        };
        return format!("\n{name}: {verdict}, {rest}\n");
    };
    let mut out = title(display, finding, conflict);
    for (n, member) in conflict.members.iter().enumerate() {
        let _ = writeln!(out, "{:>3}. {}", n + 1, sentence(member));
        let _ = writeln!(out, "     {}", source(member));
    }
    let together = if conflict.minimal {
        "Each of these rules is needed for the clash."
    } else {
        "Not all of these rules may be needed for the clash."
    };
    let _ = writeln!(out, "\n{together}");
    if !conflict.candidate.is_empty() {
        let times = times(&conflict.candidate);
        let _ = writeln!(out, "\nAs close as it gets: {times}.");
        if !conflict.behavior.is_empty() {
            let _ = writeln!(
                out,
                "It breaks when others do this: {}.",
                self::times(&conflict.behavior)
            );
        }
    }
    if !conflict.durations.is_empty() {
        let durations: Vec<_> = conflict
            .durations
            .iter()
            .map(|d| {
                format!(
                    "{} {}",
                    printable(&d.link_id),
                    span_text(micros(d.duration.as_ref()))
                )
            })
            .collect();
        let _ = writeln!(
            out,
            "\nNothing works when durations are: {}.",
            durations.join(", ")
        );
    }
    if !finding.relaxations.is_empty() {
        let _ = writeln!(out, "\nAny one of these changes would help:");
        for change in finding.relaxations {
            let total = span_text(micros(change.total_duration.as_ref()));
            let _ = writeln!(out, "  by {total} in total: {}", changes(change));
        }
    }
    out
}

fn title(display: &Display, finding: &Finding<'_>, conflict: &TemporalConflict) -> String {
    let name = level_name(finding.level);
    let summary = match printable(&conflict.summary) {
        summary if summary.is_empty() => "these rules cannot be satisfied together".into(),
        summary => summary,
    };
    let title = format!("not {name}: {summary}");
    format!("\n{}\n", display.styled(Style::Bad, &title))
}

/// A rule for people: what the server says or, where it says nothing, the bound.
fn sentence(member: &TemporalConflictMember) -> String {
    if !member.message.is_empty() {
        return printable(&member.message);
    }
    inequality(member)
}

fn inequality(member: &TemporalConflictMember) -> String {
    format!(
        "time({}) - time({}) <= {}",
        printable(&member.to_event_id),
        printable(&member.from_event_id),
        span_text(micros(member.bound.as_ref()))
    )
}

/// What a rule says exactly, and the links that it comes from.
fn source(member: &TemporalConflictMember) -> String {
    let kind = match member.kind() {
        TemporalConflictMemberKind::Bound => "bound",
        TemporalConflictMemberKind::LateEnough => "late enough",
        TemporalConflictMemberKind::EarlyEnough => "early enough",
        TemporalConflictMemberKind::ContingentLower => "shortest duration",
        TemporalConflictMemberKind::ContingentUpper => "longest duration",
        TemporalConflictMemberKind::Unspecified => "rule",
    };
    let mut text = format!("{kind}: {}", inequality(member));
    if member.count > 1 {
        let _ = write!(text, ", counted {} times", member.count);
    }
    if !member.link_ids.is_empty() {
        let links: Vec<_> = member.link_ids.iter().map(|id| printable(id)).collect();
        let _ = write!(text, ", from {}", links.join(", "));
    }
    text
}

fn changes(relaxation: &TemporalRelaxation) -> String {
    let changes: Vec<_> = relaxation.changes.iter().map(change_text).collect();
    printable(&changes.join(", "))
}

fn times(events: &[TemporalScheduledEvent]) -> String {
    let time = |e: &TemporalScheduledEvent| {
        let at = span_text(micros(e.time_offset.as_ref()));
        format!("{} at {at}", printable(&e.event_id))
    };
    events.iter().map(time).collect::<Vec<_>>().join(", ")
}
