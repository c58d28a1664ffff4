//! Insertion of an unassigned unit at its best positions.

use super::instance::{CoupledInstance, Kind};
use super::state::{Extent, State};
use crate::problem::DIMENSIONS_MAX;
use crate::solve::model::{Load, NONE, fits};
use mcts::Rng;
use rand::RngExt;

/// Blinks: random omissions of positions, with their probability.
pub(super) struct Blinks<'r> {
    pub(super) rng: &'r mut Rng,
    pub(super) share: f64,
}

/// Beam width: most positions tried for a task of a unit, by the number of tasks and the index of
/// the task.
fn width(tasks: usize, index: usize) -> usize {
    match tasks {
        0 | 1 => usize::MAX,
        2 => 80,
        3 => [30, 15, 15][index.min(2)],
        _ => [10, 4, 2, 1][index.min(3)],
    }
}

/// A position of a task: behind a node.
#[derive(Debug, Clone, Copy)]
struct Insertion {
    /// Insertion cost without the terms of time.
    added_cost: f64,
    /// Cost of the balance after the insertion. Further tasks can lower it again.
    balance: f64,
    behind: u32,
}

/// Search for the best positions of a unit.
pub(super) struct UnitInsertion<'a, 'p> {
    instance: &'a CoupledInstance<'p>,
    /// The tasks to insert, each after those that it needs.
    tasks: Vec<u32>,
    /// The nodes behind which they are now.
    positions: Vec<u32>,
    /// The best positions so far, and their insertion cost.
    best: Vec<u32>,
    best_cost: f64,
    base_cost: f64,
    /// `None`: no position is skipped.
    blinks: Option<Blinks<'a>>,
}

impl<'a, 'p> UnitInsertion<'a, 'p> {
    /// A search for the unassigned tasks of a unit.
    pub(super) fn new(
        instance: &'a CoupledInstance<'p>,
        state: &State,
        unit: u32,
        blinks: Option<Blinks<'a>>,
    ) -> Self {
        let tasks = instance.units[unit as usize].tasks.iter();
        Self {
            instance,
            tasks: tasks
                .filter(|task| !state.is_assigned(**task))
                .copied()
                .collect(),
            positions: Vec::new(),
            best: Vec::new(),
            best_cost: f64::INFINITY,
            base_cost: state.penalised_cost(instance),
            blinks,
        }
    }

    /// Inserts the unit at its best positions if that adds less than `limit` to the penalised cost.
    /// Returns what it adds.
    pub(super) fn insert(mut self, state: &mut State, limit: f64) -> Option<f64> {
        self.best_cost = limit;
        state.work.log.clear();
        self.search(state, 0);
        if self.best.is_empty() {
            return None;
        }
        for (&task, &behind) in self.tasks.iter().zip(&self.best) {
            state.link(self.instance, task, behind);
            let propagated = state.propagate(self.instance, task);
            debug_assert!(propagated.is_ok(), "it was possible before");
        }
        let rested = state.insert_breaks(self.instance, &mut Vec::new());
        debug_assert!(rested.is_ok(), "it was possible before");
        Some(self.best_cost)
    }

    fn search(&mut self, state: &mut State, index: usize) {
        let Some(&task) = self.tasks.get(index) else {
            return self.evaluate(state);
        };
        let spent = state.penalised_cost(self.instance) - self.base_cost;
        let mut insertions = self.insertions(state, task);
        insertions.sort_by(|a, b| a.added_cost.total_cmp(&b.added_cost));
        insertions.truncate(width(self.tasks.len(), index));
        // The penalties that further tasks save are known.
        let saved = self.saved(index + 1);
        let is_last = index + 1 == self.tasks.len();
        for insertion in insertions {
            let saved_balance = if is_last { 0.0 } else { insertion.balance };
            if spent + insertion.added_cost - saved - saved_balance >= self.best_cost {
                continue;
            }
            if let Some(Blinks { rng, share }) = &mut self.blinks
                && rng.random::<f64>() < *share
            {
                continue;
            }
            let mark = state.mark();
            state.link(self.instance, task, insertion.behind);
            self.positions.push(insertion.behind);
            let fits = state.propagate(self.instance, task).is_ok();
            if fits && state.carries(self.instance, task) {
                self.search(state, index + 1);
            }
            self.positions.pop();
            state.unlink(self.instance, task);
            state.restore(mark);
        }
    }

