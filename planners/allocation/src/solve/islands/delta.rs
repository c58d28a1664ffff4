//! Delta evaluation: the change of the penalised cost by a move of one or two routes.
//!
//! The cost of arcs comes first, then overload, then times. Evaluation stops as soon as the sum
//! cannot become negative any more: a move saves at most the penalties that its routes have now.

use super::arcs::Arcs;
use super::instance::Instance;
use super::route_set::RouteSet;
use super::walk::{Delays, Walk};

impl Walk {
    /// Visits these tasks.
    #[inline]
    pub(super) fn visit_all(mut self, instance: &Instance<'_, impl Arcs>, tasks: &[u16]) -> Self {
        for &task in tasks {
            self.step(instance, task);
        }
        self
    }

    /// Visits all tasks from `node` to the end of its route, whose vehicle has another tail, so
    /// that its sums do not help.
    pub(super) fn visit_rest(
        mut self,
        instance: &Instance<'_, impl Arcs>,
        solution: &RouteSet,
        mut node: u16,
    ) -> Self {
        while (node as usize) < instance.tasks {
            self.step(instance, node);
            node = solution.next(node);
        }
        self
    }

    /// Visits all nodes strictly between `from` and `to`.
    #[inline]
    pub(super) fn visit_between(
        mut self,
        instance: &Instance<'_, impl Arcs>,
        solution: &RouteSet,
        from: u16,
        to: u16,
    ) -> Self {
        let mut node = solution.next(from);
        while node != to {
            self.step(instance, node);
            node = solution.next(node);
        }
        self
    }
}

/// Load above the capacity of a vehicle, in all dimensions, after `change` in each.
#[inline]
pub(super) fn overload(
    instance: &Instance<'_, impl Arcs>,
    solution: &RouteSet,
    vehicle: usize,
    change: impl Fn(usize) -> i64,
) -> i64 {
    let (end, dimensions) = (instance.end(vehicle) as usize, instance.dimensions);
    let over = |d: usize| {
        let room =
            instance.capacities[vehicle * dimensions + d] - solution.loads[end * dimensions + d];
        (change(d) - room).max(0)
    };
    (0..dimensions).map(over).sum()
}

/// Cost of the arc between two nodes.
#[inline]
pub(super) fn arc_cost(instance: &Instance<'_, impl Arcs>, from: u16, to: u16) -> i64 {
    let location = |node: u16| instance.node_data[node as usize].location;
    instance.cost(location(from), location(to))
}

/// Change of the cost of arcs, if less than `limit`, by new arcs in place of old ones.
#[inline]
pub(super) fn exchange_cost<A: Arcs, const N: usize>(
    instance: &Instance<'_, A>,
    solution: &RouteSet,
    new: [(u16, u16); N],
    old: [(u16, u16); N],
    limit: i64,
) -> Option<i64> {
    let mut cost = 0;
    if !A::IS_COMPUTED {
        // Without a branch after each arc.
        for arc in 0..N {
            cost += arc_cost(instance, new[arc].0, new[arc].1);
            cost -= arc_cost(instance, old[arc].0, old[arc].1);
        }
        return (cost < limit).then_some(cost);
    }
    for (_, to) in old {
        cost -= solution.cost_into(to);
    }
    for (from, to) in new {
        cost += arc_cost(instance, from, to);
        if cost >= limit {
            return None;
        }
    }
    Some(cost)
}

/// A move that changes two routes.
pub(super) struct RoutePairDelta<'a> {
    pub(super) vehicles: [usize; 2],
    /// Change of the cost of arcs.
    pub(super) arc_cost: i64,
    /// Load above the capacity after the move.
    pub(super) overload: [i64; 2],
    /// Time warp and lateness after the move.
    pub(super) delays: [&'a dyn Fn() -> Delays; 2],
}

/// Whether a move of two routes lowers the penalised cost.
#[inline]
pub(super) fn inter_route(
    instance: &Instance<'_, impl Arcs>,
    solution: &RouteSet,
    pair: &RoutePairDelta<'_>,
) -> bool {
    let mut change = pair.arc_cost;
    for (side, vehicle) in pair.vehicles.into_iter().enumerate() {
        change += solution.overload_penalty(pair.overload[side]);
        change -= solution.routes[vehicle].penalty;
    }
    for delays in pair.delays {
        if change >= 0 {
            return false;
        }
        change += solution.time_warp_penalty(instance, delays());
    }
    change < 0
}

/// Whether a move inside one route lowers the penalised cost. `arc_cost` is the change of the cost
/// of arcs; `delays` gets a function that starts a walk at a node.
#[inline]
pub(super) fn intra_route<'a>(
    instance: &'a Instance<'_, impl Arcs>,
    solution: &'a RouteSet,
    vehicle: usize,
    arc_cost: i64,
    delays: impl Fn(&dyn Fn(u16) -> Walk) -> Delays,
) -> bool {
    let now = solution.routes[vehicle].delays();
    let change = arc_cost - solution.time_warp_penalty(instance, now);
    let penalty = || {
        let delays = delays(&|node| Walk::from_node(instance, solution, node));
        solution.time_warp_penalty(instance, delays)
    };
    change < 0 && change + penalty() < 0
}

/// Refreshes two routes, which may be the same.
pub(super) fn refresh(
    instance: &Instance<'_, impl Arcs>,
    solution: &mut RouteSet,
    vehicles: [usize; 2],
) {
    solution.refresh(instance, vehicles[0]);
    if vehicles[1] != vehicles[0] {
        solution.refresh(instance, vehicles[1]);
    }
}
