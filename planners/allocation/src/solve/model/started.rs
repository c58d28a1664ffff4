//! What is under way, in the model.

use super::classes::classify;
use super::{Model, Worker, narrow};
use crate::problem::{Micros, Problem};

impl Model<'_> {
    /// The model of a problem that differs only in what is under way. Tables of arcs stay as they
    /// are: they are nearly all of the work of [`Model::new`].
    pub(crate) fn with_started(self, problem: &Problem) -> Model<'_> {
        let Self {
            problem: _,
            mut jobs,
            mut workers,
            classes: _,
            changes_max,
            counts_time,
            counts_makespan,
            scale,
            rate,
            locations,
            is_symmetric,
            tables,
            costs,
        } = self.without_waits();
        for (agent, worker) in workers.iter_mut().enumerate() {
            let before = std::mem::take(&mut worker.started);
            for task in before {
                jobs[task as usize].is_started = false;
            }
            let started = problem.committed(agent).iter();
            worker.started = started.map(|task| narrow(*task)).collect();
            worker.leaves_us = problem.leaves_us(agent);
        }
        for task in workers.iter().flat_map(|worker| &worker.started) {
            jobs[*task as usize].is_started = true;
        }
        let classes = classify(problem, &mut workers);
        let model = Model {
            problem,
            jobs,
            workers,
            classes,
            changes_max,
            counts_time,
            counts_makespan,
            scale,
            rate,
            locations,
            is_symmetric,
            tables,
            costs,
        };
        model.waiting()
    }

    /// Lets agents that go on wait after what is under way until now, by a longer service time of
    /// the last task there. That is right where the earliest times of what is under way are those
    /// of every plan: without couplings and breaks.
    pub(super) fn waiting(mut self) -> Self {
        let now_us = self.problem.now_us();
        for agent in 0..self.workers.len() {
            let last = self.workers[agent].started.last().copied();
            let Some(last) = last.filter(|_| now_us > 0) else {
                continue;
            };
            let idle_us = (now_us - self.done_us(agent, now_us)).max(0);
            self.jobs[last as usize].service_us += idle_us;
            self.workers[agent].idle_us = idle_us;
        }
        self
    }

    /// Undoes [`Model::waiting`], for code that computes times otherwise.
    pub(crate) fn without_waits(mut self) -> Self {
        for worker in &mut self.workers {
            if let Some(last) = worker.started.last() {
                self.jobs[*last as usize].service_us -= std::mem::take(&mut worker.idle_us);
            }
        }
        self
    }

    /// When an agent has done what is under way, at the earliest; where that is after `until_us`,
    /// some moment after it.
    fn done_us(&self, agent: usize, until_us: Micros) -> Micros {
        let worker = &self.workers[agent];
        let (mut here, mut free_us) = (worker.start, worker.leaves_us);
        for task in &worker.started {
            let job = &self.jobs[*task as usize];
            let arrival_us = free_us + self.time_us(worker, here, job.location);
            (here, free_us) = (job.location, job.start_us(arrival_us) + job.service_us);
            if free_us > until_us {
                break;
            }
        }
        free_us
    }
}

impl Worker {
    /// When it leaves for its end place that has done `count` tasks, the last of them at
    /// `depart_us`: after what is under way alone it does not wait until now.
    #[inline]
    pub(crate) fn homeward_us(&self, count: usize, depart_us: Micros) -> Micros {
        if count == self.started.len() {
            depart_us - self.idle_us
        } else {
            depart_us
        }
    }
}
