//! Arcs between tasks, start places and end places: as matrices, or computed.

use super::free_tasks::FreeTasks;
use super::instance::Arc;
use crate::problem::{MICRO, Micros};
use crate::solve::SearchContext;
use crate::solve::model::{Model, NONE, Progress, Start, UNREACHABLE};
use crate::travel::{StraightLines, at_speed};

/// Upper bound of the cost of a solution, in whole numbers.
const COST_MAX: f64 = 1e15;
/// The same, times the number of tasks: four times as much fits 64 bits, which is what a solution
/// costs without all its tasks.
const SUM_MAX: f64 = 1e18;

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
    starts: Vec<Start>,
    /// By row.
    locations: Vec<u32>,
    /// The row of each task, and by agent those of its start and of its end.
    pub(super) task: Vec<u16>,
    pub(super) start: Vec<u16>,
    pub(super) end: Vec<u16>,
}

impl Rows {
    fn new(model: &Model<'_>, free: &FreeTasks, agents: &[Progress]) -> Self {
        let tasks = free.count();
        let start_of: Vec<Start> = agents.iter().map(|progress| progress.start).collect();
        let end_of: Vec<u32> = model.workers.iter().map(|worker| worker.end).collect();
        let (starts, start) = ranked(tasks, &start_of);
        let (ends, end) = ranked(tasks + starts.len(), &end_of);
        let order = free.clustered();
        let mut task = vec![0; tasks];
        (0..)
            .zip(&order)
            .for_each(|(row, node)| task[*node as usize] = row);
        let location = |node: &u16| model.jobs[free.tasks[*node as usize] as usize].location;
        let places = order.iter().map(location);
        let leave = starts.iter().map(|start| start.location);
        Self {
            tasks,
            locations: places.chain(leave).chain(ends).collect(),
            starts,
            task,
            start,
            end,
        }
    }

    /// Where agents of a row leave, if it is a start.
    #[inline]
    fn start(&self, row: u16) -> Option<&Start> {
        self.starts.get(usize::from(row).checked_sub(self.tasks)?)
    }

    #[inline]
    fn is_task(&self, row: u16) -> bool {
        usize::from(row) < self.tasks
    }

    pub(super) fn count(&self) -> usize {
        self.locations.len()
    }
}

/// The distinct values in order, and for each value its row: they are the rows from `first` on.
fn ranked<T: Copy + Ord>(first: usize, values: &[T]) -> (Vec<T>, Vec<u16>) {
    let mut distinct = values.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let rank = |value| distinct.binary_search(value).unwrap_or_default();
    let rows = values.iter().map(|value| (first + rank(value)) as u16);
    let rows = rows.collect();
    (distinct, rows)
}

/// The arcs between rows, and their costs as whole numbers.
///
/// Routes begin where committed prefixes end. An arc from a start to an end takes no time: what is
/// begun can be ended. It costs nothing where nothing is begun, as an unused agent costs nothing;
/// there an arc to a task includes the cost of using the agent.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) free: FreeTasks,
    /// By agent.
    pub(super) agents: Vec<Progress>,
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
    /// `None` where islands do not support the problem: the makespan counts, the number of changes
    /// is limited, there are less than two free tasks, or an agent needs further tasks to end its
    /// route after its committed prefix. `None` also where `go_on` returned false.
    pub(super) fn supported(
        context: &SearchContext<'_>,
        go_on: impl FnMut() -> bool,
    ) -> Option<Self> {
        let model = &context.model;
        if model.counts_makespan || model.limits_changes() || model.free_count() < 2 {
            return None;
        }
        let agents = 0..model.workers.len();
        let agents: Option<Vec<Progress>> = agents.map(|agent| model.progress(agent)).collect();
        let agents = agents?;
        let free = FreeTasks::new(context, &agents, go_on)?;
        let total = total(model);
        let unit = (total / COST_MAX.min(SUM_MAX / model.jobs.len() as f64)).max(1.0);
        let rows = Rows::new(model, &free, &agents);
        let travel = model.problem.travel();
        let lines = travel.lines.as_ref().filter(|_| !travel.has_matrix());
        // The place of an end that is missing does not matter.
        let place = |row: &u32| if *row == NONE { 0 } else { *row as usize };
        let lines = lines.map(|lines| lines.between(rows.locations.iter().map(place)));
        Some(Self {
            free,
            agents,
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
        let at_once = |cost| Arc { cost, time_us: 0 };
        let start = self.rows.start(from);
        if !self.rows.is_task(to) && !self.rows.is_task(from) {
            let return_cost_micro = start.and_then(|start| start.return_cost_micro);
            return at_once(return_cost_micro.map_or(0, |micro| self.travel_cost(model, micro)));
        }
        if start.is_some_and(|start| start.is_over) {
            return at_once(self.forbidden_cost);
        }
        let [here, there] = [from, to].map(|row| self.rows.locations[usize::from(row)]);
        if here == NONE || there == NONE {
            return at_once(0);
        }
        let worker = &model.workers[self.speeds[speed]];
        let (travel_micro, time_us) = match &self.lines {
            Some(lines) => {
                let distance_micro = lines.distance_micro(from.into(), to.into());
                (
                    distance_micro,
                    at_speed(distance_micro, worker.speed_micro()),
                )
            }
            None => (
                model.cost_micro(here, there),
                model.time_us(worker, here, there),
            ),
        };
        if time_us >= UNREACHABLE {
            return at_once(self.forbidden_cost);
        }
        let is_unused = start.is_some_and(|start| start.return_cost_micro.is_none());
        let cost = if is_unused {
            self.whole(model.scale.travel * travel_micro as f64 + model.scale.agents * MICRO as f64)
        } else {
            self.travel_cost(model, travel_micro)
        };
        Arc { cost, time_us }
    }

    /// Cost of travel.
    #[inline]
    fn travel_cost(&self, model: &Model<'_>, travel_micro: i64) -> i64 {
        self.whole(model.scale.travel * travel_micro as f64)
    }

    /// A penalised cost as a whole number.
    #[inline]
    fn whole(&self, penalised_cost: f64) -> i64 {
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
