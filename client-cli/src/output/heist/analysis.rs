//! What is known about levels and games, for people.

use super::super::table::printable;
use super::super::{Display, Style, numbers};
use super::{cost_line, deed_line};
use std::fmt::Write as _;
use stratagem_proto::v1::{
    HeistAnalysis, HeistDefinition, HeistDefinitionKind, HeistHelp, HeistHelpKind, HeistPitfall,
    HeistSurprise, HeistVerdict,
};
use stratagem_render::heist::{ending, leaf_word};

/// What awaits the burglar, how difficult it is, and what helps, in sections.
#[must_use]
pub fn analysis(display: &Display, found: &HeistAnalysis) -> String {
    let mut sections = vec![(
        "Pitfalls",
        found.pitfalls.iter().flat_map(pitfall).collect(),
    )];
    if !found.surprises.is_empty() {
        let lines = found.surprises.iter().map(surprise).collect();
        sections.push(("Surprises", lines));
    }
    if let Some(end) = &found.unhelped_end {
        sections.push(("Without help", vec![ending(end)]));
    }
    let rating = rating(found);
    if !rating.is_empty() {
        sections.push(("Rating", rating));
    }
    if let Some(help) = &found.help {
        sections.push(("Help", self::help(help)));
    }
    let mut out = String::new();
    for (title, lines) in sections {
        if lines.is_empty() {
            continue;
        }
        let _ = writeln!(out, "\n{}", display.styled(Style::Heading, title));
        for line in lines {
            let _ = writeln!(out, "  {}", printable(&line));
        }
    }
    out
}

/// Hints up to a grade, a line each.
#[must_use]
pub fn hints(found: &HeistAnalysis, grade: i32) -> String {
    let known = found.hints.iter().filter(|hint| hint.grade <= grade);
    let lines: Vec<_> = known.map(|hint| printable(&hint.message) + "\n").collect();
    if !lines.is_empty() {
        return lines.concat();
    }
    let kind = found.help.as_ref().map(HeistHelp::kind);
    match kind {
        Some(HeistHelpKind::Needless) => "nothing has to be done\n".into(),
        Some(HeistHelpKind::None) => "nothing helps any more\n".into(),
        _ => "nothing is known that helps\n".into(),
    }
}

fn pitfall(given: &HeistPitfall) -> Vec<String> {
    let (room, step) = (&given.room_id, given.step.saturating_add(1));
    let unknown = given.unknown.iter();
    let lines = unknown.map(|it| format!("{room}, step {step} of the plan: {}", it.message));
    lines.collect()
}

fn surprise(given: &HeistSurprise) -> String {
    let tick = given.tick;
    let subject = &given.subject_id;
    if subject.is_empty() {
        let step = given.step.as_ref();
        let id = step.map_or("something", |step| &step.target_id);
        let refusal = given.refusal.replace('_', " ").to_lowercase();
        return format!("tick {tick}: the burglar fails at {id}: {refusal}");
    }
    let (believed, is) = (
        leaf_word(given.lock_state_before()),
        leaf_word(given.lock_state_after()),
    );
    format!("tick {tick}: the burglar believes {subject} to be {believed}, it is {is}")
}

fn rating(found: &HeistAnalysis) -> Vec<String> {
    if found.definitions.is_empty() {
        return Vec::new();
    }
    let definitions: Vec<_> = found.definitions.iter().map(definition).collect();
    let difficulty = match (found.difficulty, found.difficulty_above) {
        (Some(least), _) => format!("difficulty {least}: F'({least}) is the first that holds"),
        (None, Some(n)) => format!("difficulty above {n}, or nothing helps"),
        (None, None) => "difficulty not known".into(),
    };
    vec![definitions.join(", "), difficulty]
}

fn definition(given: &HeistDefinition) -> String {
    let name = match given.kind() {
        HeistDefinitionKind::FPrime => "F'",
        _ => "F",
    };
    let verdict = match given.verdict() {
        HeistVerdict::Yes => "holds",
        HeistVerdict::No => "does not hold",
        _ => "is undecided",
    };
    format!("{name}({}) {verdict}", given.n)
}

