//! Arcs between tasks, start places and end places: as matrices, or computed.

use super::instance::Arc;
use crate::problem::{MICRO, Micros};
use crate::solve::SearchContext;
use crate::solve::model::{Model, NONE, UNREACHABLE, Worker};
use crate::solve::neighbourhood::Neighbourhood;
use crate::travel::{StraightLines, at_speed};

/// Upper bound of the cost of a solution, in whole numbers.
const COST_MAX: f64 = 1e15;
/// The same, times the number of tasks: four times as much fits 64 bits, which is what a solution
/// costs without all its tasks.
const SUM_MAX: f64 = 1e18;
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
fn speeds(model: &Model<'_>) -> Vec<usize> {
    let mut speeds: Vec<usize> = Vec::new();
    for (agent, worker) in model.workers.iter().enumerate() {
        let same = |first: &usize| model.workers[*first].speed_micro() == worker.speed_micro();
        if !speeds.iter().any(same) {
            speeds.push(agent);
        }
    }
    speeds
}

/// Where the arcs between rows come from. All vehicles have the same costs; times depend on the
/// speed.
pub(super) trait Arcs: Sync {
    /// Whether an arc takes long to compute.
    const IS_COMPUTED: bool;

    fn cost(&self, from: u16, to: u16) -> i64;

    fn time_us(&self, speed: u16, from: u16, to: u16) -> Micros;

    fn arc(&self, speed: u16, from: u16, to: u16) -> Arc;
}

/// Costs of all arcs, and their times at each speed, row by row.
#[derive(Debug)]
pub(super) struct Matrices {
    costs: Vec<i64>,
    times_us: Vec<Vec<Micros>>,
    stride: usize,
}

impl Matrices {
    /// `None` if `go_on`, which is called for each row, returns false.
    pub(super) fn new(
        layout: &Layout,
        model: &Model<'_>,
        go_on: &mut impl FnMut() -> bool,
    ) -> Option<Self> {
        let stride = layout.rows.count();
        let mut matrices = Self {
            costs: Vec::with_capacity(stride * stride),
            times_us: vec![Vec::with_capacity(stride * stride); layout.speeds.len()],
            stride,
        };
        for (speed, times_us) in matrices.times_us.iter_mut().enumerate() {
            matrices.costs.clear();
            for from in 0..stride as u16 {
                if !go_on() {
                    return None;
                }
                for to in 0..stride as u16 {
                    let arc = layout.arc(model, speed, from, to);
                    matrices.costs.push(arc.cost);
                    times_us.push(arc.time_us);
                }
            }
        }
        Some(matrices)
    }
}

impl Arcs for Matrices {
    const IS_COMPUTED: bool = false;

    #[inline]
    fn cost(&self, from: u16, to: u16) -> i64 {
        self.costs[usize::from(from) * self.stride + usize::from(to)]
    }

    #[inline]
    fn time_us(&self, speed: u16, from: u16, to: u16) -> Micros {
        self.times_us[usize::from(speed)][usize::from(from) * self.stride + usize::from(to)]
    }

    #[inline]
    fn arc(&self, speed: u16, from: u16, to: u16) -> Arc {
        Arc {
            cost: self.cost(from, to),
            time_us: self.time_us(speed, from, to),
        }
    }
}

/// Arcs that are computed when they are needed.
#[derive(Debug)]
pub(super) struct Computed<'p> {
    pub(super) layout: &'p Layout,
    pub(super) model: &'p Model<'p>,
}

impl Arcs for Computed<'_> {
    const IS_COMPUTED: bool = true;

    fn cost(&self, from: u16, to: u16) -> i64 {
        self.arc(0, from, to).cost
    }

    fn time_us(&self, speed: u16, from: u16, to: u16) -> Micros {
        self.arc(speed, from, to).time_us
    }

    fn arc(&self, speed: u16, from: u16, to: u16) -> Arc {
        self.layout.arc(self.model, speed.into(), from, to)
    }
}

/// Rows and columns of travel matrices: the tasks, then the distinct starts, then the distinct
/// ends.
#[derive(Debug)]
pub(super) struct Rows {
    tasks: usize,
    /// By row.
    locations: Vec<u32>,
    /// The row of each task, and by agent those of its start and of its end.
    pub(super) task: Vec<u16>,
    pub(super) start: Vec<u16>,
    pub(super) end: Vec<u16>,
}

impl Rows {
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
        let places = order.iter().map(|task| model.jobs[*task as usize].location);
        Self {
            tasks,
            locations: places.chain(starts).chain(ends).collect(),
            task,
            start,
            end,
        }
    }

    pub(super) fn count(&self) -> usize {
        self.locations.len()
    }
}

