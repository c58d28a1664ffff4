//! What happens, line by line, and as a paragraph.

use super::{ACTS_MAX, share_text};
use crate::label::{columns, printable};
use crate::text::TextOptions;
use std::fmt::Write as _;
use stratagem_proto::v1::{StoryAct, StoryInfluence, StoryPlan};

/// An act in a few words: `Steal Bruno, Ada, Will`.
#[must_use]
pub fn act_name(act: &StoryAct) -> String {
    let name = printable(&act.action);
    let args = printable(&act.entity_ids.join(", "));
    format!("{name} {args}").trim_end().to_owned()
}

/// Returns the sentences of a story as one paragraph, broken at `width` columns.
#[must_use]
pub fn paragraph(plan: &StoryPlan, width: usize) -> String {
    let texts = plan.sentences.iter().map(|s| printable(&s.text));
    let texts: Vec<String> = texts.collect();
    let mut out = String::new();
    let mut used = 0;
    for word in texts.join(" ").split_whitespace() {
        let wide = columns(word);
        if used > 0 && used + 1 + wide > width {
            out.push('\n');
            used = 0;
        }
        if used > 0 {
            out.push(' ');
            used += 1;
        }
        out.push_str(word);
        used += wide;
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// Returns the acts of a story, a line each with its believability and the score after it, where
/// known, and a line on the rules that apply.
#[must_use]
pub fn act_lines(plan: &StoryPlan, options: &TextOptions) -> String {
    let names: Vec<String> = plan.acts.iter().take(ACTS_MAX).map(act_name).collect();
    let widest = names.iter().map(|name| columns(name)).max().unwrap_or(0);
    let widest = widest.min(options.columns() / 2);
    let mut out = String::new();
    for (index, name) in names.iter().enumerate() {
        let number = index + 1;
        let Some(step) = plan.steps.get(index) else {
            let _ = writeln!(out, "{number:>3}  {name}");
            continue;
        };
        let gap = " ".repeat(widest.saturating_sub(columns(name)));
        let believable = share_text(step.believability);
        let score = share_text(step.score);
        let _ = writeln!(
            out,
            "{number:>3}  {name}{gap}  {believable:<6}  score {score}"
        );
        let why = why(step.base, &step.influences, step.slider);
        if !why.is_empty() {
            let _ = writeln!(out, "     {}", options.styled("2", &why));
        }
    }
    let more = plan.acts.len().saturating_sub(ACTS_MAX);
    if more > 0 {
        let _ = writeln!(out, "     and {more} more");
    }
    out
}

/// What a believability is made of; empty where it is the base alone.
pub(super) fn why(base: f64, influences: &[StoryInfluence], slider: f64) -> String {
    let slides = slider.to_bits() != 1f64.to_bits();
    if influences.is_empty() && !slides {
        return String::new();
    }
    let mut text = share_text(base);
    for one in influences {
        let rule = printable(&one.rule);
        let _ = write!(text, ", {rule}: {}", share_text(one.after));
    }
    if slides {
        let _ = write!(text, ", slider {}", share_text(slider));
    }
    text
}
