//! Stories as SVG documents.

use super::lines::{act_name, why};
use super::whereabouts::{Way, all_places, ways};
use super::{ACTS_MAX, share, share_text};
use crate::svg::{Canvas, colour};
use stratagem_proto::v1::{StoryPlan, StoryProblem, StorySentence, StoryStep};

/// Pixels at the edges.
const MARGIN: f64 = 16.0;
/// Pixels at the left for names.
const LEFT: f64 = 130.0;
/// Pixels from one act to the next.
const STEP: f64 = 64.0;
/// Height of the plot of believabilities.
const PLOT: f64 = 130.0;
/// Height of a line of an entity in a place.
const LINE: f64 = 19.0;
/// Pixels from the number of a sentence's acts to the sentence.
const NUMBER: f64 = 44.0;
/// Least height of a bar that has its number inside.
const TALL: f64 = 22.0;
/// Letters of a sentence that are written: the rest is cut.
const SENTENCE_MAX: usize = 120;
const STYLE: &str = "text{font:11px sans-serif;fill:#222}.title{font-size:18px;font-weight:bold}\
    .note{font-size:12px;fill:#444}.name{font-size:11px;fill:#333}\
    .halo{font-size:11px;fill:#333;stroke:#fff;stroke-width:3;stroke-opacity:.8;paint-order:stroke}.tick{font-size:10px;fill:#555;text-anchor:middle}\
    .score{fill:none;stroke-width:2}.rule{stroke-width:1}.way{fill:none;stroke-width:3;stroke-linejoin:round;stroke-opacity:.85}";

/// Returns a story as a self-contained SVG document without scripts: the believability of each act
/// as bars, and the score as a line; below, the places of entities over time, a line each with a
/// dot for each of its acts; and the sentences. Everything has a tooltip. Without a story: the
/// title alone.
#[must_use]
pub fn svg(problem: &StoryProblem, plan: Option<&StoryPlan>) -> String {
    document(problem, plan, true)
}

/// Where the middle of an act is; 0 is the start.
fn x(act: usize) -> f64 {
    MARGIN + LEFT + STEP * act as f64
}

pub(super) fn document(problem: &StoryProblem, plan: Option<&StoryPlan>, titled: bool) -> String {
    let mut canvas = Canvas::new();
    let mut top = MARGIN;
    if titled {
        let title = match problem.title.as_str() {
            "" => "Story",
            title => title,
        };
        canvas.text(MARGIN, top + 16.0, "title", title);
        top += 34.0;
    }
    let Some(plan) = plan else {
        return canvas.finish(400.0, top + MARGIN, STYLE);
    };
    let acts = plan.acts.len().min(ACTS_MAX);
    if !plan.steps.is_empty() {
        believabilities(&mut canvas, plan, top);
        top += PLOT + 40.0;
    }
    let ways = ways(problem, plan);
    top = whereabouts(&mut canvas, &ways, top, acts);
    for sentence in plan.sentences.iter().take(ACTS_MAX) {
        let text = &sentence.text;
        let mut cut: String = text.chars().take(SENTENCE_MAX).collect();
        if cut.len() < text.len() {
            cut.push('…');
        }
        canvas.text(MARGIN, top + 12.0, "name", &numbers(sentence));
        canvas.text(MARGIN + NUMBER, top + 12.0, "note", &cut);
        top += 18.0;
    }
    let width = (x(acts) + STEP / 2.0 + MARGIN).max(700.0);
    canvas.finish(width, top + MARGIN, STYLE)
}

/// The acts of a sentence: `3`, or `3-5`.
fn numbers(sentence: &StorySentence) -> String {
    let first = sentence.first_act_index.saturating_add(1);
    let last = sentence
        .first_act_index
        .saturating_add(sentence.act_count.max(1));
    if last > first {
        format!("{first}-{last}")
    } else {
        first.to_string()
    }
}

