//! Verdicts on temporal networks, for people.

use super::answer::text_options;
use super::fields::Shown;
use super::table::{Table, figures, pairs, printable, text};
use super::{Display, Style, clash, heading, numbers, report};
use crate::network::change_text;
use formats::messages::{described, typed};
use prost_reflect::{DynamicMessage, Value};
use std::fmt::Write as _;
use stratagem_proto::v1::{
    CheckControllabilityResponse, CheckStrongControllabilityResponse, SolveReport,
    TemporalConflict, TemporalControllabilityFinding as Finding,
    TemporalControllabilityLevel as Level, TemporalNetwork, TemporalRelaxation, TemporalVerdict,
};
use stratagem_render::temporal::{Drawn, times};
use stratagem_render::time::{micros, span_text};

/// The findings of an answer of either method, one for each question.
#[must_use]
pub fn findings(answer: &DynamicMessage) -> Vec<Finding> {
    if answer.get_field_by_name("findings").is_some() {
        return typed::<CheckControllabilityResponse>(answer).findings;
    }
    let strong: CheckStrongControllabilityResponse = typed(answer);
    let finding = Finding {
        level: Level::Strong.into(),
        verdict: strong.verdict,
        plan: strong.plan,
        dispatch: None,
        conflict: strong.conflict,
        relaxations: strong.relaxations,
    };
    // Without a verdict the request was only checked.
    let is_checked = finding.verdict() == TemporalVerdict::Unspecified;
    Some(finding).filter(|_| !is_checked).into_iter().collect()
}

/// The name of a question, and what it means that it holds.
fn words(level: Level) -> [&'static str; 2] {
    match level {
        Level::Consistent => ["consistent", "some times of all events satisfy every rule"],
        Level::Weak => ["weak", "times exist for all durations known in advance"],
        Level::Dynamic => ["dynamic", "times can be chosen by what was seen so far"],
        Level::Strong => ["strong", "times can be fixed in advance"],
        Level::Unspecified => ["unknown question", ""],
    }
}

/// The verdicts, a line each.
#[must_use]
pub fn verdicts(display: &Display, findings: &[Finding]) -> String {
    let line = |finding: &Finding| {
        let [name, meaning] = words(finding.level());
        let (style, verdict, tail) = match finding.verdict() {
            TemporalVerdict::Holds => (Style::Good, "HOLDS", format!("proved: {meaning}")),
            TemporalVerdict::Fails => (Style::Bad, "FAILS", format!("disproved: {meaning}")),
            _ if finding.plan.is_some() => {
                let tail = "the times that were tried failed the check, others may pass";
                (Style::Doubtful, "UNKNOWN", tail.into())
            }
            _ => (
                Style::Doubtful,
                "UNKNOWN",
                "neither proved nor disproved".into(),
            ),
        };
        // Names of questions have at most ten letters, verdicts seven.
        let blank = " ".repeat(7 - verdict.len());
        let verdict = display.styled(style, verdict);
        format!("{name:<10}  {verdict}{blank}  {tail}\n")
    };
    findings.iter().map(line).collect()
}

/// Heading, verdicts, and all that was answered besides; `check` has the times and the effort, too.
#[must_use]
pub fn answer(
    display: &Display,
    network: &TemporalNetwork,
    answer: &DynamicMessage,
    verb: &str,
) -> String {
    let findings = findings(answer);
    let mut out = heading(display, network) + "\n" + &verdicts(display, &findings);
    let mut shown = Shown::new(display, answer);
    if verb == "check" {
        let report: SolveReport = crate::reflect::part(answer, "report").unwrap_or_default();
        let mut rows = vec![("stopped", report::stopped(&report, "answer"))];
        rows.extend(report::effort(&report));
        let _ = write!(out, "\n{}", pairs(&rows, display.terminal_width));
        out += &schedule(display, &shown, network, &findings);
    }
    for finding in &findings {
        out += &found(display, &shown, finding);
    }
    let without = [
        "findings",
        "report",
        "verdict",
        "verified",
        "plan",
        "conflict",
        "relaxations",
    ];
    let more = shown.message(answer, &without);
    if !more.is_empty() {
        let _ = write!(out, "\n{}", more.trim_start_matches('\n'));
    }
    if let Some(missing) = missing(answer, &findings, verb) {
        let _ = writeln!(out, "\n{missing}");
    }
    out
}

