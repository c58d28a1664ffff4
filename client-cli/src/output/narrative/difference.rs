//! What a change of a narrative makes of its plan.

use super::policy::storyline;
use super::why_not;
use crate::narrative::Names;
use crate::output::solve::status;
use crate::output::table::printable;
use crate::output::{Display, Style, heading, numbers};
use std::fmt::Write as _;
use stratagem_proto::v1::{NarrativeProblem, ScheduleNarrativeResponse};
use stratagem_render::time::{micros, span_text};

/// One side of a comparison.
type Side<'a> = (&'a NarrativeProblem, &'a ScheduleNarrativeResponse);

/// Status, times, storylines and conflict of both, as far as they differ.
#[must_use]
pub fn difference(
    display: &Display,
    before: Side<'_>,
    after: Side<'_>,
    changes: &[String],
) -> String {
    let mut out = heading(display, before.0);
    let changes: Vec<_> = changes.iter().map(|c| printable(c)).collect();
    let _ = writeln!(out, "what if {}?\n", changes.join(" and "));
    let found = |side: Side<'_>| side.1.report.clone().unwrap_or_default().status();
    let (was, is) = (found(before), found(after));
    if was == is {
        let _ = writeln!(out, "still   {}", status(display, is));
    } else {
        let _ = writeln!(out, "before  {}", status(display, was));
        let _ = writeln!(out, "after   {}", status(display, is));
    }
    out += &makespans(before, after);
    out += &storylines(display, before, after);
    out + &conflicts(display, before, after)
}

fn makespans(before: Side<'_>, after: Side<'_>) -> String {
    let over = |side: Side<'_>| {
        let plan = side.1.plan.as_ref();
        plan.map(|p| micros(p.makespan_offset.as_ref()))
    };
    match (over(before), over(after)) {
        (Some(was), Some(is)) if was == is => {
            format!("over by {} as before\n", span_text(is))
        }
        (Some(was), Some(is)) => {
            let (far, how) = if is > was {
                (is - was, "later")
            } else {
                (was - is, "sooner")
            };
            let (is, far) = (span_text(is), span_text(far));
            format!("over by {is} instead of {}, {far} {how}\n", span_text(was))
        }
        (None, Some(is)) => format!("over by {}\n", span_text(is)),
        (_, None) => String::new(),
    }
}

/// The storylines that only one of them has.
fn storylines(display: &Display, before: Side<'_>, after: Side<'_>) -> String {
    let lines = |side: Side<'_>| -> Vec<String> {
        let names = Names::new(side.0);
        let plan = side.1.plan.iter();
        let plan = plan.map(|plan| stratagem_render::narrative::storylines(side.0, plan));
        let lines = plan.flat_map(|plan| {
            let policies = plan.policies.iter();
            policies.map(|p| storyline(&names, p)).collect::<Vec<_>>()
        });
        lines.collect()
    };
    let (was, is) = (lines(before), lines(after));
    if was.is_empty() && is.is_empty() {
        return String::new();
    }
    let mut out = String::from("\n");
    for line in was.iter().filter(|line| !is.contains(line)) {
        let _ = writeln!(out, "{} {line}", display.styled(Style::Bad, "-"));
    }
    for line in is.iter().filter(|line| !was.contains(line)) {
        let _ = writeln!(out, "{} {line}", display.styled(Style::Good, "+"));
    }
    let same = is.iter().filter(|line| was.contains(line)).count();
    if same > 0 {
        let things = numbers::things(same as i64, "storylines");
        let _ = writeln!(out, "  {things} as before");
    }
    out
}

/// Why there is no plan after the change, or what no longer clashes.
fn conflicts(display: &Display, before: Side<'_>, after: Side<'_>) -> String {
    match (&before.1.conflict, &after.1.conflict) {
        (Some(was), Some(is)) if was == is => "\nthe same rules clash as before\n".into(),
        (_, Some(is)) => why_not(display, &Names::new(after.0), is),
        (Some(was), None) if after.1.plan.is_some() => {
            let summary = printable(&was.summary);
            format!("\nno longer: {summary}\n")
        }
        _ => String::new(),
    }
}
