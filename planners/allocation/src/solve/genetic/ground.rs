//! A problem, in the shape in which penalised local search reads it.

use super::places::{Places, speeds};
use crate::problem::{MICRO, Micros, Window};
use crate::solve::Scene;
use crate::solve::model::{FAR, Model};
use crate::solve::nearest::Nearest;

/// In place of a node: none.
pub(super) const NIL: u16 = u16::MAX;
/// Most cells of travel tables, one table a speed: 64 MB.
const CELLS_MAX: usize = 1 << 22;
/// Most that all parts of an energy together may come to.
const ENERGY_MAX: f64 = 1e15;
/// Lanes beyond the number of agents.
const SPARE: usize = 3;

/// A way: what it adds to the energy, and how long it takes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Way {
    pub(super) cost: i64,
    pub(super) time_us: Micros,
}

/// What a node asks for. Nodes are the tasks, then the start and the end of each lane.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot {
    pub(super) open_us: Micros,
    /// Latest start.
    pub(super) latest_us: Micros,
    pub(super) service_us: Micros,
    /// End of the last window.
    pub(super) close_us: Micros,
    /// Row and column in the travel tables.
    pub(super) place: u16,
}

/// Room for one route: an agent, or one more than there are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Berth {
    /// Lanes of the same class differ in nothing.
    pub(super) class: u16,
    /// Table of travel times.
    pub(super) table: u16,
    pub(super) is_spare: bool,
    pub(super) skills: u64,
}

/// All that does not change in a search. Costs are whole numbers: the energy of [`Scale`] divided
/// by a unit, so that sums are exact and fast.
///
/// [`Scale`]: crate::solve::scale::Scale
#[derive(Debug)]
pub(super) struct Ground<'p> {
    pub(super) model: &'p Model<'p>,
    pub(super) near: &'p Nearest,
    pub(super) tasks: usize,
    pub(super) spots: Vec<Spot>,
    pub(super) berths: Vec<Berth>,
    /// Agents of each class.
    pub(super) sizes: Vec<u16>,
    pub(super) dimensions: usize,
    /// By node and dimension, each scaled to matter alike.
    pub(super) demands: Vec<i64>,
    /// By lane and dimension.
    pub(super) capacities: Vec<i64>,
    /// What leaving a task out costs; `None`: that is not allowed.
    pub(super) losses: Vec<Option<i64>>,
    pub(super) skills: Vec<u64>,
    pub(super) has_skills: bool,
    /// Whether times are to be gone through task by task: there are several windows, or lateness
    /// counts.
    pub(super) walks: bool,
    /// Whether windows hardly say when tasks are done: most starts are free for most of the time.
    pub(super) is_loose: bool,
    /// Energy of a microsecond of lateness.
    pub(super) late_rate: f64,
    /// Cost of a way that does not exist: above the energy of any plan.
    pub(super) missing: i64,
    /// Energy of a way, on average, and of a microsecond on it.
    pub(super) way_cost: f64,
    pub(super) time_rate: f64,
    windows: Vec<Vec<Window>>,
    tables: Vec<Vec<Way>>,
    stride: usize,
}

