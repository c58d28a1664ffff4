//! A network as a picture: events in columns by time, and links between them.

use super::graph::{Graph, Link, Order, Owner};
use super::layout::{Layout, layout};
use super::windows::Window;
use crate::scene::{Drawing, Form, Point};
use crate::time::bounds_text;

/// Size of the box of an event, and from one box to the next.
const BOX: Point = (136.0, 36.0);
const PITCH: Point = (220.0, 60.0);
/// Links that are drawn, those that clash first.
const LINKS_MAX: usize = 2_000;
/// Links next to which their bounds are written; the others have them as tooltips.
const LABELS_MAX: usize = 80;

/// Events, links, and what the colours mean.
pub(super) fn drawing(graph: &Graph<'_>, windows: &[Window]) -> Drawing {
    let layout = layout(graph, windows);
    let mut all = Drawing {
        width: layout.columns as f64 * PITCH.0,
        height: layout.rows as f64 * PITCH.1 + 34.0,
        ..Drawing::default()
    };
    links(&mut all, graph, &layout);
    events(&mut all, graph, windows, &layout);
    legend(&mut all, graph, layout.rows as f64 * PITCH.1 + 12.0);
    all
}

/// Left upper corner of an event's box.
fn corner(layout: &Layout, event: usize) -> Point {
    let (column, row) = layout.places[event];
    (16.0 + column as f64 * PITCH.0, 8.0 + row * PITCH.1)
}

fn links(all: &mut Drawing, graph: &Graph<'_>, layout: &Layout) {
    let between = |l: &&Link| l.ends.iter().all(Option::is_some) && l.ends[0] != l.ends[1];
    let mut links: Vec<&Link> = graph.links.iter().filter(between).collect();
    links.sort_by_key(|l| !l.clashes);
    let has_labels = links.len() <= LABELS_MAX;
    links.truncate(LINKS_MAX);
    // What clashes is drawn last, over the others.
    for link in links.iter().rev() {
        if let [Some(from), Some(to)] = link.ends {
            let ends = [corner(layout, from), corner(layout, to)];
            let label = draw(all, link, ends);
            if has_labels {
                let text = bounds_text(link.lower, link.upper);
                all.text(label, "small halo", &text);
            }
        }
    }
}

/// Draws a link; returns the place of its label.
fn draw(all: &mut Drawing, link: &Link, [a, b]: [Point; 2]) -> Point {
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
    let tip = format!("{}: {}", link.id, bounds_text(link.lower, link.upper));
    let curve = Form::Curve([start, bend[0], bend[1], end]);
    all.add(curve, class).stroke(colour).tip(tip);
    if link.order != Order::Any {
        all.head((end.0 + before_end, end.1), end, colour);
    }
    // The middle of a cubic curve.
    let at = |p: f64, q: f64, r: f64, s: f64| (p + 3.0 * q + 3.0 * r + s) / 8.0;
    (
        at(start.0, bend[0].0, bend[1].0, end.0),
        at(start.1, bend[0].1, bend[1].1, end.1) - 3.0,
    )
}

fn events(all: &mut Drawing, graph: &Graph<'_>, windows: &[Window], layout: &Layout) {
    let mut clashes = vec![false; graph.events.len()];
    for link in graph.links.iter().filter(|l| l.clashes) {
        for end in link.ends.into_iter().flatten() {
            clashes[end] = true;
        }
    }
    for (i, id) in graph.events.iter().enumerate() {
        let (x, y) = corner(layout, i);
        let stroke = if clashes[i] { "#d00" } else { "#333" };
        let range = windows[i].words();
        let card = all.card([x, y, BOX.0, BOX.1], graph.owners[i].light(), stroke);
        card.tip(format!("{id}: {range}"));
        let middle = x + BOX.0 / 2.0;
        all.fitted((middle, y + 15.0), "middle", id, BOX.0 - 6.0);
        all.fitted((middle, y + 29.0), "small", &range, BOX.0 - 6.0);
    }
}

/// Names the colours that are there, on one line.
fn legend(all: &mut Drawing, graph: &Graph<'_>, top: f64) {
    let owners = [Owner::Us, Owner::Teammate, Owner::Nature];
    let owners = owners.into_iter().filter(|it| graph.owners.contains(it));
    let mut entries: Vec<_> = owners.map(|it| (it.strong(), it.word())).collect();
    if graph.links.iter().any(|link| link.clashes) {
        entries.push(("#d00", "clashes"));
    }
    for (n, (fill, name)) in entries.into_iter().enumerate() {
        let x = 16.0 + n as f64 * 110.0;
        all.rect([x, top, 10.0, 10.0], fill);
        all.text((x + 15.0, top + 9.0), "note", name);
        all.width = all.width.max(x + 110.0);
    }
}

/// Class and colour of a link.
fn look(link: &Link) -> (&'static str, &'static str) {
    match link.order {
        _ if link.clashes => ("bold", "#d00"),
        Order::Before => ("line", "#555"),
        Order::Any => ("line dots", "#999"),
        Order::Contingent => ("bold dash", "#7a3fb0"),
    }
}
