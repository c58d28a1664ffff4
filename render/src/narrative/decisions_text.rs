//! All policies of a plan as one tree over an axis of time, in text.

use super::decisions::{Decisions, Row};
use super::timeline::Chart;
use crate::axis::push_line;
use crate::label::{columns, fit};
use crate::text::TextOptions;

/// Most columns of a branch's name.
const NAME_MAX: usize = 34;
/// Columns of indent of a row from its parent, and the maximum number of such steps.
const STEP: usize = 2;
const STEPS_MAX: usize = 6;

/// Lines of a name, the rest is cut.
const NAME_LINES: usize = 4;

/// Returns the tree as text. Lines end with `\n` and have no blanks at their ends.
pub(super) fn draw(tree: &Decisions, options: &TextOptions) -> String {
    let width = options.columns();
    let room = NAME_MAX.min(width * 2 / 5);
    let rows = tree.rows.iter().enumerate();
    let names: Vec<Vec<String>> = rows.map(|(n, row)| name(row, n, room)).collect();
    let longest = names.iter().flatten().map(|line| columns(line)).max();
    let name_width = longest.unwrap_or(0).clamp(4, room);
    let chart = Chart::new(name_width, width, tree.horizon, options);
    let mut lines = Vec::new();
    for (row, names) in tree.rows.iter().zip(&names) {
        lines.extend(chart.lines(names, &row.bars));
    }
    let bars = || tree.rows.iter().flat_map(|row| &row.bars);
    let has = |kind| bars().any(|bar| bar.kind == kind);
    let mut text = chart.text(&lines, tree.left_out > 0, &has);
    let said = "each row: what differs from the rows that it comes after";
    push_line(&mut text, &fit(said, width, chart.pen.ellipsis));
    text
}

/// The pick or observation, and the row that continues alike, in lines of about `room` columns.
fn name(row: &Row, n: usize, room: usize) -> Vec<String> {
    let indent = " ".repeat(row.depth.min(STEPS_MAX) * STEP);
    let mut text = row.label.clone();
    if row.parent.is_none() {
        text += &format!(" ({} storylines)", row.policies);
    }
    let mut lines = vec![format!("{indent}{}", n + 1)];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        let is_full = columns(&lines[last]) + 1 + columns(word) > room;
        if is_full && last + 1 < NAME_LINES {
            lines.push(format!("{indent}  {word}"));
        } else {
            lines[last] += &format!(" {word}");
        }
    }
    let then = row
        .as_after
        .map(|other| format!("{indent}  then as after {}", other + 1));
    lines.extend(then);
    lines
}
