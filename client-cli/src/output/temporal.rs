//! Verdicts on temporal networks, for people.

mod conflict;
mod tables;

pub use conflict::explanation;

use super::answer::text_options;
use super::table::{Table, pairs, text};
use super::{Display, Style, heading, numbers, report};
use std::fmt::Write as _;
use stratagem_proto::v1::{
    CheckControllabilityResponse, CheckStrongControllabilityResponse, SolveReport,
    TemporalConflict, TemporalControllabilityFinding, TemporalControllabilityLevel,
    TemporalDispatchableNetwork, TemporalNetwork, TemporalRelaxation, TemporalRobustness,
    TemporalSchedule, TemporalSimulation, TemporalVerdict,
};
use stratagem_render::temporal::{Drawn, times};
use stratagem_render::time::{micros, span_text};

/// Waits that are listed.
const WAITS_MAX: usize = 20;

/// The answer to one question, of either method.
#[derive(Debug, Clone, Copy)]
pub struct Finding<'a> {
    /// The question.
    pub level: TemporalControllabilityLevel,
    /// The verdict.
    pub verdict: TemporalVerdict,
    /// Times, where there are any.
    pub schedule: Option<&'a TemporalSchedule>,
    /// Whether the times passed the check. Those of a verdict that holds always have.
    pub verified: bool,
    /// How to act while the plan is carried out.
    pub dispatch: Option<&'a TemporalDispatchableNetwork>,
    /// How much may go wrong.
    pub robustness: Option<&'a TemporalRobustness>,
    /// Why not.
    pub conflict: Option<&'a TemporalConflict>,
    /// What would help.
    pub relaxations: &'a [TemporalRelaxation],
    /// What came of playing.
    pub simulations: &'a [TemporalSimulation],
}

impl<'a> From<&'a CheckStrongControllabilityResponse> for Finding<'a> {
    fn from(finding: &'a CheckStrongControllabilityResponse) -> Self {
        Self {
            level: TemporalControllabilityLevel::Strong,
            verdict: finding.verdict(),
            schedule: finding.plan.as_ref(),
            verified: finding.verified,
            dispatch: None,
            robustness: finding.robustness.as_ref(),
            conflict: finding.conflict.as_ref(),
            relaxations: &finding.relaxations,
            simulations: &finding.simulations,
        }
    }
}

impl<'a> From<&'a TemporalControllabilityFinding> for Finding<'a> {
    fn from(finding: &'a TemporalControllabilityFinding) -> Self {
        Self {
            level: finding.level(),
            verdict: finding.verdict(),
            schedule: finding.plan.as_ref(),
            verified: finding.verdict() == TemporalVerdict::Holds,
            dispatch: finding.dispatch.as_ref(),
            robustness: None,
            conflict: finding.conflict.as_ref(),
            relaxations: &finding.relaxations,
            simulations: &[],
        }
    }
}

/// An answer of either method.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// Of `CheckStrongControllability`.
    Strong(Box<CheckStrongControllabilityResponse>),
    /// Of `CheckControllability`.
    Levels(Box<CheckControllabilityResponse>),
}

impl Answer {
    /// The answers to all questions, in their order.
    #[must_use]
    pub fn findings(&self) -> Vec<Finding<'_>> {
        match self {
            // Without a verdict the request was only checked.
            Self::Strong(answer) if answer.verdict() == TemporalVerdict::Unspecified => Vec::new(),
            Self::Strong(answer) => vec![Finding::from(&**answer)],
            Self::Levels(answer) => answer.findings.iter().map(Finding::from).collect(),
        }
    }

    /// What the search took.
    #[must_use]
    pub fn report(&self) -> SolveReport {
        match self {
            Self::Strong(answer) => answer.report.clone(),
            Self::Levels(answer) => answer.report.clone(),
        }
        .unwrap_or_default()
    }
}

/// The name of a question, as on the command line.
#[must_use]
pub fn level_name(level: TemporalControllabilityLevel) -> &'static str {
    match level {
        TemporalControllabilityLevel::Consistent => "consistent",
        TemporalControllabilityLevel::Weak => "weak",
        TemporalControllabilityLevel::Dynamic => "dynamic",
        TemporalControllabilityLevel::Strong => "strong",
        TemporalControllabilityLevel::Unspecified => "unknown question",
    }
}

/// What it means that a verdict holds, as the end of a sentence.
fn meaning(level: TemporalControllabilityLevel) -> &'static str {
    match level {
        TemporalControllabilityLevel::Consistent => "some times of all events satisfy every rule",
        TemporalControllabilityLevel::Weak => "times exist for all durations known in advance",
        TemporalControllabilityLevel::Dynamic => "times can be chosen by what was seen so far",
        TemporalControllabilityLevel::Strong => "times can be fixed in advance",
        TemporalControllabilityLevel::Unspecified => "",
    }
}

/// A verdict in its colour.
pub(crate) fn verdict_text(display: &Display, verdict: TemporalVerdict) -> String {
    let (style, name) = match verdict {
        TemporalVerdict::Holds => (Style::Good, "HOLDS"),
        TemporalVerdict::Fails => (Style::Bad, "FAILS"),
        TemporalVerdict::Unknown | TemporalVerdict::Unspecified => (Style::Doubtful, "UNKNOWN"),
    };
    display.styled(style, name)
}

