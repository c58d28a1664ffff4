//! Ejection pool: feasible positions for tasks that fit on no path, by ejecting others.

use super::SearchContext;
use super::draft::Draft;
use super::insertion::{Blink, Insertion, Never, best_insertion};
use super::model::{Job, Load, Model, NONE, Worker, fits};
use super::path::Path;
use crate::problem::Micros;
use mcts::Rng;
use rand::RngExt;

/// Most tasks ejected for one task.
const EJECTIONS_MAX: usize = 2;
/// Steps before the search gives up, for each task.
const STEPS_PER_TASK: u64 = 5;
/// Random relocations after each ejection.
const PERTURBATIONS: usize = 20;
/// Neighbours next to which a relocated task may go.
const NEAR: usize = 20;
/// Probability that a position is skipped then.
const BLINK_SHARE: f64 = 0.5;

/// Ejection pool search: an unassigned task that fits on no path replaces up to two tasks of one.
/// Penalty counters count how often no position was found for a task; the ejected tasks have the
/// least sum of counters.
///
/// Nagata, Bräysy, "A powerful route minimization heuristic for the vehicle routing problem with
/// time windows", Operations Research Letters 37 (2009), without its squeezing, for a heterogeneous
/// fleet.
#[derive(Debug, Clone)]
pub(crate) struct EjectionPool {
    draft: Draft,
    best: Draft,
    /// The ejection pool: unassigned mandatory tasks; the last is inserted next.
    pool: Vec<u32>,
    failures: Vec<u32>,
    steps_left: u64,
    reduced_path: ReducedPath,
}

/// Result of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EjectionStep {
    /// All mandatory tasks are assigned.
    Complete,
    /// The search can continue.
    Continue,
    /// The step limit is reached.
    GaveUp,
}

/// Skips half of the positions.
struct FrequentBlinks<'r>(&'r mut Rng);

impl Blink for FrequentBlinks<'_> {
    #[inline]
    fn blink(&mut self) -> bool {
        self.0.random::<f64>() < BLINK_SHARE
    }
}

/// A task in place of others of a path.
#[derive(Debug, Clone, Copy)]
struct Ejection {
    failures: u64,
    agent: usize,
    /// Positions of the ejected tasks, the last first.
    ejected: [usize; EJECTIONS_MAX],
    count: usize,
    /// Position of the task after the ejection.
    position: usize,
}

impl EjectionPool {
    pub(crate) fn new(model: &Model<'_>, start: &Draft) -> Self {
        let unassigned = start.unassigned.iter().copied();
        Self {
            draft: start.clone(),
            best: start.clone(),
            pool: unassigned
                .filter(|task| model.is_mandatory(*task))
                .collect(),
            failures: vec![1; start.places.len()],
            steps_left: STEPS_PER_TASK * start.places.len() as u64,
            reduced_path: ReducedPath::default(),
        }
    }

    /// The best draft so far.
    pub(crate) fn best(&self) -> &Draft {
        &self.best
    }

    /// Inserts one task, with ejections if necessary.
    pub(crate) fn step(&mut self, context: &SearchContext<'_>, rng: &mut Rng) -> EjectionStep {
        let model = &context.model;
        let Some(task) = self.pool.pop() else {
            return EjectionStep::Complete;
        };
        let insertion = cheapest_insertion(model, &self.draft, task);
        if insertion.exists() {
            self.draft.insert_at(model, task, insertion);
        } else {
            self.failures[task as usize] = self.failures[task as usize].saturating_add(1);
            match self.best_ejection(model, task, rng) {
                Some(ejection) => self.apply(model, task, &ejection),
                // Try another task first.
                None => self.pool.insert(0, task),
            }
        }
        if self.draft.cost(model) < self.best.cost(model) {
            self.best.copy(&self.draft);
        }
        if self.pool.is_empty() {
            return EjectionStep::Complete;
        }
        if !insertion.exists() {
            self.perturb(context, rng);
        }
        self.steps_left = self.steps_left.saturating_sub(1);
        match self.steps_left {
            0 => EjectionStep::GaveUp,
            _ => EjectionStep::Continue,
        }
    }

    /// The ejection for a task with the least sum of counters.
    fn best_ejection(&mut self, model: &Model<'_>, task: u32, rng: &mut Rng) -> Option<Ejection> {
        let job = &model.jobs[task as usize];
        let count = model.workers.len();
        let first = rng.random_range(0..count);
        let mut best: Option<Ejection> = None;
        for agent in (first..count).chain(0..first) {
            let worker = &model.workers[agent];
            if job.skills & !worker.skills != 0 || self.draft.paths[agent].visits.is_empty() {
                continue;
            }
            let limit = best.map_or(u64::MAX, |best| best.failures);
            let target = Target {
                model,
                draft: &self.draft,
                agent,
                task,
            };
            let found = self.reduced_path.find(&target, &self.failures, limit);
            best = found.or(best);
        }
        best
    }

