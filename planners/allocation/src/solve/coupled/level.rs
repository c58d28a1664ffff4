//! Levelling: local search on the routes of the busiest and the least busy agent, where the
//! objective counts balance.
//!
//! Its moves are relocate and swap with another route, and reversals, rotations and swaps within
//! the route. Most moves of ruin and recreate are too coarse to improve balance. The change of
//! balance by an exchange is known without any times, so thousands of exchanges take the time of
//! one ruin and recreate.

use super::early;
use super::ground::Ground;
use super::state::{Extent, State};
use crate::problem::Micros;
use crate::solve::model::Worker;
use anytime::Pulse;

/// Most exchanges of one levelling.
const EXCHANGES_MAX: usize = 32;
/// Exchanges of one state that are tried with all rules.
const TRIALS_MAX: usize = 8;
/// Longest segment of a route that is reordered.
const STRETCH_MAX: usize = 12;
/// Most pairs of positions, of one agent and all others, whose exchanges are evaluated.
const JUDGED_MAX: usize = 10_000;

/// Lowers the energy of `state` until none of the most promising exchanges lowers it. `trial` is
/// scratch space.
pub(super) fn level(ground: &Ground<'_>, (state, trial): (&mut State, &mut State), pulse: &Pulse) {
    if !ground.counts.balance {
        return;
    }
    trial.scale = state.scale;
    for _ in 0..EXCHANGES_MAX {
        let mut exchanges = Levelling::new(ground, state).exchanges(pulse).into_iter();
        if !pulse.beats() {
            return;
        }
        let energy = state.scale.energy(&state.all_terms(ground));
        let improves = |exchange: Exchange| {
            trial.copy(state);
            trial.reroute(ground, &exchange.routes)
                && trial.scale.energy(&trial.all_terms(ground)) < energy
        };
        if !exchanges.any(improves) {
            return;
        }
        state.copy(trial);
    }
}

/// New routes of one or two agents, from start to end, without breaks.
struct Exchange {
    /// The change of the energy by balance and travel; below 0.
    energy: f64,
    routes: Vec<Vec<u32>>,
}

/// An agent's route with its start and end, without breaks.
struct Line<'a> {
    agent: usize,
    worker: &'a Worker,
    nodes: Vec<u32>,
    places: Vec<u32>,
    /// The first position after the committed prefix.
    free: usize,
}

/// A position on a line where a task is removed, inserted or replaced.
#[derive(Clone, Copy)]
struct Spot<'a> {
    line: &'a Line<'a>,
    at: usize,
    /// The task that is removed.
    goes: Option<u32>,
    /// The task that is inserted.
    comes: Option<u32>,
}

struct Levelling<'a, 'p> {
    ground: &'a Ground<'p>,
    state: &'a State,
    balance_us: Micros,
    /// The most promising exchanges, the best first.
    found: Vec<Exchange>,
}

impl<'a, 'p> Levelling<'a, 'p> {
    fn new(ground: &'a Ground<'p>, state: &'a State) -> Self {
        Self {
            ground,
            state,
            balance_us: state.extent_without(&[]).balance_us(),
            found: Vec::new(),
        }
    }

    /// The most promising exchanges by balance and travel, the best first.
    fn exchanges(mut self, pulse: &Pulse) -> Vec<Exchange> {
        let mut agents: Vec<usize> = (0..self.state.busy_us.len()).collect();
        agents.sort_by_key(|agent| self.state.busy_us[*agent]);
        for _ in 0..2 {
            let Some((&extreme, others)) = agents.split_last() else {
                break;
            };
            let line = self.line(extreme);
            self.within(&line, pulse);
            let mut left = JUDGED_MAX;
            for &other in others {
                let other = self.line(other);
                let count = line.nodes.len() * other.nodes.len();
                if left < count || !pulse.beats() {
                    break;
                }
                left -= count;
                self.between(&line, &other);
            }
            agents.reverse();
        }
        self.found
    }

