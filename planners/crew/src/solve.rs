//! How fronts are found.

mod labels;
mod matching;
mod routes;

use crate::plan::{Cost, Plan, Point, Role};
use crate::problem::{Effort, Problem};
use anytime::{Conclusion, Control, SolveError};
use matching::{Matching, cheapest};
use routes::Routes;

/// How to search: there is nothing to choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Params;

/// Finds all fronts, and offers them.
///
/// # Errors
/// None.
pub fn solve(
    problem: &Problem,
    _: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Result<Conclusion, SolveError> {
    if !control.go_on() {
        let stop = control.stop().unwrap_or(anytime::Stop::Exhausted);
        return Ok(Conclusion::Stopped(stop));
    }
    let plan = fronts(problem);
    control.offer(&plan, Cost { open: 0 }, "labels and matchings");
    Ok(Conclusion::Optimal)
}

/// For 1, 2, ... players all points that are not dominated by one of as many.
#[must_use]
pub fn fronts(problem: &Problem) -> Plan {
    let spec = problem.spec();
    let efforts = &spec.efforts;
    let mut fronts: Vec<Vec<Point>> = vec![Vec::new(); efforts.len()];
    let Some(walk) = most(problem, easiest(efforts)) else {
        return Plan { fronts };
    };
    let routes = Routes::new(problem, walk);
    let damages = routes.damages();
    let mut best = vec![NEVER; efforts.len()];
    for (level, times) in levels(problem, &routes, &damages) {
        for (size, &time) in times.iter().enumerate() {
            let damage = damages[level];
            let limits = most(problem, efforts[size]);
            let fits = limits.is_some_and(|(t, d)| time <= t && damage <= d);
            if fits && time < best[size] {
                best[size] = time;
                fronts[size].push(Point {
                    time_ms: time,
                    damage_milli: damage,
                    fewer_do: false,
                    roles: Vec::new(),
                });
            }
        }
    }
    for (size, front) in fronts.iter_mut().enumerate() {
        for point in front.iter_mut() {
            point.roles = roles(
                problem,
                &routes,
                (size + 1, point.time_ms, point.damage_milli),
            );
            point.time_ms += efforts[size].time_ms;
            point.damage_milli += efforts[size].damage_milli;
        }
        // Found by rising damage.
        front.reverse();
    }
    flag(&mut fronts);
    Plan { fronts }
}

/// No time is enough.
const NEVER: u64 = u64::MAX;

/// The least worst time of 1, 2, ... players at levels of damage, by rising level: at all where it is less than at the level before.
///
/// It never rises with the level: between two levels at which all times are the same nothing is looked at.
fn levels(problem: &Problem, routes: &Routes, damages: &[u64]) -> Vec<(usize, Vec<u64>)> {
    let Some(last) = damages.len().checked_sub(1) else {
        return Vec::new();
    };
    let mut found = vec![(0, times(problem, routes, damages[0]))];
    let mut open = vec![(last, times(problem, routes, damages[last]))];
    while let (Some((low, before)), Some((high, after))) = (found.last(), open.last()) {
        if high - low > 1 && before != after {
            let middle = low + (high - low) / 2;
            open.push((middle, times(problem, routes, damages[middle])));
        } else {
            found.extend(open.pop());
        }
    }
    found
}

/// The least worst time of 1, 2, ... players on routes that do at most so much damage.
fn times(problem: &Problem, routes: &Routes, damage: u64) -> Vec<u64> {
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
    let mut times = vec![NEVER; spec.efforts.len()];
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

/// The least that the task takes, whoever comes.
fn easiest(efforts: &[Effort]) -> Effort {
    let times = efforts.iter().map(|effort| effort.time_ms);
    let damages = efforts.iter().map(|effort| effort.damage_milli);
    Effort {
        time_ms: times.min().unwrap_or(0),
        damage_milli: damages.min().unwrap_or(0),
    }
}

/// The most time and damage that are left for the way; none where the task itself is too much.
fn most(problem: &Problem, effort: Effort) -> Option<(u64, u64)> {
    let spec = problem.spec();
    let time = spec.time_max_ms.checked_sub(effort.time_ms)?;
    let damage = spec.damage_max.most()?.checked_sub(effort.damage_milli)?;
    Some((time, damage))
}

/// Who takes what along which way so that so many come within a time and a damage: with least total time.
fn roles(problem: &Problem, routes: &Routes, (size, time, damage): (usize, u64, u64)) -> Vec<Role> {
    let spec = problem.spec();
    let route = |player, tool| {
        let route = routes.fastest(player, tool, damage);
        route.filter(|route| route.time <= time)
    };
    let both = (spec.players.len(), spec.tools.len());
    let pairs = cheapest(both, size, |player, tool| {
        route(player, tool).map(|route| route.time)
    });
    let role = |(player, tool)| {
        let (fetch, carry) = routes.ways(player, route(player, tool)?);
        Some(Role {
            player,
            tool,
            fetch,
            carry,
        })
    };
    pairs
        .unwrap_or_default()
        .into_iter()
        .filter_map(role)
        .collect()
}

/// Marks the points that fewer players reach, or better.
fn flag(fronts: &mut [Vec<Point>]) {
    for size in 1..fronts.len() {
        let (fewer, rest) = fronts.split_at_mut(size);
        for point in &mut rest[0] {
            point.fewer_do = fewer.iter().flatten().any(|other| {
                other.time_ms <= point.time_ms && other.damage_milli <= point.damage_milli
            });
        }
    }
}
