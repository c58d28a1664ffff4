//! A schedule as one SVG document: bars of activities, and profiles of resources.

use super::scene::{Profile, Scene};
use crate::axis::PixelAxis;
use crate::label::fit;
use crate::svg::{Canvas, colour};
use crate::time::span_text;
use stratagem_proto::v1::{SchedulePlan, ScheduleProblem};

/// Width of the document in pixels.
const WIDTH: f64 = 960.0;
/// Left end of the bars.
const LEFT: f64 = 200.0;
/// Height of a row of an activity.
const ROW: f64 = 20.0;
/// Height of the profile of a resource, and of the room above it.
const PROFILE: f64 = 48.0;
const ROOM: f64 = 14.0;
/// Bars that are drawn: more are only counted.
const BARS_MAX: usize = 2_000;
/// Letters of a name next to a row.
const LETTERS: usize = 27;
const STYLE: &str = "text{font:12px sans-serif;fill:#222}.title{font-size:18px;font-weight:bold}\
                     .tick{font-size:11px;fill:#666;text-anchor:middle}.name{text-anchor:end}\
                     .note{fill:#555}.grid{stroke-width:.5}.capacity{stroke-width:1;fill:none;\
                     stroke-dasharray:4 3}";

/// Returns a schedule as a self-contained SVG document without scripts: a bar for each activity in
/// the order of their starts, and below how much of each resource is held, with its capacity as a
/// dashed line; what exceeds it is red. Without a plan the bars are at the earliest times that
/// precedences allow in the first modes. Times, modes and demands are tooltips.
#[must_use]
pub fn svg(problem: &ScheduleProblem, plan: Option<&SchedulePlan>) -> String {
    let scene = Scene::new(problem, plan);
    let mut canvas = Canvas::new();
    if problem.title.is_empty() {
        return draw(canvas, &scene, 8.0);
    }
    canvas.text(16.0, 30.0, "title", &problem.title);
    draw(canvas, &scene, 42.0)
}

/// Draws everything below `top`, without a title.
pub(super) fn draw(mut canvas: Canvas, scene: &Scene<'_>, top: f64) -> String {
    let axis = PixelAxis {
        left: LEFT,
        room: WIDTH - LEFT - 24.0,
        horizon: scene.horizon,
    };
    let first = top + 24.0;
    let rows = scene.bars.len().min(BARS_MAX);
    let bars = rows as f64 * ROW;
    let profiles = scene.profiles.len() as f64 * (PROFILE + ROOM);
    axis.grid(&mut canvas, first, bars + profiles);
    for (n, bar) in scene.bars.iter().take(BARS_MAX).enumerate() {
        let y = first + n as f64 * ROW;
        let name = fit(bar.name, LETTERS, "…");
        canvas.text(LEFT - 10.0, y + 14.0, "name", name.trim_end());
        let left = axis.x(bar.start_us);
        // A single moment stays visible.
        let width = (axis.x(bar.end_us) - left).max(2.0);
        canvas.rect([left, y + 3.0, width, ROW - 6.0], &colour(n), &bar.tip());
    }
    for (n, profile) in scene.profiles.iter().enumerate() {
        let y = first + bars + n as f64 * (PROFILE + ROOM) + ROOM;
        draw_profile(&mut canvas, &axis, profile, y);
    }
    let y = first + bars + profiles + 18.0;
    canvas.text(LEFT, y, "note", &note(scene));
    canvas.finish(WIDTH, y + 10.0, STYLE)
}

/// Steps of what is held, and the capacity.
fn draw_profile(canvas: &mut Canvas, axis: &PixelAxis, profile: &Profile<'_>, top: f64) {
    let most = profile.peak().max(profile.capacity).max(1) as f64;
    let height = |held: i64| held.max(0) as f64 / most * PROFILE;
    let name = format!("{} of {}", profile.peak(), profile.capacity);
    let label = fit(profile.name, LETTERS, "…");
    canvas.text(LEFT - 10.0, top + 20.0, "name", label.trim_end());
    canvas.text(LEFT - 10.0, top + 36.0, "name", &name);
    for step in drawn_steps(profile, axis) {
        let (left, right) = (axis.x(step.from_us), axis.x(step.to_us));
        let fill = if step.held > profile.capacity {
            "#d00"
        } else {
            "#7fa7d9"
        };
        let height = height(step.held);
        let (from, to) = (span_text(step.from_us), span_text(step.to_us));
        let tip = format!("{}: {} from {from} to {to}", profile.name, step.held);
        canvas.rect(
            [left, top + PROFILE - height, right - left, height],
            fill,
            &tip,
        );
    }
    let y = top + PROFILE - height(profile.capacity);
    let line = [(axis.left, y), (axis.left + axis.room, y)];
    canvas.polyline(&line, "capacity", "#c33");
}

/// An amount that is held for a time.
struct Step {
    from_us: i64,
    to_us: i64,
    held: i64,
}

/// The steps in which something is held; the largest amount in each pixel where there are more
/// steps than pixels.
fn drawn_steps(profile: &Profile<'_>, axis: &PixelAxis) -> Vec<Step> {
    let (first_us, last_us) = axis.horizon;
    let pixels = axis.room as usize;
    let moments: Vec<i64> = if profile.steps.len() > pixels {
        let span = i128::from(last_us) - i128::from(first_us);
        // Between the ends of the horizon.
        let moment = |pixel: usize| (span * pixel as i128 / pixels as i128) as i64 + first_us;
        (0..=pixels).map(moment).collect()
    } else {
        let moments = profile.steps.iter().map(|(at_us, _)| *at_us);
        moments.chain([last_us]).collect()
    };
    let steps = moments.windows(2).map(|ends| Step {
        from_us: ends[0],
        to_us: ends[1],
        held: profile.held(ends[0], ends[1]),
    });
    steps
        .filter(|it| it.held > 0 && it.from_us < it.to_us)
        .collect()
}

fn note(scene: &Scene<'_>) -> String {
    match scene.bars.len().saturating_sub(BARS_MAX) {
        0 => scene.note.clone(),
        more => format!("{}, and {more} more activities", scene.note),
    }
}
