//! Time in SVG: as data for programs, or as an animation.

use super::Px;
use crate::scene::{Clock, Shape, Stop, Track};
use std::fmt::Write as _;

/// Whether what moves is at its first place, or animated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Film {
    Still,
    Moving,
}

/// Seconds that a film waits at its end.
const WAIT: f64 = 1.0;

/// The attributes of a document: first and last moment, and what a unit is called.
pub(super) fn span(clock: &Clock) -> String {
    let [from, to] = clock.span.map(|at| moment(clock, at));
    let unit = clock.unit;
    format!(" data-from=\"{from}\" data-to=\"{to}\" data-unit=\"{unit}\"")
}

/// A moment in seconds, or in steps.
fn moment(clock: &Clock, at: i64) -> String {
    let unit = if clock.unit.is_empty() { 1e6 } else { 1e3 };
    short(at as f64 / unit, 3)
}

fn short(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text.is_empty() || text == "-0" {
        "0"
    } else {
        text
    }
    .to_owned()
}

/// Attributes and elements of a shape that moves, or is to be seen at times.
pub(super) fn written(shape: &Shape, clock: &Clock, film: Film) -> (String, String) {
    let (mut attributes, mut elements) = (String::new(), String::new());
    if let Some(track) = &shape.track
        && let Some(first) = track.stops.first()
    {
        let _ = write!(attributes, " transform=\"{}\"", translate(first));
        if track.stops.len() > 1 {
            match film {
                Film::Still => attributes += &data(track, clock),
                Film::Moving => elements += &animation(track, clock),
            }
        }
    }
    if !shape.shown.is_empty() {
        let is_first = shape.shown.iter().any(|[from, _]| *from <= clock.span[0]);
        if !is_first {
            attributes += " visibility=\"hidden\"";
        }
        match film {
            Film::Still => {
                let spans = shape.shown.iter();
                let spans = spans.map(|span| span.map(|at| moment(clock, at)).join(" "));
                let spans = spans.collect::<Vec<_>>().join(";");
                let _ = write!(attributes, " data-shown=\"{spans}\"");
            }
            Film::Moving => elements += &blinking(shape, clock, is_first),
        }
    }
    (attributes, elements)
}

fn translate(stop: &Stop) -> String {
    format!("translate({} {})", Px(stop.place.0), Px(stop.place.1))
}

fn data(track: &Track, clock: &Clock) -> String {
    let stops = track.stops.iter().map(|stop| {
        let (x, y) = (Px(stop.place.0), Px(stop.place.1));
        format!("{} {x} {y}", moment(clock, stop.at))
    });
    let stops = stops.collect::<Vec<_>>().join(";");
    let cycle = track
        .cycle
        .map(|long| format!(" data-cycle=\"{}\"", moment(clock, long)));
    format!(" data-track=\"{stops}\"{}", cycle.unwrap_or_default())
}

/// Seconds of a film, with the wait at its end.
fn seconds(clock: &Clock) -> f64 {
    let [from, to] = clock.span;
    to.saturating_sub(from) as f64 / clock.pace + WAIT
}

/// A moment as a share of a film.
fn share(clock: &Clock, at: i64) -> f64 {
    let since = at.saturating_sub(clock.span[0]) as f64 / clock.pace;
    (since / seconds(clock)).clamp(0.0, 1.0)
}

fn animation(track: &Track, clock: &Clock) -> String {
    let last = track.stops.last().map_or(0, |stop| stop.at);
    let begin = last.saturating_sub(track.cycle.unwrap_or(0));
    let (stops, length, ahead) = match track.cycle {
        Some(cycle) => {
            let stops = track.stops.iter().filter(|stop| stop.at >= begin);
            let ahead = clock
                .all_round
                .saturating_sub(begin)
                .rem_euclid(cycle.max(1));
            (stops.collect::<Vec<_>>(), cycle as f64 / clock.pace, ahead)
        }
        None => (track.stops.iter().collect(), seconds(clock), 0),
    };
    let part = |at: i64| match track.cycle {
        Some(cycle) => (at - begin) as f64 / cycle.max(1) as f64,
        None => share(clock, at),
    };
    let mut frames: Vec<(f64, &Stop)> = stops.iter().map(|stop| (part(stop.at), *stop)).collect();
    if let (Some(first), Some(end)) = (frames.first().copied(), frames.last().copied()) {
        if first.0 > 0.0 {
            frames.insert(0, (0.0, first.1));
        }
        if end.0 < 1.0 {
            frames.push((1.0, end.1));
        }
    }
    let places = frames.iter();
    let places = places.map(|(_, stop)| format!("{},{}", Px(stop.place.0), Px(stop.place.1)));
    let times = frames.iter().map(|(time, _)| short(*time, 5));
    format!(
        "<animateTransform attributeName=\"transform\" type=\"translate\" dur=\"{}s\" \
         begin=\"{}s\" repeatCount=\"indefinite\" values=\"{}\" keyTimes=\"{}\"/>",
        short(length, 2),
        short(0.0 - ahead as f64 / clock.pace, 2),
        places.collect::<Vec<_>>().join(";"),
        times.collect::<Vec<_>>().join(";")
    )
}

fn blinking(shape: &Shape, clock: &Clock, is_first: bool) -> String {
    let mut frames = Vec::new();
    if !is_first {
        frames.push(("hidden", 0.0));
    }
    for [from, to] in &shape.shown {
        frames.push(("visible", share(clock, *from)));
        if *to < clock.span[1] {
            frames.push(("hidden", share(clock, *to)));
        }
    }
    let values = frames.iter().map(|(value, _)| *value);
    let times = frames.iter().map(|(_, time)| short(*time, 5));
    format!(
        "<animate attributeName=\"visibility\" calcMode=\"discrete\" dur=\"{}s\" \
         repeatCount=\"indefinite\" values=\"{}\" keyTimes=\"{}\"/>",
        short(seconds(clock), 2),
        values.collect::<Vec<_>>().join(";"),
        times.collect::<Vec<_>>().join(";")
    )
}
