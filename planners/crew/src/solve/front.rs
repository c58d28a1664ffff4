//! The fronts of one event.

use super::matching::{Matching, cheapest};
use super::routes::{Route, Routes};
use super::watch::Watch;
use super::{Params, most, ties};
use crate::plan::{Front, Point, Role};
use crate::problem::{Event, Problem};
use anytime::Stop;

/// No time is enough.
const NEVER: u64 = u64::MAX;

/// A problem, one of its events, and all routes to it.
pub(super) type Context<'c> = (&'c Problem, &'c Event, &'c Routes<'c>);

/// For 1, 2, ... players all points that are not dominated by one of as many. `left` counts the vertices that may still be told.
///
/// # Errors
/// When told to stop.
pub(super) fn fronts(
    context: Context<'_>,
    params: &Params,
    left: &mut usize,
    watch: &Watch,
) -> Result<Vec<Front>, Stop> {
    let (_, event, routes) = context;
    let mut fronts = Vec::with_capacity(event.efforts.len());
    for (size, boxes) in boxes(context, watch)?.into_iter().enumerate() {
        let mut front = Front {
            points: Vec::with_capacity(boxes.len()),
            is_known: routes.are_known(),
        };
        // They were found by rising damage.
        for &within in boxes.iter().rev() {
            watch.look()?;
            let point = point(context, (size + 1, within), params, watch)?;
            let all = std::iter::once(&point.roles).chain(&point.others).flatten();
            let steps: usize = all.map(|role| role.fetch.len() + role.carry.len()).sum();
            let Some(rest) = left.checked_sub(steps) else {
                front.is_known = false;
                break;
            };
            *left = rest;
            front.points.push(point);
        }
        fronts.push(front);
    }
    flag(&mut fronts);
    Ok(fronts)
}

/// A worst time and a worst damage of ways.
pub(super) type Box = (u64, u64);

/// For 1, 2, ... players the times and damages of ways at the points of its front, by rising damage.
fn boxes(context: Context<'_>, watch: &Watch) -> Result<Vec<Vec<Box>>, Stop> {
    let (problem, event, routes) = context;
    let efforts = &event.efforts;
    let damages = routes.damages();
    let mut boxes = vec![Vec::new(); efforts.len()];
    let mut best = vec![NEVER; efforts.len()];
    for (level, times) in levels(context, &damages, watch)? {
        for (size, &time) in times.iter().enumerate() {
            let damage = damages[level];
            let limits = most(problem, efforts[size]);
            let fits = limits.is_some_and(|(t, d)| time <= t && damage <= d);
            if fits && time < best[size] {
                best[size] = time;
                boxes[size].push((time, damage));
            }
        }
    }
    Ok(boxes)
}

/// The least worst time of 1, 2, ... players at levels of damage, by rising level: at all where it is less than at the level before.
///
/// It never rises with the level: between two levels at which all times are the same nothing is looked at.
fn levels(
    context: Context<'_>,
    damages: &[u64],
    watch: &Watch,
) -> Result<Vec<(usize, Vec<u64>)>, Stop> {
    let Some(last) = damages.len().checked_sub(1) else {
        return Ok(Vec::new());
    };
    let mut found = vec![(0, times(context, damages[0]))];
    let mut open = vec![(last, times(context, damages[last]))];
    while let (Some((low, before)), Some((high, after))) = (found.last(), open.last()) {
        if high - low > 1 && before != after {
            watch.look()?;
            let middle = low + (high - low) / 2;
            open.push((middle, times(context, damages[middle])));
        } else {
            found.extend(open.pop());
        }
    }
    Ok(found)
}

/// The least worst time of 1, 2, ... players on routes that do at most so much damage.
fn times((problem, event, routes): Context<'_>, damage: u64) -> Vec<u64> {
    let spec = problem.spec();
    let (players, tools) = (spec.players.len(), spec.tools.len());
    let mut pairs = Vec::with_capacity(players * tools);
    for player in 0..players {
        for tool in 0..tools {
            let fastest = routes.fastest(player, tool, damage);
            pairs.extend(fastest.map(|route| (route.time, player, tool)));
        }
    }
    pairs.sort_unstable();
    let mut times = vec![NEVER; event.efforts.len()];
    let mut matching = Matching::new(players);
    for &(time, player, tool) in &pairs {
        let before = matching.size();
        matching.add(player, tool);
        let now = matching.size().min(times.len());
        times[before..now].fill(time);
        if now == times.len() {
            break;
        }
    }
    times
}

/// The point of so many players whose ways take at most so much time and damage: who does it with least total time, and who else.
fn point(
    context: Context<'_>,
    (size, within): (usize, Box),
    params: &Params,
    watch: &Watch,
) -> Result<Point, Stop> {
    let (problem, event, routes) = context;
    let spec = problem.spec();
    let both = (spec.players.len(), spec.tools.len());
    let pairs = cheapest(both, size, |player, tool| {
        routes.within(player, tool, within).map(|route| route.time)
    });
    // There are: so many were matched.
    let pairs = pairs.unwrap_or_default();
    let (others, more) = match params.ties_max {
        0 => (Vec::new(), false),
        most => ties::others(context, within, (&pairs, most), watch)?,
    };
    let effort = event.efforts[size - 1];
    let roles = |pairs: &[(usize, usize)]| roles(routes, within, pairs);
    Ok(Point {
        time_us: within.0 + effort.time_us,
        damage_micro: within.1 + effort.damage_micro,
        fewer_do: false,
        roles: roles(&pairs),
        others: others.iter().map(|pairs| roles(pairs)).collect(),
        more,
    })
}

/// What players with these tools do.
pub(super) fn roles(routes: &Routes<'_>, within: Box, pairs: &[(usize, usize)]) -> Vec<Role> {
    let role = |&(player, tool): &(usize, usize)| {
        let route: Route = routes.within(player, tool, within)?;
        let (fetch, carry) = routes.ways(player, route);
        Some(Role {
            player,
            tool,
            fetch,
            carry,
        })
    };
    pairs.iter().filter_map(role).collect()
}

/// Marks the points that fewer players reach, or better.
fn flag(fronts: &mut [Front]) {
    for size in 1..fronts.len() {
        let (fewer, rest) = fronts.split_at_mut(size);
        let fewer = || fewer.iter().flat_map(|front| &front.points);
        for point in &mut rest[0].points {
            point.fewer_do = fewer().any(|other| {
                other.time_us <= point.time_us && other.damage_micro <= point.damage_micro
            });
        }
    }
}