impl<'p> Ground<'p> {
    /// `None` where this search cannot judge plans: the makespan counts, tasks are under way, the
    /// number of changes is limited, or there are too many speeds for so many places. The same
    /// where `go_on`, which is asked for each place, says no.
    pub(super) fn new(scene: &'p Scene<'p>, mut go_on: impl FnMut() -> bool) -> Option<Self> {
        let model = &scene.model;
        let is_bound =
            model.limits_changes() || model.workers.iter().any(|w| !w.started.is_empty());
        if model.counts_makespan || is_bound || model.jobs.len() < 2 {
            return None;
        }
        let places = Places::new(model);
        let speeds = speeds(model);
        let stride = places.stride();
        if stride * stride * speeds.len() > CELLS_MAX {
            return None;
        }
        let total = total(model, &mut go_on)?;
        // Energy of one whole number.
        let unit = (total / ENERGY_MAX).max(1.0);
        let missing = (4.0 * total / unit) as i64 + 1;
        let energy = |value: f64| (value / unit).round() as i64;
        let mut tables = Vec::with_capacity(speeds.len());
        for agent in &speeds {
            tables.push(places.table(places.rows(model, *agent, (unit, missing)), &mut go_on)?);
        }
        let loss = |penalty: Option<i64>| {
            let droppable = penalty.is_some() || !model.problem.is_strict();
            droppable.then(|| energy(model.scale.loss(penalty)))
        };
        let jobs = &model.jobs;
        let mut ground = Self {
            model,
            near: &scene.nearest,
            tasks: jobs.len(),
            spots: Vec::new(),
            berths: Vec::new(),
            sizes: Vec::new(),
            dimensions: model.problem.dimensions(),
            demands: Vec::new(),
            capacities: Vec::new(),
            losses: jobs.iter().map(|job| loss(job.penalty_micro)).collect(),
            skills: jobs.iter().map(|job| job.skills).collect(),
            has_skills: jobs.iter().any(|job| job.skills != 0),
            walks: model.counts_time || jobs.iter().any(|job| job.windows().len() > 1),
            is_loose: is_loose(model),
            late_rate: if model.counts_time {
                model.scale.lateness() / unit
            } else {
                0.0
            },
            missing,
            way_cost: 1.0,
            time_rate: 1.0,
            windows: jobs.iter().map(|job| job.windows().to_vec()).collect(),
            tables,
            stride,
        };
        ground.lay_out(&places, &speeds);
        ground.measure();
        Some(ground)
    }

    fn lay_out(&mut self, places: &Places, speeds: &[usize]) {
        let model = self.model;
        for (task, job) in model.jobs.iter().enumerate() {
            self.spots.push(Spot {
                open_us: job.open_us,
                latest_us: job.latest_us,
                service_us: job.service_us,
                close_us: job.close_us,
                place: task as u16,
            });
        }
        self.sizes = vec![0; model.classes];
        model
            .workers
            .iter()
            .for_each(|w| self.sizes[w.class as usize] += 1);
        let mut agents: Vec<(usize, bool)> = (0..model.workers.len()).map(|a| (a, false)).collect();
        // One spare lane more of the largest classes each.
        let mut classes: Vec<usize> = (0..model.classes).collect();
        classes.sort_by_key(|class| (std::cmp::Reverse(self.sizes[*class]), *class));
        for spare in 0..SPARE.min(self.tasks) {
            let class = classes[spare % classes.len()] as u32;
            let agent = model.workers.iter().position(|w| w.class == class);
            agents.extend(agent.map(|agent| (agent, true)));
        }
        let weights = dimension_weights(model, self.dimensions);
        for job in &model.jobs {
            let demand = |d: usize| job.demand[d] * weights[d];
            self.demands.extend((0..self.dimensions).map(demand));
        }
        for &(agent, is_spare) in &agents {
            let worker = &model.workers[agent];
            let speed = worker.speed_micro();
            let table = speeds
                .iter()
                .position(|a| model.workers[*a].speed_micro() == speed);
            self.berths.push(Berth {
                class: worker.class as u16,
                table: table.expect("every speed has a table") as u16,
                is_spare,
                skills: worker.skills,
            });
            // An agent that cannot leave before its shift is over is in time as long as it stays.
            let begin = worker.leaves_us;
            let end = worker.shift_end_us.max(begin);
            let spot = |place, open_us, latest_us| Spot {
                open_us,
                latest_us,
                service_us: 0,
                close_us: latest_us,
                place,
            };
            self.spots.push(spot(places.start[agent], begin, begin));
            self.spots.push(spot(places.end[agent], 0, end));
            self.demands
                .extend(std::iter::repeat_n(0, 2 * self.dimensions));
            let capacity = |d: usize| worker.capacity[d] * weights[d];
            self.capacities.extend((0..self.dimensions).map(capacity));
        }
    }

    /// Averages over a sample of ways.
    fn measure(&mut self) {
        let (mut ways, mut cost, mut time_us) = (0.0, 0.0, 0.0);
        for from in 0..self.tasks {
            for &to in self.near.of(from as u32).iter().take(8) {
                let way = self.tables[0][from * self.stride + to as usize];
                if way.cost < self.missing {
                    ways += 1.0;
                    cost += way.cost as f64;
                    time_us += way.time_us as f64;
                }
            }
        }
        if ways > 0.0 {
            self.way_cost = (cost / ways).max(1.0);
            self.time_rate = self.way_cost * ways / f64::max(time_us, 1.0);
        }
    }