/// The times of the strongest question that has any.
fn schedule(
    display: &Display,
    shown: &Shown<'_>,
    network: &TemporalNetwork,
    findings: &[Finding],
) -> String {
    let found = findings.iter().rev();
    let found = found.filter_map(|it| Some((it.verdict(), it.plan.as_ref()?)));
    let mut found = found.map(|(verdict, plan)| {
        let is_checked = verdict == TemporalVerdict::Holds;
        let title = ["times that failed the check", "times"][usize::from(is_checked)];
        let title = display.styled(Style::Faint, title);
        let drawn = Drawn {
            schedule: Some(plan),
            conflict: None,
        };
        let table = shown.tables(&described(plan));
        let picture = times(network, drawn).text(&text_options(display));
        format!("\n{title}\n{table}\n{picture}")
    });
    found.next().unwrap_or_default()
}

/// Why there is none of what the verb is about.
fn missing(answer: &DynamicMessage, findings: &[Finding], verb: &str) -> Option<&'static str> {
    let fails = |it: &Finding| it.verdict() == TemporalVerdict::Fails && it.relaxations.is_empty();
    let is_known = |it: &Finding| it.verdict() == TemporalVerdict::Holds;
    match verb {
        "repair" if findings.iter().any(fails) => Some("no change was found that helps"),
        "repair" if !findings.is_empty() && findings.iter().all(is_known) => {
            Some("nothing to repair")
        }
        "simulate" if answer.has_field_by_name("simulations") => None,
        "simulate" if findings.iter().all(|it| it.plan.is_none()) => {
            Some("there is no schedule to simulate")
        }
        "simulate" => Some("the server left out the simulation: a larger --budget may help"),
        _ => None,
    }
}

/// How to act where a verdict holds; why it fails, and what would help.
fn found(display: &Display, shown: &Shown<'_>, finding: &Finding) -> String {
    let mut out = String::new();
    if let Some(dispatch) = &finding.dispatch {
        let bounds = numbers::things(dispatch.bounds.len() as i64, "bounds");
        let waits = numbers::things(dispatch.waits.len() as i64, "waits");
        let _ = writeln!(
            out,
            "\nexecution strategy: {bounds}, {waits} (all of it: -o json)"
        );
        let waits = dispatch.waits.iter();
        let waits: Vec<_> = waits.map(|it| Value::Message(described(it))).collect();
        out += &shown.list(&waits);
    }
    if let Some(conflict) = &finding.conflict {
        let [name, _] = words(finding.level());
        out += &why_not(display, name, conflict);
        let mut times = described(conflict);
        for field in ["summary", "members", "minimal"] {
            times.clear_field_by_name(field);
        }
        let times = shown.tables(&times);
        if !times.is_empty() {
            let _ = write!(out, "\n{times}");
        }
    }
    if !finding.relaxations.is_empty() {
        let table = relaxations(display, &finding.relaxations);
        let _ = write!(out, "\nAny one of these changes would help:\n{table}");
    }
    out
}

fn why_not(display: &Display, name: &str, conflict: &TemporalConflict) -> String {
    let summary = match printable(&conflict.summary) {
        summary if summary.is_empty() => "these rules cannot be satisfied together".into(),
        summary => summary,
    };
    let rules = conflict.members.iter().map(|member| match member.count {
        ..=1 => member.message.clone(),
        count => format!("{}, counted {count} times", member.message),
    });
    let title = format!("not {name}: {summary}");
    clash(
        display,
        &title,
        &rules.collect::<Vec<_>>(),
        conflict.minimal,
    )
}