fn help(given: &HeistHelp) -> Vec<String> {
    let bound = given.cost_bound.map(|cost| numbers::count(i64::from(cost)));
    let first = match (given.kind(), bound) {
        (HeistHelpKind::Needless, _) => "none is needed".into(),
        (HeistHelpKind::None, _) => "no help within the cost limit exists".into(),
        (HeistHelpKind::Some, _) => cost_line(given.cost, given.cost_bound),
        (HeistHelpKind::Cheapest, _) => cost_line(given.cost, None),
        (_, Some(bound)) => format!("none was found; none costs less than {bound}"),
        (_, None) => "none was found".into(),
    };
    let deeds = given.interventions.iter().map(deed_line);
    std::iter::once(first).chain(deeds).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use stratagem_proto::v1::{
        HeistEnd, HeistEnding, HeistHint, HeistIntervention, HeistInterventionVerb, HeistLockState,
        HeistUnknown,
    };

    const PLAIN: Display = Display::PLAIN;

    fn known() -> HeistAnalysis {
        let definition = |kind: HeistDefinitionKind, n, verdict: HeistVerdict| HeistDefinition {
            kind: kind.into(),
            n,
            verdict: verdict.into(),
        };
        HeistAnalysis {
            pitfalls: vec![HeistPitfall {
                room_id: "hall".into(),
                step: 2,
                unknown: vec![HeistUnknown {
                    by_id: "eye".into(),
                    message: "the burglar does not know that camera eye is on".into(),
                    ..HeistUnknown::default()
                }],
            }],
            surprises: vec![HeistSurprise {
                tick: 1,
                subject_id: "d".into(),
                lock_state_before: HeistLockState::Open.into(),
                lock_state_after: HeistLockState::Locked.into(),
                ..HeistSurprise::default()
            }],
            unhelped_end: Some(HeistEnd {
                ending: HeistEnding::Caught.into(),
                by_id: "eye".into(),
                room_id: "hall".into(),
                tick_count: 3,
                cost: 0,
            }),
            definitions: vec![
                definition(HeistDefinitionKind::F, 1, HeistVerdict::Yes),
                definition(HeistDefinitionKind::FPrime, 1, HeistVerdict::Unknown),
            ],
            difficulty_above: Some(0),
            help: Some(HeistHelp {
                kind: HeistHelpKind::Some.into(),
                interventions: vec![HeistIntervention {
                    tick: 1,
                    verb: HeistInterventionVerb::Lock.into(),
                    target_id: "d".into(),
                }],
                cost: 2,
                cost_bound: Some(1),
            }),
            hints: (1..=2)
                .map(|grade| HeistHint {
                    grade,
                    message: format!("hint {grade}"),
                    ..HeistHint::default()
                })
                .collect(),
            ..HeistAnalysis::default()
        }
    }

    #[test]
    fn an_analysis_is_told_in_sections() {
        let expected = "
Pitfalls
  hall, step 3 of the plan: the burglar does not know that camera eye is on

Surprises
  tick 1: the burglar believes d to be open, it is locked

Without help
  After 3 ticks the burglar is caught in hall by eye; the player has paid 0

Rating
  F(1) holds, F'(1) is undecided
  difficulty above 0, or nothing helps

Help
  this costs 2; none costs less than 1
  before tick 1 the player locks d
";
        assert_eq!(analysis(&PLAIN, &known()), expected);
    }

    #[test]
    fn hints_go_up_to_the_grade_that_is_asked_for() {
        assert_eq!(hints(&known(), 1), "hint 1\n");
        assert_eq!(hints(&known(), 4), "hint 1\nhint 2\n");
        let none = HeistAnalysis {
            hints: Vec::new(),
            ..known()
        };
        assert_eq!(hints(&none, 4), "nothing is known that helps\n");
    }
}
