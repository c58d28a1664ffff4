//! When events may happen, as rows of characters over an axis of time.

use super::Drawn;
use super::graph::{Graph, Owner};
use super::windows::{Window, windows};
use crate::axis::{CharAxis, push_line};
use crate::label::{columns, fit, printable};
use crate::text::TextOptions;
use stratagem_proto::v1::TemporalNetwork;

/// Most columns of an event's name.
const NAME_MAX: usize = 28;
/// Rows of a picture: more are only counted.
const ROWS_MAX: usize = 200;

/// The characters of a drawing.
struct Pen {
    at: char,
    broken: char,
    only: char,
    ends: [char; 2],
    open: [char; 2],
    inside: char,
    ellipsis: &'static str,
}

const LINES: Pen = Pen {
    at: '◆',
    broken: '×',
    only: '│',
    ends: ['├', '┤'],
    open: ['<', '>'],
    inside: '─',
    ellipsis: "…",
};

const ASCII: Pen = Pen {
    at: '*',
    broken: 'X',
    only: '|',
    ends: ['[', ']'],
    open: ['<', '>'],
    inside: '-',
    ellipsis: "~",
};

/// Returns when events may happen as text: an axis of time and a row for each event, the earliest
/// first, with its range or the time that was chosen, and a legend. Lines end with `\n` and have no
/// blanks at their ends. At most 200 rows. What nothing ties to the origin is drawn as if it began
/// there.
///
/// # Examples
/// ```
/// use stratagem_proto::v1::TemporalNetwork;
/// use stratagem_render::temporal::{Drawn, timeline_text};
/// use stratagem_render::text::TextOptions;
/// let text = timeline_text(
///     &TemporalNetwork::default(),
///     Drawn::default(),
///     &TextOptions::default(),
/// );
/// assert_eq!(text, "nothing happens\n");
/// ```
#[must_use]
pub fn timeline_text(network: &TemporalNetwork, drawn: Drawn<'_>, options: &TextOptions) -> String {
    let graph = Graph::new(network, &drawn);
    if graph.events.is_empty() {
        return "nothing happens\n".into();
    }
    let windows = windows(&graph, &drawn);
    let pen = if options.ascii { &ASCII } else { &LINES };
    let width = options.columns();
    let longest = graph.events.iter().map(|id| columns(&printable(id))).max();
    let name_width = longest.unwrap_or(0).min(NAME_MAX).min(width / 3).max(4);
    let axis = CharAxis {
        width: width - name_width - 1,
        horizon: horizon(&windows),
        ascii: options.ascii,
    };
    let mut text = String::new();
    let blank = " ".repeat(name_width);
    for line in axis.lines() {
        push_line(&mut text, &format!("{blank} {line}"));
    }
    let order = in_order(&windows);
    for i in order.iter().take(ROWS_MAX) {
        let name = fit(graph.events[*i], name_width, pen.ellipsis);
        let row = row(&axis, pen, windows[*i]);
        let row = options.styled(code(graph.owners[*i]), row.trim_end());
        push_line(&mut text, &format!("{name} {row}"));
    }
    if order.len() > ROWS_MAX {
        let more = order.len() - ROWS_MAX;
        push_line(&mut text, &format!("and {more} more events"));
    }
    push_line(&mut text, &legend(pen, &windows));
    text
}

/// The events from the first to the last; ties in the order of the network.
pub(super) fn in_order(windows: &[Window]) -> Vec<usize> {
    let mut order: Vec<_> = (0..windows.len()).collect();
    order.sort_by_key(|i| (windows[*i].begin(), *i));
    order
}

/// First and last moment of all windows, from 0 on unless something comes before.
pub(super) fn horizon(windows: &[Window]) -> (i64, i64) {
    let moments = || windows.iter().flat_map(Window::moments);
    let first = moments().min().unwrap_or(0).min(0);
    (first, moments().max().unwrap_or(0).max(first))
}

/// Code of a style by who decides.
fn code(owner: Owner) -> &'static str {
    match owner {
        Owner::Us => "32",
        Owner::Teammate => "33",
        Owner::Nature => "35",
    }
}

fn row(axis: &CharAxis, pen: &Pen, window: Window) -> String {
    let last = axis.width - 1;
    let column = |at: i64| axis.column(at).min(last);
    let mut cells = vec![' '; axis.width];
    let first = window.earliest.map_or(0, column);
    let end = window.latest.map_or(last, column).max(first);
    if first == end {
        cells[first] = window.latest.map_or(pen.open[1], |_| pen.only);
    } else {
        cells[first..=end].fill(pen.inside);
        cells[first] = window.earliest.map_or(pen.open[0], |_| pen.ends[0]);
        cells[end] = window.latest.map_or(pen.open[1], |_| pen.ends[1]);
    }
    if let Some(at) = window.at {
        cells[column(at)] = pen.at;
    }
    if let Some(at) = window.broken {
        cells[column(at)] = pen.broken;
    }
    cells.into_iter().collect()
}

/// What the characters mean, as far as they are there.
fn legend(pen: &Pen, windows: &[Window]) -> String {
    let [left, right] = pen.ends;
    let inside = pen.inside;
    let mut parts = Vec::new();
    if windows.iter().any(|w| w.at.is_some()) {
        parts.push(format!("{} chosen", pen.at));
    }
    if windows.iter().any(|w| w.at.is_none()) {
        parts.push(format!("{left}{inside}{right} may happen"));
    }
    if windows.iter().any(|w| w.broken.is_some()) {
        parts.push(format!("{} breaks", pen.broken));
    }
    parts.join("  ")
}
