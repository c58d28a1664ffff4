//! Map and timeline as one SVG document.

use super::activity::{Activity, Kind, Row, horizon, rows};
use super::map;
use crate::axis::PixelAxis;
use crate::svg::{Canvas, colour};
use crate::time::{micros, span_text};
use stratagem_proto::v1::{AllocationPlan, AllocationProblem};

/// Width of the document in pixels.
pub(super) const WIDTH: f64 = 960.0;
/// Width and height of the map, at most.
pub(super) const MAP: f64 = 600.0;
/// Left end of the bars.
const BARS_LEFT: f64 = 150.0;
/// Height of a row of the timeline.
const ROW: f64 = 22.0;
pub(super) const STYLE: &str = "text{font:12px sans-serif;fill:#222}.title{font-size:18px;font-weight:bold}\
                     .tick{font-size:11px;fill:#666;text-anchor:middle}.name{text-anchor:end}\
                     .route{fill:none;stroke-width:2;stroke-opacity:.75}.grid{stroke-width:.5}\
                     .tie{fill:none;stroke-width:1;stroke-dasharray:3 3}.now{fill:none;stroke-width:1}";

/// Returns a plan as a self-contained SVG document without scripts: a map where the problem has
/// points, and a timeline. Names of agents and tasks are tooltips, tasks that nobody does are
/// hollow, broken lines join tasks that are coupled. A line in the timeline is now, if that is
/// later than the start of the plan.
#[must_use]
pub fn svg(problem: &AllocationProblem, plan: &AllocationPlan) -> String {
    let mut canvas = Canvas::new();
    if problem.title.is_empty() {
        return draw(canvas, problem, plan, 16.0);
    }
    canvas.text(16.0, 30.0, "title", &problem.title);
    draw(canvas, problem, plan, 44.0)
}

/// The same without the title, for where it is already.
pub(super) fn untitled(problem: &AllocationProblem, plan: &AllocationPlan) -> String {
    draw(Canvas::new(), problem, plan, 16.0)
}

/// The timeline alone.
pub(super) fn bars(problem: &AllocationProblem, plan: &AllocationPlan) -> String {
    let mut canvas = Canvas::new();
    let height = timeline(&mut canvas, problem, &rows(problem, plan), 0.0);
    canvas.finish(WIDTH, height, STYLE)
}

/// Draws everything below `top`.
fn draw(
    mut canvas: Canvas,
    problem: &AllocationProblem,
    plan: &AllocationPlan,
    mut top: f64,
) -> String {
    top += map::draw(&mut canvas, problem, plan, top, MAP).unwrap_or(0.0);
    let rows = rows(problem, plan);
    let height = timeline(&mut canvas, problem, &rows, top);
    canvas.finish(WIDTH, top + height, STYLE)
}

/// Draws the timeline below `top` and returns its height.
fn timeline(canvas: &mut Canvas, problem: &AllocationProblem, rows: &[Row<'_>], top: f64) -> f64 {
    let axis = PixelAxis {
        left: BARS_LEFT,
        room: WIDTH - BARS_LEFT - 32.0,
        horizon: horizon(rows),
    };
    let first = top + 36.0;
    let height = rows.len() as f64 * ROW;
    axis.grid(canvas, first, height);
    for (n, row) in rows.iter().enumerate() {
        let y = first + n as f64 * ROW;
        canvas.text(BARS_LEFT - 10.0, y + 14.0, "name", row.agent);
        for activity in &row.activities {
            draw_activity(canvas, &axis, activity, n, y);
        }
    }
    let now_us = micros(problem.now_offset.as_ref());
    if now_us > 0 && now_us <= axis.horizon.1 {
        let x = axis.x(now_us.max(axis.horizon.0));
        canvas.polyline(&[(x, first - 6.0), (x, first + height)], "now", "#d00");
    }
    height + 52.0
}

/// Draws what agent `n` does in its row below `y`.
fn draw_activity(canvas: &mut Canvas, axis: &PixelAxis, activity: &Activity<'_>, n: usize, y: f64) {
    let (inset, fill) = match activity.kind {
        Kind::Travel => (8.5, "#999".into()),
        Kind::Wait => (6.0, "#e5e5e5".into()),
        Kind::Rest => (6.0, "#9cf".into()),
        Kind::Work => (2.0, colour(n)),
        Kind::LateWork => (2.0, "#d00".into()),
    };
    let (left, right) = (axis.x(activity.from_us), axis.x(activity.to_us));
    // Work of no length stays visible.
    let bar = [
        left,
        y + inset,
        (right - left).max(1.0),
        ROW - 2.0 * inset - 2.0,
    ];
    canvas.rect(
        bar,
        &fill,
        &tip(
            activity.kind,
            activity.task,
            activity.from_us,
            activity.to_us,
        ),
    );
}

fn tip(kind: Kind, task: &str, from_us: i64, to_us: i64) -> String {
    let what = match kind {
        Kind::Travel if task.is_empty() => "to the end place".into(),
        Kind::Travel => format!("to {task}"),
        Kind::Wait => format!("waits for {task}"),
        Kind::Rest => format!("break {task}"),
        Kind::Work => task.to_owned(),
        Kind::LateWork => format!("{task} (late)"),
    };
    format!("{what}: {} to {}", span_text(from_us), span_text(to_us))
}
