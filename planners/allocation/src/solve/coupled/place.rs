//! Insertion of a unit that is left out, at its best places.

use super::ground::{Ground, Kind};
use super::state::{Extent, State};
use crate::problem::DIMENSIONS_MAX;
use crate::solve::model::{Load, NONE, fits};
use mcts::Rng;
use rand::RngExt;

/// Random numbers, and the share of places that they skip.
pub(super) struct Blinks<'r> {
    pub(super) rng: &'r mut Rng,
    pub(super) share: f64,
}

/// Most places that are tried for a task of a unit, by the number of the unit's tasks and the
/// task's position among them.
fn width(tasks: usize, index: usize) -> usize {
    match tasks {
        0 | 1 => usize::MAX,
        2 => 80,
        3 => [30, 15, 15][index.min(2)],
        _ => [10, 4, 2, 1][index.min(3)],
    }
}

/// A place for a task: after a node.
#[derive(Debug, Clone, Copy)]
struct Slot {
    /// The insertion cost in energy, without the terms of time.
    energy: f64,
    /// The energy of the balance after the insertion. Tasks inserted later can lower it again.
    balance: f64,
    behind: u32,
}

/// A search for the best places of a unit.
pub(super) struct Placer<'a, 'p> {
    ground: &'a Ground<'p>,
    /// The tasks to insert, each after those that it waits for.
    tasks: Vec<u32>,
    /// The nodes after which they are now.
    placed: Vec<u32>,
    /// The best places so far, and their insertion cost.
    best: Vec<u32>,
    best_energy: f64,
    base_energy: f64,
    /// `None`: no place is skipped.
    blinks: Option<Blinks<'a>>,
}

impl<'a, 'p> Placer<'a, 'p> {
    /// A search for the tasks of a unit that `state` leaves out.
    pub(super) fn new(
        ground: &'a Ground<'p>,
        (state, unit): (&State, u32),
        blinks: Option<Blinks<'a>>,
    ) -> Self {
        let tasks = ground.units[unit as usize].tasks.iter();
        Self {
            ground,
            tasks: tasks
                .filter(|task| !state.is_done(**task))
                .copied()
                .collect(),
            placed: Vec::new(),
            best: Vec::new(),
            best_energy: f64::INFINITY,
            base_energy: state.energy(ground),
            blinks,
        }
    }

    /// Inserts the unit at its best places if that adds less than `most` to the energy. Returns
    /// what it adds.
    pub(super) fn place(mut self, state: &mut State, most: f64) -> Option<f64> {
        self.best_energy = most;
        state.work.log.clear();
        self.search(state, 0);
        if self.best.is_empty() {
            return None;
        }
        for (&task, &behind) in self.tasks.iter().zip(&self.best) {
            state.link(self.ground, task, behind);
            let settled = state.settle(self.ground, task);
            debug_assert!(settled.is_ok(), "it was possible before");
        }
        let rested = state.rest(self.ground, &mut Vec::new());
        debug_assert!(rested.is_ok(), "it was possible before");
        Some(self.best_energy)
    }

    fn search(&mut self, state: &mut State, index: usize) {
        let Some(&task) = self.tasks.get(index) else {
            return self.judge(state);
        };
        let spent = state.energy(self.ground) - self.base_energy;
        let mut slots = self.slots(state, task);
        slots.sort_by(|a, b| a.energy.total_cmp(&b.energy));
        slots.truncate(width(self.tasks.len(), index));
        // The penalties that later tasks save are known before.
        let saved = self.saved(index + 1);
        let is_last = index + 1 == self.tasks.len();
        for slot in slots {
            let hope = if is_last { 0.0 } else { slot.balance };
            if spent + slot.energy - saved - hope >= self.best_energy {
                continue;
            }
            if let Some(Blinks { rng, share }) = &mut self.blinks
                && rng.random::<f64>() < *share
            {
                continue;
            }
            let mark = state.mark();
            state.link(self.ground, task, slot.behind);
            self.placed.push(slot.behind);
            let fits = state.settle(self.ground, task).is_ok();
            if fits && state.carries(self.ground, task) {
                self.search(state, index + 1);
            }
            self.placed.pop();
            state.unlink(self.ground, task);
            state.restore(mark);
        }
    }

    /// The energy of leaving out the tasks from `index` on.
    fn saved(&self, index: usize) -> f64 {
        let tasks = self.tasks[index..].iter();
        let model = &self.ground.model;
        let loss = |task: &u32| model.scale.loss(model.jobs[*task as usize].penalty_micro);
        tasks.map(loss).sum()
    }

    /// Keeps the places if they are the best so far.
    fn judge(&mut self, state: &mut State) {
        let energy = state.energy(self.ground) - self.base_energy;
        if energy >= self.best_energy {
            return;
        }
        let mark = state.mark();
        let mut rests = Vec::new();
        let rested = state.rest(self.ground, &mut rests).is_ok();
        let energy = state.energy(self.ground) - self.base_energy;
        if rested && energy < self.best_energy {
            self.best_energy = energy;
            self.best.clone_from(&self.placed);
        }
        for node in rests.into_iter().rev() {
            state.unlink(self.ground, node);
        }
        state.restore(mark);
    }

