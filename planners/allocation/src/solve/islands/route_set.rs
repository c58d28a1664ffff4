//! Penalised solution: routes that may violate capacities and time windows.
//!
//! Each node holds the sums over its route up to there and the latest start from there on, so that
//! a route joined from two parts is evaluated in constant time (time warp; see [`Node`]).

mod undo;

use super::arcs::Arcs;
use super::instance::{Instance, NIL};
use super::penalties::{Penalties, Totals};
use super::walk::{Delays, Walk};
use crate::problem::Micros;

/// Largest penalty: the sum over all routes still fits 64 bits, and no solution is worth one.
const PENALTY_MAX: f64 = 4e15;

/// The penalty of an amount.
#[inline]
fn weighted(amount: i64, weight: f64) -> i64 {
    (amount as f64 * weight).min(PENALTY_MAX) as i64
}

/// A node with the sums over its route up to there, and bounds from there on.
///
/// A late arrival is moved back to the latest start; the difference is *time warp*, which is
/// penalised. So the departure from a node summarises the route before it, and the latest start and
/// the time warp of the suffix summarise the route after it: Nagata, Bräysy, Dullaert, "A
/// penalty-based edge assembly memetic algorithm for the vehicle routing problem with time
/// windows", Computers & Operations Research 37 (2010), section 4; the segments of Vidal et al.
/// 2013 with one end fixed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) next: u16,
    pub(super) prev: u16,
    /// Vehicle of its route, [`NIL`] for unassigned tasks.
    pub(super) vehicle: u16,
    /// Position on the route; the start node is at 0.
    pub(super) position: u16,
    /// End of service.
    pub(super) departure_us: Micros,
    /// Time warp of the route up to here.
    pub(super) time_warp_us: Micros,
    /// Latest start that causes no further time warp. Invalid where times are simulated.
    pub(super) latest_start_us: Micros,
    /// Time warp after this node where its start is in time.
    pub(super) suffix_time_warp_us: Micros,
    /// Lateness of the route up to here.
    pub(super) lateness_us: Micros,
    /// Cost of the arcs up to here.
    pub(super) prefix_cost: i64,
    /// Cost of the more expensive of its two arcs.
    pub(super) longest_arc: i64,
}

/// Sums over a route.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Route {
    pub(super) tasks: u16,
    pub(super) cost: i64,
    pub(super) time_warp_us: Micros,
    pub(super) lateness_us: Micros,
    pub(super) overload: i64,
    /// Penalty of overload, time warp and lateness.
    pub(super) penalty: i64,
    /// Value of [`RouteSet::clock`] at the last change.
    pub(super) stamp: u32,
}

impl Route {
    /// Time warp and lateness.
    #[inline]
    pub(super) fn delays(&self) -> Delays {
        Delays {
            time_warp_us: self.time_warp_us,
            lateness_us: self.lateness_us,
        }
    }
}

/// Routes as doubly linked lists in fixed arrays; changes allocate nothing.
#[derive(Debug, Clone)]
pub(super) struct RouteSet {
    pub(super) nodes: Vec<Node>,
    pub(super) routes: Vec<Route>,
    /// Load up to each node, by node and dimension.
    pub(super) loads: Vec<i64>,
    /// Skills that the tasks from each node on require.
    pub(super) suffix_skills: Vec<u64>,
    pub(super) penalties: Penalties,
    /// Number of changes.
    pub(super) clock: u32,
    /// Sums over all routes and unassigned tasks.
    pub(super) totals: Totals,
    /// Cost with all penalties.
    penalised_cost: i64,
    /// How often a route became empty or stopped being so.
    pub(super) idle_changes: u32,
    /// Vehicles whose routes may differ from those of the solution that this one was copied from.
    touched: Vec<u16>,
    is_touched: Vec<bool>,
}

impl RouteSet {
    /// Writes one fresh vehicle with an empty route of each class.
    pub(super) fn empty_vehicles(&self, instance: &Instance<'_, impl Arcs>, empty: &mut Vec<u16>) {
        empty.clear();
        let is_free = |v: &usize| instance.vehicles[*v].is_fresh && self.routes[*v].tasks == 0;
        for vehicle in (0..instance.vehicle_count()).filter(is_free) {
            let class = instance.vehicles[vehicle].class;
            let same = |other: &u16| instance.vehicles[*other as usize].class == class;
            if !empty.iter().any(same) {
                empty.push(vehicle as u16);
            }
        }
    }

    /// Cost of the arc into a node of a route that is refreshed.
    #[inline]
    pub(super) fn cost_into(&self, node: u16) -> i64 {
        let node = &self.nodes[node as usize];
        node.prefix_cost - self.nodes[node.prev as usize].prefix_cost
    }

