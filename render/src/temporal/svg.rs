//! Network and time line as one SVG document.

use super::Drawn;
use super::graph::{Graph, Link, Order, Owner};
use super::layout::{Layout, layout};
use super::links::range_text;
use super::timeline::{horizon, in_order};
use super::windows::{Window, windows};
use crate::axis::PixelAxis;
use crate::label::fit;
use crate::svg::Canvas;
use crate::time::span_text;
use stratagem_proto::v1::TemporalNetwork;

/// Least width of the document in pixels.
const WIDTH_MIN: f64 = 960.0;
/// Size of the box of an event.
const BOX: (f64, f64) = (136.0, 36.0);
/// From one box to the next.
const PITCH: (f64, f64) = (220.0, 60.0);
/// Left end of the time line.
const BARS_LEFT: f64 = 200.0;
/// Height of a row of the time line.
const ROW: f64 = 20.0;
/// Links that are drawn, those that clash first.
const LINKS_MAX: usize = 2_000;
/// Links whose bounds are written beside them; the others have them as tooltips.
const LABELS_MAX: usize = 80;
/// Letters of a name in a box, and beside a row.
const LETTERS: usize = 19;
const STYLE: &str = "text{font:12px sans-serif;fill:#222}.title{font-size:18px;font-weight:bold}\
                     .tick{font-size:11px;fill:#666;text-anchor:middle}.name{text-anchor:end}\
                     .event{text-anchor:middle}.range{font-size:10px;fill:#555;text-anchor:middle}\
                     .bounds{font-size:10px;text-anchor:middle;paint-order:stroke;stroke:#fff;\
                     stroke-width:3px}.before{fill:none;stroke-width:1.2}\
                     .any{fill:none;stroke-width:1;stroke-dasharray:2 4}\
                     .contingent{fill:none;stroke-width:2.4;stroke-dasharray:8 3}\
                     .clash{fill:none;stroke-width:2.6}.grid{stroke-width:.5}";

/// Returns a network as a self-contained SVG document without scripts: its events in columns by
/// time, links between them, and below when each event may happen. Ours are green boxes, teammates'
/// orange, Nature's violet. Links with an order have an arrow, contingent ones are dashed, those
/// without an order dotted; what clashes is red. Ids, bounds and times are tooltips.
///
/// The layout depends on the arguments alone. At most 2,000 links are drawn, those that clash
/// first.
#[must_use]
pub fn svg(network: &TemporalNetwork, drawn: Drawn<'_>) -> String {
    let mut canvas = Canvas::new();
    if network.title.is_empty() {
        return draw(canvas, network, drawn, 20.0);
    }
    canvas.text(16.0, 30.0, "title", &network.title);
    draw(canvas, network, drawn, 52.0)
}

/// The same without the title, for where it is already.
pub(super) fn untitled(network: &TemporalNetwork, drawn: Drawn<'_>) -> String {
    draw(Canvas::new(), network, drawn, 20.0)
}

/// Draws everything below `top`.
fn draw(mut canvas: Canvas, network: &TemporalNetwork, drawn: Drawn<'_>, mut top: f64) -> String {
    let graph = Graph::new(network, &drawn);
    let windows = windows(&graph, &drawn);
    let layout = layout(&graph, &windows);
    let picture = Picture {
        graph: &graph,
        windows: &windows,
        layout: &layout,
        top,
    };
    picture.links(&mut canvas);
    picture.events(&mut canvas);
    top += layout.rows as f64 * PITCH.1;
    legend(&mut canvas, &graph, top);
    top += 12.0;
    let width = (layout.columns as f64 * PITCH.0).max(WIDTH_MIN);
    let height = picture.timeline(&mut canvas, top, width);
    canvas.finish(width, top + height, STYLE)
}

struct Picture<'a> {
    graph: &'a Graph<'a>,
    windows: &'a [Window],
    layout: &'a Layout,
    top: f64,
}

