//! Committed prefixes in the model.

use super::classes::classify;
use super::{Load, Model, Worker, narrow};
use crate::problem::{Micros, Problem};
use crate::solve::path::Path;

/// Where an agent is after its committed prefix, as far as the arcs from there depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Start {
    pub(crate) location: u32,
    /// Cost of the arc to the end place; `None`: there is no committed prefix, and an agent without
    /// tasks costs nothing.
    pub(crate) return_cost_micro: Option<i64>,
    /// Whether the shift is over.
    pub(crate) is_over: bool,
}

/// An agent after its committed prefix.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Progress {
    pub(crate) start: Start,
    /// Departure to another task.
    pub(crate) leaves_us: Micros,
    /// Capacity that is left.
    pub(crate) room: Load,
}

impl Progress {
    /// Whether there is a committed prefix.
    pub(crate) fn has_begun(&self) -> bool {
        self.start.return_cost_micro.is_some()
    }
}

impl Model<'_> {
    /// The model of a problem that differs only in its committed prefixes. Travel tables are
    /// reused: they are most of the work of [`Model::new`].
    pub(crate) fn with_commitments(self, problem: &Problem) -> Model<'_> {
        let Self {
            problem: _,
            mut jobs,
            mut workers,
            classes: _,
            changes_max,
            counts_time,
            counts_makespan,
            scale,
            cost_per_us,
            locations,
            is_symmetric,
            tables,
            costs,
        } = self.without_waits();
        for (agent, worker) in workers.iter_mut().enumerate() {
            let before = std::mem::take(&mut worker.committed);
            for task in before {
                jobs[task as usize].is_committed = false;
            }
            let started = problem.committed(agent).iter();
            worker.committed = started.map(|task| narrow(*task)).collect();
            worker.leaves_us = problem.leaves_us(agent);
        }
        for task in workers.iter().flat_map(|worker| &worker.committed) {
            jobs[*task as usize].is_committed = true;
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
            cost_per_us,
            locations,
            is_symmetric,
            tables,
            costs,
        };
        model.with_waits()
    }

    /// Adds the wait until now to the service time of the last committed task of each agent. Valid
    /// where the earliest times of committed prefixes are those of every plan: without couplings
    /// and breaks.
    pub(super) fn with_waits(mut self) -> Self {
        let now_us = self.problem.now_us();
        for agent in 0..self.workers.len() {
            let last = self.workers[agent].committed.last().copied();
            let Some(last) = last.filter(|_| now_us > 0) else {
                continue;
            };
            let idle_us = (now_us - self.done_us(agent, now_us)).max(0);
            self.jobs[last as usize].service_us += idle_us;
            self.workers[agent].idle_us = idle_us;
        }
        self
    }

    /// Undoes [`Model::with_waits`], for searches that compute times otherwise.
    pub(crate) fn without_waits(mut self) -> Self {
        for worker in &mut self.workers {
            if let Some(last) = worker.committed.last() {
                self.jobs[*last as usize].service_us -= std::mem::take(&mut worker.idle_us);
            }
        }
        self
    }

    /// Where an agent goes on. `None`: it cannot end its route after the committed prefix.
    pub(crate) fn progress(&self, agent: usize) -> Option<Progress> {
        let worker = &self.workers[agent];
        let mut prefix = Path::default();
        if !prefix.set(self, agent, &worker.committed) {
            return None;
        }
        let (location, leaves_us) = prefix.before(worker, worker.committed.len());
        let mut room = worker.capacity;
        room.iter_mut()
            .zip(&prefix.load)
            .for_each(|(room, load)| *room -= load);
        Some(Progress {
            start: Start {
                location,
                return_cost_micro: (!worker.committed.is_empty())
                    .then_some(prefix.return_cost_micro),
                is_over: leaves_us > worker.shift_end_us,
            },
            leaves_us,
            room,
        })
    }

    /// Number of tasks outside committed prefixes.
    pub(crate) fn free_count(&self) -> usize {
        self.jobs.iter().filter(|job| !job.is_committed).count()
    }

    /// Earliest end of the committed prefix of an agent; where that is after `until_us`, some time
    /// after it.
    fn done_us(&self, agent: usize, until_us: Micros) -> Micros {
        let worker = &self.workers[agent];
        let (mut here, mut free_us) = (worker.start, worker.leaves_us);
        for task in &worker.committed {
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
    /// Departure to the end place after `count` tasks, the last of which ends at `depart_us`. After
    /// the committed prefix alone the agent does not wait until now.
    #[inline]
    pub(crate) fn homeward_us(&self, count: usize, depart_us: Micros) -> Micros {
        if count == self.committed.len() {
            depart_us - self.idle_us
        } else {
            depart_us
        }
    }
}
