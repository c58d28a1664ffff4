//! Routes of a player by a tool to the event: ways to the tool and from there, joined (equation 27).

use super::labels::{Label, Labels, Leg};
use crate::problem::Problem;

/// A route that no other of the same player and tool dominates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Route {
    pub time: u64,
    pub damage: u64,
    /// Labels of the two ways.
    fetch: u32,
    carry: u32,
}

/// All routes of all players by all tools.
#[derive(Debug)]
pub(super) struct Routes {
    tools: usize,
    /// For each vertex of a player, one after the other: ways to everywhere.
    fetches: Vec<Labels>,
    /// For each player, which of them are his.
    fetch_of: Vec<usize>,
    /// Ways to the event, backwards.
    carry: Labels,
    /// For each player and tool where its routes begin in `routes`; they go by rising time and falling damage.
    starts: Vec<u32>,
    routes: Vec<Route>,
}

impl Routes {
    /// Finds all routes within limits of time and damage.
    pub(super) fn new(problem: &Problem, limits: (u64, u64)) -> Self {
        let spec = problem.spec();
        let carry = Labels::find(problem, (Leg::Carry, spec.event), limits);
        let mut fetches = Vec::new();
        let mut fetch_of = Vec::with_capacity(spec.players.len());
        for (player, &vertex) in spec.players.iter().enumerate() {
            let before = spec.players[..player]
                .iter()
                .position(|other| *other == vertex);
            fetch_of.push(before.map_or(fetches.len(), |before| fetch_of[before]));
            if before.is_none() {
                fetches.push(Labels::find(problem, (Leg::Fetch, vertex), limits));
            }
        }
        let mut all = Self {
            tools: spec.tools.len(),
            fetches,
            fetch_of,
            carry,
            starts: vec![0],
            routes: Vec::new(),
        };
        let mut joined = Vec::new();
        for player in 0..spec.players.len() {
            for &tool in &spec.tools {
                all.join((player, tool), limits, &mut joined);
                all.starts.push(all.routes.len() as u32);
            }
        }
        all
    }

    fn join(
        &mut self,
        (player, tool): (usize, usize),
        limits: (u64, u64),
        joined: &mut Vec<Route>,
    ) {
        joined.clear();
        let fetches = &self.fetches[self.fetch_of[player]];
        let label = |labels: &Labels, label: u32| -> Label { labels.labels[label as usize] };
        for fetch in fetches.at(tool) {
            let first = label(fetches, fetch);
            for carry in self.carry.at(tool) {
                let second = label(&self.carry, carry);
                let (time, damage) = (first.time + second.time, first.damage + second.damage);
                if time <= limits.0 && damage <= limits.1 {
                    joined.push(Route {
                        time,
                        damage,
                        fetch,
                        carry,
                    });
                }
            }
        }
        joined.sort_unstable();
        let mut least = u64::MAX;
        for route in joined.iter() {
            if route.damage < least {
                least = route.damage;
                self.routes.push(*route);
            }
        }
    }

    /// The routes of a player by a tool, by rising time and falling damage.
    pub(super) fn of(&self, player: usize, tool: usize) -> &[Route] {
        let pair = player * self.tools + tool;
        &self.routes[self.starts[pair] as usize..self.starts[pair + 1] as usize]
    }

    /// The fastest route of a player by a tool that does at most so much damage.
    pub(super) fn fastest(&self, player: usize, tool: usize, damage_max: u64) -> Option<Route> {
        let routes = self.of(player, tool);
        let first = routes.partition_point(|route| route.damage > damage_max);
        routes.get(first).copied()
    }

    /// All damages of routes, rising, none twice.
    pub(super) fn damages(&self) -> Vec<u64> {
        let mut damages: Vec<u64> = self.routes.iter().map(|route| route.damage).collect();
        damages.sort_unstable();
        damages.dedup();
        damages
    }

    /// The vertices of a player's route, to the tool and to the event.
    pub(super) fn ways(&self, player: usize, route: Route) -> (Vec<usize>, Vec<usize>) {
        let fetch = self.fetches[self.fetch_of[player]].way(route.fetch);
        let mut carry = self.carry.way(route.carry);
        // It was walked backwards.
        carry.reverse();
        (fetch, carry)
    }
}