impl Picture<'_> {
    /// Left upper corner of an event's box.
    fn corner(&self, event: usize) -> (f64, f64) {
        let (column, row) = self.layout.places[event];
        (16.0 + column as f64 * PITCH.0, self.top + row * PITCH.1)
    }

    fn links(&self, canvas: &mut Canvas) {
        let between = |l: &&Link| l.ends.iter().all(Option::is_some) && l.ends[0] != l.ends[1];
        let mut links: Vec<&Link> = self.graph.links.iter().filter(between).collect();
        links.sort_by_key(|l| !l.clashes);
        let labels = links.len() <= LABELS_MAX;
        links.truncate(LINKS_MAX);
        // What clashes is drawn last, over the others.
        for link in links.iter().rev() {
            self.link(canvas, link, labels);
        }
    }

    fn link(&self, canvas: &mut Canvas, link: &Link, labels: bool) {
        let [Some(from), Some(to)] = link.ends else {
            return;
        };
        let (a, b) = (self.corner(from), self.corner(to));
        let middle = BOX.1 / 2.0;
        let start = (a.0 + BOX.0, a.1 + middle);
        // Within a column, and backwards, links come in from the right.
        let forward = b.0 > a.0;
        let end = if forward { b.0 } else { b.0 + BOX.0 };
        let end = (end, b.1 + middle);
        let bulge = if forward {
            ((end.0 - start.0) / 2.0).max(20.0)
        } else {
            50.0
        };
        let before_end = if forward { -bulge } else { bulge };
        let bend = [(start.0 + bulge, start.1), (end.0 + before_end, end.1)];
        let (class, colour) = look(link);
        let tip = format!("{}: {}", link.id, range_text(link));
        canvas.curve([start, bend[0], bend[1], end], class, colour, &tip);
        if link.order != Order::Any {
            let back = if forward { -8.0 } else { 8.0 };
            let head = [
                end,
                (end.0 + back, end.1 - 4.0),
                (end.0 + back, end.1 + 4.0),
            ];
            canvas.polygon(&head, colour);
        }
        if labels {
            // The middle of a cubic curve.
            let at = |p: f64, q: f64, r: f64, s: f64| (p + 3.0 * q + 3.0 * r + s) / 8.0;
            let x = at(start.0, bend[0].0, bend[1].0, end.0);
            let y = at(start.1, bend[0].1, bend[1].1, end.1);
            canvas.text(x, y - 3.0, "bounds", &range_text(link));
        }
    }

    fn events(&self, canvas: &mut Canvas) {
        let mut clashes = vec![false; self.graph.events.len()];
        for link in self.graph.links.iter().filter(|l| l.clashes) {
            for end in link.ends.into_iter().flatten() {
                clashes[end] = true;
            }
        }
        for (i, id) in self.graph.events.iter().enumerate() {
            let (x, y) = self.corner(i);
            let stroke = if clashes[i] { "#d00" } else { "#333" };
            let range = window_text(self.windows[i]);
            let colours = (light(self.graph.owners[i]), stroke);
            canvas.outlined(
                [x, y, BOX.0, BOX.1],
                colours.0,
                colours.1,
                &format!("{id}: {range}"),
            );
            let middle = x + BOX.0 / 2.0;
            canvas.text(middle, y + 15.0, "event", fit(id, LETTERS, "…").trim_end());
            canvas.text(middle, y + 29.0, "range", &range);
        }
    }

    /// Draws when events may happen below `top` and returns the height of it.
    fn timeline(&self, canvas: &mut Canvas, top: f64, width: f64) -> f64 {
        let axis = PixelAxis {
            left: BARS_LEFT,
            room: width - BARS_LEFT - 32.0,
            horizon: horizon(self.windows),
        };
        let order = in_order(self.windows);
        let first = top + 40.0;
        let height = order.len() as f64 * ROW;
        axis.grid(canvas, first, height);
        for (n, i) in order.into_iter().enumerate() {
            let y = first + n as f64 * ROW;
            let (id, window) = (self.graph.events[i], self.windows[i]);
            let name = fit(id, LETTERS + 8, "…");
            canvas.text(BARS_LEFT - 10.0, y + 14.0, "name", name.trim_end());
            let left = window.earliest.map_or(axis.left, |at| axis.x(at));
            let right = window.latest.map_or(axis.left + axis.room, |at| axis.x(at));
            // A single moment stays visible.
            let bar = [left, y + 5.0, (right - left).max(2.0), ROW - 10.0];
            let fill = strong(self.graph.owners[i]);
            let tip = format!("{id}: {}", window_text(window));
            canvas.rect(bar, fill, &tip);
            if let Some(at) = window.at {
                canvas.circle(axis.x(at), y + ROW / 2.0, fill, &tip);
            }
            if let Some(at) = window.broken {
                let tip = format!("{id} at {}: breaks", span_text(at));
                canvas.circle(axis.x(at), y + ROW / 2.0, "#d00", &tip);
            }
        }
        height + 56.0
    }
}

/// Names the colours that are there, on one line.
fn legend(canvas: &mut Canvas, graph: &Graph<'_>, top: f64) {
    let owned = |owner: Owner| graph.owners.contains(&owner);
    let entries = [
        (owned(Owner::Us), strong(Owner::Us), "ours"),
        (
            owned(Owner::Teammate),
            strong(Owner::Teammate),
            "a teammate's",
        ),
        (owned(Owner::Nature), strong(Owner::Nature), "Nature's"),
        (graph.links.iter().any(|l| l.clashes), "#d00", "clashes"),
    ];
    let shown = entries.into_iter().filter(|(there, ..)| *there);
    for (n, (_, colour, name)) in shown.enumerate() {
        let x = 16.0 + n as f64 * 110.0;
        canvas.rect([x, top, 10.0, 10.0], colour, name);
        canvas.text(x + 15.0, top + 9.0, "legend", name);
    }
}

/// Class and colour of a link.
fn look(link: &Link) -> (&'static str, &'static str) {
    match link.order {
        _ if link.clashes => ("clash", "#d00"),
        Order::Before => ("before", "#555"),
        Order::Any => ("any", "#999"),
        Order::Contingent => ("contingent", "#7a3fb0"),
    }
}

fn light(owner: Owner) -> &'static str {
    match owner {
        Owner::Us => "#dff3e1",
        Owner::Teammate => "#fdeacc",
        Owner::Nature => "#ece0f8",
    }
}

fn strong(owner: Owner) -> &'static str {
    match owner {
        Owner::Us => "#2e8b57",
        Owner::Teammate => "#d98e04",
        Owner::Nature => "#7a3fb0",
    }
}

/// When an event happens, for people.
pub(super) fn window_text(window: Window) -> String {
    match (window.at, window.earliest, window.latest) {
        (Some(at), ..) => format!("at {}", span_text(at)),
        (None, Some(a), Some(b)) if a == b => format!("at {}", span_text(a)),
        (None, Some(a), Some(b)) => format!("{} to {}", span_text(a), span_text(b)),
        (None, Some(a), None) => format!("from {}", span_text(a)),
        (None, None, Some(b)) => format!("until {}", span_text(b)),
        (None, None, None) => "any time".into(),
    }
}
