//! Travel tables between tasks, starts and ends.

use super::ground::Way;
use crate::problem::MICRO;
use crate::solve::model::{FAR, Model, NONE, Worker};

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

/// Rows and columns of the tables: the tasks, then the different starts, then the different ends.
pub(super) struct Places {
    tasks: usize,
    starts: Vec<u32>,
    ends: Vec<u32>,
    /// By agent.
    pub(super) start: Vec<u16>,
    pub(super) end: Vec<u16>,
}

impl Places {
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

    /// A table of these rows. `None` where `go_on`, which is asked for each, says no.
    pub(super) fn table(
        &self,
        rows: impl Iterator<Item = Vec<Way>>,
        mut go_on: impl FnMut() -> bool,
    ) -> Option<Vec<Way>> {
        let mut table = Vec::with_capacity(self.stride() * self.stride());
        for row in rows {
            if !go_on() {
                return None;
            }
            table.extend(row);
        }
        Some(table)
    }

    /// The ways of an agent, row by row; energies in `unit`. From a start to an end there is a way
    /// for free: whoever does nothing costs nothing. From a start to a task the agent's own cost is
    /// added. A way that does not exist costs `missing`.
    pub(super) fn rows(
        &self,
        model: &Model<'_>,
        agent: usize,
        (unit, missing): (f64, i64),
    ) -> impl Iterator<Item = Vec<Way>> {
        let worker = &model.workers[agent];
        let starts = self.tasks..self.tasks + self.starts.len();
        let tasks = model.jobs.iter().map(|job| job.location);
        let locations: Vec<u32> = tasks
            .chain(self.starts.iter().copied())
            .chain(self.ends.iter().copied())
            .collect();
        let way = move |(from, here): (usize, u32), (to, there): (usize, u32)| {
            let from_start = starts.contains(&from);
            let is_idle = from_start && to >= starts.start;
            if is_idle || here == NONE {
                return Way {
                    cost: 0,
                    time_us: 0,
                };
            }
            let time_us = model.time_us(worker, here, there);
            if time_us >= FAR {
                return Way {
                    cost: missing,
                    time_us: 0,
                };
            }
            let mut energy = model.scale.travel * model.cost_micro(here, there) as f64;
            if from_start {
                energy += model.scale.agents * MICRO as f64;
            }
            Way {
                cost: (energy / unit).round() as i64,
                time_us,
            }
        };
        (0..self.stride()).map(move |from| {
            let here = (from, locations[from]);
            let all = locations.iter().copied().enumerate();
            all.map(|there| way(here, there)).collect()
        })
    }
}
