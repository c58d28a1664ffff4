//! Stories as text for terminals.

use super::lines::{act_lines, paragraph};
use super::share_text;
use super::whereabouts::ways;
use crate::label::{columns, fit, printable};
use crate::text::TextOptions;
use std::fmt::Write as _;
use stratagem_proto::v1::{StoryPlan, StoryProblem};

/// Columns of a paragraph, at most.
const PARAGRAPH_MAX: usize = 90;
/// Columns of a place, at most.
const PLACE_MAX: usize = 12;

/// Returns a story for terminals: the text, the acts with their believabilities, and the places of
/// entities over time; without a story the domain.
#[must_use]
pub fn text(problem: &StoryProblem, plan: Option<&StoryPlan>, options: &TextOptions) -> String {
    let title = match printable(&problem.title) {
        title if title.is_empty() => "Story".into(),
        title => title,
    };
    let mut out = format!("{}\n", options.styled("1", &title));
    let Some(plan) = plan else {
        return out + &domain(problem);
    };
    let prose = paragraph(plan, options.columns().min(PARAGRAPH_MAX));
    if !prose.is_empty() {
        let _ = write!(out, "\n{prose}");
    }
    let _ = write!(out, "\nscore {}\n", share_text(plan.score));
    out += &act_lines(plan, options);
    let lanes = lanes(problem, plan, options);
    if !lanes.is_empty() {
        let title = options.styled("1", "Who is where");
        let _ = write!(out, "\n{title}\n{lanes}");
    }
    out
}

/// What stories can be about.
fn domain(problem: &StoryProblem) -> String {
    let mut out = String::from("\n");
    for kind in &problem.types {
        let ids = kind.entities.iter().map(|e| e.id.as_str());
        let ids = ids.collect::<Vec<_>>().join(", ");
        let line = format!("{}: {ids}", kind.name);
        let _ = writeln!(out, "  {}", printable(&line));
    }
    for action in &problem.actions {
        let parameters = action.parameters.iter();
        let parameters = parameters.map(|p| format!("{}: {}", p.name, p.type_name));
        let parameters = parameters.collect::<Vec<_>>().join(", ");
        let line = format!("{}({parameters})", action.name);
        let _ = writeln!(out, "  {}", printable(&line));
    }
    for goal in &problem.goals {
        let line = format!("goal {}: {}", goal.name, goal.condition);
        let _ = writeln!(out, "  {}", printable(&line));
    }
    out
}

/// A line for each entity: where it is from when on; with an asterisk where it takes part.
fn lanes(problem: &StoryProblem, plan: &StoryPlan, options: &TextOptions) -> String {
    let ways = ways(problem, plan);
    let name = ways
        .iter()
        .map(|way| columns(way.entity))
        .max()
        .unwrap_or(0);
    let name = name.min(20);
    let acts = plan.acts.len().max(1);
    let room = options.columns().saturating_sub(name + 2);
    let cell = (room / (acts + 1)).clamp(3, PLACE_MAX);
    let shown = (room / cell).saturating_sub(1).min(acts);
    if ways.is_empty() {
        return String::new();
    }
    let head = (1..=shown).map(|act| fit(&act.to_string(), cell, ""));
    let head: String = head.collect();
    let blank = " ".repeat(name + 2 + cell);
    let mut out = format!("{blank}{}\n", head.trim_end());
    let ellipsis = if options.ascii { "." } else { "…" };
    for way in &ways {
        let mut line = fit(way.entity, name, ellipsis) + "  ";
        for (index, place) in way.places.iter().take(shown + 1).enumerate() {
            let acts = index > 0 && way.acts.contains(&(index - 1));
            let same = index > 0 && way.places[index - 1] == *place;
            let mark = if acts { "*" } else { "" };
            let word = match (same, place.is_empty()) {
                (true, _) => "·",
                (false, true) => "-",
                (false, false) => place,
            };
            let word = if options.ascii {
                word.replace('·', ".")
            } else {
                word.to_owned()
            };
            line += &fit(&format!("{mark}{word}"), cell - 1, ellipsis);
            line.push(' ');
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}