/// Heading, verdicts, what the search took, times, and in short why a verdict fails.
#[must_use]
pub fn check(display: &Display, network: &TemporalNetwork, answer: &Answer) -> String {
    let findings = answer.findings();
    let mut out = heading(display, network) + "\n";
    out.extend(findings.iter().map(|f| verdict_line(display, f)));
    let report = answer.report();
    let mut rows = vec![("stopped", report::stopped(&report, "answer"))];
    rows.extend(report::effort(&report));
    let _ = write!(out, "\n{}", pairs(&rows, display.terminal_width));
    let times = findings.iter().rev().find(|f| f.schedule.is_some());
    if let Some((finding, schedule)) = times.and_then(|f| Some((f, f.schedule?))) {
        out += &times_of(display, network, finding, schedule);
    }
    for finding in &findings {
        out += &dispatch(display, finding);
        out += &conflict::brief(display, finding);
    }
    out
}

/// The verdict on one question, in a line.
#[must_use]
pub fn verdict_line(display: &Display, finding: &Finding<'_>) -> String {
    let name = level_name(finding.level);
    let verdict = verdict_text(display, finding.verdict);
    let tail = match finding.verdict {
        TemporalVerdict::Holds => format!("proved: {}", meaning(finding.level)),
        TemporalVerdict::Fails => format!("disproved: {}", meaning(finding.level)),
        TemporalVerdict::Unknown if finding.schedule.is_some() => {
            "the times that were tried failed the check, others may pass".into()
        }
        _ => "neither proved nor disproved".into(),
    };
    // Names of questions have at most ten letters, verdicts seven.
    let blank = " ".repeat(7 - verdict_width(finding.verdict));
    format!("{name:<10}  {verdict}{blank}  {tail}\n")
}

fn verdict_width(verdict: TemporalVerdict) -> usize {
    match verdict {
        TemporalVerdict::Holds | TemporalVerdict::Fails => 5,
        TemporalVerdict::Unknown | TemporalVerdict::Unspecified => 7,
    }
}

/// Times as a table and as a picture, and how robust they are.
fn times_of(
    display: &Display,
    network: &TemporalNetwork,
    finding: &Finding<'_>,
    schedule: &TemporalSchedule,
) -> String {
    let table = tables::schedule(display, network, schedule);
    let options = text_options(display);
    let drawn = Drawn {
        schedule: Some(schedule),
        conflict: None,
    };
    let picture = times(network, drawn).text(&options);
    let title = match (finding.verified, finding.level) {
        (false, _) => "times that failed the check",
        (_, TemporalControllabilityLevel::Consistent) => "times of all events",
        _ => "times",
    };
    let title = display.styled(Style::Faint, title);
    let mut out = format!("\n{title}\n{table}\n{picture}");
    if let Some(robustness) = finding.robustness {
        let _ = write!(
            out,
            "\n{}",
            pairs(&robust(robustness), display.terminal_width)
        );
    }
    out
}

fn robust(robustness: &TemporalRobustness) -> Vec<(&'static str, String)> {
    let slack = span_text(micros(robustness.slack_duration.as_ref()));
    let mut rows = vec![("slack", format!("{slack} at the tightest place"))];
    if let Some(factor) = robustness.uncertainty_factor {
        let more = if factor >= 16.0 { " or more" } else { "" };
        let factor = numbers::number(factor);
        let text = format!("{factor} times{more} before it fails");
        rows.push(("uncertainty may grow", text));
    }
    rows
}

/// How to act while a dynamically controllable plan is carried out, in short.
fn dispatch(display: &Display, finding: &Finding<'_>) -> String {
    let Some(dispatch) = finding.dispatch else {
        return String::new();
    };
    let bounds = numbers::things(dispatch.bounds.len() as i64, "bounds");
    let waits = numbers::things(dispatch.waits.len() as i64, "waits");
    let mut out = format!("\nexecution strategy: {bounds}, {waits} (all of it: -o json)\n");
    if dispatch.waits.is_empty() {
        return out;
    }
    let mut table = Table::new(vec![
        text("EVENT"),
        text("WAITS UNTIL"),
        text("OR"),
        text("AFTER"),
    ]);
    for wait in dispatch.waits.iter().take(WAITS_MAX) {
        table.push(&[
            wait.event_id.clone(),
            wait.until_event_id.clone(),
            span_text(micros(wait.duration.as_ref())),
            wait.from_event_id.clone(),
        ]);
    }
    out += &table.text(display);
    if dispatch.waits.len() > WAITS_MAX {
        let more = numbers::things((dispatch.waits.len() - WAITS_MAX) as i64, "waits");
        let _ = writeln!(out, "and {more} more");
    }
    out
}

/// What would help where a verdict fails.
#[must_use]
pub fn repair(display: &Display, finding: &Finding<'_>) -> String {
    let name = level_name(finding.level);
    let verdict = verdict_text(display, finding.verdict);
    let changes = finding.relaxations;
    let rest = match finding.verdict {
        TemporalVerdict::Holds => ", nothing to repair\n".into(),
        TemporalVerdict::Fails if changes.is_empty() => ", and no change was found\n".into(),
        TemporalVerdict::Fails => {
            let table = tables::relaxations(display, changes);
            format!(", but would hold after any of these changes\n\n{table}")
        }
        _ => ", so nothing can be said about repairs\n".into(),
    };
    format!("\n{name}: {verdict}{rest}")
}

/// What came of playing a schedule.
#[must_use]
pub fn simulated(display: &Display, finding: &Finding<'_>) -> String {
    let name = level_name(finding.level);
    let verdict = verdict_text(display, finding.verdict);
    let mut out = format!("\n{name}: {verdict}");
    if finding.simulations.is_empty() {
        out += match finding.schedule {
            None => ", there is no schedule to play\n",
            Some(_) => ", the server left out the simulation: a larger --budget may help\n",
        };
        return out + &conflict::brief(display, finding);
    }
    let table = tables::simulations(display, finding.simulations);
    let _ = write!(out, "\n\n{table}");
    out
}

#[cfg(test)]
mod tests;