    /// A solution in which all tasks are unassigned.
    pub(super) fn new(instance: &Instance<'_, impl Arcs>, penalties: Penalties) -> Self {
        let node = Node {
            next: NIL,
            prev: NIL,
            vehicle: NIL,
            position: 0,
            departure_us: 0,
            time_warp_us: 0,
            latest_start_us: 0,
            suffix_time_warp_us: 0,
            lateness_us: 0,
            prefix_cost: 0,
            longest_arc: 0,
        };
        let count = instance.node_data.len();
        let mut solution = Self {
            nodes: vec![node; count],
            routes: vec![Route::default(); instance.vehicle_count()],
            loads: vec![0; count * instance.dimensions],
            suffix_skills: vec![0; count],
            penalties,
            clock: 0,
            totals: Totals::default(),
            penalised_cost: 0,
            idle_changes: 0,
            touched: Vec::with_capacity(instance.vehicle_count()),
            is_touched: vec![false; instance.vehicle_count()],
        };
        solution.clear(instance);
        solution
    }

    /// Makes all tasks unassigned.
    pub(super) fn clear(&mut self, instance: &Instance<'_, impl Arcs>) {
        (self.totals, self.penalised_cost) = (Totals::default(), 0);
        for task in 0..instance.tasks as u16 {
            self.nodes[task as usize].vehicle = NIL;
            self.add_unserved(instance.unserved_cost(task));
        }
        self.routes.fill(Route::default());
        for vehicle in 0..instance.vehicle_count() {
            self.connect(instance.start(vehicle), instance.end(vehicle));
            self.refresh(instance, vehicle);
        }
    }

    /// Restarts the count of changes; all routes count as changed.
    pub(super) fn reset_clock(&mut self) {
        self.clock = 1;
        self.routes.iter_mut().for_each(|route| route.stamp = 1);
    }

    #[inline]
    pub(super) fn connect(&mut self, from: u16, to: u16) {
        self.nodes[from as usize].next = to;
        self.nodes[to as usize].prev = from;
    }

    #[inline]
    pub(super) fn next(&self, node: u16) -> u16 {
        self.nodes[node as usize].next
    }

    #[inline]
    pub(super) fn prev(&self, node: u16) -> u16 {
        self.nodes[node as usize].prev
    }

    #[inline]
    pub(super) fn vehicle(&self, node: u16) -> usize {
        self.nodes[node as usize].vehicle as usize
    }

    #[inline]
    pub(super) fn is_assigned(&self, task: u16) -> bool {
        self.nodes[task as usize].vehicle != NIL
    }

    /// Inserts an unassigned task after `node`. Sums are invalid until the route is refreshed.
    pub(super) fn insert(&mut self, instance: &Instance<'_, impl Arcs>, task: u16, node: u16) {
        debug_assert!(!self.is_assigned(task), "a task is on one route");
        let next = self.next(node);
        self.connect(node, task);
        self.connect(task, next);
        self.nodes[task as usize].vehicle = self.nodes[node as usize].vehicle;
        self.add_unserved(-instance.unserved_cost(task));
    }

    /// Removes a task from its route. Sums are invalid until the route is refreshed.
    pub(super) fn remove(&mut self, instance: &Instance<'_, impl Arcs>, task: u16) {
        let Node { prev, next, .. } = self.nodes[task as usize];
        self.connect(prev, next);
        self.nodes[task as usize].vehicle = NIL;
        self.add_unserved(instance.unserved_cost(task));
    }

    fn add_unserved(&mut self, cost: i64) {
        self.totals.cost += cost;
        self.penalised_cost += cost;
    }

    /// Recomputes all sums of a route.
    pub(super) fn refresh(&mut self, instance: &Instance<'_, impl Arcs>, vehicle: usize) {
        let (start, end) = (instance.start(vehicle), instance.end(vehicle));
        let dimensions = instance.dimensions;
        self.clock += 1;
        let mut walk = Walk::start(instance, vehicle);
        let (mut node, mut position) = (start, 0);
        loop {
            if node != start {
                walk.step(instance, node);
                for d in 0..dimensions {
                    let before = self.loads[self.prev(node) as usize * dimensions + d];
                    let at = node as usize * dimensions + d;
                    self.loads[at] = before + instance.demands[at];
                }
            }
            let here = &mut self.nodes[node as usize];
            (here.vehicle, here.position) = (vehicle as u16, position);
            (here.departure_us, here.time_warp_us) = (walk.departure_us, walk.time_warp_us);
            (here.lateness_us, here.prefix_cost) = (walk.lateness_us, walk.cost);
            if node == end {
                break;
            }
            (node, position) = (here.next, position + 1);
        }
        let overload = |d: usize| {
            let load = self.loads[end as usize * dimensions + d];
            (load - instance.capacities[vehicle * dimensions + d]).max(0)
        };
        let overload = (0..dimensions).map(overload).sum();
        let tasks = position - 1;
        let penalty =
            self.overload_penalty(overload) + self.time_warp_penalty(instance, walk.delays());
        let route = Route {
            tasks,
            cost: walk.cost,
            time_warp_us: walk.time_warp_us,
            lateness_us: walk.lateness_us,
            overload,
            penalty,
            stamp: self.clock,
        };
        self.replace(instance, vehicle, route);
        self.backward_pass(instance, vehicle);
    }

