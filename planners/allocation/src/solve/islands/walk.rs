//! Forward simulation of a route, or of a sequence of nodes that may become one.

use super::arcs::Arcs;
use super::instance::{Instance, NIL};
use super::route_set::RouteSet;
use crate::problem::Micros;

/// Violations of time windows along a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Delays {
    /// Sum of the differences between late arrivals and latest starts.
    pub(super) time_warp_us: Micros,
    /// Sum of the lateness that the problem allows; may be 0 where it costs nothing.
    pub(super) lateness_us: Micros,
}

/// The state of a vehicle after some nodes, which need not be a route yet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Walk {
    pub(super) table: u16,
    pub(super) location: u16,
    pub(super) departure_us: Micros,
    pub(super) time_warp_us: Micros,
    pub(super) lateness_us: Micros,
    pub(super) cost: i64,
}

impl Walk {
    /// At the start of a vehicle's route.
    pub(super) fn start(instance: &Instance<'_, impl Arcs>, vehicle: usize) -> Self {
        let data = &instance.node_data[instance.start(vehicle) as usize];
        Self {
            table: instance.vehicles[vehicle].table,
            location: data.location,
            departure_us: data.open_us,
            time_warp_us: 0,
            lateness_us: 0,
            cost: 0,
        }
    }

    /// At a node of a route, after it.
    #[inline]
    pub(super) fn from_node(
        instance: &Instance<'_, impl Arcs>,
        solution: &RouteSet,
        node: u16,
    ) -> Self {
        let from = &solution.nodes[node as usize];
        Self {
            table: instance.vehicles[from.vehicle as usize].table,
            location: instance.node_data[node as usize].location,
            departure_us: from.departure_us,
            time_warp_us: from.time_warp_us,
            lateness_us: from.lateness_us,
            cost: from.prefix_cost,
        }
    }

    /// Time warp and lateness so far.
    #[inline]
    pub(super) fn delays(&self) -> Delays {
        Delays {
            time_warp_us: self.time_warp_us,
            lateness_us: self.lateness_us,
        }
    }

    /// Travels to a node and serves it.
    #[inline]
    pub(super) fn step(&mut self, instance: &Instance<'_, impl Arcs>, node: u16) {
        let data = &instance.node_data[node as usize];
        let arc = instance.arc(self.table, self.location, data.location);
        let start_us = instance.start_us(node, self.departure_us + arc.time_us);
        self.time_warp_us += (start_us - data.latest_us).max(0);
        let start_us = start_us.min(data.latest_us);
        self.lateness_us += (start_us - data.close_us).max(0);
        self.departure_us = start_us + data.service_us;
        self.location = data.location;
        self.cost += arc.cost;
    }

    /// Time warp and lateness after the walk goes on to `node` and the rest of that node's route,
    /// which belongs to a vehicle with the same tail.
    #[inline]
    pub(super) fn finish(
        mut self,
        instance: &Instance<'_, impl Arcs>,
        solution: &RouteSet,
        node: u16,
    ) -> Delays {
        if !instance.simulates_times {
            let data = &instance.node_data[node as usize];
            let time_us = instance.time_us(self.table, self.location, data.location);
            let to = &solution.nodes[node as usize];
            let over_us = (self.departure_us + time_us - to.latest_start_us).max(0);
            return Delays {
                time_warp_us: self.time_warp_us + to.suffix_time_warp_us + over_us,
                lateness_us: 0,
            };
        }
        let route = &solution.routes[solution.vehicle(node)];
        let mut node = node;
        loop {
            self.step(instance, node);
            let here = &solution.nodes[node as usize];
            if here.departure_us == self.departure_us {
                // From here on the times are those of the route.
                return Delays {
                    time_warp_us: self.time_warp_us + route.time_warp_us - here.time_warp_us,
                    lateness_us: self.lateness_us + route.lateness_us - here.lateness_us,
                };
            }
            if here.next == NIL || node as usize >= instance.tasks {
                return self.delays();
            }
            node = here.next;
        }
    }
}
