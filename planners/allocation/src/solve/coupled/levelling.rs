//! Levelling: local search on the routes of the busiest and the least busy agent, where the
//! objective counts balance.
//!
//! Its moves are relocate and swap with another route, and reversals, rotations and swaps within
//! the route. Most moves of ruin and recreate are too coarse to improve balance. The change of
//! balance by a move is known without any times, so thousands of moves take the time of
//! one ruin and recreate.

use super::instance::CoupledInstance;
use super::state::{Extent, State};
use super::waiting;
use crate::problem::Micros;
use crate::solve::model::Worker;
use anytime::Pulse;

/// Most moves of one levelling.
const MOVES_MAX: usize = 32;
/// Moves of one state that are tried with all rules.
const TRIALS_MAX: usize = 8;
/// Longest segment of a route that is reordered.
const SEGMENT_MAX: usize = 12;
/// Most pairs of positions, of one agent and all others, whose moves are evaluated.
const PAIRS_MAX: usize = 10_000;

/// Lowers the penalised cost of `state` until none of the most promising moves lowers it. `trial`
/// is scratch space.
pub(super) fn level(
    instance: &CoupledInstance<'_>,
    state: &mut State,
    trial: &mut State,
    pulse: &Pulse,
) {
    if !instance.counts.balance {
        return;
    }
    trial.scale = state.scale;
    for _ in 0..MOVES_MAX {
        let mut moves = Levelling::new(instance, state).moves(pulse).into_iter();
        if !pulse.beats() {
            return;
        }
        let penalised_cost = state.scale.penalised_cost(&state.all_terms(instance));
        let improves = |candidate: Move| {
            trial.copy(state);
            trial.reroute(instance, &candidate.routes)
                && trial.scale.penalised_cost(&trial.all_terms(instance)) < penalised_cost
        };
        if !moves.any(improves) {
            return;
        }
        state.copy(trial);
    }
}

/// A move: new routes of one or two agents, from start to end, without breaks.
struct Move {
    /// The change of the penalised cost by balance and travel; below 0.
    cost: f64,
    routes: Vec<Vec<u32>>,
}

/// An agent's route with its start and end, without breaks.
struct RouteView<'a> {
    agent: usize,
    worker: &'a Worker,
    nodes: Vec<u32>,
    places: Vec<u32>,
    /// The first position after the committed prefix.
    free: usize,
}

/// A position on a route where a task is removed, inserted or replaced.
#[derive(Clone, Copy)]
struct Change<'a> {
    route: &'a RouteView<'a>,
    at: usize,
    /// The task that is removed.
    removed: Option<u32>,
    /// The task that is inserted.
    inserted: Option<u32>,
}

struct Levelling<'a, 'p> {
    instance: &'a CoupledInstance<'p>,
    state: &'a State,
    balance_us: Micros,
    /// The most promising moves, the best first.
    found: Vec<Move>,
}

impl<'a, 'p> Levelling<'a, 'p> {
    fn new(instance: &'a CoupledInstance<'p>, state: &'a State) -> Self {
        Self {
            instance,
            state,
            balance_us: state.extent_without(&[]).balance_us(),
            found: Vec::new(),
        }
    }

    /// The most promising moves by balance and travel, the best first.
    fn moves(mut self, pulse: &Pulse) -> Vec<Move> {
        let mut agents: Vec<usize> = (0..self.state.busy_us.len()).collect();
        agents.sort_by_key(|agent| self.state.busy_us[*agent]);
        for _ in 0..2 {
            let Some((&extreme, others)) = agents.split_last() else {
                break;
            };
            let route = self.route_view(extreme);
            self.intra_route(&route, pulse);
            let mut left = PAIRS_MAX;
            for &other in others {
                let other = self.route_view(other);
                let count = route.nodes.len() * other.nodes.len();
                if left < count || !pulse.beats() {
                    break;
                }
                left -= count;
                self.inter_route(&route, &other);
            }
            agents.reverse();
        }
        self.found
    }

