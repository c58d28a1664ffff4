//! Ruin: removal of units.

use super::instance::{CoupledInstance, Kind};
use super::state::State;
use crate::solve::model::NONE;
use mcts::Rng;
use rand::RngExt;

/// Most units removed by a ruin, without those that need them.
const UNITS_MAX: usize = 14;
/// Most tasks in a string.
const STRING_MAX: usize = 8;
/// Probability that a ruin begins with a task of an extreme agent, if there is one.
const EXTREME_SHARE: f64 = 0.5;
/// Probability that agents that lose tasks also lose their breaks.
const BREAKS_SHARE: f64 = 0.5;

/// Removes some units. Returns false if there are none.
pub(super) fn ruin(instance: &CoupledInstance<'_>, state: &mut State, rng: &mut Rng) -> bool {
    if instance.units.is_empty() {
        return false;
    }
    let most = (instance.units.len() / 2).clamp(1, UNITS_MAX);
    let count = 1 + rng.random_range(0..most);
    let seed = seed(instance, state, rng);
    let mut ruin = Ruin {
        instance,
        state,
        touched: Vec::new(),
        left: count,
    };
    match rng.random_range(0..10) {
        0..4 => ruin.remove_neighbours(seed),
        4..7 => ruin.remove_strings(seed, rng),
        7..9 => ruin.remove_random(rng),
        _ => ruin.remove_route(seed),
    }
    let of_all = rng.random::<f64>() < BREAKS_SHARE;
    ruin.remove_breaks(of_all);
    true
}

/// The task that a ruin begins with: any, or, where the objective depends on extreme agents, often
/// one of these.
fn seed(instance: &CoupledInstance<'_>, state: &State, rng: &mut Rng) -> u32 {
    let any = rng.random_range(0..instance.tasks() as u32);
    let extremes: Vec<usize> = state.extremes(instance).into_iter().flatten().collect();
    if extremes.is_empty() || rng.random::<f64>() >= EXTREME_SHARE {
        return any;
    }
    let agent = extremes[rng.random_range(0..extremes.len())] as u32;
    let on_it = |task: &u32| state.agent[*task as usize] == agent;
    let tasks: Vec<u32> = (0..instance.tasks() as u32).filter(on_it).collect();
    match tasks.len() {
        0 => any,
        count => tasks[rng.random_range(0..count)],
    }
}

struct Ruin<'a, 'p> {
    instance: &'a CoupledInstance<'p>,
    state: &'a mut State,
    touched: Vec<u32>,
    left: usize,
}

impl Ruin<'_, '_> {
    /// Removes the unit of a task and all units that need it, unless it is committed.
    fn remove(&mut self, task: u32) {
        let unit = self.instance.unit_of[task as usize];
        if self.left == 0
            || !self.state.is_assigned(task)
            || self.instance.is_committed[unit as usize]
        {
            return;
        }
        self.left -= 1;
        let needed_by = &self.instance.units[unit as usize].needed_by;
        for &one in std::iter::once(&unit).chain(needed_by) {
            for &task in &self.instance.units[one as usize].tasks {
                let agent = self.state.agent[task as usize];
                if agent != NONE {
                    self.state.unlink(self.instance, task);
                    self.touched.push(agent);
                }
            }
        }
    }

    fn remove_neighbours(&mut self, seed: u32) {
        self.remove(seed);
        for &task in self.instance.neighbourhood.neighbours(seed) {
            self.remove(task);
        }
    }

    fn remove_random(&mut self, rng: &mut Rng) {
        for _ in 0..2 * UNITS_MAX {
            let task = rng.random_range(0..self.instance.tasks() as u32);
            self.remove(task);
        }
    }

    /// Strings of consecutive tasks on the routes of near tasks.
    fn remove_strings(&mut self, seed: u32, rng: &mut Rng) {
        for &near in std::iter::once(&seed).chain(self.instance.neighbourhood.neighbours(seed)) {
            if self.left == 0 {
                return;
            }
            let agent = self.state.agent[near as usize];
            if agent == NONE || self.touched.contains(&agent) {
                continue;
            }
            let length = 1 + rng.random_range(0..STRING_MAX);
            let mut node = near;
            for _ in 0..rng.random_range(0..length) {
                node = self.state.prev[node as usize];
                if matches!(self.instance.kind(node), Kind::First(_)) {
                    break;
                }
            }
            let mut string = Vec::with_capacity(length);
            while string.len() < length && !matches!(self.instance.kind(node), Kind::Last(_)) {
                if matches!(self.instance.kind(node), Kind::Task(_)) {
                    string.push(node);
                }
                node = self.state.next[node as usize];
            }
            for task in string {
                self.remove(task);
            }
        }
    }

    /// The whole route of a task's agent.
    fn remove_route(&mut self, seed: u32) {
        let agent = self.state.agent[seed as usize];
        if agent == NONE {
            return self.remove_neighbours(seed);
        }
        self.left = usize::MAX;
        let on_it = |task: &u32| self.state.agent[*task as usize] == agent;
        let tasks: Vec<u32> = (0..self.instance.tasks() as u32).filter(on_it).collect();
        for task in tasks {
            self.remove(task);
        }
    }

    /// Removes the breaks of agents that lost tasks: of all such agents if `all`, else of unused
    /// ones.
    fn remove_breaks(&mut self, all: bool) {
        self.touched.sort_unstable();
        self.touched.dedup();
        for agent in std::mem::take(&mut self.touched) {
            if !all && self.state.is_used(self.instance, agent as usize) {
                continue;
            }
            for &index in &self.instance.breaks_of[agent as usize] {
                let node = self.instance.node_of(index);
                if self.state.is_assigned(node) {
                    self.state.unlink(self.instance, node);
                }
            }
        }
    }
}
