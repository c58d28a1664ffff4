//! Two solutions that are alike: what changed in one is taken over by the other, or undone, in time
//! that does not depend on the number of tasks.

use super::{Route, RouteSet};
use crate::solve::islands::arcs::Arcs;
use crate::solve::islands::instance::{Instance, NIL};

impl RouteSet {
    /// Takes over what changed in `changed` since both were equal. Both are equal again.
    pub(in crate::solve::islands) fn apply_changes(
        &mut self,
        instance: &Instance<'_, impl Arcs>,
        changed: &mut Self,
    ) {
        self.copy_routes(instance, changed, &changed.touched);
        changed.forget_touched();
    }

    /// Undoes what changed since this solution and `original` were equal. The routes count as
    /// changed: moves were evaluated with others.
    pub(in crate::solve::islands) fn revert(
        &mut self,
        instance: &Instance<'_, impl Arcs>,
        original: &Self,
    ) {
        let touched = std::mem::take(&mut self.touched);
        self.copy_routes(instance, original, &touched);
        self.touched = touched;
        self.forget_touched();
    }

    /// The vehicles whose routes changed.
    pub(in crate::solve::islands) fn touched(&self) -> &[u16] {
        &self.touched
    }

    pub(in crate::solve::islands) fn forget_touched(&mut self) {
        for &vehicle in &self.touched {
            self.is_touched[vehicle as usize] = false;
        }
        self.touched.clear();
    }

    /// Copies the differences: `touched` has all vehicles whose routes may differ.
    fn copy_routes(&mut self, instance: &Instance<'_, impl Arcs>, from: &Self, touched: &[u16]) {
        let dimensions = instance.dimensions;
        for &vehicle in touched {
            let mut task = self.next(instance.start(vehicle as usize));
            while (task as usize) < instance.tasks {
                self.nodes[task as usize].vehicle = NIL;
                task = self.next(task);
            }
        }
        self.clock += 1;
        for &vehicle in touched {
            let end = instance.end(vehicle as usize);
            let mut node = instance.start(vehicle as usize);
            loop {
                let at = node as usize;
                self.nodes[at] = from.nodes[at];
                self.suffix_skills[at] = from.suffix_skills[at];
                let loads = at * dimensions..(at + 1) * dimensions;
                self.loads[loads.clone()].copy_from_slice(&from.loads[loads]);
                if node == end {
                    break;
                }
                node = from.next(node);
            }
            self.routes[vehicle as usize] = Route {
                stamp: self.clock,
                ..from.routes[vehicle as usize]
            };
        }
        self.idle_changes += 1;
        (self.totals, self.penalised_cost) = (from.totals, from.penalised_cost);
    }
}
