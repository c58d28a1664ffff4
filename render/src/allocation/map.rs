//! The map of a problem with points: tasks, routes, and agents that move.

use super::activity::{Kind, Row};
use crate::scene::{Drawing, Fit, Form, Point, Shape, Track, colour};
use crate::time::micros;
use std::collections::BTreeMap;
use stratagem_proto::v1::{
    AllocationPlace, AllocationPlan, AllocationPoint, AllocationProblem, allocation_place::At,
};

/// Width and height of the map, at most.
const SIZE: Point = (1_080.0, 560.0);
/// Tasks next to which their names are written, at most.
const NAMES_MAX: usize = 40;

/// The map; `None` where there are no points to draw.
pub(super) fn drawing(
    problem: &AllocationProblem,
    plan: &AllocationPlan,
    rows: &[Row<'_>],
) -> Option<Drawing> {
    let agents = problem.agents.iter();
    let ends = agents.flat_map(|a| [a.start.as_ref(), a.end.as_ref()]);
    let places = problem.tasks.iter().map(|t| t.place.as_ref()).chain(ends);
    let points: Vec<_> = places.filter_map(point).collect();
    points.first()?;
    let fit = Fit::new(&points, SIZE, 24.0, 1e9).centred(SIZE.0);
    let at = |place: Option<&AllocationPlace>| point(place).map(|p| fit.place(p));
    let tasks = problem.tasks.iter();
    let tasks: BTreeMap<_, _> = tasks
        .filter_map(|t| Some((t.id.as_str(), at(t.place.as_ref())?)))
        .collect();
    let mut all = Drawing {
        width: SIZE.0,
        height: fit.size.1,
        ..Drawing::default()
    };
    let mut movers = Vec::new();
    let mut owners = BTreeMap::new();
    for (n, (row, route)) in rows.iter().zip(&plan.routes).enumerate() {
        let agent = problem.agents.iter().find(|a| a.id == row.agent);
        let ends = agent.map_or([None; 2], |a| [&a.start, &a.end].map(|it| at(it.as_ref())));
        let stops = route.stops.iter();
        let stops = stops.filter_map(|s| tasks.get(s.task_id.as_str()).copied());
        let leg: Vec<_> = ends[0].into_iter().chain(stops).chain(ends[1]).collect();
        all.line(&leg, "bold pale", &colour(n));
        for stop in &route.stops {
            let done_us = micros(stop.departure_offset.as_ref());
            owners.insert(stop.task_id.as_str(), (n, done_us));
        }
        movers.push((row.agent, track(row, ends, &tasks)));
    }
    for tie in ties(problem) {
        let points: Vec<_> = tie.iter().filter_map(|id| tasks.get(id).copied()).collect();
        all.line(&points, "line dots", "#333");
    }
    for (id, centre) in &tasks {
        task(&mut all, id, *centre, owners.get(id).copied());
        if tasks.len() <= NAMES_MAX {
            all.fitted((centre.0 + 8.0, centre.1 - 6.0), "note halo", id, 110.0);
        }
    }
    for agent in &problem.agents {
        if let Some((x, y)) = at(agent.start.as_ref()) {
            all.rect([x - 4.0, y - 4.0, 8.0, 8.0], "#333")
                .tip(agent.id.as_str());
        }
    }
    for (n, (name, track)) in movers.into_iter().enumerate() {
        if !track.stops.is_empty() {
            all.traveller(track, &(n + 1).to_string(), &colour(n))
                .tip(name);
        }
    }
    Some(all)
}

/// A task, with the number of its agent's row and when it is done.
fn task(all: &mut Drawing, id: &str, centre: Point, owner: Option<(usize, i64)>) {
    let fill = owner.map_or("#fff".into(), |(n, _)| colour(n));
    let state = if owner.is_some() { "" } else { " (not done)" };
    let disc = all.disc([centre.0, centre.1, 5.0], &fill, "disc");
    disc.tip(format!("{id}{state}"));
    disc.id = Some(("task", id.to_owned()));
    if let Some((_, done_us)) = owner {
        let mut done = Shape::new(Form::Disc([centre.0, centre.1, 2.5]), "through");
        done.fill("#fff");
        done.shown = vec![[done_us, i64::MAX]];
        all.shapes.push(done);
    }
}

/// Tasks that are coupled with each other: orders, pairs, groups.
fn ties(problem: &AllocationProblem) -> Vec<Vec<&str>> {
    let Some(couplings) = &problem.couplings else {
        return Vec::new();
    };
    let orders = couplings.orders.iter();
    let orders = orders.map(|o| vec![o.first_task_id.as_str(), &o.second_task_id]);
    let pairs = couplings.pairs.iter();
    let pairs = pairs.map(|p| vec![p.pickup_task_id.as_str(), &p.delivery_task_id]);
    let groups = couplings.groups.iter();
    let groups = groups.map(|g| g.task_ids.iter().map(String::as_str).collect());
    orders.chain(pairs).chain(groups).collect()
}

/// Where an agent is at some moments; in between it goes straight. A leg may be interrupted: as
/// much of it is done in each part as that takes.
fn track(row: &Row<'_>, ends: [Option<Point>; 2], tasks: &BTreeMap<&str, Point>) -> Track {
    let mut track = Track::default();
    let Some(mut here) = ends[0] else {
        return track;
    };
    let mut legs: Vec<[i64; 2]> = Vec::new();
    for (index, it) in row.activities.iter().enumerate() {
        if it.kind != Kind::Travel {
            if legs.is_empty() {
                track.stop(it.from_us, here);
                track.stop(it.to_us, here);
            }
            continue;
        }
        legs.push([it.from_us, it.to_us]);
        let mut rest = row.activities[index + 1..].iter();
        let next = rest.find(|next| next.kind != Kind::Rest);
        if next.is_some_and(|next| next.kind == Kind::Travel) {
            continue;
        }
        let there = if it.task.is_empty() {
            ends[1]
        } else {
            tasks.get(it.task).copied()
        };
        let there = there.unwrap_or(here);
        let length = |leg: &[i64; 2]| leg[1].saturating_sub(leg[0]) as f64;
        let total = legs.iter().map(length).sum::<f64>().max(1.0);
        let mut done = 0.0;
        for leg in legs.drain(..) {
            for (at, part) in [(leg[0], done), (leg[1], done + length(&leg))] {
                let share = part / total;
                let (x, y) = (there.0 - here.0, there.1 - here.1);
                track.stop(at, (here.0 + x * share, here.1 + y * share));
            }
            done += length(&leg);
        }
        here = there;
    }
    track
}

/// The point of a place, downwards, if it has one that can be drawn.
fn point(place: Option<&AllocationPlace>) -> Option<Point> {
    match place?.at {
        Some(At::Point(AllocationPoint { x, y })) if x.is_finite() && y.is_finite() => {
            Some((x, -y))
        }
        _ => None,
    }
}