/// Changes that help: a line for each changed bound.
fn relaxations(display: &Display, relaxations: &[TemporalRelaxation]) -> String {
    let mut table = Table::new(vec![figures("#"), figures("TOTAL"), text("CHANGE")]);
    for (n, relaxation) in relaxations.iter().enumerate() {
        let mut first = [
            (n + 1).to_string(),
            span_text(micros(relaxation.total_duration.as_ref())),
        ];
        for change in &relaxation.changes {
            let [number, total] = std::mem::take(&mut first);
            table.push(&[number, total, change_text(change)]);
        }
    }
    table.text(display)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stratagem_proto::v1::{
        TemporalBoundChange, TemporalBoundSide, TemporalConflictMember, TemporalSchedule,
        TemporalScheduledEvent, TemporalSimulation,
    };
    use stratagem_render::time::from_micros;

    fn seconds(s: i64) -> Option<prost_types::Duration> {
        Some(from_micros(s * 1_000_000))
    }

    fn shown(found: &CheckStrongControllabilityResponse, verb: &str) -> String {
        let network = TemporalNetwork::default();
        answer(&Display::PLAIN, &network, &described(found), verb)
    }

    fn schedule(event: &str) -> TemporalSchedule {
        TemporalSchedule {
            events: vec![TemporalScheduledEvent {
                event_id: event.into(),
                time_offset: seconds(2),
            }],
            ..TemporalSchedule::default()
        }
    }

    #[test]
    fn a_conflict_is_printed_with_its_rules_times_and_changes() {
        let member = |message: &str, count| TemporalConflictMember {
            message: message.into(),
            count,
            ..TemporalConflictMember::default()
        };
        let change = |side: TemporalBoundSide, new| TemporalBoundChange {
            link_id: "surprise".into(),
            side: side.into(),
            old_bound: seconds(10),
            new_bound: seconds(new),
        };
        let found = CheckStrongControllabilityResponse {
            verdict: TemporalVerdict::Fails.into(),
            conflict: Some(TemporalConflict {
                summary: "alarm is late".into(),
                members: vec![member("it rings\u{1b}", 1), member("it is heard", 2)],
                minimal: true,
                candidate: schedule("alarm").events,
                ..TemporalConflict::default()
            }),
            relaxations: vec![TemporalRelaxation {
                changes: vec![
                    change(TemporalBoundSide::Upper, 18),
                    change(TemporalBoundSide::Lower, 6),
                ],
                total_duration: seconds(12),
            }],
            ..CheckStrongControllabilityResponse::default()
        };
        let expected = "\
Temporal

strong      FAILS    disproved: times can be fixed in advance

not strong: alarm is late
  1. it rings?
  2. it is heard, counted 2 times
Each of these rules is needed for the clash.

EVENT  TIME
alarm    2s

Any one of these changes would help:
#  TOTAL  CHANGE
1    12s  surprise: upper 10s -> 18s
          surprise: lower 10s -> 6s
";
        assert_eq!(shown(&found, "explain"), expected);
    }

    #[test]
    fn times_simulations_and_what_is_missing_are_printed() {
        let mut found = CheckStrongControllabilityResponse {
            verdict: TemporalVerdict::Unknown.into(),
            plan: Some(schedule("leave")),
            ..CheckStrongControllabilityResponse::default()
        };
        let text = shown(&found, "check");
        let times = "\ntimes that failed the check\nEVENT  TIME\nleave    2s\n";
        assert!(text.contains(times), "{text}");
        let unknown = "UNKNOWN  the times that were tried failed the check, others may pass\n";
        let late = "\nthe server left out the simulation: a larger --budget may help\n";
        let text = shown(&found, "simulate");
        assert!(text.contains(unknown) && text.ends_with(late), "{text}");
        found.simulations.push(TemporalSimulation {
            model: "random".into(),
            runs: 1_000,
            successes: 500,
            rate_lower: 0.469,
            rate_upper: 0.531,
        });
        let rates = "
simulations
  MODEL    RUNS  SUCCESSES  RATE LOWER  RATE UPPER
  random  1,000        500       46.9%       53.1%
";
        let text = shown(&found, "simulate");
        assert!(text.ends_with(rates), "{text}");
    }
}
