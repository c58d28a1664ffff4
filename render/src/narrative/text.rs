//! All that is known about a narrative, for terminals.

use super::coverage::Coverage;
use super::decisions::Decisions;
use super::story::Story;
use super::{Drawn, coverage_text, decisions_text, strands, timeline, words};
use crate::axis::push_line;
use crate::label::fit;
use crate::text::TextOptions;
use stratagem_proto::v1::{NarrativeConflict, NarrativeProblem};

/// Rules of a conflict that are listed.
const MEMBERS_MAX: usize = 200;

/// Returns what is known about a narrative as text: which policy is for which outcomes, and what
/// happens when; or the rules that clash. One policy is drawn over time and described in words;
/// several are one tree, in which each row has what differs from those that it comes after. Lines
/// end with `\n` and have no blanks at their ends.
#[must_use]
pub fn text(problem: &NarrativeProblem, drawn: Drawn<'_>, options: &TextOptions) -> String {
    let story = Story::new(problem);
    let ellipsis = if options.ascii { "~" } else { "…" };
    let mut text = String::new();
    if !problem.title.is_empty() {
        let title = fit(&problem.title, options.columns(), ellipsis);
        let title = options.styled("1", title.trim_end());
        push_line(&mut text, &title);
    }
    if let Some(conflict) = drawn.conflict {
        for line in conflict_lines(&story, conflict) {
            push_line(&mut text, &fit(&line, options.columns(), ellipsis));
        }
    }
    let Some(plan) = drawn.plan else {
        return text;
    };
    let plan = &*strands::storylines(problem, plan);
    text += &coverage_text::draw(&Coverage::new(&story, plan), options);
    if plan.policies.len() > 1 {
        text.push('\n');
        let title = options.styled("1", "What happens when, by what is picked");
        push_line(&mut text, &title);
        text += &decisions_text::draw(&Decisions::new(&story, plan), options);
    } else if let Some(policy) = plan.policies.first() {
        let words = words::describe(&story, 1, policy, options);
        let (title, rest) = words.split_once('\n').unwrap_or((&words, ""));
        text.push('\n');
        push_line(&mut text, &options.styled("1", title));
        text += &timeline::draw(&story, policy, options);
        text += rest;
    }
    text
}

/// A conflict, a line for its summary, each rule, and what is not covered.
pub(super) fn conflict_lines(story: &Story<'_>, conflict: &NarrativeConflict) -> Vec<String> {
    let mut lines = Vec::new();
    if !conflict.summary.is_empty() {
        lines.push(conflict.summary.clone());
    }
    let members = conflict.members.iter().take(MEMBERS_MAX);
    lines.extend(members.map(|m| format!("! {}", m.message)));
    if conflict.members.len() > MEMBERS_MAX {
        lines.push(format!("and {} more", conflict.members.len() - MEMBERS_MAX));
    }
    let uncovered = &conflict.uncovered_durations;
    if !uncovered.is_empty() {
        let duration = |d: &stratagem_proto::v1::TemporalContingentDuration| {
            let takes = crate::time::micros(d.duration.as_ref());
            let takes = crate::time::span_text(takes);
            format!("{} takes {takes}", story.link(&d.link_id))
        };
        let durations: Vec<_> = uncovered.iter().take(MEMBERS_MAX).map(duration).collect();
        let picks = match conflict.uncovered_picks.as_slice() {
            [] => String::new(),
            picks => format!(", after {}", story.picks(picks)),
        };
        lines.push(format!(
            "no storyline is for this: {}{picks}",
            durations.join(", ")
        ));
    }
    lines
}
