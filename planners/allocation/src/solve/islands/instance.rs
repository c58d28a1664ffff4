//! The instance that islands read: nodes, vehicles and travel matrices.

use super::arcs::{Arcs, Layout};
use super::free_tasks::FreeTasks;
use crate::problem::{Micros, Window};
use crate::solve::SearchContext;
use crate::solve::model::{Job, Model, Progress};
use std::collections::BTreeMap;

/// No node.
pub(super) const NIL: u16 = u16::MAX;

/// An arc: its cost and travel time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arc {
    pub(super) cost: i64,
    pub(super) time_us: Micros,
}

/// Data of a node. Nodes are the free tasks, then the start and the end of each vehicle.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeData {
    pub(super) open_us: Micros,
    /// Latest start.
    pub(super) latest_us: Micros,
    pub(super) service_us: Micros,
    /// End of the last window.
    pub(super) close_us: Micros,
    /// Row and column of the travel matrices.
    pub(super) location: u16,
}

/// The agent of a route.
#[derive(Debug, Clone, Copy)]
pub(super) struct Vehicle {
    /// Vehicles of a class are identical.
    pub(super) class: u16,
    /// Vehicles with the same number take as long from any task to the end, and may arrive there as
    /// late.
    pub(super) tail: u16,
    /// Whether nothing is begun, and the shift is not over.
    pub(super) is_fresh: bool,
    /// Its travel matrix.
    pub(super) table: u16,
    pub(super) skills: u64,
}

/// An instance of the vehicle routing problem, constant during a search. Costs are whole numbers:
/// the penalised cost of [`Scale`] divided by a unit, so that sums are exact and fast.
///
/// [`Scale`]: crate::solve::scale::Scale
#[derive(Debug)]
pub(super) struct Instance<'p, A> {
    pub(super) model: &'p Model<'p>,
    /// The tasks that have nodes.
    pub(super) free: &'p FreeTasks,
    pub(super) tasks: usize,
    pub(super) node_data: Vec<NodeData>,
    pub(super) vehicles: Vec<Vehicle>,
    /// Number of agents of each class.
    pub(super) sizes: Vec<u16>,
    pub(super) dimensions: usize,
    /// By node and dimension, scaled so that dimensions weigh alike.
    pub(super) demands: Vec<i64>,
    /// By vehicle and dimension.
    pub(super) capacities: Vec<i64>,
    /// Cost of leaving a task unassigned; `None`: it is mandatory.
    pub(super) unserved_penalties: Vec<Option<i64>>,
    pub(super) skills: Vec<u64>,
    pub(super) has_skills: bool,
    /// Whether times are simulated task by task: some task has several windows, or lateness counts.
    pub(super) simulates_times: bool,
    /// Cost of a microsecond of lateness.
    pub(super) cost_per_late_us: f64,
    /// Average cost of an arc, and of a microsecond on it.
    pub(super) mean_arc_cost: f64,
    pub(super) cost_per_us: f64,
    windows: Vec<Vec<Window>>,
    layout: &'p Layout,
    arcs: A,
    /// By task and neighbour: cost of the arc in the cheaper direction.
    near_costs: Vec<i64>,
    /// Cost of a solution without any task, those that are unassigned not counted.
    pub(super) idle_cost: i64,
}