    #[inline]
    pub(super) fn way(&self, table: u16, from: u16, to: u16) -> Way {
        self.tables[table as usize][from as usize * self.stride + to as usize]
    }

    /// The same for all agents.
    #[inline]
    pub(super) fn cost(&self, from: u16, to: u16) -> i64 {
        self.tables[0][from as usize * self.stride + to as usize].cost
    }

    /// Start of whoever comes to a task at `arrival_us`.
    #[inline]
    pub(super) fn start_us(&self, node: u16, arrival_us: Micros) -> Micros {
        let spot = &self.spots[node as usize];
        if self.walks
            && let Some(windows) = self.windows.get(node as usize)
            && !windows.is_empty()
        {
            let open = windows.iter().find(|w| arrival_us <= w.close_us);
            return open.map_or(arrival_us, |w| arrival_us.max(w.open_us));
        }
        arrival_us.max(spot.open_us)
    }

    pub(super) fn lanes(&self) -> usize {
        self.berths.len()
    }

    /// Node where a lane starts. It ends at the next.
    #[inline]
    pub(super) fn start(&self, lane: usize) -> u16 {
        (self.tasks + 2 * lane) as u16
    }

    #[inline]
    pub(super) fn end(&self, lane: usize) -> u16 {
        (self.tasks + 2 * lane + 1) as u16
    }

    /// Whether the agents of a lane may do a task.
    #[inline]
    pub(super) fn may(&self, lane: usize, task: u16) -> bool {
        !self.has_skills || self.skills[task as usize] & !self.berths[lane].skills == 0
    }
}

/// Energy of everything that can go wrong at once.
fn total(model: &Model<'_>, go_on: &mut impl FnMut() -> bool) -> Option<f64> {
    let longest = |job: &crate::solve::model::Job| {
        let (mut most, from) = (0, job.location);
        for other in &model.jobs {
            let cost = model.cost_micro(from, other.location);
            most = most.max(if cost >= FAR { 0 } else { cost });
        }
        most as f64
    };
    let mut ways = 0.0;
    for job in &model.jobs {
        if !go_on() {
            return None;
        }
        ways += longest(job);
    }
    let mut home = 0.0;
    for worker in &model.workers {
        for job in &model.jobs {
            for (from, to) in [(worker.start, job.location), (job.location, worker.end)] {
                let cost = model.cost_micro(from, to);
                home = f64::max(home, if cost >= FAR { 0.0 } else { cost as f64 });
            }
        }
    }
    let agents = model.workers.len() as f64;
    let travel = model.scale.travel * (ways + 2.0 * (agents + 3.0) * home);
    let losses: f64 = model
        .jobs
        .iter()
        .map(|job| model.scale.loss(job.penalty_micro))
        .sum();
    let late = |job: &crate::solve::model::Job| (job.latest_us - job.close_us) as f64;
    let lateness = model.scale.lateness() * model.jobs.iter().map(late).sum::<f64>();
    Some(1.0 + travel + losses + model.scale.agents * agents * MICRO as f64 + lateness)
}

/// Whether the windows of the tasks are on average longer than half of the time from the first to
/// the last start.
fn is_loose(model: &Model<'_>) -> bool {
    let first = model.jobs.iter().map(|job| job.open_us).min().unwrap_or(0);
    let last = model
        .jobs
        .iter()
        .map(|job| job.latest_us)
        .max()
        .unwrap_or(0);
    let window = |job: &crate::solve::model::Job| (job.latest_us - job.open_us) as f64;
    let open: f64 = model.jobs.iter().map(window).sum();
    open > (last - first) as f64 * model.jobs.len() as f64 / 2.0
}

/// Factors that make the dimensions of capacity matter alike.
fn dimension_weights(model: &Model<'_>, dimensions: usize) -> Vec<i64> {
    let sum = |d: usize| model.jobs.iter().map(|job| job.demand[d]).sum::<i64>();
    let most = (0..dimensions).map(sum).max().unwrap_or(0);
    let weight = |d: usize| (most / sum(d).max(1)).clamp(1, 1_000);
    (0..dimensions).map(weight).collect()
}
