//! Insertion of unassigned tasks, and removal of optional ones.

use super::arcs::Arcs;
use super::delta::{arc_cost, overload};
use super::instance::Instance;
use super::route_set::RouteSet;
use super::walk::Walk;

/// What an unassigned task adds to the penalised cost behind `after`, if less than `limit`.
#[inline]
pub(super) fn insertion_delta(
    instance: &Instance<'_, impl Arcs>,
    solution: &RouteSet,
    task: u16,
    after: u16,
    limit: i64,
) -> Option<i64> {
    let then = solution.next(after);
    let vehicle = solution.vehicle(after);
    let now = &solution.routes[vehicle];
    let mut change = arc_cost(instance, after, task) + arc_cost(instance, task, then)
        - arc_cost(instance, after, then)
        - now.penalty;
    if change >= limit || !instance.can_serve(vehicle, task) {
        return None;
    }
    let demand = |d: usize| instance.demands[task as usize * instance.dimensions + d];
    change += solution.overload_penalty(overload(instance, solution, vehicle, demand));
    if change >= limit {
        return None;
    }
    let mut walk = Walk::from_node(instance, solution, after);
    walk.step(instance, task);
    change += solution.time_warp_penalty(instance, walk.finish(instance, solution, then));
    (change < limit).then_some(change)
}

/// Inserts an unassigned task where that lowers the penalised cost most, of the positions of
/// [`best_insertion`]. Returns whether it did.
pub(super) fn include(
    instance: &Instance<'_, impl Arcs>,
    solution: &mut RouteSet,
    task: u16,
    empty: &[u16],
) -> bool {
    let unserved_cost = instance.unserved_cost(task);
    let position = best_insertion(instance, solution, task, unserved_cost, empty);
    position.is_some_and(|after| {
        solution.insert(instance, task, after);
        solution.refresh(instance, solution.vehicle(after));
        true
    })
}

/// The node behind which a task adds least to the penalised cost, if less than `limit`. Considers
/// neighbours, empty routes and those that begin nearby.
pub(super) fn best_insertion(
    instance: &Instance<'_, impl Arcs>,
    solution: &RouteSet,
    task: u16,
    mut limit: i64,
    empty: &[u16],
) -> Option<u16> {
    let mut best = None;
    let mut consider = |after: u16| {
        if let Some(change) = insertion_delta(instance, solution, task, after, limit) {
            (limit, best) = (change, Some(after));
        }
    };
    for &neighbour in instance.free.neighbours(task) {
        if solution.is_assigned(neighbour) {
            consider(neighbour);
            consider(solution.prev(neighbour));
        }
    }
    let starts = empty.iter().chain(instance.free.near_agents(task));
    starts.for_each(|vehicle| consider(instance.start(*vehicle as usize)));
    best
}

/// The node of any route behind which a task adds least to the penalised cost.
pub(super) fn best_insertion_overall(
    instance: &Instance<'_, impl Arcs>,
    solution: &RouteSet,
    task: u16,
    mut limit: i64,
) -> Option<u16> {
    let mut best = None;
    for vehicle in 0..instance.vehicle_count() {
        let mut node = instance.start(vehicle);
        while node != instance.end(vehicle) {
            if let Some(change) = insertion_delta(instance, solution, task, node, limit) {
                (limit, best) = (change, Some(node));
            }
            node = solution.next(node);
        }
    }
    best
}

/// Removes an optional task if that lowers the penalised cost. Returns whether it did.
pub(super) fn exclude(
    instance: &Instance<'_, impl Arcs>,
    solution: &mut RouteSet,
    task: u16,
) -> bool {
    let Some(unserved_penalty) = instance.unserved_penalties[task as usize] else {
        return false;
    };
    let (prev, next, vehicle) = (
        solution.prev(task),
        solution.next(task),
        solution.vehicle(task),
    );
    let now = &solution.routes[vehicle];
    let arcs = arc_cost(instance, prev, next)
        - arc_cost(instance, prev, task)
        - arc_cost(instance, task, next);
    let mut change = unserved_penalty + arcs - now.penalty;
    if change >= 0 {
        return false;
    }
    let demand = |d: usize| -instance.demands[task as usize * instance.dimensions + d];
    let overload = overload(instance, solution, vehicle, demand);
    change += solution.overload_penalty(overload);
    let delays = Walk::from_node(instance, solution, prev).finish(instance, solution, next);
    if change + solution.time_warp_penalty(instance, delays) >= 0 {
        return false;
    }
    solution.remove(instance, task);
    solution.refresh(instance, vehicle);
    true
}
