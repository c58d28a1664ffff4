//! Path: the tasks of one agent, in order, with their times.

use super::model::{Load, Model, Worker};
use crate::problem::Micros;

/// A task on a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Visit {
    pub(crate) task: u32,
    pub(crate) location: u32,
    /// Earliest start.
    pub(crate) start_us: Micros,
    /// End of service.
    pub(crate) depart_us: Micros,
    /// Latest arrival with which the rest of the path is feasible (forward slack).
    pub(crate) latest_us: Micros,
    /// Cost of the arc to the task.
    pub(crate) arc_cost_micro: i64,
}

/// What a path adds to the terms of a cost; all 0 when it is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Sums {
    pub(crate) travel_micro: i64,
    pub(crate) lateness_us: Micros,
    /// Arrival at the end place.
    pub(crate) end_us: Micros,
}

/// The tasks of one agent, in order, each as early as possible. Always feasible.
///
/// An earlier start never makes a later arrival later (with or without windows). So earliest starts
/// are optimal in all terms, and each position has one latest arrival with which the rest is
/// feasible.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Path {
    pub(crate) visits: Vec<Visit>,
    pub(crate) load: Load,
    pub(crate) sums: Sums,
    /// Cost of the arc to the end place.
    pub(crate) return_cost_micro: i64,
}

impl Clone for Path {
    fn clone(&self) -> Self {
        Self {
            visits: self.visits.clone(),
            ..*self
        }
    }

    fn clone_from(&mut self, from: &Self) {
        let Self {
            visits,
            load,
            sums,
            return_cost_micro,
        } = from;
        self.visits.clone_from(visits);
        (self.load, self.sums, self.return_cost_micro) = (*load, *sums, *return_cost_micro);
    }
}

impl Path {
    /// Location of the agent before the task at `position`, and its departure from there.
    #[inline]
    pub(crate) fn before(&self, worker: &Worker, position: usize) -> (u32, Micros) {
        match position.checked_sub(1) {
            None => (worker.start, worker.leaves_us),
            Some(last) => (self.visits[last].location, self.visits[last].depart_us),
        }
    }

    /// Location after the tasks before `position`, and the latest arrival there.
    #[inline]
    pub(crate) fn after(&self, worker: &Worker, position: usize) -> (u32, Micros) {
        match self.visits.get(position) {
            None => (worker.end, worker.shift_end_us),
            Some(next) => (next.location, next.latest_us),
        }
    }

    /// Cost of the arc to the task at `position`; 0 on an empty path.
    #[inline]
    pub(crate) fn arc_cost_micro(&self, position: usize) -> i64 {
        self.visits
            .get(position)
            .map_or(self.return_cost_micro, |next| next.arc_cost_micro)
    }

    /// Whether the path stays feasible without the tasks of `gap`.
    pub(crate) fn joins(&self, model: &Model<'_>, worker: &Worker, gap: (usize, usize)) -> bool {
        if gap.0 == 0 && gap.1 == self.visits.len() {
            return true;
        }
        let (here, mut free_us) = self.before(worker, gap.0);
        let (next, due_us) = self.after(worker, gap.1);
        if gap.1 == self.visits.len() {
            free_us = worker.homeward_us(gap.0, free_us);
        }
        free_us + model.time_us(worker, here, next) <= due_us
    }

    /// Inserts a task at `position`. Times are invalid until [`Path::refresh`].
    pub(crate) fn insert(&mut self, model: &Model<'_>, task: u32, position: usize) {
        let location = model.jobs[task as usize].location;
        let visit = Visit {
            task,
            location,
            start_us: 0,
            depart_us: 0,
            latest_us: 0,
            arc_cost_micro: 0,
        };
        self.visits.insert(position, visit);
    }

    /// Recomputes times and sums after insertions or removals from position `from` on. Returns
    /// false if a rule is broken: then only the tasks of the path are valid.
    pub(crate) fn refresh(&mut self, model: &Model<'_>, agent: usize, from: usize) -> bool {
        let worker = &model.workers[agent];
        if self.visits.is_empty() {
            (self.load, self.sums, self.return_cost_micro) = (Load::default(), Sums::default(), 0);
            return true;
        }
        let mut is_feasible = true;
        let (mut here, mut free_us) = self.before(worker, from);
        for visit in &mut self.visits[from..] {
            let job = &model.jobs[visit.task as usize];
            let arrival_us = free_us + model.time_us(worker, here, visit.location);
            is_feasible &= arrival_us <= job.latest_us && job.skills & !worker.skills == 0;
            visit.arc_cost_micro = model.cost_micro(here, visit.location);
            visit.start_us = job.start_us(arrival_us);
            visit.depart_us = visit.start_us + job.service_us;
            (here, free_us) = (visit.location, visit.depart_us);
            if !is_feasible {
                return false;
            }
        }
        self.return_cost_micro = model.cost_micro(here, worker.end);
        free_us = worker.homeward_us(self.visits.len(), free_us);
        let end_us = free_us + model.time_us(worker, here, worker.end);
        self.sum(model, end_us);
        let within = self
            .load
            .iter()
            .zip(&worker.capacity)
            .all(|(load, max)| load <= max);
        self.backward_pass(model, worker);
        within && end_us <= worker.shift_end_us
    }

    fn sum(&mut self, model: &Model<'_>, end_us: Micros) {
        let mut sums = Sums {
            travel_micro: self.return_cost_micro,
            lateness_us: 0,
            end_us,
        };
        self.load = Load::default();
        for visit in &self.visits {
            let job = &model.jobs[visit.task as usize];
            sums.travel_micro += visit.arc_cost_micro;
            sums.lateness_us += job.lateness_us(visit.start_us);
            self.load
                .iter_mut()
                .zip(&job.demand)
                .for_each(|(sum, one)| *sum += one);
        }
        self.sums = sums;
    }

    /// Computes latest arrivals, from the last task to the first.
    fn backward_pass(&mut self, model: &Model<'_>, worker: &Worker) {
        let (mut next, mut due_us) = (worker.end, worker.shift_end_us);
        for visit in self.visits.iter_mut().rev() {
            let job = &model.jobs[visit.task as usize];
            let travel_us = model.time_us(worker, visit.location, next);
            visit.latest_us = job.arrival_us(due_us - travel_us - job.service_us);
            (next, due_us) = (visit.location, visit.latest_us);
        }
    }

    /// Replaces the tasks of the path; as [`Path::refresh`].
    pub(crate) fn set(&mut self, model: &Model<'_>, agent: usize, tasks: &[u32]) -> bool {
        self.visits.clear();
        for &task in tasks {
            self.insert(model, task, self.visits.len());
        }
        self.refresh(model, agent, 0)
    }
}