    /// The places of a task, times and loads not checked.
    fn slots(&self, state: &State, task: u32) -> Vec<Slot> {
        let ground = self.ground;
        let job = &ground.model.jobs[task as usize];
        let mut slots = Vec::new();
        let same = &ground.same[task as usize];
        let bound = same.iter().find(|other| state.is_done(**other));
        let bound = bound.map(|other| state.agent[*other as usize] as usize);
        let agents = bound.map_or(0..ground.model.workers.len(), |agent| agent..agent + 1);
        let mut idle_classes: Vec<u32> = Vec::new();
        for agent in agents {
            let worker = &ground.model.workers[agent];
            if job.skills & !worker.skills != 0 || !self.may(state, task, agent) {
                continue;
            }
            if !state.is_used(ground, agent) && ground.breaks_of[agent].is_empty() {
                // Idle agents of one class are interchangeable.
                if ground.model.change(task, agent) == 0 && job.before as usize != agent {
                    if idle_classes.contains(&worker.class) {
                        continue;
                    }
                    idle_classes.push(worker.class);
                }
            }
            self.slots_of(state, (task, agent), &mut slots);
        }
        slots
    }

    /// Whether incompatibilities and the limit of moved tasks allow the agent.
    fn may(&self, state: &State, task: u32, agent: usize) -> bool {
        let ground = self.ground;
        let is_here = |other: &u32| state.agent[*other as usize] == agent as u32;
        let is_elsewhere = |other: &u32| state.is_done(*other) && !is_here(other);
        let change = ground.model.change(task, agent);
        !ground.apart[task as usize].iter().any(is_here)
            && !ground.same[task as usize].iter().any(is_elsewhere)
            && (change == 0 || (state.sums.moved as usize) < ground.model.changes_max)
    }

    fn slots_of(&self, state: &State, (task, agent): (u32, usize), slots: &mut Vec<Slot>) {
        let ground = self.ground;
        let model = &ground.model;
        let job = &model.jobs[task as usize];
        let mut energy = state.scale.moved(model.change(task, agent));
        let is_used = state.is_used(ground, agent);
        if !is_used {
            energy += state.scale.agents * crate::problem::MICRO as f64;
        }
        energy -= state.scale.loss(job.penalty_micro);
        let (worker, length_us) = (&model.workers[agent], ground.length_us(task));
        let busy_us = state.busy_us[agent];
        let counts = ground.counts.balance;
        let others = counts.then(|| state.extent_without(&[agent]));
        let balance =
            |others: Extent, busy_us| state.scale.balance(others.and(busy_us).balance_us());
        let now = others.map_or(0.0, |others| balance(others, busy_us));
        let mut node = match ground.pickup_of[task as usize] {
            Some(pickup) if state.is_done(pickup) && !model.jobs[pickup as usize].is_started => {
                pickup
            }
            _ => state.pinned_end(ground, agent),
        };
        // `before` and `after` skip breaks.
        while !matches!(ground.kind(node), Kind::Last(_)) {
            let before = state.back(ground, node);
            let after = state.onward(ground, state.next[node as usize]);
            let [from, here, to] = [before, task, after].map(|node| ground.place(node));
            let (one, other) = (model.cost_micro(from, here), model.cost_micro(here, to));
            if State::is_way(one) && State::is_way(other) {
                let without = if is_used {
                    model.cost_micro(from, to)
                } else {
                    0
                };
                let then = others.map_or(0.0, |others| {
                    let way = |from, to| model.time_us(worker, from, to);
                    let without_us = if is_used { way(from, to) } else { 0 };
                    let more_us = way(from, here) + way(here, to) - without_us + length_us;
                    balance(others, busy_us + more_us)
                });
                let travel = state.scale.travel * (one + other - without) as f64;
                slots.push(Slot {
                    energy: energy + travel + then - now,
                    balance: then,
                    behind: node,
                });
            }
            let free_us = state.times_us[node as usize] + ground.length_us(node);
            if free_us > job.latest_us {
                break;
            }
            node = state.next[node as usize];
        }
    }
}

impl State {
    /// The last node of the agent's committed prefix: its last task under way, or its start.
    fn pinned_end(&self, ground: &Ground<'_>, agent: usize) -> u32 {
        let started = &ground.model.workers[agent].started;
        started.last().copied().unwrap_or(ground.first(agent))
    }

    /// Whether the agent of a task never exceeds its capacities. A pickup without its delivery
    /// counts from the pickup on.
    pub(super) fn carries(&self, ground: &Ground<'_>, task: u32) -> bool {
        let agent = self.agent[task as usize];
        debug_assert_ne!(agent, NONE);
        if ground.model.problem.dimensions() == 0 {
            return true;
        }
        let agent = agent as usize;
        let capacity = &ground.model.workers[agent].capacity;
        let mut load = Load::default();
        self.each_task(ground, agent, |task| {
            if !ground.is_pickup[task as usize] {
                change(&mut load, &ground.model.jobs[task as usize].demand, 1);
            }
        });
        if !fits(&load, &Load::default(), capacity) {
            return false;
        }
        let mut fit = true;
        self.each_task(ground, agent, |task| {
            if let Some(pickup) = ground.pickup_of[task as usize] {
                if self.agent[pickup as usize] == agent as u32 {
                    change(&mut load, &ground.model.jobs[pickup as usize].demand, -1);
                }
            } else if ground.is_pickup[task as usize] {
                change(&mut load, &ground.model.jobs[task as usize].demand, 1);
                fit &= fits(&load, &Load::default(), capacity);
            }
        });
        fit
    }

    fn each_task(&self, ground: &Ground<'_>, agent: usize, mut visit: impl FnMut(u32)) {
        let mut node = self.next[ground.first(agent) as usize];
        while node != ground.last(agent) {
            if !ground.is_break(node) {
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