    fn apply(&mut self, model: &Model<'_>, task: u32, ejection: &Ejection) {
        let path = &self.draft.paths[ejection.agent];
        let before: Vec<u32> = path.visits.iter().map(|visit| visit.task).collect();
        let mut tasks = before.clone();
        let ejected: Vec<u32> = ejection.ejected[..ejection.count]
            .iter()
            .map(|at| tasks.remove(*at))
            .collect();
        tasks.insert(ejection.position, task);
        if self.draft.set(model, ejection.agent, &tasks) {
            let mandatory = ejected.into_iter().filter(|task| model.is_mandatory(*task));
            self.pool.extend(mandatory);
        } else {
            // Too many changes of a previous plan.
            let restored = self.draft.set(model, ejection.agent, &before);
            debug_assert!(restored, "it was so before");
            self.pool.insert(0, task);
        }
    }

    /// Relocates random tasks, so that the next step finds other paths.
    fn perturb(&mut self, context: &SearchContext<'_>, rng: &mut Rng) {
        let SearchContext {
            model,
            neighbourhood,
        } = context;
        for _ in 0..PERTURBATIONS {
            let task = rng.random_range(0..model.jobs.len() as u32);
            let place = self.draft.places[task as usize];
            let neighbours = neighbourhood.neighbours(task);
            if neighbours.is_empty()
                || place.agent == NONE
                || model.jobs[task as usize].is_committed
            {
                continue;
            }
            let neighbour = neighbours[rng.random_range(0..neighbours.len().min(NEAR))];
            let (agent, position) = (place.agent as usize, place.position as usize);
            let other = self.draft.places[neighbour as usize].agent;
            if other == NONE || !self.draft.remove(model, agent, position..position + 1) {
                continue;
            }
            let (other, blinks) = (other as usize, &mut FrequentBlinks(rng));
            let insertion = best_insertion(model, &self.draft, task, other, blinks);
            if insertion.exists() {
                self.draft.insert_at(model, task, insertion);
            } else {
                self.draft.insert(model, task, agent, position);
            }
        }
    }
}

/// The cheapest insertion of a task on all paths.
fn cheapest_insertion(model: &Model<'_>, draft: &Draft, task: u32) -> Insertion {
    let agents = 0..model.workers.len();
    agents.fold(Insertion::NONE, |best, agent| {
        best.or_better(best_insertion(model, draft, task, agent, &mut Never))
    })
}

/// A task, and a path into which it does not fit.
struct Target<'a> {
    model: &'a Model<'a>,
    draft: &'a Draft,
    agent: usize,
    task: u32,
}

impl<'a> Target<'a> {
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

/// A path without the ejected tasks: scratch space.
#[derive(Debug, Clone, Default)]
struct ReducedPath {
    /// Positions of the remaining tasks.
    stay: Vec<usize>,
    /// Their earliest departures and latest arrivals.
    depart_us: Vec<Micros>,
    latest_us: Vec<Micros>,
}

impl ReducedPath {
    /// The tasks to eject from a path, with the least sum of counters, below a limit.
    fn find(&mut self, target: &Target<'_>, failures: &[u32], mut limit: u64) -> Option<Ejection> {
        let visits = &target.path().visits;
        let first = target.worker().committed.len();
        let weight = |at: usize| u64::from(failures[visits[at].task as usize]);
        let mut best = None;
        let mut consider = |ejected: [usize; EJECTIONS_MAX], count: usize, limit: &mut u64| {
            let sum = ejected[..count].iter().map(|at| weight(*at)).sum();
            if sum >= *limit {
                return;
            }
            if let Some(position) = self.first_position(target, &ejected[..count]) {
                *limit = sum;
                best = Some(Ejection {
                    failures: sum,
                    agent: target.agent,
                    ejected,
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

    /// The first feasible position of a task on a path without the ejected tasks.
    fn first_position(&mut self, target: &Target<'_>, ejected: &[usize]) -> Option<usize> {
        let (model, path, worker) = (target.model, target.path(), target.worker());
        let job = &model.jobs[target.task as usize];
        let mut load: Load = path.load;
        for at in ejected {
            let gone = &target.job(*at).demand;
            load.iter_mut()
                .zip(gone)
                .for_each(|(load, gone)| *load -= gone);
        }
        if !fits(&load, &job.demand, &worker.capacity) || !self.compute_times(target, ejected) {
            return None;
        }
        for position in worker.committed.len()..=self.stay.len() {
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

    /// Times of the remaining tasks. False where they break a rule: arcs may violate the triangle
    /// inequality.
    fn compute_times(&mut self, target: &Target<'_>, ejected: &[usize]) -> bool {
        let (model, path, worker) = (target.model, target.path(), target.worker());
        self.stay.clear();
        self.stay
            .extend((0..path.visits.len()).filter(|at| !ejected.contains(at)));
        self.depart_us.clear();
        let (mut here, mut free_us) = (worker.start, worker.leaves_us);
        for at in &self.stay {
            let visit = &path.visits[*at];
            let job = target.job(*at);
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
            let job = target.job(*at);
            let travel_us = model.time_us(worker, visit.location, next);
            due_us = job.arrival_us(due_us - travel_us - job.service_us);
            self.latest_us[index] = due_us;
            next = visit.location;
        }
        true
    }
}

#[cfg(test)]
mod tests;
