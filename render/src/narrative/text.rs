//! All that is known about a narrative, for terminals.

use super::coverage::Coverage;
use super::story::Story;
use super::{Drawn, coverage_text, timeline, words};
use crate::axis::push_line;
use crate::label::fit;
use crate::text::TextOptions;
use stratagem_proto::v1::{NarrativeConflict, NarrativeProblem};

/// Policies that are drawn: more are only counted.
const POLICIES_MAX: usize = 20;
/// Rules of a conflict that are listed.
const MEMBERS_MAX: usize = 200;

/// Returns what is known about a narrative as text: which policy is for which outcomes, and each
/// policy over time and in words; or the rules that clash. Lines end with `\n` and have no blanks at
/// their ends. At most 20 policies.
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
    text += &coverage_text::draw(&Coverage::new(&story, plan), options);
    for (n, policy) in plan.policies.iter().enumerate().take(POLICIES_MAX) {
        let words = words::describe(&story, (n + 1, policy), options);
        let (title, rest) = words.split_once('\n').unwrap_or((&words, ""));
        text.push('\n');
        push_line(&mut text, &options.styled("1", title));
        text += &timeline::draw(&story, policy, options);
        text += rest;
    }
    if plan.policies.len() > POLICIES_MAX {
        let more = plan.policies.len() - POLICIES_MAX;
        push_line(&mut text, &format!("\nand {more} more storylines"));
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
        let duration = |d: &stratagem_proto::v1::ContingentDuration| {
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