    /// Unserved penalties of the tasks from `index` on.
    fn saved(&self, index: usize) -> f64 {
        let tasks = self.tasks[index..].iter();
        let model = &self.instance.model;
        let penalty = |task: &u32| {
            model
                .scale
                .unserved_penalty(model.jobs[*task as usize].penalty_micro)
        };
        tasks.map(penalty).sum()
    }

    /// Stores the positions if they are the best so far.
    fn evaluate(&mut self, state: &mut State) {
        let penalised_cost = state.penalised_cost(self.instance) - self.base_cost;
        if penalised_cost >= self.best_cost {
            return;
        }
        let mark = state.mark();
        let mut rests = Vec::new();
        let rested = state.insert_breaks(self.instance, &mut rests).is_ok();
        let penalised_cost = state.penalised_cost(self.instance) - self.base_cost;
        if rested && penalised_cost < self.best_cost {
            self.best_cost = penalised_cost;
            self.best.clone_from(&self.positions);
        }
        for node in rests.into_iter().rev() {
            state.unlink(self.instance, node);
        }
        state.restore(mark);
    }

    /// The positions of a task, without a check of times and loads.
    fn insertions(&self, state: &State, task: u32) -> Vec<Insertion> {
        let instance = self.instance;
        let job = &instance.model.jobs[task as usize];
        let mut insertions = Vec::new();
        let same_agent = &instance.same_agent[task as usize];
        let bound = same_agent.iter().find(|other| state.is_assigned(**other));
        let bound = bound.map(|other| state.agent[*other as usize] as usize);
        let agents = bound.map_or(0..instance.model.workers.len(), |agent| agent..agent + 1);
        let mut idle_classes: Vec<u32> = Vec::new();
        for agent in agents {
            let worker = &instance.model.workers[agent];
            if job.skills & !worker.skills != 0 || !self.may_assign(state, task, agent) {
                continue;
            }
            if !state.is_used(instance, agent) && instance.breaks_of[agent].is_empty() {
                // Idle agents of a class are identical.
                if instance.model.change(task, agent) == 0 && job.previous_agent as usize != agent {
                    if idle_classes.contains(&worker.class) {
                        continue;
                    }
                    idle_classes.push(worker.class);
                }
            }
            self.insertions_into(state, task, agent, &mut insertions);
        }
        insertions
    }

    /// Whether incompatibilities and the limit of moved tasks allow the agent.
    fn may_assign(&self, state: &State, task: u32, agent: usize) -> bool {
        let instance = self.instance;
        let is_here = |other: &u32| state.agent[*other as usize] == agent as u32;
        let is_elsewhere = |other: &u32| state.is_assigned(*other) && !is_here(other);
        let change = instance.model.change(task, agent);
        !instance.different_agent[task as usize].iter().any(is_here)
            && !instance.same_agent[task as usize].iter().any(is_elsewhere)
            && (change == 0 || (state.sums.moved as usize) < instance.model.changes_max)
    }

