//! The feasible arcs between tasks, start places and end places: the graph of Kartal 2016, section
//! 4.4.1.

use super::state::State;
use crate::problem::Micros;
use crate::solve::model::{Model, NONE, UNREACHABLE, Worker};
use std::cmp::Reverse;

/// Most arcs that are stored: all of them up to 200 tasks.
const ARCS_MAX: usize = 45_000;

/// An arc from a task or a start place to a task or an end place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Arc {
    pub(crate) cost_micro: i64,
    /// A task, or the number of tasks plus the index of a start place.
    pub(crate) from: u32,
    /// A task, or the number of tasks plus the index of an end place.
    pub(crate) to: u32,
}

/// The feasible arcs by cost.
///
/// An arc between tasks is feasible if the fastest agent can start the second in time after the
/// earliest start of the first: E of Kartal 2016. Start and end places at one location are one.
#[derive(Debug, Clone)]
pub(crate) struct ArcSet {
    tasks: u32,
    /// Locations of start places and of end places.
    starts: Vec<u32>,
    ends: Vec<u32>,
    /// The most expensive arcs, in descending order.
    longest: Vec<Arc>,
}

impl ArcSet {
    /// `go_on` is called for each task; once it returns false there are no further arcs.
    pub(crate) fn new(model: &Model<'_>, mut go_on: impl FnMut() -> bool) -> Self {
        let distinct = |location: &dyn Fn(&Worker) -> u32| {
            let mut all: Vec<u32> = model.workers.iter().map(location).collect();
            all.retain(|location| *location != NONE);
            all.sort_unstable();
            all.dedup();
            all
        };
        let mut arcs = Self {
            tasks: model.jobs.len() as u32,
            starts: distinct(&|worker| worker.start),
            ends: distinct(&|worker| worker.end),
            longest: Vec::new(),
        };
        for task in 0..arcs.tasks {
            if !go_on() {
                break;
            }
            arcs.collect(model, task);
            if arcs.longest.len() > 2 * ARCS_MAX {
                arcs.prune();
            }
        }
        arcs.prune();
        arcs.longest.sort_unstable_by_key(|arc| Reverse(*arc));
        arcs
    }

    /// Adds the arcs to a task, and those from it to end places.
    fn collect(&mut self, model: &Model<'_>, task: u32) {
        let job = &model.jobs[task as usize];
        let fastest = model.fastest();
        let mut found = |arc: Arc| self.longest.push(arc);
        let in_time = |free_us: Micros, travel_us: Micros| free_us + travel_us <= job.latest_us;
        for (from, start) in (self.tasks..).zip(&self.starts) {
            let here = |worker: &&Worker| worker.start == *start;
            let arrival =
                |worker: &Worker| worker.leaves_us + model.time_us(worker, *start, job.location);
            let arrival_us = model.workers.iter().filter(here).map(arrival).min();
            if arrival_us.is_some_and(|arrival_us| in_time(arrival_us, 0)) {
                let cost_micro = model.cost_micro(*start, job.location);
                found(Arc {
                    cost_micro,
                    from,
                    to: task,
                });
            }
        }
        for (from, other) in (0..).zip(&model.jobs).filter(|(from, _)| *from != task) {
            let travel_us = model.time_us(fastest, other.location, job.location);
            if in_time(other.open_us + other.service_us, travel_us) {
                let cost_micro = model.cost_micro(other.location, job.location);
                found(Arc {
                    cost_micro,
                    from,
                    to: task,
                });
            }
        }
        for (to, end) in (self.tasks..).zip(&self.ends) {
            let cost_micro = model.cost_micro(job.location, *end);
            if cost_micro < UNREACHABLE {
                found(Arc {
                    cost_micro,
                    from: task,
                    to,
                });
            }
        }
    }

    /// Retains the most expensive arcs.
    fn prune(&mut self) {
        if self.longest.len() > ARCS_MAX {
            self.longest
                .select_nth_unstable_by_key(ARCS_MAX - 1, |arc| Reverse(*arc));
            self.longest.truncate(ARCS_MAX);
        }
    }

    /// Sum of the costs of the `count` most expensive arcs.
    pub(crate) fn sum_of_longest(&self, count: usize) -> f64 {
        self.longest
            .iter()
            .take(count)
            .map(|arc| arc.cost_micro as f64)
            .sum()
    }

    /// Sum of the costs of the `count` most expensive arcs by which missing tasks could be
    /// inserted: E' of Kartal 2016, section 4.4.3. From any task to missing tasks, and from missing
    /// tasks to end places.
    pub(crate) fn worst_insertion(&self, end: &State, count: usize) -> f64 {
        let fits = |arc: &&Arc| {
            if arc.to < self.tasks {
                arc.from < self.tasks && end.is_left(arc.to)
            } else {
                end.is_left(arc.from)
            }
        };
        self.sum(self.longest.iter().filter(fits), count)
    }

    /// Sum of the costs of the first `count` arcs. After pruning the last arc stands for those that
    /// are missing.
    fn sum<'e>(&self, arcs: impl Iterator<Item = &'e Arc>, count: usize) -> f64 {
        let mut sum = 0;
        let mut missing = count;
        for arc in arcs.take(count) {
            sum += arc.cost_micro;
            missing -= 1;
        }
        let is_pruned = self.longest.len() >= ARCS_MAX;
        let last = self.longest.last().filter(|_| is_pruned);
        let rest = last.map_or(0, |arc| arc.cost_micro);
        sum as f64 + missing as f64 * rest as f64
    }
}
