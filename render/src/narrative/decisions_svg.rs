//! All policies of a plan as one tree over an axis of time, in SVG.

use super::decisions::{Decisions, Row};
use super::gantt_svg::{LANE, Laned, WIDTH};
use crate::axis::PixelAxis;
use crate::label::fit;
use crate::svg::Canvas;
use crate::time::span_text;

/// Left end of the bars.
const BARS_LEFT: f64 = 330.0;
/// Pixels by which a row is to the right of the one that it comes after.
const STEP: f64 = 16.0;
/// Steps after which rows are no further to the right.
const STEPS_MAX: usize = 10;
/// Pixels of a column of text.
const LETTER: f64 = 6.6;

/// Draws the tree below `top` and returns its height.
pub(super) fn draw(canvas: &mut Canvas, tree: &Decisions, top: f64) -> f64 {
    let axis = PixelAxis {
        left: BARS_LEFT,
        room: WIDTH - BARS_LEFT - 32.0,
        horizon: tree.horizon,
    };
    let rows: Vec<_> = tree
        .rows
        .iter()
        .map(|row| (row, Laned::new(&axis, &row.bars)))
        .collect();
    let first = top + 28.0;
    let mut tops = Vec::new();
    let mut y = first;
    for (n, (row, bars)) in rows.iter().enumerate() {
        let band = if n % 2 == 0 { "#f7f7f7" } else { "#fff" };
        canvas.rect([8.0, y, WIDTH - 16.0, bars.height()], band, &row.tip);
        tops.push(y);
        y += bars.height();
    }
    axis.grid(canvas, first, y - first);
    for (n, (row, bars)) in rows.iter().enumerate() {
        branch(canvas, row, n, &tops);
        bars.draw(canvas, tops[n]);
        bars.draw_labels(canvas, tops[n]);
    }
    let end = span_text(tree.horizon.1);
    canvas.text(WIDTH - 16.0, y + 16.0, "name", &format!("ends by {end}"));
    let said = "Each row: what differs from the rows that it comes after. Light: as soon as can be; line: it may last until then.";
    canvas.text(16.0, y + 16.0, "plain", said);
    if tree.left_out > 0 {
        let more = format!("and {} more branches", tree.left_out);
        canvas.text(16.0, y + 34.0, "plain", &more);
        y += 18.0;
    }
    y + 26.0 - top
}

/// How far to the right a row begins.
fn indent(depth: usize) -> f64 {
    18.0 + depth.min(STEPS_MAX) as f64 * STEP
}

/// A row's name, and the line from the row that it comes after.
fn branch(canvas: &mut Canvas, row: &Row, n: usize, tops: &[f64]) {
    let x = indent(row.depth);
    let middle = tops[n] + 2.0 + LANE / 2.0;
    if let Some(parent) = row.parent {
        let from = indent(row.depth - 1) + 4.0;
        let start = tops[parent] + 2.0 + LANE / 2.0 + 9.0;
        canvas.polyline(
            &[(from, start), (from, middle), (x - 2.0, middle)],
            "before",
            "#2a6fb0",
        );
    }
    let mut label = format!("{}  {}", n + 1, row.label);
    if let Some(other) = row.as_after {
        label += &format!(", then as after {}", other + 1);
    } else if row.policies > 1 && row.parent.is_none() {
        label += &format!(" ({} storylines)", row.policies);
    }
    let room = ((BARS_LEFT - x - 10.0) / LETTER) as usize;
    let text = fit(&label, room, "…");
    canvas.text(x + 2.0, middle + 4.0, "plain", text.trim_end());
}