    /// Replaces the sums of a route.
    fn replace(&mut self, instance: &Instance<'_, impl Arcs>, vehicle: usize, route: Route) {
        let old = std::mem::replace(&mut self.routes[vehicle], route);
        let totals = |route: &Route| Totals {
            cost: route.cost + self.lateness_cost(instance, route.lateness_us),
            time_warp_us: route.time_warp_us,
            overload: route.overload,
        };
        self.totals = self.totals + totals(&route) - totals(&old);
        self.penalised_cost += route.cost + route.penalty - old.cost - old.penalty;
        if (old.tasks == 0) != (route.tasks == 0) {
            self.idle_changes += 1;
        }
        if !std::mem::replace(&mut self.is_touched[vehicle], true) {
            self.touched.push(vehicle as u16);
        }
    }

    /// Computes latest starts and suffix sums, from the end of a route to its start.
    fn backward_pass(&mut self, instance: &Instance<'_, impl Arcs>, vehicle: usize) {
        let table = instance.vehicles[vehicle].table;
        let end = instance.end(vehicle);
        let data = &instance.node_data[end as usize];
        let (mut latest_start_us, mut time_warp_us, mut next) = (data.latest_us, 0, data.location);
        self.nodes[end as usize].latest_start_us = latest_start_us;
        self.nodes[end as usize].suffix_time_warp_us = 0;
        self.suffix_skills[end as usize] = 0;
        let mut node = self.prev(end);
        loop {
            let data = &instance.node_data[node as usize];
            let time_us = instance.time_us(table, data.location, next);
            // Latest start with which the next node is reached in time.
            let start_us = latest_start_us - time_us - data.service_us;
            // Time warp that even the earliest start causes at the next node.
            time_warp_us += (data.open_us - start_us).max(0);
            latest_start_us = start_us.min(data.latest_us).max(data.open_us);
            let later = self.suffix_skills[self.next(node) as usize];
            let own = instance.skills.get(node as usize).copied().unwrap_or(0);
            self.suffix_skills[node as usize] = later | own;
            let here = &mut self.nodes[node as usize];
            (here.latest_start_us, here.suffix_time_warp_us) = (latest_start_us, time_warp_us);
            if here.position == 0 {
                return;
            }
            let Node {
                prev,
                next: then,
                prefix_cost,
                ..
            } = *here;
            let [before, after] = [prev, then].map(|node| self.nodes[node as usize].prefix_cost);
            self.nodes[node as usize].longest_arc = (prefix_cost - before).max(after - prefix_cost);
            (node, next) = (prev, data.location);
        }
    }

    /// Penalty of load above the capacity.
    #[inline]
    pub(super) fn overload_penalty(&self, overload: i64) -> i64 {
        if overload > 0 {
            weighted(overload, self.penalties.overload)
        } else {
            0
        }
    }

    /// Penalty of time warp, and cost of lateness.
    #[inline]
    pub(super) fn time_warp_penalty(
        &self,
        instance: &Instance<'_, impl Arcs>,
        delays: Delays,
    ) -> i64 {
        let mut penalty = self.lateness_cost(instance, delays.lateness_us);
        if delays.time_warp_us > 0 {
            penalty += weighted(delays.time_warp_us, self.penalties.time_warp);
        }
        penalty
    }

    /// Cost of lateness.
    #[inline]
    pub(super) fn lateness_cost(
        &self,
        instance: &Instance<'_, impl Arcs>,
        lateness_us: Micros,
    ) -> i64 {
        if lateness_us > 0 {
            weighted(lateness_us, instance.cost_per_late_us)
        } else {
            0
        }
    }

    /// Replaces the penalty weights.
    pub(super) fn set_penalties(
        &mut self,
        instance: &Instance<'_, impl Arcs>,
        penalties: Penalties,
    ) {
        self.penalties = penalties;
        for vehicle in 0..instance.vehicle_count() {
            let route = self.routes[vehicle];
            let penalty = self.overload_penalty(route.overload)
                + self.time_warp_penalty(instance, route.delays());
            self.routes[vehicle].penalty = penalty;
            self.penalised_cost += penalty - route.penalty;
        }
    }

    /// Cost with all penalties.
    pub(super) fn penalised_cost(&self) -> i64 {
        self.penalised_cost
    }
}