impl<'p, A: Arcs> Instance<'p, A> {
    pub(super) fn new(context: &'p SearchContext<'p>, layout: &'p Layout, arcs: A) -> Self {
        let (model, unit) = (&context.model, layout.unit);
        let penalised_cost = |value: f64| (value / unit).round() as i64;
        let loss = |penalty: Option<i64>| {
            let droppable = penalty.is_some() || !model.problem.is_strict();
            droppable.then(|| penalised_cost(model.scale.unserved_penalty(penalty)))
        };
        let free = &layout.free;
        let jobs = free.tasks.iter().map(|task| &model.jobs[*task as usize]);
        let jobs: Vec<&Job> = jobs.collect();
        let mut instance = Self {
            model,
            free,
            tasks: free.count(),
            node_data: Vec::new(),
            vehicles: Vec::new(),
            sizes: Vec::new(),
            dimensions: model.problem.dimensions(),
            demands: Vec::new(),
            capacities: Vec::new(),
            unserved_penalties: jobs.iter().map(|job| loss(job.penalty_micro)).collect(),
            skills: jobs.iter().map(|job| job.skills).collect(),
            has_skills: jobs.iter().any(|job| job.skills != 0),
            simulates_times: model.counts_time || jobs.iter().any(|job| job.windows().len() > 1),
            cost_per_late_us: if model.counts_time {
                model.scale.lateness() / unit
            } else {
                0.0
            },
            mean_arc_cost: 1.0,
            cost_per_us: 1.0,
            windows: jobs.iter().map(|job| job.windows().to_vec()).collect(),
            layout,
            arcs,
            near_costs: Vec::new(),
            idle_cost: 0,
        };
        instance.lay_out(&jobs);
        instance.measure();
        instance
    }

    fn lay_out(&mut self, jobs: &[&Job]) {
        let (model, places) = (self.model, &self.layout.rows);
        for (task, job) in jobs.iter().enumerate() {
            self.node_data.push(NodeData {
                open_us: job.open_us,
                latest_us: job.latest_us,
                service_us: job.service_us,
                close_us: job.close_us,
                location: places.task[task],
            });
        }
        self.sizes = vec![0; model.classes];
        model
            .workers
            .iter()
            .for_each(|w| self.sizes[w.class as usize] += 1);
        let weights = dimension_weights(model, self.dimensions);
        for job in jobs {
            let demand = |d: usize| job.demand[d] * weights[d];
            self.demands.extend((0..self.dimensions).map(demand));
        }
        self.lay_out_vehicles(&weights);
    }

    fn lay_out_vehicles(&mut self, weights: &[i64]) {
        let (model, places) = (self.model, &self.layout.rows);
        let mut tails = BTreeMap::new();
        for (agent, progress) in self.layout.agents.iter().enumerate() {
            let worker = &model.workers[agent];
            let speed = worker.speed_micro();
            let mut speeds = self.layout.speeds.iter();
            let table = speeds.position(|a| model.workers[*a].speed_micro() == speed);
            let table = table.expect("every speed has a table") as u16;
            let Progress {
                leaves_us: begin,
                room,
                ..
            } = *progress;
            // An agent that cannot leave before its shift ends is in time as long as it stays.
            let end = worker.shift_end_us.max(begin);
            let next_tail = tails.len() as u16;
            let tail = tails.entry((table, places.end[agent], end));
            self.vehicles.push(Vehicle {
                class: worker.class as u16,
                tail: *tail.or_insert(next_tail),
                is_fresh: !progress.has_begun() && !progress.start.is_over,
                table,
                skills: worker.skills,
            });
            let data = |location, open_us, latest_us| NodeData {
                open_us,
                latest_us,
                service_us: 0,
                close_us: latest_us,
                location,
            };
            self.node_data.push(data(places.start[agent], begin, begin));
            self.node_data.push(data(places.end[agent], 0, end));
            self.demands
                .extend(std::iter::repeat_n(0, 2 * self.dimensions));
            let capacity = |d: usize| room[d] * weights[d];
            self.capacities.extend((0..self.dimensions).map(capacity));
        }
    }

    /// Collects the costs of arcs to neighbours, and averages over some of them.
    fn measure(&mut self) {
        let (mut arcs, mut cost, mut time_us) = (0.0, 0.0, 0.0);
        for task in 0..self.tasks {
            let from = self.node_data[task].location;
            for (rank, near) in self.free.neighbours(task as u16).iter().enumerate() {
                let to = self.node_data[*near as usize].location;
                let arc = self.arc(0, from, to);
                let back_cost = if self.model.is_symmetric {
                    arc.cost
                } else {
                    self.cost(to, from)
                };
                self.near_costs.push(arc.cost.min(back_cost));
                if rank < 8 && arc.cost < self.forbidden_cost() {
                    arcs += 1.0;
                    cost += arc.cost as f64;
                    time_us += arc.time_us as f64;
                }
            }
        }
        self.idle_cost = (0..self.vehicle_count())
            .map(|vehicle| self.empty_cost(vehicle))
            .sum();
        if arcs > 0.0 {
            self.mean_arc_cost = (cost / arcs).max(1.0);
            self.cost_per_us = self.mean_arc_cost * arcs / f64::max(time_us, 1.0);
        }
    }

