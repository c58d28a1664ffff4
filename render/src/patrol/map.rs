//! The map: edges, walls, how well vertices are watched, routes, and guards that move.

use super::ground::{Ground, distance};
use super::heat::{Heat, Watch};
use super::walk::{Visit, Walk};
use super::wishes::Wishes;
use crate::scene::{
    Clock, Drawing, Fit, Form, Key, Panel, Picture, Point, Track, colour, key, moved,
};
use std::collections::BTreeSet;
use stratagem_proto::v1::PatrolEvaluation;

/// Size of a map, and of one of several, at most.
const SIZE: Point = (1_080.0, 640.0);
const SMALL: Point = (530.0, 330.0);
/// Steps of routes that are drawn: the rest would not be seen.
const STEPS_MAX: usize = 6_000;
/// Stops of a route beyond which a guard stands still.
const STOPS_MAX: usize = 3_000;
/// Pixels between neighbours from which on there is room for names.
const NAMED_SPACING: f64 = 48.0;
/// Seconds that the longest cycle takes, at least and at most, and that a tick takes if possible.
const SECONDS: [f64; 2] = [4.0, 60.0];
const TICK_SECONDS: f64 = 0.5;

/// What is on a map besides the ground.
pub(super) enum Layer<'a> {
    /// Routes, and guards that move.
    Walks(&'a [Walk<'a>]),
    /// The same on a small map without a legend.
    Small(&'a [Walk<'a>]),
    /// Nothing.
    Bare,
}

/// Where on a map vertices are.
pub(super) struct Frame {
    fit: Fit,
    /// Radius of a vertex in pixels; half of the side of a tile.
    pub(super) radius: f64,
    /// How far apart neighbours are, in pixels.
    spacing: f64,
}

impl Frame {
    pub(super) fn place(&self, ground: &Ground<'_>, vertex: usize) -> Point {
        self.fit.place(ground.places[vertex])
    }
}

/// A map with what is known of each vertex.
pub(super) fn map(
    ground: &Ground<'_>,
    evaluation: Option<&PatrolEvaluation>,
    heat: Heat,
    layer: &Layer<'_>,
) -> Picture {
    let size = match layer {
        Layer::Small(_) => SMALL,
        _ => SIZE,
    };
    let spacing = ground.spacing().max(1e-9);
    let (margin, largest, share) = if ground.are_tiles() {
        (42.0, 40.0, 0.5)
    } else {
        (28.0, 130.0, 0.26)
    };
    let fit = Fit::new(&ground.places, size, margin, largest / spacing).centred(size.0);
    let spacing = spacing * fit.scale;
    let frame = Frame {
        fit,
        radius: (share * spacing).clamp(2.5, if share < 0.5 { 15.0 } else { 40.0 }),
        spacing,
    };
    let mut all = Drawing {
        width: size.0,
        height: fit.size.1,
        ..Drawing::default()
    };
    let watch = Watch::new(ground, evaluation, heat);
    draw_ground(&mut all, &frame, ground, &watch);
    let walks = match layer {
        Layer::Walks(walks) | Layer::Small(walks) => walks,
        Layer::Bare => &[][..],
    };
    routes(&mut all, &frame, ground, walks);
    guards(&mut all, &frame, ground, walks);
    let mut panels = vec![Panel::Drawing(all)];
    if !matches!(layer, Layer::Small(_)) {
        panels.extend(legend(ground, &watch, walks));
    }
    Picture {
        caption: String::new(),
        panels,
        clock: clock(ground, walks),
    }
}

fn draw_ground(all: &mut Drawing, frame: &Frame, ground: &Ground<'_>, watch: &Watch<'_>) {
    if ground.are_tiles() {
        walls(all, frame, ground);
    } else {
        for ([from, to], _) in &ground.edges {
            let ends = [frame.place(ground, *from), frame.place(ground, *to)];
            all.line(&ends, "line", "#bbb");
        }
    }
    let wishes = Wishes::new(ground);
    let tip = |vertex: usize| {
        let known = wishes.words(vertex).into_iter();
        let known: String = known.map(|words| format!("; {words}")).collect();
        format!("{}{}{known}", ground.label(vertex), watch.words(vertex))
    };
    let radius = frame.radius;
    for vertex in 0..ground.places.len() {
        let (x, y) = frame.place(ground, vertex);
        let fill = watch.colour(vertex);
        let shape = if ground.are_tiles() {
            let tile = [x - radius, y - radius, 2.0 * radius, 2.0 * radius];
            all.rect(tile, &fill).stroke("#bbb")
        } else {
            all.disc([x, y, radius], &fill, "disc")
        };
        shape.tip(tip(vertex));
    }
    wishes.starts(all, frame, ground);
    wishes.marks(all, frame, ground);
    if frame.spacing >= NAMED_SPACING {
        for vertex in 0..ground.places.len() {
            let (x, y) = frame.place(ground, vertex);
            let at = (x, y + radius + 12.0);
            all.fitted(at, "small", ground.label(vertex), frame.spacing);
        }
    }
    if let Some(vertex) = watch.worst {
        let (x, y) = frame.place(ground, vertex);
        let ring = all.disc([x, y, radius + 3.5], "", "ring");
        ring.tip(format!("{}: the worst place", ground.label(vertex)));
    }
    // On top, so that somebody can point at them.
    wishes.lines(all, frame, ground, tip);
}

