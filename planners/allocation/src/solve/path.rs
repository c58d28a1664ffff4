//! The tasks of one agent, in order, with their times.

use super::model::{Load, Model, Worker};
use crate::problem::Micros;

/// One task on a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Visit {
    pub(crate) task: u32,
    pub(crate) location: u32,
    /// When it starts: as early as possible.
    pub(crate) start_us: Micros,
    /// When it is done.
    pub(crate) depart_us: Micros,
    /// Latest arrival here with which the agent keeps all rules from here on.
    pub(crate) latest_us: Micros,
    /// Cost of the way here.
    pub(crate) way_micro: i64,
}

/// What a path adds to the terms of a cost; all 0 when it is empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Sums {
    pub(crate) travel_micro: i64,
    pub(crate) lateness_us: Micros,
    /// When the agent is done.
    pub(crate) end_us: Micros,
}

/// The tasks of one agent, in order, each as early as possible. Always keeps the rules of the
/// problem.
///
/// Starting earlier never makes a later arrival later (windows or not), so the earliest starts are
/// best for every term, and for every place there is one latest arrival with which the rest still
/// works.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Path {
    pub(crate) visits: Vec<Visit>,
    pub(crate) load: Load,
    pub(crate) sums: Sums,
    /// Cost of the way to the end place.
    pub(crate) home_micro: i64,
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
            home_micro,
        } = from;
        self.visits.clone_from(visits);
        (self.load, self.sums, self.home_micro) = (*load, *sums, *home_micro);
    }
}

impl Path {
    /// Where the agent is before the task at `position`, and from when it can leave.
    #[inline]
    pub(crate) fn before(&self, worker: &Worker, position: usize) -> (u32, Micros) {
        match position.checked_sub(1) {
            None => (worker.start, worker.leaves_us),
            Some(last) => (self.visits[last].location, self.visits[last].depart_us),
        }
    }

    /// Where the agent goes after the tasks before `position`, and when it has to be there.
    #[inline]
    pub(crate) fn after(&self, worker: &Worker, position: usize) -> (u32, Micros) {
        match self.visits.get(position) {
            None => (worker.end, worker.shift_end_us),
            Some(next) => (next.location, next.latest_us),
        }
    }

    /// Cost of the way from the task before `position` to the one there; nothing on an empty path.
    #[inline]
    pub(crate) fn way_micro(&self, position: usize) -> i64 {
        self.visits
            .get(position)
            .map_or(self.home_micro, |next| next.way_micro)
    }

    /// Whether the tasks from position `gap.1` on may come right after those before `gap.0`.
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

    /// Puts a task in front of what is at `position`. Times are wrong until [`Path::refresh`].
    pub(crate) fn insert(&mut self, model: &Model<'_>, task: u32, position: usize) {
        let location = model.jobs[task as usize].location;
        let visit = Visit {
            task,
            location,
            start_us: 0,
            depart_us: 0,
            latest_us: 0,
            way_micro: 0,
        };
        self.visits.insert(position, visit);
    }

    /// Computes everything anew, after tasks were put in or taken out. Tasks before `from` are as
    /// they were. False if a rule is broken: then nothing about the path can be relied on but its
    /// tasks.
    pub(crate) fn refresh(&mut self, model: &Model<'_>, agent: usize, from: usize) -> bool {
        let worker = &model.workers[agent];
        if self.visits.is_empty() {
            (self.load, self.sums, self.home_micro) = (Load::default(), Sums::default(), 0);
            return true;
        }
        let mut is_legal = true;
        let (mut here, mut free_us) = self.before(worker, from);
        for visit in &mut self.visits[from..] {
            let job = &model.jobs[visit.task as usize];
            let arrival_us = free_us + model.time_us(worker, here, visit.location);
            is_legal &= arrival_us <= job.latest_us && job.skills & !worker.skills == 0;
            visit.way_micro = model.cost_micro(here, visit.location);
            visit.start_us = job.start_us(arrival_us);
            visit.depart_us = visit.start_us + job.service_us;
            (here, free_us) = (visit.location, visit.depart_us);
            if !is_legal {
                return false;
            }
        }
        self.home_micro = model.cost_micro(here, worker.end);
        free_us = worker.homeward_us(self.visits.len(), free_us);
        let end_us = free_us + model.time_us(worker, here, worker.end);
        self.sum(model, end_us);
        let within = self
            .load
            .iter()
            .zip(&worker.capacity)
            .all(|(load, max)| load <= max);
        self.look_back(model, worker);
        within && end_us <= worker.shift_end_us
    }

    fn sum(&mut self, model: &Model<'_>, end_us: Micros) {
        let mut sums = Sums {
            travel_micro: self.home_micro,
            lateness_us: 0,
            end_us,
        };
        self.load = Load::default();
        for visit in &self.visits {
            let job = &model.jobs[visit.task as usize];
            sums.travel_micro += visit.way_micro;
            sums.lateness_us += job.lateness_us(visit.start_us);
            self.load
                .iter_mut()
                .zip(&job.demand)
                .for_each(|(sum, one)| *sum += one);
        }
        self.sums = sums;
    }

    /// Latest arrivals, from the last task to the first.
    fn look_back(&mut self, model: &Model<'_>, worker: &Worker) {
        let (mut next, mut due_us) = (worker.end, worker.shift_end_us);
        for visit in self.visits.iter_mut().rev() {
            let job = &model.jobs[visit.task as usize];
            let way_us = model.time_us(worker, visit.location, next);
            visit.latest_us = job.arrival_us(due_us - way_us - job.service_us);
            (next, due_us) = (visit.location, visit.latest_us);
        }
    }

    /// Makes the path do these tasks; as [`Path::refresh`].
    pub(crate) fn set(&mut self, model: &Model<'_>, agent: usize, tasks: &[u32]) -> bool {
        self.visits.clear();
        for &task in tasks {
            self.insert(model, task, self.visits.len());
        }
        self.refresh(model, agent, 0)
    }
}
