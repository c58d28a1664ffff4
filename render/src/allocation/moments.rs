//! The map with the agents on it, moment by moment.

use super::activity::{Kind, Row, horizon, rows};
use super::map::{self, point, projection};
use super::svg::{MAP, STYLE, WIDTH};
use crate::svg::{Canvas, colour};
use crate::time::span_text;
use std::collections::BTreeMap;
use stratagem_proto::v1::{AllocationPlan, AllocationProblem};

/// Moments after the first.
const STEPS: i64 = 32;
/// Room above the map for the time.
const TOP: f64 = 24.0;
/// Radius of an agent.
const AGENT: f64 = 7.0;

type Point = (f64, f64);

/// The map, with a group of class `moment0` for the first moment and so on, and the moments as
/// text. `None` where nobody moves on a map.
pub(super) fn picture(
    problem: &AllocationProblem,
    plan: &AllocationPlan,
) -> Option<(String, Vec<String>)> {
    let rows = rows(problem, plan);
    let (from_us, to_us) = horizon(&rows);
    let (projection, _) = projection(problem, TOP, MAP)?;
    if to_us <= from_us {
        return None;
    }
    let mut canvas = Canvas::new();
    let height = map::draw(&mut canvas, problem, plan, TOP, MAP)?;
    let tracks: Vec<_> = rows.iter().map(|row| track(problem, row)).collect();
    let mut names = Vec::new();
    for step in 0..=STEPS {
        // Divided first: times may be as long as numbers go.
        let span = to_us.saturating_sub(from_us);
        let now_us = from_us + span / STEPS * step + span % STEPS * step / STEPS;
        let name = format!("after {}", span_text(now_us));
        canvas.group(&format!("moment{step}"), |canvas| {
            canvas.text(16.0, 16.0, "now", &name);
            for (n, (row, track)) in rows.iter().zip(&tracks).enumerate() {
                if let Some(at) = position(track, now_us) {
                    let tip = format!("{}: {name}", row.agent);
                    let (x, y) = projection.apply(at.0, at.1);
                    let place = [x, y, AGENT];
                    canvas.disc(place, &colour(n), "who", &tip);
                }
            }
        });
        names.push(name);
    }
    let style = format!("{STYLE}.who{{stroke:#fff;stroke-width:2}}");
    Some((canvas.finish(WIDTH, TOP + height, &style), names))
}

/// Where an agent is at some moments, in their order; in between it goes straight.
fn track(problem: &AllocationProblem, row: &Row<'_>) -> Vec<(i64, Point)> {
    let tasks = problem.tasks.iter();
    let places: BTreeMap<_, _> = tasks
        .filter_map(|task| Some((task.id.as_str(), point(task.place.as_ref())?)))
        .collect();
    let agent = problem.agents.iter().find(|agent| agent.id == row.agent);
    let Some(mut here) = agent.and_then(|agent| point(agent.start.as_ref())) else {
        return Vec::new();
    };
    let end = agent.and_then(|agent| point(agent.end.as_ref()));
    let mut track = Vec::new();
    let mut on_the_way: Vec<(i64, i64)> = Vec::new();
    for (index, activity) in row.activities.iter().enumerate() {
        let times = (activity.from_us, activity.to_us);
        if activity.kind == Kind::Travel {
            on_the_way.push(times);
            let rest = row.activities.get(index + 1..).unwrap_or_default();
            let goes_on = rest
                .iter()
                .find(|next| next.kind != Kind::Rest)
                .is_some_and(|next| next.kind == Kind::Travel);
            if goes_on {
                continue;
            }
            let known = places.get(activity.task).copied();
            let there = if activity.task.is_empty() { end } else { known };
            let there = there.unwrap_or(here);
            walk(&mut track, here, there, &std::mem::take(&mut on_the_way));
            here = there;
        } else if on_the_way.is_empty() {
            track.extend([(times.0, here), (times.1, here)]);
        }
    }
    track
}

/// A way that may be interrupted: as much of it is done in each part as that takes.
fn walk(track: &mut Vec<(i64, Point)>, from: Point, to: Point, parts: &[(i64, i64)]) {
    let total: f64 = parts.iter().map(|part| length(part.0, part.1)).sum();
    let mut done = 0.0;
    for &part in parts {
        track.push((part.0, between(from, to, done / total.max(1.0))));
        done += length(part.0, part.1);
        track.push((part.1, between(from, to, done / total.max(1.0))));
    }
}

fn length(from_us: i64, to_us: i64) -> f64 {
    to_us.saturating_sub(from_us) as f64
}

fn between(from: Point, to: Point, share: f64) -> Point {
    (
        from.0 + (to.0 - from.0) * share,
        from.1 + (to.1 - from.1) * share,
    )
}

fn position(track: &[(i64, Point)], now_us: i64) -> Option<Point> {
    let next = track.partition_point(|(time_us, _)| *time_us <= now_us);
    let Some(last) = next.checked_sub(1) else {
        return track.first().map(|(_, at)| *at);
    };
    let (from_us, from) = track[last];
    let Some(&(to_us, to)) = track.get(next) else {
        return Some(from);
    };
    let share = length(from_us, now_us) / length(from_us, to_us).max(1.0);
    Some(between(from, to, share))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_rests_on_the_way_stays_there() {
        let mut track = Vec::new();
        walk(&mut track, (0.0, 0.0), (8.0, 4.0), &[(0, 10), (20, 50)]);
        let at = |now_us| position(&track, now_us);
        assert_eq!(at(-1), Some((0.0, 0.0)));
        assert_eq!(at(5), Some((1.0, 0.5)));
        assert_eq!(at(15), Some((2.0, 1.0)));
        assert_eq!(at(35), Some((5.0, 2.5)));
        assert_eq!(at(60), Some((8.0, 4.0)));
    }
}