    /// The neighbours of a task, the nearest first, and the costs of the arcs to them in the
    /// cheaper direction.
    #[inline]
    pub(super) fn neighbours(&self, task: u16) -> impl Iterator<Item = (u16, i64)> {
        let costs = self.near_costs.get(self.free.span(task));
        let costs = costs.unwrap_or_default();
        let near = self.free.neighbours(task).iter();
        near.copied().zip(costs.iter().copied())
    }

    #[inline]
    pub(super) fn arc(&self, table: u16, from: u16, to: u16) -> Arc {
        self.arcs.arc(table, from, to)
    }

    /// Time of an arc.
    #[inline]
    pub(super) fn time_us(&self, table: u16, from: u16, to: u16) -> Micros {
        self.arcs.time_us(table, from, to)
    }

    /// Cost of an arc, which is the same for all vehicles.
    #[inline]
    pub(super) fn cost(&self, from: u16, to: u16) -> i64 {
        self.arcs.cost(from, to)
    }

    /// Start of a task for an arrival at `arrival_us`.
    #[inline]
    pub(super) fn start_us(&self, node: u16, arrival_us: Micros) -> Micros {
        let data = &self.node_data[node as usize];
        if self.simulates_times
            && let Some(windows) = self.windows.get(node as usize)
            && !windows.is_empty()
        {
            let open = windows.iter().find(|w| arrival_us <= w.close_us);
            return open.map_or(arrival_us, |w| arrival_us.max(w.open_us));
        }
        arrival_us.max(data.open_us)
    }

    pub(super) fn vehicle_count(&self) -> usize {
        self.vehicles.len()
    }

    /// Start node of a vehicle. Its end node is the next.
    #[inline]
    pub(super) fn start(&self, vehicle: usize) -> u16 {
        (self.tasks + 2 * vehicle) as u16
    }

    #[inline]
    pub(super) fn end(&self, vehicle: usize) -> u16 {
        (self.tasks + 2 * vehicle + 1) as u16
    }

    /// Cost of a vehicle without tasks.
    pub(super) fn empty_cost(&self, vehicle: usize) -> i64 {
        let [start, end] = [self.start(vehicle), self.end(vehicle)];
        let row = |node: u16| self.node_data[node as usize].location;
        self.cost(row(start), row(end))
    }

    /// Cost of an arc that does not exist: more than any solution costs.
    #[inline]
    pub(super) fn forbidden_cost(&self) -> i64 {
        self.layout.forbidden_cost
    }

    /// Cost of leaving a task unassigned.
    #[inline]
    pub(super) fn unserved_cost(&self, task: u16) -> i64 {
        self.unserved_penalties[task as usize].unwrap_or(self.forbidden_cost())
    }

    /// Whether a vehicle has the skills for a task.
    #[inline]
    pub(super) fn can_serve(&self, vehicle: usize, task: u16) -> bool {
        !self.has_skills || self.skills[task as usize] & !self.vehicles[vehicle].skills == 0
    }
}

/// Factors by which the dimensions of capacity weigh alike.
fn dimension_weights(model: &Model<'_>, dimensions: usize) -> Vec<i64> {
    let sum = |d: usize| model.jobs.iter().map(|job| job.demand[d]).sum::<i64>();
    let most = (0..dimensions).map(sum).max().unwrap_or(0);
    let weight = |d: usize| (most / sum(d).max(1)).clamp(1, 1_000);
    (0..dimensions).map(weight).collect()
}
