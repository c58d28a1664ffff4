//! The representation of a solution in the population.

use super::instance::{Instance, NIL};
use super::penalties::Penalties;
use super::route_set::RouteSet;

/// Routes as links between tasks, with the sums that do not depend on penalty weights.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Genome {
    /// By task; [`NIL`] at the end of a route. An unassigned task follows itself.
    pub(super) next: Vec<u16>,
    pub(super) prev: Vec<u16>,
    /// First task of each vehicle, [`NIL`] where its route is empty.
    pub(super) first: Vec<u16>,
    /// Arcs, lateness and unassigned tasks.
    pub(super) cost: i64,
    pub(super) time_warp_us: i64,
    pub(super) overload: i64,
    /// Number of surplus vehicles used.
    pub(super) surplus: u16,
}

impl Genome {
    pub(super) fn from_solution(instance: &Instance<'_>, solution: &RouteSet) -> Self {
        let mut genome = Self::default();
        genome.copy(instance, solution);
        genome
    }

    /// Copies the routes; in a class agents come before surplus vehicles.
    pub(super) fn copy(&mut self, instance: &Instance<'_>, solution: &RouteSet) {
        let tasks = instance.tasks;
        self.next.clear();
        self.prev.clear();
        for task in 0..tasks as u16 {
            let node = &solution.nodes[task as usize];
            let task_or_nil = |other: u16| if (other as usize) < tasks { other } else { NIL };
            let is_assigned = node.vehicle != NIL;
            self.next.push(if is_assigned {
                task_or_nil(node.next)
            } else {
                task
            });
            self.prev.push(if is_assigned {
                task_or_nil(node.prev)
            } else {
                task
            });
        }
        self.first.clear();
        self.cost = solution.unserved_penalty;
        (self.time_warp_us, self.overload, self.surplus) = (0, 0, 0);
        for (vehicle, sums) in solution.routes.iter().enumerate() {
            let first = solution.next(instance.start(vehicle));
            self.first.push(if sums.tasks > 0 { first } else { NIL });
            self.cost += sums.cost + solution.lateness_cost(instance, sums.lateness_us);
            self.time_warp_us += sums.time_warp_us;
            self.overload += sums.overload;
        }
        for vehicle in 0..instance.vehicle_count() {
            let own = &instance.vehicles[vehicle];
            if !own.is_surplus || self.first[vehicle] == NIL {
                continue;
            }
            let free = |other: &usize| {
                let other_slot = &instance.vehicles[*other];
                let same = other_slot.class == own.class && !other_slot.is_surplus;
                same && self.first[*other] == NIL
            };
            match (0..instance.vehicle_count()).find(free) {
                Some(free) => self.first.swap(free, vehicle),
                None => self.surplus += 1,
            }
        }
    }

    /// Writes the routes into a solution.
    pub(super) fn decode(&self, instance: &Instance<'_>, solution: &mut RouteSet) {
        solution.unserved_penalty = 0;
        for task in 0..instance.tasks {
            if self.next[task] == task as u16 {
                solution.nodes[task].vehicle = NIL;
                solution.unserved_penalty +=
                    instance.unserved_penalties[task].unwrap_or(instance.forbidden_cost);
            }
        }
        for vehicle in 0..instance.vehicle_count() {
            let mut last = instance.start(vehicle);
            let mut task = self.first[vehicle];
            while task != NIL {
                solution.connect(last, task);
                (last, task) = (task, self.next[task as usize]);
            }
            solution.connect(last, instance.end(vehicle));
            solution.refresh(instance, vehicle);
        }
    }

    /// The tasks of a vehicle, in order.
    pub(super) fn route(&self, vehicle: usize) -> impl Iterator<Item = u16> {
        let some = |task: u16| (task != NIL).then_some(task);
        std::iter::successors(some(self.first[vehicle]), move |task| {
            some(self.next[*task as usize])
        })
    }

    /// Whether it satisfies all constraints.
    pub(super) fn is_feasible(&self, instance: &Instance<'_>) -> bool {
        self.cost < instance.forbidden_cost
            && self.time_warp_us == 0
            && self.overload == 0
            && self.surplus == 0
    }

    /// Penalised cost.
    pub(super) fn penalised_cost(&self, penalties: &Penalties) -> i64 {
        let penalties = self.time_warp_us as f64 * penalties.time_warp
            + self.overload as f64 * penalties.overload
            + f64::from(self.surplus) * penalties.surplus_vehicle;
        self.cost.saturating_add(penalties as i64)
    }

    /// Broken pairs distance: arcs that the other does not have, 0 to 2 for each task. Prins, "Two
    /// memetic algorithms for heterogeneous fleet vehicle routing problems", Engineering
    /// Applications of Artificial Intelligence 22 (2009).
    pub(super) fn distance(&self, other: &Self) -> u32 {
        let differ = |a: &[u16], b: &[u16]| a.iter().zip(b).filter(|(a, b)| a != b).count();
        (differ(&self.next, &other.next) + differ(&self.prev, &other.prev)) as u32
    }
}