/// The arcs between rows, and their costs as whole numbers.
///
/// An arc from a start to an end is free: an unused agent costs nothing. An arc from a start to a
/// task includes the cost of using the agent.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) rows: Rows,
    /// The first agent of each speed.
    pub(super) speeds: Vec<usize>,
    /// Cost of one whole number.
    pub(super) unit: f64,
    /// Cost of an arc that does not exist.
    pub(super) forbidden_cost: i64,
    /// Straight lines between the rows, where there is no matrix of locations.
    lines: Option<StraightLines>,
}

impl Layout {
    /// `None` where islands do not support the problem: the makespan counts, there is a committed
    /// prefix, or the number of changes is limited.
    pub(super) fn supported(context: &SearchContext<'_>) -> Option<Self> {
        let model = &context.model;
        let is_bound =
            model.limits_changes() || model.workers.iter().any(|w| !w.committed.is_empty());
        if model.counts_makespan || is_bound || model.jobs.len() < 2 {
            return None;
        }
        let total = total(model);
        let unit = (total / COST_MAX.min(SUM_MAX / model.jobs.len() as f64)).max(1.0);
        let rows = Rows::new(model, &context.neighbourhood);
        let travel = model.problem.travel();
        let lines = travel.lines.as_ref().filter(|_| !travel.has_matrix());
        // The place of an end that is missing does not matter.
        let place = |row: &u32| if *row == NONE { 0 } else { *row as usize };
        let lines = lines.map(|lines| lines.between(rows.locations.iter().map(place)));
        Some(Self {
            rows,
            speeds: speeds(model),
            unit,
            // More than any solution costs.
            forbidden_cost: (4.0 * total / unit) as i64 + 1,
            lines,
        })
    }

    /// The size of matrices of all arcs.
    pub(super) fn cells(&self) -> usize {
        self.rows.count().pow(2) * self.speeds.len()
    }

    /// The arc of agents at the speed number `speed`.
    #[inline]
    fn arc(&self, model: &Model<'_>, speed: usize, from: u16, to: u16) -> Arc {
        let none = Arc {
            cost: 0,
            time_us: 0,
        };
        if self.is_free(from, to) {
            return none;
        }
        let worker = &model.workers[self.speeds[speed]];
        if let Some(lines) = &self.lines {
            let distance_micro = lines.distance_micro(from.into(), to.into());
            return Arc {
                cost: self.cost(model, from, distance_micro),
                time_us: at_speed(distance_micro, worker.speed_micro()),
            };
        }
        let [here, there] = [from, to].map(|row| self.rows.locations[usize::from(row)]);
        let time_us = model.time_us(worker, here, there);
        if time_us >= UNREACHABLE {
            let cost = self.forbidden_cost;
            return Arc { cost, ..none };
        }
        Arc {
            cost: self.cost(model, from, model.cost_micro(here, there)),
            time_us,
        }
    }

    /// Whether nothing travels between two rows: an unused agent, or a route without an end place.
    #[inline]
    fn is_free(&self, from: u16, to: u16) -> bool {
        let is_task = |row: u16| usize::from(row) < self.rows.tasks;
        let is_missing = |row: u16| self.rows.locations[usize::from(row)] == NONE;
        match (is_task(from), is_task(to)) {
            (true, true) => false,
            (true, false) => is_missing(to),
            (false, true) => is_missing(from),
            (false, false) => true,
        }
    }

    /// Cost of an arc from a row, rounded.
    #[inline]
    fn cost(&self, model: &Model<'_>, from: u16, travel_micro: i64) -> i64 {
        let mut penalised_cost = model.scale.travel * travel_micro as f64;
        if usize::from(from) >= self.rows.tasks {
            penalised_cost += model.scale.agents * MICRO as f64;
        }
        (penalised_cost / self.unit + 0.5) as i64
    }
}

/// An upper bound of the cost of any solution, with some spare agents.
fn total(model: &Model<'_>) -> f64 {
    let (tasks, agents) = (model.jobs.len() as f64, model.workers.len() as f64);
    let longest_micro = model.problem.travel().longest_micro() as f64;
    let travel = model.scale.travel * (tasks + 2.0 * (agents + 3.0)) * longest_micro;
    let unserved_penalties: f64 = model
        .jobs
        .iter()
        .map(|job| model.scale.unserved_penalty(job.penalty_micro))
        .sum();
    let late = |job: &crate::solve::model::Job| (job.latest_us - job.close_us) as f64;
    let lateness = model.scale.lateness() * model.jobs.iter().map(late).sum::<f64>();
    1.0 + travel + unserved_penalties + model.scale.agents * agents * MICRO as f64 + lateness
}
