//! Several events at once: which of them, how many players for each, and who.
//!
//! A time and a damage allow some pairs of player and tool for each event and number of players;
//! whether there are enough for all events, no player and no tool twice, is searched exactly, up to
//! a number of nodes. Least times and damages are found by bisection.

use super::front::roles;
use super::resources::Resources;
use super::routes::Routes;
use super::share::{Answer, Demand, share};
use super::walk_limits;
use crate::plan::{Joint, JointPoint, Team};
use crate::problem::{Effort, Problem};
use anytime::{Stop, Ticker};
use std::collections::BTreeMap;

/// All routes to each event; none where nobody may come.
pub(super) type RoutesToEvents<'w> = [Option<Routes<'w>>];

/// A set of events, as bits.
type Set = u32;

/// Finds results for all events together. `left` counts the vertices that may still be listed.
///
/// # Errors
/// When stopped.
pub(super) fn joint(
    problem: &Problem,
    routes: &RoutesToEvents<'_>,
    left: &mut usize,
    ticker: &Ticker,
) -> Result<Joint, Stop> {
    let mut search = Search {
        problem,
        routes,
        ticker,
        is_known: routes.iter().flatten().all(Routes::are_known),
    };
    let time = problem.spec().time_max_us;
    let Some(mut damage) = problem.spec().damage_max.max_allowed() else {
        return Ok(Joint {
            points: Vec::new(),
            is_known: true,
        });
    };
    let sets = search.sets(Resources::new(time, damage))?;
    let mut points = Vec::new();
    while let Some(point) = search.fastest(&sets, Resources::new(time, damage))? {
        let point = search.gentlest(&sets, point)?;
        let steps = point.teams.iter().flat_map(|team| &team.roles);
        let steps: usize = steps.map(|role| role.fetch.len() + role.carry.len()).sum();
        let Some(rest) = left.checked_sub(steps) else {
            search.is_known = false;
            break;
        };
        *left = rest;
        let next = point.damage_micro.checked_sub(1);
        points.push(point);
        let Some(next) = next else {
            break;
        };
        damage = next;
    }
    // Where something stayed open, a later point may be as fast as one before.
    points.dedup_by(|later, before| {
        let dominates = later.time_us <= before.time_us;
        if dominates {
            std::mem::swap(later, before);
        }
        dominates
    });
    let is_known = search.is_known;
    Ok(Joint { points, is_known })
}

struct Search<'s> {
    problem: &'s Problem,
    routes: &'s RoutesToEvents<'s>,
    ticker: &'s Ticker,
    /// Whether every answer so far was proved.
    is_known: bool,
}

