//! Finds room for tasks that no path has room for: others make way for them, and are placed in
//! turn.

use super::Scene;
use super::draft::Draft;
use super::model::{Job, Load, Model, NONE, Worker, fits};
use super::path::Path;
use super::slot::{Blink, Never, Slot, best_slot};
use crate::problem::Micros;
use mcts::Rng;
use rand::RngExt;

/// Tasks that make way at most, for one.
const EJECTED_MAX: usize = 2;
/// Steps without success before this is given up, a task.
const STEPS_PER_TASK: u64 = 5;
/// Tasks that are moved about after each step that ejects.
const SHAKES: usize = 20;
/// Near tasks beside which one of them is tried.
const NEAR: usize = 20;
/// How often a place is passed over then.
const BLINK_SHARE: f64 = 0.5;

/// Ejection, with a counter for each task of how often no room was found for it: those make way
/// whose counters add up to least.
///
/// Nagata, Bräysy, "A powerful route minimization heuristic for the vehicle routing problem with
/// time windows", Operations Research Letters 37 (2009), without its squeezing, for any number of
/// agents that differ.
#[derive(Debug, Clone)]
pub(crate) struct Eject {
    draft: Draft,
    best: Draft,
    /// Mandatory tasks that are absent; the last is placed next.
    waiting: Vec<u32>,
    failures: Vec<u32>,
    steps_left: u64,
    reduced: Reduced,
}

/// What came of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ejected {
    /// Everything mandatory is done.
    All,
    /// There is more to try.
    Some,
    /// Nothing more is worth trying.
    Enough,
}

/// Passes places over half of the time.
struct Often<'r>(&'r mut Rng);

impl Blink for Often<'_> {
    #[inline]
    fn blink(&mut self) -> bool {
        self.0.random::<f64>() < BLINK_SHARE
    }
}

/// A task in place of others of a path.
#[derive(Debug, Clone, Copy)]
struct Swap {
    failures: u64,
    agent: usize,
    /// Positions of those who make way, the last first.
    out: [usize; EJECTED_MAX],
    count: usize,
    /// Position after that.
    position: usize,
}

impl Eject {
    pub(crate) fn new(model: &Model<'_>, start: &Draft) -> Self {
        let absent = start.absent.iter().copied();
        Self {
            draft: start.clone(),
            best: start.clone(),
            waiting: absent.filter(|task| model.is_mandatory(*task)).collect(),
            failures: vec![1; start.places.len()],
            steps_left: STEPS_PER_TASK * start.places.len() as u64,
            reduced: Reduced::default(),
        }
    }

    /// The draft that leaves out least.
    pub(crate) fn best(&self) -> &Draft {
        &self.best
    }

    /// Places one task, or makes room for it.
    pub(crate) fn step(&mut self, scene: &Scene<'_>, rng: &mut Rng) -> Ejected {
        let model = &scene.model;
        let Some(task) = self.waiting.pop() else {
            return Ejected::All;
        };
        let slot = slot(model, &self.draft, task);
        if slot.exists() {
            let place = (slot.agent as usize, slot.position as usize);
            self.draft.insert(model, task, place);
        } else {
            self.failures[task as usize] = self.failures[task as usize].saturating_add(1);
            match self.find(model, task, rng) {
                Some(swap) => self.make_way(model, task, &swap),
                // Something else first.
                None => self.waiting.insert(0, task),
            }
        }
        if self.draft.cost(model) < self.best.cost(model) {
            self.best.copy(&self.draft);
        }
        if self.waiting.is_empty() {
            return Ejected::All;
        }
        if !slot.exists() {
            self.shake(scene, rng);
        }
        self.steps_left = self.steps_left.saturating_sub(1);
        match self.steps_left {
            0 => Ejected::Enough,
            _ => Ejected::Some,
        }
    }

    /// Who makes way for a task.
    fn find(&mut self, model: &Model<'_>, task: u32, rng: &mut Rng) -> Option<Swap> {
        let job = &model.jobs[task as usize];
        let count = model.workers.len();
        let first = rng.random_range(0..count);
        let mut best: Option<Swap> = None;
        for agent in (first..count).chain(0..first) {
            let worker = &model.workers[agent];
            if job.skills & !worker.skills != 0 || self.draft.paths[agent].visits.is_empty() {
                continue;
            }
            let limit = best.map_or(u64::MAX, |best| best.failures);
            let room = Room {
                model,
                draft: &self.draft,
                agent,
                task,
            };
            let found = self.reduced.find(&room, &self.failures, limit);
            best = found.or(best);
        }
        best
    }

    fn make_way(&mut self, model: &Model<'_>, task: u32, swap: &Swap) {
        let path = &self.draft.paths[swap.agent];
        let before: Vec<u32> = path.visits.iter().map(|visit| visit.task).collect();
        let mut tasks = before.clone();
        let out: Vec<u32> = swap.out[..swap.count]
            .iter()
            .map(|at| tasks.remove(*at))
            .collect();
        tasks.insert(swap.position, task);
        if self.draft.set(model, swap.agent, &tasks) {
            let mandatory = out.into_iter().filter(|task| model.is_mandatory(*task));
            self.waiting.extend(mandatory);
        } else {
            // Too many changes of a previous plan.
            let restored = self.draft.set(model, swap.agent, &before);
            debug_assert!(restored, "it was so before");
            self.waiting.insert(0, task);
        }
    }

