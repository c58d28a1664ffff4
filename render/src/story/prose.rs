//! Stories as documents: plain text, and Markdown.

use super::lines::{act_name, why};
use super::{ACTS_MAX, share_text};
use crate::Scene;
use crate::label::printable;
use crate::text::TextOptions;
use std::fmt::Write as _;
use stratagem_proto::v1::{StoryPlan, StoryProblem};

/// Returns stories as plain text only: a paragraph each, wrapped at 80 columns. A story without
/// acts gives a note.
#[must_use]
pub fn prose(plans: &[StoryPlan]) -> String {
    let options = TextOptions {
        width: 80,
        ..TextOptions::default()
    };
    let text = plans.iter().map(|plan| {
        let mut scene = Scene::default();
        super::text(&mut scene, plan);
        match scene.text(&options) {
            text if text.is_empty() => "Nothing happens.\n".into(),
            text => text,
        }
    });
    text.collect::<Vec<_>>().join("\n")
}

/// Returns stories as a document of Markdown (CommonMark, with tables of GitHub): title, text, and
/// what each act is made of. Texts of the problem and the story are escaped: they are text,
/// whatever is in them.
#[must_use]
pub fn markdown(problem: &StoryProblem, plans: &[StoryPlan]) -> String {
    let title = match escaped(&problem.title) {
        title if title.is_empty() => "Story".into(),
        title => title,
    };
    let mut out = format!("# {title}\n");
    for (index, plan) in plans.iter().enumerate() {
        if plans.len() > 1 {
            let _ = write!(out, "\n## Story {} of {}\n", index + 1, plans.len());
        }
        let sentences = plan.sentences.iter().map(|s| escaped(&s.text));
        let text = sentences.collect::<Vec<_>>().join(" ");
        let text = if text.trim().is_empty() {
            "Nothing happens."
        } else {
            text.trim()
        };
        let _ = write!(out, "\n{text}\n\n{}\n", worth(plan));
        out += &acts(plan);
        if !plan.goals.is_empty() {
            out.push('\n');
        }
        for goal in &plan.goals {
            let mark = if goal.holds { 'x' } else { ' ' };
            let _ = writeln!(out, "- [{mark}] {}", escaped(&goal.name));
        }
    }
    out
}

/// E, G and B, as far as they are known.
fn worth(plan: &StoryPlan) -> String {
    let score = share_text(plan.score);
    if plan.goals.is_empty() {
        return format!("Score {score}.");
    }
    format!(
        "Score {score}: goals {}, believability {}.",
        share_text(plan.goal_share),
        share_text(plan.believability)
    )
}

/// A table of acts.
fn acts(plan: &StoryPlan) -> String {
    if plan.acts.is_empty() {
        return String::new();
    }
    let mut out = String::from(
        "\n| act | what happens | believability | made of | score |\n|---:|---|---:|---|---:|\n",
    );
    for (index, act) in plan.acts.iter().take(ACTS_MAX).enumerate() {
        let what = escaped(&act_name(act));
        let known = plan.steps.get(index).map(|step| {
            let why = escaped(&why(step.base, &step.influences, step.slider));
            let (believable, score) = (share_text(step.believability), share_text(step.score));
            format!("{believable} | {why} | {score}")
        });
        let known = known.unwrap_or_else(|| " | | ".into());
        let _ = writeln!(out, "| {} | {what} | {known} |", index + 1);
    }
    let more = plan.acts.len().saturating_sub(ACTS_MAX);
    if more > 0 {
        let _ = writeln!(out, "| | and {more} more | | | |");
    }
    out
}

/// Anything but what may follow on the number of a list.
fn is_text(letter: char) -> bool {
    !letter.is_whitespace()
}

/// One line of text in which Markdown sees nothing but text: marks that may mean something have a
/// backslash before them, and so has what would begin a list or a heading.
fn escaped(text: &str) -> String {
    let text = printable(text);
    let text = text.trim();
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let mut out = String::new();
    for (index, letter) in text.char_indices() {
        let begins = match letter {
            '-' | '+' | '=' => index == 0,
            // "1. " begins a list.
            '.' | ')' => index > 0 && index == digits && !text[index + 1..].starts_with(is_text),
            _ => false,
        };
        if begins || "\\`*_[]<>#|~&".contains(letter) {
            out.push('\\');
        }
        out.push(letter);
    }
    out
}