impl Search<'_> {
    /// The sets that leave out the fewest events, low ranks first, except those proved impossible.
    fn sets(&mut self, within: Resources) -> Result<Vec<Set>, Stop> {
        let events = &self.problem.spec().events;
        let mut by_left_out: BTreeMap<Vec<(u32, usize)>, Vec<Set>> = BTreeMap::new();
        for set in 1..1_u32 << events.len() {
            let mut left_out: BTreeMap<u32, usize> = BTreeMap::new();
            for (event, it) in events.iter().enumerate() {
                *left_out.entry(it.rank).or_default() += usize::from(set & (1 << event) == 0);
            }
            let left_out = left_out.into_iter().collect();
            by_left_out.entry(left_out).or_default().push(set);
        }
        for sets in by_left_out.into_values() {
            let mut possible = Vec::new();
            let mut any = false;
            for set in sets {
                match self.ask(set, within)? {
                    Answer::Teams(_) => {
                        any = true;
                        possible.push(set);
                    }
                    Answer::Open => possible.push(set),
                    Answer::No => {}
                }
            }
            if any {
                return Ok(possible);
            }
            self.is_known &= possible.is_empty();
        }
        Ok(Vec::new())
    }

    /// Teams for one of the sets within a time and a damage.
    fn teams_for_one(&self, sets: &[Set], within: Resources) -> Result<Answer, Stop> {
        let mut open = false;
        for set in sets {
            match self.ask(*set, within)? {
                Answer::No => {}
                Answer::Open => open = true,
                teams => return Ok(teams),
            }
        }
        Ok(if open { Answer::Open } else { Answer::No })
    }

    /// The fastest point within a time and a damage.
    fn fastest(&mut self, sets: &[Set], within: Resources) -> Result<Option<JointPoint>, Stop> {
        let found = match self.teams_for_one(sets, within)? {
            Answer::Teams(teams) => teams,
            Answer::No => return Ok(None),
            Answer::Open => {
                self.is_known = false;
                return Ok(None);
            }
        };
        let mut best = self.point(within, &found);
        // Nothing is faster than `low`; `open` is the least time that was not decided.
        let mut low = 0;
        let mut least = 0;
        while low < best.time_us {
            let middle = low + (best.time_us - low) / 2;
            let faster = Resources::new(middle, within.damage);
            match self.teams_for_one(sets, faster)? {
                Answer::Teams(found) => best = self.point(faster, &found),
                Answer::No => {
                    low = middle + 1;
                    least = low;
                }
                // Not proved: what is slower is looked at, but the bound stays.
                Answer::Open => {
                    self.is_known = false;
                    low = middle + 1;
                }
            }
        }
        best.least_us = least.min(best.time_us);
        Ok(Some(best))
    }

    /// The point with least damage that is as fast.
    fn gentlest(&mut self, sets: &[Set], fastest: JointPoint) -> Result<JointPoint, Stop> {
        let (time, least_us) = (fastest.time_us, fastest.least_us);
        let mut best = fastest;
        let mut low = 0;
        while low < best.damage_micro {
            let middle = low + (best.damage_micro - low) / 2;
            let gentler = Resources::new(time, middle);
            match self.teams_for_one(sets, gentler)? {
                Answer::Teams(found) => best = self.point(gentler, &found),
                Answer::No => low = middle + 1,
                Answer::Open => {
                    self.is_known = false;
                    low = middle + 1;
                }
            }
        }
        best.least_us = least_us.min(best.time_us);
        Ok(best)
    }

    /// Whether a set of events can be done within a time and a damage, and by whom.
    fn ask(&self, set: Set, within: Resources) -> Result<Answer, Stop> {
        self.ticker.look()?;
        let spec = self.problem.spec();
        let events = (0..spec.events.len()).filter(|event| set & (1 << event) != 0);
        let demands: Option<Vec<Demand>> = events.map(|event| self.demand(event, within)).collect();
        match demands {
            Some(demands) => share(demands, spec.tools.len(), self.ticker),
            None => Ok(Answer::No),
        }
    }

    /// Players that may come to an event within a time and a damage, for each number of players
    /// that can; `None` when none can.
    fn demand(&self, event: usize, within: Resources) -> Option<Demand> {
        let spec = self.problem.spec();
        let routes = self.routes[event].as_ref()?;
        let efforts = spec.events[event].efforts.iter().enumerate();
        let teams = efforts.filter_map(|(index, effort)| {
            let walk = self.walk(*effort, within)?;
            let tools = |player| {
                let tools = 0..spec.tools.len();
                let tools =
                    tools.filter(|tool| routes.fastest_within(player, *tool, walk).is_some());
                tools.fold(0_u64, |tools, tool| tools | 1 << tool)
            };
            let may = (0..spec.players.len()).map(tools).collect();
            Some((index + 1, may))
        });
        let teams = teams.collect();
        Some(Demand { event, teams })
    }

    /// What is left of a time and a damage for the routes.
    fn walk(&self, effort: Effort, within: Resources) -> Option<Resources> {
        let limits = walk_limits(self.problem, effort)?;
        let task = Resources::new(effort.time_us, effort.damage_micro);
        Some(within.minus(task)?.min(limits))
    }

    /// The point that teams within a time and a damage come to: it may be less.
    fn point(&self, within: Resources, found: &[(usize, Vec<(usize, usize)>)]) -> JointPoint {
        let (mut time_us, mut damage_micro) = (0, 0);
        let mut teams = Vec::with_capacity(found.len());
        for (event, pairs) in found {
            let Some(routes) = &self.routes[*event] else {
                continue;
            };
            let effort = self.problem.spec().events[*event].efforts[pairs.len() - 1];
            let walk = self.walk(effort, within).unwrap_or_default();
            for (player, tool) in pairs {
                if let Some(route) = routes.fastest_within(*player, *tool, walk) {
                    time_us = time_us.max(route.time + effort.time_us);
                    damage_micro = damage_micro.max(route.damage + effort.damage_micro);
                }
            }
            teams.push(Team {
                event: *event,
                roles: roles(routes, walk, pairs),
            });
        }
        teams.sort_by_key(|team| team.event);
        JointPoint {
            time_us,
            damage_micro,
            least_us: 0,
            teams,
        }
    }
}