    /// Moves tasks about, so that the next one finds other paths.
    fn shake(&mut self, scene: &Scene<'_>, rng: &mut Rng) {
        let Scene { model, nearest } = scene;
        for _ in 0..SHAKES {
            let task = rng.random_range(0..model.jobs.len() as u32);
            let place = self.draft.places[task as usize];
            let near = nearest.of(task);
            if near.is_empty() || place.agent == NONE || model.jobs[task as usize].is_started {
                continue;
            }
            let beside = near[rng.random_range(0..near.len().min(NEAR))];
            let (agent, position) = (place.agent as usize, place.position as usize);
            let other = self.draft.places[beside as usize].agent;
            if other == NONE || !self.draft.remove(model, agent, position..position + 1) {
                continue;
            }
            let slot = best_slot(model, &self.draft, (task, other as usize), &mut Often(rng));
            let to = if slot.exists() {
                (slot.agent as usize, slot.position as usize)
            } else {
                (agent, position)
            };
            self.draft.insert(model, task, to);
        }
    }
}

/// The best place for a task.
fn slot(model: &Model<'_>, draft: &Draft, task: u32) -> Slot {
    let agents = 0..model.workers.len();
    agents.fold(Slot::NOWHERE, |best, agent| {
        best.or_better(best_slot(model, draft, (task, agent), &mut Never))
    })
}

/// A task, and a path that has no room for it.
struct Room<'a> {
    model: &'a Model<'a>,
    draft: &'a Draft,
    agent: usize,
    task: u32,
}

impl<'a> Room<'a> {
    fn path(&self) -> &'a Path {
        &self.draft.paths[self.agent]
    }

    fn worker(&self) -> &'a Worker {
        &self.model.workers[self.agent]
    }

    fn job(&self, position: usize) -> &'a Job {
        &self.model.jobs[self.path().visits[position].task as usize]
    }
}

/// A path without some of its tasks: scratch space.
#[derive(Debug, Clone, Default)]
struct Reduced {
    /// Positions on the path of those that stay.
    stay: Vec<usize>,
    /// For each when it is done, at the earliest; and its latest arrival.
    depart_us: Vec<Micros>,
    latest_us: Vec<Micros>,
}

impl Reduced {
    /// The tasks of a path to eject for one task, with the least sum of failures, below a limit.
    fn find(&mut self, room: &Room<'_>, failures: &[u32], mut limit: u64) -> Option<Swap> {
        let visits = &room.path().visits;
        let first = room.worker().started.len();
        let weight = |at: usize| u64::from(failures[visits[at].task as usize]);
        let mut best = None;
        let mut consider = |out: [usize; EJECTED_MAX], count: usize, limit: &mut u64| {
            let sum = out[..count].iter().map(|at| weight(*at)).sum();
            if sum >= *limit {
                return;
            }
            if let Some(position) = self.place(room, &out[..count]) {
                *limit = sum;
                best = Some(Swap {
                    failures: sum,
                    agent: room.agent,
                    out,
                    count,
                    position,
                });
            }
        };
        for last in first..visits.len() {
            consider([last, 0], 1, &mut limit);
        }
        for last in first..visits.len() {
            for other in first..last {
                consider([last, other], 2, &mut limit);
            }
        }
        best
    }

    /// The first place for a task on a path without those at some positions.
    fn place(&mut self, room: &Room<'_>, out: &[usize]) -> Option<usize> {
        let (model, path, worker) = (room.model, room.path(), room.worker());
        let job = &model.jobs[room.task as usize];
        let mut load: Load = path.load;
        for at in out {
            let gone = &room.job(*at).demand;
            load.iter_mut()
                .zip(gone)
                .for_each(|(load, gone)| *load -= gone);
        }
        if !fits(&load, &job.demand, &worker.capacity) || !self.look(room, out) {
            return None;
        }
        for position in worker.started.len()..=self.stay.len() {
            let (here, free_us) = match position.checked_sub(1) {
                None => (worker.start, worker.leaves_us),
                Some(last) => (path.visits[self.stay[last]].location, self.depart_us[last]),
            };
            let (next, due_us) = match self.stay.get(position) {
                None => (worker.end, worker.shift_end_us),
                Some(next) => (path.visits[*next].location, self.latest_us[position]),
            };
            let arrival_us = free_us + model.time_us(worker, here, job.location);
            if arrival_us > job.latest_us {
                continue;
            }
            let depart_us = job.start_us(arrival_us) + job.service_us;
            if depart_us + model.time_us(worker, job.location, next) <= due_us {
                return Some(position);
            }
        }
        None
    }

    /// Times of those that stay. False where they break a rule: ways may be longer than detours.
    fn look(&mut self, room: &Room<'_>, out: &[usize]) -> bool {
        let (model, path, worker) = (room.model, room.path(), room.worker());
        self.stay.clear();
        self.stay
            .extend((0..path.visits.len()).filter(|at| !out.contains(at)));
        self.depart_us.clear();
        let (mut here, mut free_us) = (worker.start, worker.leaves_us);
        for at in &self.stay {
            let visit = &path.visits[*at];
            let job = room.job(*at);
            let arrival_us = free_us + model.time_us(worker, here, visit.location);
            if arrival_us > job.latest_us {
                return false;
            }
            (here, free_us) = (visit.location, job.start_us(arrival_us) + job.service_us);
            self.depart_us.push(free_us);
        }
        self.latest_us.clear();
        self.latest_us.resize(self.stay.len(), 0);
        let (mut next, mut due_us) = (worker.end, worker.shift_end_us);
        for (index, at) in self.stay.iter().enumerate().rev() {
            let visit = &path.visits[*at];
            let job = room.job(*at);
            let way_us = model.time_us(worker, visit.location, next);
            due_us = job.arrival_us(due_us - way_us - job.service_us);
            self.latest_us[index] = due_us;
            next = visit.location;
        }
        true
    }
}

#[cfg(test)]
mod tests;
