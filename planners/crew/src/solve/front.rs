//! The fronts of one event.

use super::assignment::Assignments;
use super::routes::{Route, Routes};
use super::stairs::Stairs;
use super::watch::Watch;
use super::{Params, ties, walk_limits};
use crate::plan::{Front, Point, Role};
use crate::problem::{Event, Problem};
use anytime::Stop;

/// A problem, one of its events, and all routes to it.
pub(super) type Context<'c> = (&'c Problem, &'c Event, &'c Routes<'c>);

/// For 1, 2, ... players all points that no point of the same number of players dominates. `left`
/// counts the vertices that may still be listed.
///
/// # Errors
/// When stopped.
pub(super) fn fronts(
    context: Context<'_>,
    params: &Params,
    left: &mut usize,
    watch: &Watch,
) -> Result<Vec<Front>, Stop> {
    let (problem, event, routes) = context;
    let spec = problem.spec();
    let both = (spec.players.len(), spec.tools.len());
    let mut stairs = Stairs::new(routes, both);
    let mut assignments = Assignments::new(both, routes);
    let mut fronts = Vec::with_capacity(event.efforts.len());
    for (size, effort) in (1..).zip(&event.efforts) {
        let mut front = Front {
            points: Vec::new(),
            is_known: routes.are_known(),
        };
        stairs.begin(size, walk_limits(problem, *effort));
        assignments.begin(size);
        while let Some(within) = stairs.next(watch)? {
            let pairs = assignments.next(stairs.prices(), within.0);
            // They exist: this number was matched.
            let pairs = pairs.unwrap_or_default();
            let point = point(context, (within, &pairs), params, watch)?;
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

/// The point of these players with these tools, whose legs are within this time and damage; and its
/// other assignments.
fn point(
    context: Context<'_>,
    (within, pairs): (Box, &[(usize, usize)]),
    params: &Params,
    watch: &Watch,
) -> Result<Point, Stop> {
    let (_, event, routes) = context;
    let (others, more) = match params.ties_max {
        0 => (Vec::new(), false),
        most => ties::others(context, within, (pairs, most), watch)?,
    };
    let effort = event.efforts[pairs.len() - 1];
    let roles = |pairs: &[(usize, usize)]| roles(routes, within, pairs);
    Ok(Point {
        time_us: within.0 + effort.time_us,
        damage_micro: within.1 + effort.damage_micro,
        fewer_do: false,
        roles: roles(pairs),
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
pub(super) fn flag(fronts: &mut [Front]) {
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
