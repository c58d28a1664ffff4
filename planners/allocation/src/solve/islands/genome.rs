//! Solutions in a compact form.

use super::arcs::Arcs;
use super::instance::{Instance, NIL};
use super::penalties::Totals;
use super::route_set::RouteSet;

/// Routes as links between tasks, with the sums that do not depend on penalty weights.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Genome {
    /// By task; [`NIL`] at the end of a route, and for unassigned tasks.
    next: Vec<u16>,
    /// First task of each vehicle, [`NIL`] where its route is empty.
    first: Vec<u16>,
    pub(super) totals: Totals,
}

impl Genome {
    pub(super) fn from_solution(instance: &Instance<'_, impl Arcs>, solution: &RouteSet) -> Self {
        let mut genome = Self::default();
        genome.copy(instance, solution);
        genome
    }

    /// Copies the routes.
    pub(super) fn copy(&mut self, instance: &Instance<'_, impl Arcs>, solution: &RouteSet) {
        let after = |node: u16| {
            let next = solution.next(node);
            if usize::from(next) < instance.tasks {
                next
            } else {
                NIL
            }
        };
        let next = |task| {
            if solution.is_assigned(task) {
                after(task)
            } else {
                NIL
            }
        };
        self.next.clear();
        self.next.extend((0..instance.tasks as u16).map(next));
        self.first.clear();
        let starts = (0..instance.vehicle_count()).map(|vehicle| instance.start(vehicle));
        self.first.extend(starts.map(after));
        self.totals = solution.totals;
    }

    /// Writes the routes into a solution.
    pub(super) fn decode(&self, instance: &Instance<'_, impl Arcs>, solution: &mut RouteSet) {
        solution.clear(instance);
        for vehicle in 0..instance.vehicle_count() {
            let mut last = instance.start(vehicle);
            for task in self.route(vehicle) {
                solution.insert(instance, task, last);
                last = task;
            }
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
    pub(super) fn is_feasible(&self, instance: &Instance<'_, impl Arcs>) -> bool {
        self.totals.is_feasible(instance)
    }
}
