//! When events may happen, as rows over an axis of time.

use super::graph::Graph;
use super::windows::{Window, horizon, in_order};
use crate::scene::{Bar, Chart, Ink, Key, Mark, Segment, Sign, key, row};
use crate::time::span_text;

/// Events that are drawn: more are only counted.
const ROWS_MAX: usize = 2_000;

/// A row for each event, the earliest first.
pub(super) fn chart(graph: &Graph<'_>, windows: &[Window]) -> Chart {
    let horizon = horizon(windows);
    let order = in_order(windows);
    let rows = order.iter().take(ROWS_MAX).map(|&i| {
        let (id, window) = (graph.events[i], windows[i]);
        let (fill, style) = (graph.owners[i].strong(), graph.owners[i].style());
        let tip = format!("{id}: {}", window.words());
        let mark = |at, sign, fill: &str, tip: String| Mark {
            at,
            sign,
            fill: fill.to_owned(),
            tip,
        };
        let chosen = window
            .at
            .map(|at| mark(at, Sign::Chosen, fill, tip.clone()));
        let broken = window.broken.map(|at| {
            let tip = format!("{id} at {}: breaks", span_text(at));
            mark(at, Sign::Broken, "#d00", tip)
        });
        let start = window.earliest.unwrap_or(horizon.0);
        let segment = Segment {
            // What is too late or too early is drawn at the edge.
            span: (start, window.latest.unwrap_or(horizon.1).max(start)),
            ink: ink(window, fill, style),
            label: String::new(),
            tip,
        };
        let bar = Bar {
            segments: vec![segment],
            marks: chosen.into_iter().chain(broken).collect(),
            ..Bar::default()
        };
        row(id, vec![bar])
    });
    Chart {
        rows: rows.collect(),
        horizon,
        keys: keys(windows),
        empty: "nothing happens",
        more: (order.len().saturating_sub(ROWS_MAX), "events"),
        ..Chart::default()
    }
}

/// A range whose ends show whether there are bounds.
fn ink(window: Window, fill: &str, style: &'static str) -> Ink {
    let end = |bound: Option<i64>, closed, open| if bound.is_some() { closed } else { open };
    let mut ink = Ink::new(fill, 0.5, ['─', '-'], style).kept(['├', '['], ['│', '|']);
    ink.glyphs[0] = end(window.earliest, ['├', '['], ['<', '<']);
    ink.glyphs[2] = end(window.latest, ['┤', ']'], ['>', '>']);
    ink.glyphs[3] = end(window.latest, ['│', '|'], ['>', '>']);
    ink
}

/// What the characters mean, as far as they are there.
fn keys(windows: &[Window]) -> Vec<Key> {
    let keys = [
        (windows.iter().any(|w| w.at.is_some()), ["◆", "*"], "chosen"),
        (
            windows.iter().any(|w| w.at.is_none()),
            ["├─┤", "[-]"],
            "may happen",
        ),
        (
            windows.iter().any(|w| w.broken.is_some()),
            ["×", "X"],
            "breaks",
        ),
    ];
    let keys = keys.into_iter().filter(|(is_there, ..)| *is_there);
    keys.map(|(_, signs, text)| key(signs, "", text)).collect()
}
