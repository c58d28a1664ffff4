//! The fronts of one event.

use super::assignment::Assignments;
use super::bottleneck_front::BottleneckFront;
use super::resources::Resources;
use super::routes::{Route, Routes};
use super::{Params, alternative_optima::alternative_optima, walk_limits};
use crate::plan::{Front, Point, Role};
use crate::problem::{Event, Problem};
use anytime::{Stop, Ticker};

/// What the fronts of an event are made of.
#[derive(Clone, Copy)]
pub(super) struct Context<'c> {
    pub problem: &'c Problem,
    pub event: &'c Event,
    /// All routes to the event.
    pub routes: &'c Routes<'c>,
}

/// For 1, 2, ... players all points that no point of the same number of players dominates. `left`
/// counts the vertices that may still be listed.
///
/// # Errors
/// When stopped.
pub(super) fn fronts_of_event(
    context: Context<'_>,
    params: &Params,
    left: &mut usize,
    ticker: &Ticker,
) -> Result<Vec<Front>, Stop> {
    let Context {
        problem,
        event,
        routes,
    } = context;
    let spec = problem.spec();
    let (players, tools) = (spec.players.len(), spec.tools.len());
    let mut points = BottleneckFront::new(routes, players, tools);
    let mut assignments = Assignments::new(players, tools, routes);
    let mut fronts = Vec::with_capacity(event.efforts.len());
    for (size, effort) in (1..).zip(&event.efforts) {
        let mut front = Front {
            points: Vec::new(),
            is_known: routes.are_known(),
        };
        points.begin(size, walk_limits(problem, *effort));
        assignments.begin(size);
        while let Some(worst) = points.next(ticker)? {
            let pairs = assignments.next(points.prices(), worst.time);
            // They exist: this number was matched.
            let pairs = pairs.unwrap_or_default();
            let point = point(context, worst, &pairs, params, ticker)?;
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

/// The point of these players with these tools, whose routes are within limits; and its other
/// assignments.
fn point(
    context: Context<'_>,
    limits: Resources,
    pairs: &[(usize, usize)],
    params: &Params,
    ticker: &Ticker,
) -> Result<Point, Stop> {
    let Context { event, routes, .. } = context;
    let (others, more) = match params.ties_max {
        0 => (Vec::new(), false),
        most => alternative_optima(context, limits, pairs, most, ticker)?,
    };
    let effort = event.efforts[pairs.len() - 1];
    let roles = |pairs: &[(usize, usize)]| roles(routes, limits, pairs);
    Ok(Point {
        time_us: limits.time + effort.time_us,
        damage_micro: limits.damage + effort.damage_micro,
        fewer_do: false,
        roles: roles(pairs),
        others: others.iter().map(|pairs| roles(pairs)).collect(),
        more,
    })
}

/// What players with these tools do within limits.
pub(super) fn roles(routes: &Routes<'_>, limits: Resources, pairs: &[(usize, usize)]) -> Vec<Role> {
    let role = |&(player, tool): &(usize, usize)| {
        let route: Route = routes.fastest_within(player, tool, limits)?;
        let (fetch, carry) = routes.legs(player, route);
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
