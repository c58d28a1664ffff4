//! The feasible ways between the places of a plan: the graph of Kartal 2016, section 4.4.1.

use super::state::State;
use crate::problem::Micros;
use crate::solve::model::{FAR, Model, NONE, Worker};
use std::cmp::Reverse;

/// Most ways that are kept at each end of the order: all of them up to 200 tasks.
const EDGES_MAX: usize = 45_000;

/// A way from a task or a start place to a task or an end place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Edge {
    pub(crate) cost_micro: i64,
    /// A task, or their number plus the number of a start place.
    pub(crate) from: u32,
    /// A task, or their number plus the number of an end place.
    pub(crate) to: u32,
}

/// The feasible ways, by length.
///
/// A way from a task to another is feasible if the second can be started in time after the first,
/// at the earliest time that its windows allow and by the fastest agent: E of the thesis. Start and
/// end places of several agents that are at one location are one.
#[derive(Debug, Clone)]
pub(crate) struct Edges {
    tasks: u32,
    /// Locations of start places and of end places.
    pub(crate) starts: Vec<u32>,
    pub(crate) ends: Vec<u32>,
    /// Longest first. Very many: the longest of them.
    longest: Vec<Edge>,
    /// Shortest first. Very many: the shortest of them.
    shortest: Vec<Edge>,
}

impl Edges {
    /// `go_on` is asked for each task; where it says no there are no further edges.
    pub(crate) fn new(model: &Model<'_>, mut go_on: impl FnMut() -> bool) -> Self {
        let distinct = |location: &dyn Fn(&Worker) -> u32| {
            let mut all: Vec<u32> = model.workers.iter().map(location).collect();
            all.retain(|location| *location != NONE);
            all.sort_unstable();
            all.dedup();
            all
        };
        let mut edges = Self {
            tasks: model.jobs.len() as u32,
            starts: distinct(&|worker| worker.start),
            ends: distinct(&|worker| worker.end),
            longest: Vec::new(),
            shortest: Vec::new(),
        };
        for task in 0..edges.tasks {
            if !go_on() {
                break;
            }
            edges.collect(model, task);
            if edges.longest.len() > 2 * EDGES_MAX {
                edges.prune();
            }
        }
        edges.prune();
        edges.longest.sort_unstable_by_key(|edge| Reverse(*edge));
        edges.shortest.sort_unstable();
        edges
    }

    /// All ways to a task, and those from it to end places.
    fn collect(&mut self, model: &Model<'_>, task: u32) {
        let job = &model.jobs[task as usize];
        let fastest = model.fastest();
        let mut found = |edge: Edge| {
            self.longest.push(edge);
            self.shortest.push(edge);
        };
        let in_time = |free_us: Micros, way_us: Micros| free_us + way_us <= job.latest_us;
        for (from, start) in (self.tasks..).zip(&self.starts) {
            let here = |worker: &&Worker| worker.start == *start;
            let arrival =
                |worker: &Worker| worker.leaves_us + model.time_us(worker, *start, job.location);
            let arrival_us = model.workers.iter().filter(here).map(arrival).min();
            if arrival_us.is_some_and(|arrival_us| in_time(arrival_us, 0)) {
                let cost_micro = model.cost_micro(*start, job.location);
                found(Edge {
                    cost_micro,
                    from,
                    to: task,
                });
            }
        }
        for (from, other) in (0..).zip(&model.jobs).filter(|(from, _)| *from != task) {
            let way_us = model.time_us(fastest, other.location, job.location);
            if in_time(other.open_us + other.service_us, way_us) {
                let cost_micro = model.cost_micro(other.location, job.location);
                found(Edge {
                    cost_micro,
                    from,
                    to: task,
                });
            }
        }
        for (to, end) in (self.tasks..).zip(&self.ends) {
            let cost_micro = model.cost_micro(job.location, *end);
            if cost_micro < FAR {
                found(Edge {
                    cost_micro,
                    from: task,
                    to,
                });
            }
        }
    }

    /// Keeps what may be among the longest and the shortest.
    fn prune(&mut self) {
        if self.longest.len() > EDGES_MAX {
            self.longest
                .select_nth_unstable_by_key(EDGES_MAX - 1, |edge| Reverse(*edge));
            self.longest.truncate(EDGES_MAX);
        }
        if self.shortest.len() > EDGES_MAX {
            self.shortest.select_nth_unstable(EDGES_MAX - 1);
            self.shortest.truncate(EDGES_MAX);
        }
    }

    /// Costs of the `count` longest ways, all together.
    pub(crate) fn sum_of_longest(&self, count: usize) -> f64 {
        self.longest
            .iter()
            .take(count)
            .map(|edge| edge.cost_micro as f64)
            .sum()
    }

    /// Costs of the `count` longest ways by which missing tasks could be put in, all together: E'
    /// of Kartal 2016, section 4.4.3. From tasks done or not done to tasks not done, and from tasks
    /// not done to end places.
    pub(crate) fn worst_insertion(&self, end: &State, count: usize) -> f64 {
        let fits = |edge: &&Edge| {
            if edge.to < self.tasks {
                edge.from < self.tasks && end.is_left(edge.to)
            } else {
                end.is_left(edge.from)
            }
        };
        self.sum(self.longest.iter().filter(fits), count, self.longest.last())
    }

    /// Costs of the `count` shortest ways that `fits` lets pass, all together; fewer if there are
    /// not so many.
    pub(crate) fn sum_of_shortest(&self, count: usize, fits: impl Fn(&Edge) -> bool) -> f64 {
        self.sum(
            self.shortest.iter().filter(|edge| fits(edge)),
            count,
            self.shortest.last(),
        )
    }

    /// Where edges were pruned the last one kept stands for those that are missing.
    fn sum<'e>(
        &self,
        edges: impl Iterator<Item = &'e Edge>,
        count: usize,
        last: Option<&Edge>,
    ) -> f64 {
        let mut sum = 0;
        let mut missing = count;
        for edge in edges.take(count) {
            sum += edge.cost_micro;
            missing -= 1;
        }
        let is_pruned = self.longest.len() >= EDGES_MAX;
        let rest = last.filter(|_| is_pruned).map_or(0, |edge| edge.cost_micro);
        sum as f64 + missing as f64 * rest as f64
    }
}
