//! Travel matrices between tasks, start places and end places.

use super::instance::Arc;
use crate::problem::MICRO;
use crate::solve::model::{Model, NONE, UNREACHABLE, Worker};

/// The first agent of each speed.
pub(super) fn speeds(model: &Model<'_>) -> Vec<usize> {
    let mut speeds: Vec<usize> = Vec::new();
    for (agent, worker) in model.workers.iter().enumerate() {
        let same = |first: &usize| model.workers[*first].speed_micro() == worker.speed_micro();
        if !speeds.iter().any(same) {
            speeds.push(agent);
        }
    }
    speeds
}

/// Rows and columns of travel matrices: the tasks, then the distinct starts, then the distinct
/// ends.
pub(super) struct MatrixIndex {
    tasks: usize,
    starts: Vec<u32>,
    ends: Vec<u32>,
    /// By agent: the row of its start and of its end.
    pub(super) start: Vec<u16>,
    pub(super) end: Vec<u16>,
}

impl MatrixIndex {
    pub(super) fn new(model: &Model<'_>) -> Self {
        let tasks = model.jobs.len();
        let distinct = |all: &mut dyn Iterator<Item = u32>| {
            let mut all: Vec<u32> = all.collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        let starts = distinct(&mut model.workers.iter().map(|w| w.start));
        let ends = distinct(&mut model.workers.iter().map(|w| w.end));
        let rank = |list: &[u32], location| list.binary_search(&location).unwrap_or_default();
        let of_start = |w: &Worker| (tasks + rank(&starts, w.start)) as u16;
        let of_end = |w: &Worker| (tasks + starts.len() + rank(&ends, w.end)) as u16;
        let start = model.workers.iter().map(of_start).collect();
        let end = model.workers.iter().map(of_end).collect();
        Self {
            tasks,
            starts,
            ends,
            start,
            end,
        }
    }

    pub(super) fn stride(&self) -> usize {
        self.tasks + self.starts.len() + self.ends.len()
    }

    /// A matrix of these rows. `None` if `go_on`, which is called for each, returns false.
    pub(super) fn table(
        &self,
        rows: impl Iterator<Item = Vec<Arc>>,
        mut go_on: impl FnMut() -> bool,
    ) -> Option<Vec<Arc>> {
        let mut table = Vec::with_capacity(self.stride() * self.stride());
        for row in rows {
            if !go_on() {
                return None;
            }
            table.extend(row);
        }
        Some(table)
    }

    /// The arcs of an agent, row by row, with costs in `unit`. An arc from a start to an end is
    /// free: an unused agent costs nothing. An arc from a start to a task includes the cost of
    /// using the agent. An arc that does not exist costs `forbidden_cost`.
    pub(super) fn rows(
        &self,
        model: &Model<'_>,
        agent: usize,
        unit: f64,
        forbidden_cost: i64,
    ) -> impl Iterator<Item = Vec<Arc>> {
        let worker = &model.workers[agent];
        let starts = self.tasks..self.tasks + self.starts.len();
        let tasks = model.jobs.iter().map(|job| job.location);
        let locations: Vec<u32> = tasks
            .chain(self.starts.iter().copied())
            .chain(self.ends.iter().copied())
            .collect();
        let arc = move |from: usize, to: usize| {
            let (here, there) = (locations[from], locations[to]);
            let from_start = starts.contains(&from);
            let is_idle = from_start && to >= starts.start;
            if is_idle || here == NONE {
                return Arc {
                    cost: 0,
                    time_us: 0,
                };
            }
            let time_us = model.time_us(worker, here, there);
            if time_us >= UNREACHABLE {
                return Arc {
                    cost: forbidden_cost,
                    time_us: 0,
                };
            }
            let mut penalised_cost = model.scale.travel * model.cost_micro(here, there) as f64;
            if from_start {
                penalised_cost += model.scale.agents * MICRO as f64;
            }
            Arc {
                cost: (penalised_cost / unit).round() as i64,
                time_us,
            }
        };
        let stride = self.stride();
        (0..stride).map(move |from| (0..stride).map(|to| arc(from, to)).collect())
    }
}
