//! Cyclic plans from tracks: the positions of guards at each tick.

use super::shortest_paths::ShortestPaths;
use crate::context::{Context, Position, STANDING};
use crate::plan::{Plan, Route, Stop, duration, joint_period};

/// Cyclic plan in which each guard follows its track, returns to its start, and repeats.
///
/// Where guards may stay, they wait for each other at the end of the track, so that the joint
/// period is that of the longest cycle. Where they may not and the joint period would be too long,
/// each guard goes back and forth between two vertices at the end of its track.
pub(super) fn close_cycles(context: &Context<'_>, tracks: &[Vec<Position>]) -> Plan {
    let all = tracks.iter().enumerate();
    let mut routes: Vec<Route> = all
        .map(|(guard, track)| closed_route(context, guard, track))
        .collect();
    let ticks: Vec<u64> = routes
        .iter()
        .enumerate()
        .map(|(guard, Route { cycle, .. })| duration(context.problem, guard, cycle, &cycle[0]))
        .collect();
    let longest = ticks.iter().copied().max().unwrap_or(0);
    if context.problem.spec().may_stay {
        for (route, ticks) in routes.iter_mut().zip(&ticks) {
            let wait = u32::try_from(longest - ticks).expect("cycles are short");
            route.cycle[0].stay += wait;
        }
    } else if joint_period(ticks).is_none() {
        for route in &mut routes {
            back_and_forth(context, route);
        }
    }
    Plan { routes }
}

/// Route that follows a track, returns to its start by a shortest path, and repeats.
fn closed_route(context: &Context<'_>, guard: usize, track: &[Position]) -> Route {
    let mut stops = stops(context, track);
    let mut last = stops.pop().expect("a guard is somewhere");
    let problem = context.problem;
    last.stay = last.stay.max(problem.pause(last.vertex));
    let Some(&first) = stops.first() else {
        last.stay = last.stay.max(1);
        return Route::cyclic(vec![last]);
    };
    let mut cycle = vec![last];
    cycle.extend(path_between(context, guard, last.vertex, first.vertex));
    if last.vertex == first.vertex {
        cycle[0].stay += first.stay;
    } else {
        // The first visit may have begun before the start.
        let stay = first.stay.max(problem.pause(first.vertex));
        cycle.push(Stop { stay, ..first });
    }
    cycle.extend_from_slice(&stops[1..]);
    Route::new(stops, cycle)
}

/// Stops of a track; a guard that is on an edge at the end continues to the next vertex.
pub(super) fn stops(context: &Context<'_>, track: &[Position]) -> Vec<Stop> {
    let mut stops = vec![Stop::new(track[0].vertex as usize, 0)];
    for step in track.windows(2) {
        let [from, to] = [step[0], step[1]];
        let vertex = to.vertex as usize;
        if to.edge == STANDING && from.edge == STANDING && from.vertex == to.vertex {
            stops.last_mut().expect("there is a first stop").stay += 1;
        } else if to.edge == STANDING {
            stops.push(Stop::new(vertex, 0));
        }
    }
    let last = track[track.len() - 1];
    if last.edge != STANDING {
        let edge = context.problem.out_edges(last.vertex as usize)[last.edge as usize];
        stops.push(Stop::new(edge.to, 0));
    }
    stops
}

/// Stops between two vertices on a shortest path, without the ends.
fn path_between(context: &Context<'_>, guard: usize, from: usize, to: usize) -> Vec<Stop> {
    let mut stops = Vec::new();
    ShortestPaths::new(context, guard).walk(from, to, |vertex, _| {
        stops.push(Stop::new(vertex, context.problem.pause(vertex)));
    });
    // Without the goal.
    stops.pop();
    stops
}

/// Replaces the cycle by one between its first stop and the nearest neighbour.
fn back_and_forth(context: &Context<'_>, route: &mut Route) {
    let first = route.cycle[0];
    let edges = context.problem.out_edges(first.vertex).iter();
    if let Some(edge) = edges.min_by_key(|edge| edge.length) {
        let other = Stop::new(edge.to, 0);
        route.cycle = vec![first, other];
    }
}

/// Plan in which guards follow their tracks and then repeat them from tick `from` on.
///
/// Interchangeable guards may exchange roles: at the last tick, guard g is where guard `roles[g]`
/// was at tick `from`, and continues as that one did.
pub(super) fn repeat_from(
    context: &Context<'_>,
    tracks: &[Vec<Position>],
    from: usize,
    roles: &[usize],
) -> Plan {
    let last = tracks[0].len() - 1;
    let route = |guard: usize| {
        // Its own track, then those of the roles that it takes until it is back in its own.
        let mut track = tracks[guard].clone();
        let mut role = roles[guard];
        while role != guard {
            track.extend_from_slice(&tracks[role][from + 1..=last]);
            role = roles[role];
        }
        let period = track.len() - 1 - from;
        // Two periods, so that it arrives at some vertex, if ever.
        track.extend_from_within(from + 1..);
        periodic_route(context, &track, from, period)
    };
    Plan::new((0..tracks.len()).map(route).collect())
}

/// Route of a track that has period `period` from tick `from` on.
fn periodic_route(context: &Context<'_>, track: &[Position], from: usize, period: usize) -> Route {
    let arrives = |tick: &usize| {
        let [before, now] = [track[*tick - 1], track[*tick]];
        now.edge == STANDING && (before.vertex != now.vertex || before.edge != STANDING)
    };
    let first = (from + 1..=from + period).find(arrives);
    let until = |tick: usize| {
        let mut stops = stops(context, &track[..=tick]);
        stops.pop();
        stops
    };
    if let Some(first) = first {
        let mut cycle = stops(context, &track[first..=first + period]);
        cycle.pop();
        return Route::new(until(first), cycle);
    }
    // The guard stands from some tick on.
    let vertex = track[from].vertex as usize;
    let arrived = (1..=from).rev().find(arrives).unwrap_or(0);
    let stay = u32::try_from(period).expect("periods are limited");
    let stay = stay.max(context.problem.pause(vertex));
    Route::new(until(arrived), vec![Stop::new(vertex, stay)])
}
