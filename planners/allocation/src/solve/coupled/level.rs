//! Levelling: exchanges with the busiest and the least busy agent, where the objective counts balance.
//!
//! Balance is the difference between two agents, so most changes of a plan do not touch it, and of those
//! that do few are small enough to improve it. What an exchange does to it is known before any time is
//! computed, so that thousands of exchanges are judged in the time of one ruin and recreate.

use super::early;
use super::ground::Ground;
use super::state::State;
use crate::problem::Micros;
use crate::solve::model::Worker;
use anytime::Pulse;

/// Exchanges in a row.
const EXCHANGES_MAX: usize = 32;
/// Exchanges of one state that are tried with all rules, the most promising first.
const TRIALS_MAX: usize = 8;
/// Longest stretch of a route that is turned.
const STRETCH_MAX: usize = 12;
/// Exchanges with one agent that are judged, about.
const JUDGED_MAX: usize = 10_000;

/// Lowers the energy of `state` by exchanges until none of the most promising ones does.
pub(super) fn level(ground: &Ground<'_>, state: &mut State, pulse: &mut Pulse) {
    if !ground.counts.balance {
        return;
    }
    let mut trial = state.clone();
    for _ in 0..EXCHANGES_MAX {
        let mut exchanges = Levelling::new(ground, state).exchanges(pulse);
        if pulse.stop().is_some() {
            return;
        }
        exchanges.sort_by(|a, b| a.energy.total_cmp(&b.energy));
        let energy = state.scale.energy(&state.all_terms(ground));
        let improves = |exchange: &Exchange| {
            trial.copy(state);
            trial.reroute(ground, &exchange.routes)
                && trial.scale.energy(&trial.all_terms(ground)) < energy
        };
        if !exchanges.iter().take(TRIALS_MAX).any(improves) {
            return;
        }
        state.copy(&trial);
    }
}

/// New routes of one or two agents, from their start to their end, without breaks.
struct Exchange {
    /// What it adds to the energy by balance and travel.
    energy: f64,
    routes: Vec<Vec<u32>>,
}

/// An agent's route without breaks, its start and end included.
struct Line<'a> {
    agent: usize,
    worker: &'a Worker,
    nodes: Vec<u32>,
    places: Vec<u32>,
    /// The first node that may be moved.
    free: usize,
}

/// A place on a line at which a task goes, or comes, or both.
#[derive(Clone, Copy)]
struct Spot<'a> {
    line: &'a Line<'a>,
    at: usize,
    /// The task that goes.
    goes: Option<u32>,
    /// The task that comes.
    comes: Option<u32>,
}

struct Levelling<'a, 'p> {
    ground: &'a Ground<'p>,
    state: &'a State,
    balance_us: Micros,
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

    /// All exchanges that improve the state, as far as balance and travel tell.
    fn exchanges(mut self, pulse: &mut Pulse) -> Vec<Exchange> {
        let mut agents: Vec<usize> = (0..self.state.busy_us.len()).collect();
        agents.sort_by_key(|agent| self.state.busy_us[*agent]);
        for _ in 0..2 {
            let Some((&extreme, others)) = agents.split_last() else {
                break;
            };
            let line = self.line(extreme);
            self.within(&line);
            let mut left = JUDGED_MAX;
            for &other in others {
                let other = self.line(other);
                let count = line.nodes.len() * other.nodes.len();
                if left < count || pulse.stop().is_some() {
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

    /// Turns stretches of a route.
    fn within(&mut self, line: &Line<'_>) {
        let turns: [fn(&mut [u32]); 4] = [
            |stretch| stretch.reverse(),
            |stretch| stretch.rotate_left(1),
            |stretch| stretch.rotate_right(1),
            |stretch| stretch.swap(0, stretch.len() - 1),
        ];
        let end = line.nodes.len() - 1;
        let mut places = line.places.clone();
        for low in line.free..end {
            for high in low + 1..end.min(low + STRETCH_MAX) {
                // Two nodes can be turned in one way only.
                let count = if high == low + 1 { 1 } else { turns.len() };
                for turn in &turns[..count] {
                    turn(&mut places[low..=high]);
                    let energy = self.turned((line, low - 1, high + 1), &places);
                    places[low..=high].copy_from_slice(&line.places[low..=high]);
                    if let Some(energy) = energy {
                        let mut nodes = line.nodes.clone();
                        turn(&mut nodes[low..=high]);
                        let routes = vec![nodes];
                        self.found.push(Exchange { energy, routes });
                    }
                }
            }
        }
    }

    /// What a line adds to the energy that leads over other places between two nodes.
    fn turned(&self, (line, low, high): (&Line<'_>, usize, usize), places: &[u32]) -> Option<f64> {
        let sum = |way: &dyn Fn(u32, u32) -> i64, places: &[u32]| -> i64 {
            let pairs = places[low..=high].windows(2);
            pairs.map(|pair| way(pair[0], pair[1])).sum()
        };
        let more = |way: &dyn Fn(u32, u32) -> i64| sum(way, places) - sum(way, &line.places);
        let model = &self.ground.model;
        let busy_us = self.state.busy_us[line.agent];
        let busy_us = busy_us + more(&|from, to| model.time_us(line.worker, from, to));
        let extent = self.state.extent_without(&[line.agent]).and(busy_us);
        self.energy(extent.balance_us(), || {
            more(&|from, to| model.cost_micro(from, to))
        })
    }

    /// A task of either line goes to the other, or two change places.
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
                        let routes = spots.map(Spot::nodes).to_vec();
                        self.found.push(Exchange { energy, routes });
                    }
                }
            }
        }
    }

    /// How busy an agent is after an exchange.
    fn busy_us(&self, spot: Spot<'_>) -> Micros {
        let (model, worker) = (&self.ground.model, spot.line.worker);
        let work_us = |task: Option<u32>| task.map_or(0, |task| self.ground.length_us(task));
        self.state.busy_us[spot.line.agent] + work_us(spot.comes) - work_us(spot.goes)
            + self.more(spot, |from, to| model.time_us(worker, from, to))
    }

    /// How much longer a line becomes. Agents without tasks do not travel.
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

    /// What is added to the energy, if the plan becomes more balanced, and cheaper.
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
    /// Gives agents other routes. False where that breaks a rule; then the state is of no use.
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
        let legal = self.is_legal(ground)
            && self.is_whole(ground, false)
            && self.rest(ground, &mut Vec::new()).is_ok()
            && self.may_end(ground);
        if legal {
            early::wait(ground, self);
        }
        legal
    }
}
