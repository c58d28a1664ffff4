//! Travel matrices between tasks, start places and end places.

use super::instance::Arc;
use crate::problem::{MICRO, Micros};
use crate::solve::model::{Model, NONE, UNREACHABLE, Worker};
use crate::solve::neighbourhood::Neighbourhood;

/// Tasks of a cluster: their arcs to a task share few cache lines.
const CLUSTER: usize = 16;

/// The tasks in clusters of neighbours, each cluster next to the last: moves read arcs between
/// neighbours, and matrices of 1,000 tasks exceed most caches.
fn clustered(tasks: usize, neighbourhood: &Neighbourhood) -> Vec<u32> {
    let mut order: Vec<u32> = Vec::with_capacity(tasks);
    let mut is_ordered = vec![false; tasks];
    let mut next_unordered = 0;
    while order.len() < tasks {
        while is_ordered[next_unordered] {
            next_unordered += 1;
        }
        let recent = order.len().saturating_sub(CLUSTER);
        let mut near = order[recent..]
            .iter()
            .flat_map(|task| neighbourhood.neighbours(*task));
        let seed = near.find(|task| !is_ordered[**task as usize]).copied();
        let seed = seed.unwrap_or(next_unordered as u32);
        let cluster = std::iter::once(&seed).chain(neighbourhood.neighbours(seed));
        let cluster =
            cluster.filter(|task| !std::mem::replace(&mut is_ordered[**task as usize], true));
        order.extend(cluster.take(CLUSTER));
    }
    order
}

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

/// Costs of all arcs, and their times at each speed, row by row.
#[derive(Debug)]
pub(super) struct Matrices {
    pub(super) costs: Vec<i64>,
    pub(super) times_us: Vec<Vec<Micros>>,
    pub(super) stride: usize,
}

/// Rows and columns of travel matrices: the tasks, then the distinct starts, then the distinct
/// ends.
pub(super) struct MatrixIndex {
    /// The tasks by row, and the row of each task.
    tasks: Vec<u32>,
    pub(super) task: Vec<u16>,
    starts: Vec<u32>,
    ends: Vec<u32>,
    /// By agent: the row of its start and of its end.
    pub(super) start: Vec<u16>,
    pub(super) end: Vec<u16>,
}

impl MatrixIndex {
    pub(super) fn new(model: &Model<'_>, neighbourhood: &Neighbourhood) -> Self {
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
        let order = clustered(tasks, neighbourhood);
        let mut task = vec![0; tasks];
        (0..)
            .zip(&order)
            .for_each(|(row, at)| task[*at as usize] = row);
        Self {
            tasks: order,
            task,
            starts,
            ends,
            start,
            end,
        }
    }

    pub(super) fn stride(&self) -> usize {
        self.tasks.len() + self.starts.len() + self.ends.len()
    }

    /// The matrices, with costs in `unit`, and times of these agents. `None` if `go_on`, which is
    /// called for each row, returns false.
    pub(super) fn matrices(
        &self,
        model: &Model<'_>,
        agents: &[usize],
        unit: f64,
        forbidden_cost: i64,
        go_on: &mut impl FnMut() -> bool,
    ) -> Option<Matrices> {
        let stride = self.stride();
        let mut matrices = Matrices {
            costs: Vec::with_capacity(stride * stride),
            times_us: vec![Vec::with_capacity(stride * stride); agents.len()],
            stride,
        };
        for (agent, times_us) in agents.iter().zip(&mut matrices.times_us) {
            matrices.costs.clear();
            for row in self.rows(model, *agent, unit, forbidden_cost) {
                if !go_on() {
                    return None;
                }
                matrices.costs.extend(row.iter().map(|arc| arc.cost));
                times_us.extend(row.iter().map(|arc| arc.time_us));
            }
        }
        Some(matrices)
    }

    /// The arcs of an agent, row by row, with costs in `unit`. An arc from a start to an end is
    /// free: an unused agent costs nothing. An arc from a start to a task includes the cost of
    /// using the agent. An arc that does not exist costs `forbidden_cost`.
    fn rows(
        &self,
        model: &Model<'_>,
        agent: usize,
        unit: f64,
        forbidden_cost: i64,
    ) -> impl Iterator<Item = Vec<Arc>> {
        let worker = &model.workers[agent];
        let starts = self.tasks.len()..self.tasks.len() + self.starts.len();
        let tasks = self
            .tasks
            .iter()
            .map(|task| model.jobs[*task as usize].location);
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