/// Draws the cells around tiles that are no tiles.
fn walls(all: &mut Drawing, frame: &Frame, ground: &Ground<'_>) {
    let cell = |place: &Point| (place.0 as i64, place.1 as i64);
    let tiles: BTreeSet<_> = ground.places.iter().map(cell).collect();
    let around = tiles.iter().flat_map(|(x, y)| {
        let near = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy)));
        near.map(move |(dx, dy)| (x + dx, y + dy))
    });
    let walls: BTreeSet<_> = around.filter(|cell| !tiles.contains(cell)).collect();
    let radius = frame.radius;
    let cells = walls.iter().map(|(x, y)| {
        let (x, y) = frame.fit.place((*x as f64, *y as f64));
        [x - radius, y - radius, 2.0 * radius, 2.0 * radius]
    });
    let cells = Form::Cells(cells.collect());
    all.add(cells, "").fill("#5c6773").tip("wall");
}

/// Draws routes: each guard to the right of its edges, prefixes dashed.
fn routes(all: &mut Drawing, frame: &Frame, ground: &Ground<'_>, walks: &[Walk<'_>]) {
    let mut room = STEPS_MAX;
    for (n, walk) in walks.iter().enumerate() {
        let aside = frame.radius * 0.85 * (n as f64 + 0.5) / walks.len() as f64;
        let back = walk.cycle.first().filter(|_| walk.cycle.len() > 1);
        let whole = walk.prefix.iter().chain(walk.cycle.first());
        let whole: Vec<Visit> = whole.copied().collect();
        let round: Vec<Visit> = walk.cycle.iter().chain(back).copied().collect();
        for (visits, class) in [(&whole, "line dash"), (&round, "line")] {
            for ends in steps(visits).into_iter().take(room) {
                room -= 1;
                let ends = ends.map(|v| frame.place(ground, v));
                step(all, moved(ends, aside), class, &colour(n));
            }
        }
    }
}

/// Pairs of vertices that follow on each other, each once, in their order.
fn steps(visits: &[Visit]) -> Vec<[usize; 2]> {
    let mut seen = BTreeSet::new();
    let pairs = visits.windows(2);
    let pairs = pairs.map(|pair| [pair[0].vertex, pair[1].vertex]);
    pairs
        .filter(|pair| pair[0] != pair[1] && seen.insert(*pair))
        .collect()
}

/// A line with an arrow in its middle.
fn step(all: &mut Drawing, [from, to]: [Point; 2], class: &'static str, fill: &str) {
    all.line(&[from, to], class, fill);
    let middle = (f64::midpoint(from.0, to.0), f64::midpoint(from.1, to.1));
    let half = (distance(from, to) / 5.0).clamp(1.5, 4.0);
    let long = distance(from, to).max(1e-6);
    let ahead = (
        middle.0 + (to.0 - from.0) / long * half,
        middle.1 + (to.1 - from.1) / long * half,
    );
    all.head(from, ahead, fill);
}

/// Draws all guards where they start, with their tracks.
fn guards(all: &mut Drawing, frame: &Frame, ground: &Ground<'_>, walks: &[Walk<'_>]) {
    for (n, walk) in walks.iter().enumerate() {
        let mut track = Track::default();
        let visits = walk.prefix.iter().chain(&walk.cycle);
        let us = |ticks: i64| ticks.saturating_mul(ground.tick_us);
        for visit in visits.take(STOPS_MAX) {
            let at = frame.place(ground, visit.vertex);
            track.stop(us(visit.at), at);
            if visit.stay > 0 {
                track.stop(us(visit.at.saturating_add(visit.stay)), at);
            }
        }
        let is_whole = walk.prefix.len() + walk.cycle.len() <= STOPS_MAX;
        match walk.cycle.first() {
            Some(first) if walk.cycle.len() > 1 && is_whole => {
                let end = us(walk.begin.saturating_add(walk.long));
                track.stop(end, frame.place(ground, first.vertex));
                track.cycle = Some(us(walk.long));
            }
            _ if !is_whole => track.stops.truncate(1),
            _ => {}
        }
        if !track.stops.is_empty() {
            let number = (n + 1).to_string();
            all.traveller(track, &number, &colour(n)).tip(walk.name);
        }
    }
}

/// The time until all guards have been round twice.
fn clock(ground: &Ground<'_>, walks: &[Walk<'_>]) -> Option<Clock> {
    let longest = walks.iter().map(|w| w.long).max()?;
    let all_round = walks.iter().map(|w| w.begin).max()?;
    let us = |ticks: i64| ticks.saturating_mul(ground.tick_us);
    let long = longest.max(1) as f64;
    let seconds = (TICK_SECONDS * long).clamp(SECONDS[0], SECONDS[1]);
    let end = all_round.saturating_add(longest.saturating_mul(2));
    let clock = Clock::of_time([0, us(end)], 1.0)?;
    Some(Clock {
        pace: us(longest) as f64 / seconds,
        all_round: us(all_round),
        ..clock
    })
}

/// What marks and colours mean.
pub(super) fn legend(ground: &Ground<'_>, watch: &Watch<'_>, walks: &[Walk<'_>]) -> Vec<Panel> {
    let notes = Wishes::new(ground).legend().into_iter();
    let mut panels: Vec<Panel> = notes.map(|note| Panel::Note(note.to_owned())).collect();
    if watch.is_known() {
        let keys = watch.legend();
        let keys = keys.iter().map(|(fill, text)| key([""; 2], fill, text));
        panels.push(Panel::Legend(keys.collect()));
        let worst = match watch.worst {
            Some(_) => "; ringed: the worst place",
            None => "",
        };
        panels.push(Panel::Note(format!("{}{worst}", watch.title())));
    }
    let guards = walks.iter().enumerate();
    let guards =
        guards.map(|(n, walk)| key([""; 2], &colour(n), &format!("{} {}", n + 1, walk.name)));
    let guards: Vec<Key> = guards.collect();
    if !guards.is_empty() {
        panels.push(Panel::Legend(guards));
    }
    panels
}
