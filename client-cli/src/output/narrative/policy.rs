//! Description of one storyline.

use crate::narrative::Names;
use crate::output::table::{Table, figures, text as column};
use crate::output::{Display, Style, numbers};
use std::fmt::Write as _;
use stratagem_proto::v1::{
    NarrativeChooser, NarrativeHandOver, NarrativePolicy, TemporalDispatchWait,
};
use stratagem_render::time::{micros, span_text};

/// Most lines of one kind that are shown.
const LINES_MAX: usize = 24;

/// The outcomes a policy is meant for: `search took 10m to 30m`; empty for all.
pub(super) fn outcomes(names: &Names<'_>, policy: &NarrativePolicy) -> String {
    let each = policy.outcomes.iter().map(|o| {
        let lower = span_text(micros(o.lower.as_ref()));
        let upper = span_text(micros(o.upper.as_ref()));
        let link = names.link(&o.link_id);
        if lower == upper {
            format!("{link} took {lower}")
        } else {
            format!("{link} took {lower} to {upper}")
        }
    });
    each.collect::<Vec<_>>().join(" and ")
}

/// What a policy is for and what is picked: `if search took 10m to 30m: magic`.
pub(super) fn storyline(names: &Names<'_>, policy: &NarrativePolicy) -> String {
    let mut conditions = vec![outcomes(names, policy)];
    conditions.retain(|c| !c.is_empty());
    let mut ours = Vec::new();
    for pick in &policy.picks {
        let option = names.option(pick);
        match names.chooser(&pick.choice_id) {
            NarrativeChooser::Player => conditions.push(format!("the players pick {option}")),
            _ => ours.push(option),
        }
    }
    let story = match ours.as_slice() {
        [] => "the story goes on".to_owned(),
        options => options.join(", "),
    };
    match conditions.as_slice() {
        [] if ours.is_empty() => "whatever happens".to_owned(),
        [] => format!("whatever happens: {story}"),
        _ => format!("if {}: {story}", conditions.join(" and ")),
    }
}

/// All of a policy, under its number.
pub(super) fn text(
    display: &Display,
    names: &Names<'_>,
    number: usize,
    policy: &NarrativePolicy,
) -> String {
    let title = format!("{number}. {}", storyline(names, policy));
    let mut out = format!("\n{}\n", display.styled(Style::Heading, &title));
    out += &times(display, names, policy);
    let waits = policy.dispatch.as_ref().map_or(&[][..], |d| &d.waits);
    let arrow = if display.ascii { " > " } else { " → " };
    let orders = policy.orders.iter().map(|o| {
        let [first, second] = [&o.first_activity_id, &o.second_activity_id];
        let [first, second] = [first, second].map(|id| names.activity(id));
        format!("\"{second}\" waits until \"{first}\" is over")
    });
    let sections = [
        ("order", orders.collect()),
        ("who goes where", chains(names, &policy.hand_overs, arrow)),
        ("waits", waits.iter().map(|w| wait(names, w)).collect()),
    ];
    for (title, lines) in sections {
        out += &section(display, title, &lines);
    }
    out
}

fn section(display: &Display, title: &str, lines: &[String]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let mut out = format!("   {}\n", display.styled(Style::Faint, title));
    for line in lines.iter().take(LINES_MAX) {
        let _ = writeln!(out, "     {line}");
    }
    if lines.len() > LINES_MAX {
        let more = numbers::things((lines.len() - LINES_MAX) as i64, "lines");
        let _ = writeln!(out, "     and {more} more: see -o json");
    }
    out
}

fn wait(names: &Names<'_>, wait: &TemporalDispatchWait) -> String {
    format!(
        "\"{}\" waits until \"{}\", or {} after \"{}\"",
        names.event(&wait.event_id),
        names.event(&wait.until_event_id),
        span_text(micros(wait.duration.as_ref())),
        names.event(&wait.from_event_id),
    )
}

/// When each event may happen, in the order of time.
fn times(display: &Display, names: &Names<'_>, policy: &NarrativePolicy) -> String {
    if policy.ranges.is_empty() {
        return String::new();
    }
    let mut rows: Vec<_> = policy
        .ranges
        .iter()
        .map(|r| {
            let earliest = micros(r.earliest_offset.as_ref());
            (earliest, micros(r.latest_offset.as_ref()), &r.event_id)
        })
        .collect();
    // Stable: events at one moment stay in the order of the problem.
    rows.sort_by_key(|(earliest, latest, _)| (*earliest, *latest));
    let mut table = Table::new(vec![figures("FROM"), figures("TO"), column("EVENT")]);
    for (earliest, latest, id) in rows.iter().take(LINES_MAX) {
        let event = names.event(id);
        table.push(&[span_text(*earliest), span_text(*latest), event]);
    }
    let lines = table.text(display);
    let mut out: String = lines.lines().map(|l| format!("   {l}\n")).collect();
    if rows.len() > LINES_MAX {
        let more = numbers::things((rows.len() - LINES_MAX) as i64, "events");
        let _ = writeln!(out, "   and {more} more: see -o json");
    }
    out
}

/// Hand-overs as ways: `Boris: The duel → The toast`. A hand-over to several is shown for each.
fn chains(names: &Names<'_>, hand_overs: &[NarrativeHandOver], arrow: &str) -> Vec<String> {
    let mut left: Vec<&NarrativeHandOver> = hand_overs.iter().collect();
    let mut lines = Vec::new();
    while !left.is_empty() {
        // Ways begin at the stock, which has an empty id.
        let first = left.iter().position(|h| h.from_activity_id.is_empty());
        let mut step = left.remove(first.unwrap_or(0));
        let mut way = Vec::new();
        if !step.from_activity_id.is_empty() {
            way.push(names.activity(&step.from_activity_id));
        }
        let amount = step.amount;
        way.push(names.activity(&step.to_activity_id));
        let next = |left: &[&NarrativeHandOver], step: &NarrativeHandOver| {
            left.iter().position(|h| {
                h.resource_id == step.resource_id
                    && h.from_activity_id == step.to_activity_id
                    && h.amount == amount
            })
        };
        while let Some(at) = next(&left, step) {
            step = left.remove(at);
            way.push(names.activity(&step.to_activity_id));
        }
        let many = match amount {
            1 => String::new(),
            n => format!(" ({n} of them)"),
        };
        let name = names.resource(&step.resource_id);
        lines.push(format!("{name}{many}: {}", way.join(arrow)));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use stratagem_proto::v1::NarrativeProblem;

    fn hand(resource: &str, from: &str, to: &str, amount: i32) -> NarrativeHandOver {
        NarrativeHandOver {
            resource_id: resource.into(),
            from_activity_id: from.into(),
            to_activity_id: to.into(),
            amount,
        }
    }

    #[test]
    fn hand_overs_are_told_as_ways() {
        let problem = NarrativeProblem::default();
        let hands = [
            hand("boris", "", "duel", 1),
            hand("boris", "duel", "toast", 1),
            hand("candle", "", "seance", 2),
        ];
        let lines = chains(&Names::new(&problem), &hands, " > ");
        assert_eq!(lines, ["boris: duel > toast", "candle (2 of them): seance"]);
    }
}
