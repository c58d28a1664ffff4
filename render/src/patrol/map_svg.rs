//! The map: ways, how well vertices are watched, and routes.

use super::frame::Frame;
use super::ground::{Ground, distance};
use super::heat::Watch;
use super::walk::{Visit, Walk};
use super::wishes::Wishes;
use crate::label::fit;
use crate::svg::{Canvas, colour};
use std::collections::BTreeSet;

/// Steps of routes that are drawn: the rest would not be seen.
const STEPS_MAX: usize = 6_000;
/// Pixels between neighbours from which on there is room for names.
const NAMED_SPACING: f64 = 48.0;

/// Draws ways and vertices, with what is known of them.
pub(super) fn ground(canvas: &mut Canvas, frame: &Frame, ground: &Ground<'_>, watch: &Watch<'_>) {
    for ([from, to], _) in &ground.edges {
        let ends = [
            frame.scaled(ground.places[*from]),
            frame.scaled(ground.places[*to]),
        ];
        canvas.polyline(&ends, "way", "#bbb");
    }
    let wishes = Wishes::new(ground);
    wishes.starts(canvas, frame, ground);
    let tip = |vertex: usize| {
        let said = wishes.words(vertex).into_iter();
        let said: String = said.map(|words| format!("; {words}")).collect();
        format!("{}{}{said}", ground.label(vertex), watch.words(vertex))
    };
    for (vertex, place) in ground.places.iter().enumerate() {
        let tip = tip(vertex);
        let fill = watch.colour(vertex);
        let (x, y) = frame.scaled(*place);
        canvas.disc([x, y, frame.radius], &fill, "vertex", &tip);
    }
    wishes.marks(canvas, frame, ground);
    names(canvas, frame, ground);
    if let Some(vertex) = watch.worst {
        let tip = format!("{}: the worst place", ground.label(vertex));
        let (x, y) = frame.scaled(ground.places[vertex]);
        canvas.disc([x, y, frame.radius + 3.5], "none", "worst", &tip);
    }
    // On top, so that somebody can point at them.
    wishes.lines(canvas, frame, ground, tip);
}

/// Names below vertices, where there is room.
fn names(canvas: &mut Canvas, frame: &Frame, ground: &Ground<'_>) {
    if frame.spacing < NAMED_SPACING {
        return;
    }
    // A letter is about 5 pixels wide.
    let columns = (frame.spacing / 5.0) as usize;
    for (vertex, place) in ground.places.iter().enumerate() {
        let (x, y) = frame.scaled(*place);
        let name = fit(ground.label(vertex), columns, "…");
        canvas.text(x, y + frame.radius + 12.0, "name", name.trim_end());
    }
}

/// Draws routes: each guard to the right of its way, prefixes dashed, a dot where it starts.
pub(super) fn routes(canvas: &mut Canvas, frame: &Frame, ground: &Ground<'_>, walks: &[Walk<'_>]) {
    let mut room = STEPS_MAX;
    for (n, walk) in walks.iter().enumerate() {
        let aside = frame.radius * 0.85 * (n as f64 + 0.5) / walks.len() as f64;
        let fill = colour(n);
        let back = walk.cycle.first().filter(|_| walk.cycle.len() > 1);
        let whole: Vec<Visit> = walk
            .prefix
            .iter()
            .chain(walk.cycle.first())
            .copied()
            .collect();
        let round: Vec<Visit> = walk.cycle.iter().chain(back).copied().collect();
        for (visits, class) in [(&whole, "prefix"), (&round, "route")] {
            for [from, to] in steps(visits).into_iter().take(room) {
                room -= 1;
                let ends = [from, to].map(|v| frame.scaled(ground.places[v]));
                step(canvas, ends, aside, class, &fill);
            }
        }
    }
    for (n, walk) in walks.iter().enumerate() {
        if let Some(first) = walk.prefix.first().or(walk.cycle.first()) {
            let (x, y) = frame.scaled(ground.places[first.vertex]);
            // Guards that start together stand side by side.
            let before = walks[..n].iter().filter(|w| {
                let visit = w.prefix.first().or(w.cycle.first());
                visit.is_some_and(|v| v.vertex == first.vertex)
            });
            // Three in a row: they stay on the canvas.
            let before = before.count();
            let (x, y) = (
                x + 10.0 * (before % 3) as f64,
                y + 10.0 * (before / 3) as f64,
            );
            let tip = format!("{} starts here", walk.name);
            canvas.outlined([x - 4.0, y - 4.0, 8.0, 8.0], &colour(n), "#000", &tip);
        }
    }
}

/// Pairs of vertices that follow on each other, each once, in their order.
fn steps(visits: &[Visit]) -> Vec<[usize; 2]> {
    let mut seen = BTreeSet::new();
    let pairs = visits
        .windows(2)
        .map(|pair| [pair[0].vertex, pair[1].vertex]);
    pairs
        .filter(|pair| pair[0] != pair[1] && seen.insert(*pair))
        .collect()
}

/// A line beside a way, with an arrow in its middle.
fn step(canvas: &mut Canvas, [from, to]: [(f64, f64); 2], aside: f64, class: &str, fill: &str) {
    let long = distance(from, to).max(1e-6);
    let (x, y) = ((to.0 - from.0) / long, (to.1 - from.1) / long);
    let shifted = |point: (f64, f64)| (point.0 - y * aside, point.1 + x * aside);
    let (from, to) = (shifted(from), shifted(to));
    canvas.polyline(&[from, to], class, fill);
    let half = (long / 5.0).clamp(1.5, 5.0);
    let (mx, my) = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
    let tip = (mx + x * half, my + y * half);
    let left = (
        mx - x * half - y * half * 0.7,
        my - y * half + x * half * 0.7,
    );
    let right = (
        mx - x * half + y * half * 0.7,
        my - y * half - x * half * 0.7,
    );
    canvas.polygon(&[tip, left, right], fill);
}

/// Draws what marks and colours mean below `top`; returns the height.
pub(super) fn legend(
    canvas: &mut Canvas,
    [left, top]: [f64; 2],
    ground: &Ground<'_>,
    watch: &Watch<'_>,
    walks: &[Walk<'_>],
) -> f64 {
    let mut y = top;
    for marks in Wishes::new(ground).legend() {
        canvas.text(left, y + 11.0, "note", marks);
        y += 16.0;
    }
    if watch.is_known() {
        let mut x = left;
        for (fill, text) in watch.legend() {
            canvas.rect([x, y, 16.0, 12.0], &fill, &text);
            canvas.text(x + 20.0, y + 11.0, "note", &text);
            x += 36.0 + 7.0 * text.chars().count() as f64;
        }
        let worst = match watch.worst {
            Some(_) => "; ringed: the worst place",
            None => "",
        };
        canvas.text(x, y + 11.0, "note", &format!("{}{worst}", watch.title()));
        y += 22.0;
    }
    let mut x = left;
    for (n, walk) in walks.iter().enumerate() {
        let text = format!("{} {}", n + 1, walk.name);
        let wide = 36.0 + 7.0 * text.chars().count().min(60) as f64;
        if x > left && x + wide > 940.0 {
            (x, y) = (left, y + 20.0);
        }
        canvas.rect([x, y, 16.0, 12.0], &colour(n), walk.name);
        canvas.text(x + 20.0, y + 11.0, "note", &text);
        x += wide;
    }
    if walks.is_empty() {
        y - top
    } else {
        y + 20.0 - top
    }
}
