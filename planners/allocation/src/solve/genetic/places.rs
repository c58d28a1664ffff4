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

    /// The ways of an agent. From a start to an end there is a way for free: whoever does nothing
    /// costs nothing. From a start to a task the agent's own cost is added.
    pub(super) fn table(
        &self,
        model: &Model<'_>,
        agent: usize,
        (unit, missing): (f64, i64),
    ) -> Vec<Way> {
        let stride = self.stride();
        let worker = &model.workers[agent];
        let first_end = self.tasks + self.starts.len();
        let locations: Vec<u32> = model
            .jobs
            .iter()
            .map(|job| job.location)
            .chain(self.starts.iter().copied())
            .chain(self.ends.iter().copied())
            .collect();
        let mut ways = Vec::with_capacity(stride * stride);
        for from in 0..stride {
            for to in 0..stride {
                let (here, there) = (locations[from], locations[to]);
                let from_start = (self.tasks..first_end).contains(&from);
                let mut way = Way {
                    cost: 0,
                    time_us: 0,
                };
                let is_idle = from_start && to >= self.tasks;
                if !is_idle && here != NONE {
                    let time_us = model.time_us(worker, here, there);
                    let mut energy = model.scale.travel * model.cost_micro(here, there) as f64;
                    if from_start {
                        energy += model.scale.agents * MICRO as f64;
                    }
                    way = if time_us >= FAR {
                        Way {
                            cost: missing,
                            time_us: 0,
                        }
                    } else {
                        Way {
                            cost: (energy / unit).round() as i64,
                            time_us,
                        }
                    };
                }
                ways.push(way);
            }
        }
        ways
    }
}