    fn line(&self, agent: usize) -> Line<'a> {
        let (ground, state) = (self.ground, self.state);
        let worker = &ground.model.workers[agent];
        let mut nodes = vec![ground.first(agent)];
        let mut node = ground.first(agent);
        while node != ground.last(agent) {
            node = state.onward(ground, state.next[node as usize]);
            nodes.push(node);
        }
        Line {
            agent,
            worker,
            places: nodes.iter().map(|node| ground.place(*node)).collect(),
            nodes,
            free: 1 + worker.started.len(),
        }
    }

    /// Reorders segments of a route.
    fn within(&mut self, line: &Line<'_>, pulse: &Pulse) {
        let turns: [fn(&mut [u32]); 4] = [
            |stretch| stretch.reverse(),
            |stretch| stretch.rotate_left(1),
            |stretch| stretch.rotate_right(1),
            |stretch| stretch.swap(0, stretch.len() - 1),
        ];
        let end = line.nodes.len() - 1;
        let mut places = line.places.clone();
        let others = self.state.extent_without(&[line.agent]);
        for low in line.free..end {
            if !pulse.beats() {
                return;
            }
            for high in low + 1..end.min(low + STRETCH_MAX) {
                // Two nodes have only one other order.
                let count = if high == low + 1 { 1 } else { turns.len() };
                for turn in &turns[..count] {
                    turn(&mut places[low..=high]);
                    let energy = self.turned((line, others), (low - 1, high + 1), &places);
                    places[low..=high].copy_from_slice(&line.places[low..=high]);
                    if let Some(energy) = energy {
                        self.note(energy, || {
                            let mut nodes = line.nodes.clone();
                            turn(&mut nodes[low..=high]);
                            vec![nodes]
                        });
                    }
                }
            }
        }
    }

    /// The change of the energy when a line visits `places` in place of its own between two
    /// positions.
    fn turned(
        &self,
        (line, others): (&Line<'_>, Extent),
        (low, high): (usize, usize),
        places: &[u32],
    ) -> Option<f64> {
        let sum = |way: &dyn Fn(u32, u32) -> i64, places: &[u32]| -> i64 {
            let pairs = places[low..=high].windows(2);
            pairs.map(|pair| way(pair[0], pair[1])).sum()
        };
        let more = |way: &dyn Fn(u32, u32) -> i64| sum(way, places) - sum(way, &line.places);
        let model = &self.ground.model;
        let busy_us = self.state.busy_us[line.agent];
        let busy_us = busy_us + more(&|from, to| model.time_us(line.worker, from, to));
        let extent = others.and(busy_us);
        self.energy(extent.balance_us(), || {
            more(&|from, to| model.cost_micro(from, to))
        })
    }

    /// Relocates a task of either line to the other, or swaps two.
    fn between(&mut self, line: &Line<'_>, other: &Line<'_>) {
        let extent = self.state.extent_without(&[line.agent, other.agent]);
        for at in line.free..line.nodes.len() {
            for there in other.free..other.nodes.len() {
                let own = line.nodes[..line.nodes.len() - 1].get(at).copied();
                let its = other.nodes[..other.nodes.len() - 1].get(there).copied();
                for (goes, comes) in [(own, None), (None, its), (own, its)] {
                    if (goes, comes) == (None, None) {
                        continue;
                    }
                    let spot = |line, at, goes, comes| Spot {
                        line,
                        at,
                        goes,
                        comes,
                    };
                    let spots = [spot(line, at, goes, comes), spot(other, there, comes, goes)];
                    let busy_us = spots.map(|spot| self.busy_us(spot));
                    let extent = extent.and(busy_us[0]).and(busy_us[1]);
                    let cost = |spot: Spot<'_>| {
                        self.more(spot, |from, to| self.ground.model.cost_micro(from, to))
                    };
                    let energy =
                        self.energy(extent.balance_us(), || cost(spots[0]) + cost(spots[1]));
                    if let Some(energy) = energy {
                        self.note(energy, || spots.map(Spot::nodes).to_vec());
                    }
                }
            }
        }
    }

    /// Keeps an exchange if it is among the most promising.
    fn note(&mut self, energy: f64, routes: impl FnOnce() -> Vec<Vec<u32>>) {
        let at = self.found.partition_point(|one| one.energy <= energy);
        if at < TRIALS_MAX {
            self.found.truncate(TRIALS_MAX - 1);
            let routes = routes();
            self.found.insert(at, Exchange { energy, routes });
        }
    }

    /// Travel and work of an agent after an exchange.
    fn busy_us(&self, spot: Spot<'_>) -> Micros {
        let (model, worker) = (&self.ground.model, spot.line.worker);
        let work_us = |task: Option<u32>| task.map_or(0, |task| self.ground.length_us(task));
        self.state.busy_us[spot.line.agent] + work_us(spot.comes) - work_us(spot.goes)
            + self.more(spot, |from, to| model.time_us(worker, from, to))
    }

    /// How much longer a line becomes. An agent without tasks does not travel.
    fn more(&self, spot: Spot<'_>, way: impl Fn(u32, u32) -> i64) -> i64 {
        let Spot {
            line,
            at,
            goes,
            comes,
        } = spot;
        let count = usize::from(goes.is_some());
        let (from, to) = (line.places[at - 1], line.places[at + count]);
        let direct = |tasks: usize| if tasks == 0 { 0 } else { way(from, to) };
        let over = |task: u32| {
            let place = self.ground.model.jobs[task as usize].location;
            way(from, place) + way(place, to)
        };
        let tasks = line.nodes.len() - 2;
        comes.map_or_else(|| direct(tasks - count), over) - goes.map_or_else(|| direct(tasks), over)
    }

    /// The change of the energy, if balance improves and the energy decreases.
    fn energy(&self, balance_us: Micros, travel: impl FnOnce() -> i64) -> Option<f64> {
        if balance_us >= self.balance_us {
            return None;
        }
        let scale = &self.state.scale;
        let energy = scale.balance(balance_us - self.balance_us) + scale.travel * travel() as f64;
        (energy < 0.0).then_some(energy)
    }
}

impl Spot<'_> {
    /// The nodes of the line after the exchange.
    fn nodes(self) -> Vec<u32> {
        let mut nodes = self.line.nodes.clone();
        let count = usize::from(self.goes.is_some());
        nodes.splice(self.at..self.at + count, self.comes);
        nodes
    }
}

impl State {
    /// Replaces routes. False where that breaks a rule; then the state is of no use.
    fn reroute(&mut self, ground: &Ground<'_>, routes: &[Vec<u32>]) -> bool {
        for nodes in routes {
            let (first, last) = (nodes[0], nodes[nodes.len() - 1]);
            let mut node = self.next[first as usize];
            while node != last {
                let next = self.next[node as usize];
                self.unlink(ground, node);
                node = next;
            }
        }
        for nodes in routes {
            for pair in nodes[..nodes.len() - 1].windows(2) {
                self.link(ground, pair[1], pair[0]);
            }
        }
        let holds = self.holds(ground);
        if holds {
            early::wait(ground, self);
        }
        holds
    }
}

#[cfg(test)]
mod tests;