    fn insertions_into(
        &self,
        state: &State,
        task: u32,
        agent: usize,
        insertions: &mut Vec<Insertion>,
    ) {
        let instance = self.instance;
        let model = &instance.model;
        let job = &model.jobs[task as usize];
        let mut added_cost = state.scale.moved(model.change(task, agent));
        let is_used = state.is_used(instance, agent);
        if !is_used {
            added_cost += state.scale.agents * crate::problem::MICRO as f64;
        }
        added_cost -= state.scale.unserved_penalty(job.penalty_micro);
        let (worker, length_us) = (&model.workers[agent], instance.length_us(task));
        let busy_us = state.busy_us[agent];
        let counts = instance.counts.balance;
        let others = counts.then(|| state.extent_without(&[agent]));
        let balance =
            |others: Extent, busy_us| state.scale.balance(others.with_agent(busy_us).balance_us());
        let now = others.map_or(0.0, |others| balance(others, busy_us));
        let mut node = match instance.pickup_of[task as usize] {
            Some(pickup)
                if state.is_assigned(pickup) && !model.jobs[pickup as usize].is_committed =>
            {
                pickup
            }
            _ => state.pinned_end(instance, agent),
        };
        let here = job.location;
        // `before` and `after` skip breaks.
        while !matches!(instance.kind(node), Kind::Last(_)) {
            let before = state.skip_breaks_back(instance, node);
            let after = state.skip_breaks(instance, state.next[node as usize]);
            let (from, to) = (instance.place(before), instance.place(after));
            let (one, other) = (model.cost_micro(from, here), model.cost_micro(here, to));
            if State::is_way(one) && State::is_way(other) {
                let without = if is_used {
                    model.cost_micro(from, to)
                } else {
                    0
                };
                let then = others.map_or(0.0, |others| {
                    let travel = |from, to| model.time_us(worker, from, to);
                    let without_us = if is_used { travel(from, to) } else { 0 };
                    let more_us = travel(from, here) + travel(here, to) - without_us + length_us;
                    balance(others, busy_us + more_us)
                });
                let travel_cost = state.scale.travel * (one + other - without) as f64;
                insertions.push(Insertion {
                    added_cost: added_cost + travel_cost + then - now,
                    balance: then,
                    behind: node,
                });
            }
            let free_us = state.times_us[node as usize] + instance.length_us(node);
            if free_us > job.latest_us {
                break;
            }
            node = state.next[node as usize];
        }
    }
}

impl State {
    /// The last node of the agent's committed prefix, or its start.
    fn pinned_end(&self, instance: &CoupledInstance<'_>, agent: usize) -> u32 {
        let started = &instance.model.workers[agent].committed;
        started.last().copied().unwrap_or(instance.first(agent))
    }

    /// Whether the agent of a task never exceeds its capacities. A pickup without its delivery
    /// counts from the pickup on.
    pub(super) fn carries(&self, instance: &CoupledInstance<'_>, task: u32) -> bool {
        let agent = self.agent[task as usize];
        debug_assert_ne!(agent, NONE);
        if instance.model.problem.dimensions() == 0 {
            return true;
        }
        let agent = agent as usize;
        let capacity = &instance.model.workers[agent].capacity;
        let mut load = Load::default();
        self.for_each_task(instance, agent, |task| {
            if !instance.is_pickup[task as usize] {
                change(&mut load, &instance.model.jobs[task as usize].demand, 1);
            }
        });
        if !fits(&load, &Load::default(), capacity) {
            return false;
        }
        let mut fit = true;
        self.for_each_task(instance, agent, |task| {
            if let Some(pickup) = instance.pickup_of[task as usize] {
                if self.agent[pickup as usize] == agent as u32 {
                    change(&mut load, &instance.model.jobs[pickup as usize].demand, -1);
                }
            } else if instance.is_pickup[task as usize] {
                change(&mut load, &instance.model.jobs[task as usize].demand, 1);
                fit &= fits(&load, &Load::default(), capacity);
            }
        });
        fit
    }

    fn for_each_task(
        &self,
        instance: &CoupledInstance<'_>,
        agent: usize,
        mut visit: impl FnMut(u32),
    ) {
        let mut node = self.next[instance.first(agent) as usize];
        while node != instance.last(agent) {
            if !instance.is_break(node) {
                visit(node);
            }
            node = self.next[node as usize];
        }
    }
}

fn change(load: &mut Load, by: &Load, sign: i64) {
    for d in 0..DIMENSIONS_MAX {
        load[d] += sign * by[d];
    }
}