/// Bars and the score.
fn believabilities(canvas: &mut Canvas, plan: &StoryPlan, top: f64) {
    let acts = plan.acts.len().min(plan.steps.len()).min(ACTS_MAX);
    let height = |number: f64| top + PLOT * (1.0 - share(number));
    for (number, label) in [(0.0, "0"), (0.5, "0.5"), (1.0, "1")] {
        let y = height(number);
        canvas.polyline(&[(x(0), y), (x(acts) + STEP / 2.0, y)], "rule", "#ddd");
        canvas.text(MARGIN + LEFT - 30.0, y + 4.0, "tick", label);
    }
    for (row, (fill, name)) in [("#8ce99a", "believability"), ("#1971c2", "score")]
        .into_iter()
        .enumerate()
    {
        let y = top + 4.0 + 18.0 * row as f64;
        canvas.rect([MARGIN, y, 10.0, 10.0], fill, name);
        canvas.text(MARGIN + 16.0, y + 9.0, "name", name);
    }
    let mut line = Vec::new();
    for (index, step) in plan.steps.iter().take(acts).enumerate() {
        let y = height(step.believability);
        let tip = tip(plan, index, step);
        let fill = if step.believability >= 0.5 {
            "#8ce99a"
        } else {
            "#ffa8a8"
        };
        let bar = [x(index + 1) - 16.0, y, 32.0, top + PLOT - y];
        canvas.outlined(bar, fill, "#868e96", &tip);
        let label = share_text(step.believability);
        // Within the bar, so that no line crosses it.
        let within = top + PLOT - y >= TALL;
        let label_y = if within { y + 13.0 } else { y - 7.0 };
        canvas.text(x(index + 1), label_y, "tick", &label);
        let number = (index + 1).to_string();
        canvas.text(x(index + 1), top + PLOT + 14.0, "tick", &number);
        line.push((x(index + 1), height(step.score)));
    }
    canvas.polyline(&line, "score", "#1971c2");
    for (index, (point, step)) in line.iter().zip(&plan.steps).enumerate() {
        let tip = format!("score after act {}: {}", index + 1, share_text(step.score));
        canvas.circle(point.0, point.1, "#1971c2", &tip);
    }
}

fn tip(plan: &StoryPlan, index: usize, step: &StoryStep) -> String {
    let mut tip = format!(
        "{}. {}: {}",
        index + 1,
        act_name(&plan.acts[index]),
        share_text(step.believability)
    );
    let why = why(step.base, &step.influences, step.slider);
    if !why.is_empty() {
        tip = format!("{tip} ({why})");
    }
    for change in &step.changes {
        let (entity, attribute) = (&change.entity_id, &change.attribute);
        tip = format!("{tip}\n{entity}.{attribute} = {}", change.value);
    }
    tip
}

/// Who is where when; gives where it ends.
fn whereabouts(canvas: &mut Canvas, ways: &[Way<'_>], top: f64, acts: usize) -> f64 {
    if ways.is_empty() {
        return top;
    }
    let mut places = all_places(ways);
    if ways
        .iter()
        .any(|way| way.places.iter().any(String::is_empty))
    {
        places.push("");
    }
    let band = LINE * (ways.len() as f64 + 0.6);
    for (row, place) in places.iter().enumerate() {
        let y = top + band * row as f64;
        let fill = if row % 2 == 0 { "#f1f3f5" } else { "#ffffff" };
        let width = STEP * acts as f64 + LEFT + STEP / 2.0;
        canvas.rect([MARGIN, y, width, band], fill, place);
        let name = if place.is_empty() {
            "with somebody"
        } else {
            place
        };
        canvas.text(MARGIN + 4.0, y + band / 2.0 + 4.0, "name", name);
    }
    for (line, way) in ways.iter().enumerate() {
        let y = |index: usize| {
            let place = way.places[index].as_str();
            let row = places.iter().position(|other| *other == place);
            top + band * row.unwrap_or(0) as f64 + LINE * (line as f64 + 1.0)
        };
        let mut points = Vec::new();
        for index in 0..way.places.len() {
            // It is where it was until shortly before the act.
            if index > 0 {
                points.push((x(index) - STEP / 2.0, y(index - 1)));
            }
            points.push((x(index), y(index)));
        }
        let paint = colour(line);
        canvas.polyline(&points, "way", &paint);
        for act in &way.acts {
            let tip = format!("{} in act {}", way.label, act + 1);
            canvas.circle(x(act + 1), y(act + 1), &paint, &tip);
        }
    }
    // Names last, above all lines.
    for (line, way) in ways.iter().enumerate() {
        let row = places.iter().position(|place| *place == way.places[0]);
        let y = top + band * row.unwrap_or(0) as f64 + LINE * (line as f64 + 1.0);
        canvas.text(x(0) + 4.0, y - 4.0, "halo", way.label);
    }
    top + band * places.len() as f64 + 16.0
}