    fn route_view(&self, agent: usize) -> RouteView<'a> {
        let (instance, state) = (self.instance, self.state);
        let worker = &instance.model.workers[agent];
        let mut nodes = vec![instance.first(agent)];
        let mut node = instance.first(agent);
        while node != instance.last(agent) {
            node = state.skip_breaks(instance, state.next[node as usize]);
            nodes.push(node);
        }
        RouteView {
            agent,
            worker,
            places: nodes.iter().map(|node| instance.place(*node)).collect(),
            nodes,
            free: 1 + worker.committed.len(),
        }
    }

    /// Reorders segments of a route.
    fn intra_route(&mut self, route: &RouteView<'_>, pulse: &Pulse) {
        let reorderings: [fn(&mut [u32]); 4] = [
            |segment| segment.reverse(),
            |segment| segment.rotate_left(1),
            |segment| segment.rotate_right(1),
            |segment| segment.swap(0, segment.len() - 1),
        ];
        let end = route.nodes.len() - 1;
        let mut places = route.places.clone();
        let others = self.state.extent_without(&[route.agent]);
        for low in route.free..end {
            if !pulse.beats() {
                return;
            }
            for high in low + 1..end.min(low + SEGMENT_MAX) {
                // Two nodes have only one other order.
                let count = if high == low + 1 {
                    1
                } else {
                    reorderings.len()
                };
                for reorder in &reorderings[..count] {
                    reorder(&mut places[low..=high]);
                    let penalised_cost =
                        self.reordered_cost(route, others, low - 1, high + 1, &places);
                    places[low..=high].copy_from_slice(&route.places[low..=high]);
                    if let Some(penalised_cost) = penalised_cost {
                        self.add_candidate(penalised_cost, || {
                            let mut nodes = route.nodes.clone();
                            reorder(&mut nodes[low..=high]);
                            vec![nodes]
                        });
                    }
                }
            }
        }
    }

    /// The change of the penalised cost when a route visits `places` between two positions.
    fn reordered_cost(
        &self,
        route: &RouteView<'_>,
        others: Extent,
        low: usize,
        high: usize,
        places: &[u32],
    ) -> Option<f64> {
        let sum = |length: &dyn Fn(u32, u32) -> i64, places: &[u32]| -> i64 {
            let pairs = places[low..=high].windows(2);
            pairs.map(|pair| length(pair[0], pair[1])).sum()
        };
        let more =
            |length: &dyn Fn(u32, u32) -> i64| sum(length, places) - sum(length, &route.places);
        let model = &self.instance.model;
        let busy_us = self.state.busy_us[route.agent];
        let busy_us = busy_us + more(&|from, to| model.time_us(route.worker, from, to));
        let extent = others.with_agent(busy_us);
        self.improvement(extent.balance_us(), || {
            more(&|from, to| model.cost_micro(from, to))
        })
    }

    /// Relocates a task of either route to the other, or swaps two.
    fn inter_route(&mut self, route: &RouteView<'_>, other: &RouteView<'_>) {
        let extent = self.state.extent_without(&[route.agent, other.agent]);
        for at in route.free..route.nodes.len() {
            for there in other.free..other.nodes.len() {
                let own = route.nodes[..route.nodes.len() - 1].get(at).copied();
                let its = other.nodes[..other.nodes.len() - 1].get(there).copied();
                for (removed, inserted) in [(own, None), (None, its), (own, its)] {
                    if (removed, inserted) == (None, None) {
                        continue;
                    }
                    let change = |route, at, removed, inserted| Change {
                        route,
                        at,
                        removed,
                        inserted,
                    };
                    let changes = [
                        change(route, at, removed, inserted),
                        change(other, there, inserted, removed),
                    ];
                    let busy_us = changes.map(|change| self.busy_us(change));
                    let extent = extent.with_agent(busy_us[0]).with_agent(busy_us[1]);
                    let cost = |change: Change<'_>| {
                        self.added_length(change, |from, to| {
                            self.instance.model.cost_micro(from, to)
                        })
                    };
                    let penalised_cost = self
                        .improvement(extent.balance_us(), || cost(changes[0]) + cost(changes[1]));
                    if let Some(penalised_cost) = penalised_cost {
                        self.add_candidate(penalised_cost, || changes.map(Change::nodes).to_vec());
                    }
                }
            }
        }
    }

    /// Keeps a move if it is among the most promising.
    fn add_candidate(&mut self, penalised_cost: f64, routes: impl FnOnce() -> Vec<Vec<u32>>) {
        let at = self.found.partition_point(|one| one.cost <= penalised_cost);
        if at < TRIALS_MAX {
            self.found.truncate(TRIALS_MAX - 1);
            let routes = routes();
            self.found.insert(
                at,
                Move {
                    cost: penalised_cost,
                    routes,
                },
            );
        }
    }

    /// Travel and work of an agent after a move.
    fn busy_us(&self, change: Change<'_>) -> Micros {
        let (model, worker) = (&self.instance.model, change.route.worker);
        let work_us = |task: Option<u32>| task.map_or(0, |task| self.instance.length_us(task));
        self.state.busy_us[change.route.agent] + work_us(change.inserted) - work_us(change.removed)
            + self.added_length(change, |from, to| model.time_us(worker, from, to))
    }

    /// Added length of a route. An agent without tasks does not travel.
    fn added_length(&self, change: Change<'_>, length: impl Fn(u32, u32) -> i64) -> i64 {
        let Change {
            route,
            at,
            removed,
            inserted,
        } = change;
        let count = usize::from(removed.is_some());
        let (from, to) = (route.places[at - 1], route.places[at + count]);
        let direct = |tasks: usize| if tasks == 0 { 0 } else { length(from, to) };
        let over = |task: u32| {
            let place = self.instance.model.jobs[task as usize].location;
            length(from, place) + length(place, to)
        };
        let tasks = route.nodes.len() - 2;
        inserted.map_or_else(|| direct(tasks - count), over)
            - removed.map_or_else(|| direct(tasks), over)
    }

    /// The change of the penalised cost, if balance improves and the penalised cost decreases.
    fn improvement(&self, balance_us: Micros, travel: impl FnOnce() -> i64) -> Option<f64> {
        if balance_us >= self.balance_us {
            return None;
        }
        let scale = &self.state.scale;
        let penalised_cost =
            scale.balance(balance_us - self.balance_us) + scale.travel * travel() as f64;
        (penalised_cost < 0.0).then_some(penalised_cost)
    }
}

impl Change<'_> {
    /// The nodes of the route after the move.
    fn nodes(self) -> Vec<u32> {
        let mut nodes = self.route.nodes.clone();
        let count = usize::from(self.removed.is_some());
        nodes.splice(self.at..self.at + count, self.inserted);
        nodes
    }
}

impl State {
    /// Replaces routes. Returns false where that breaks a rule; then the state is invalid.
    fn reroute(&mut self, instance: &CoupledInstance<'_>, routes: &[Vec<u32>]) -> bool {
        for nodes in routes {
            let (first, last) = (nodes[0], nodes[nodes.len() - 1]);
            let mut node = self.next[first as usize];
            while node != last {
                let next = self.next[node as usize];
                self.unlink(instance, node);
                node = next;
            }
        }
        for nodes in routes {
            for pair in nodes[..nodes.len() - 1].windows(2) {
                self.link(instance, pair[1], pair[0]);
            }
        }
        let holds = self.is_feasible_with_breaks(instance);
        if holds {
            waiting::wait(instance, self);
        }
        holds
    }
}

#[cfg(test)]
mod tests;
