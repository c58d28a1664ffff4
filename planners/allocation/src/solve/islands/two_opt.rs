//! 2-opt* and 2-opt: exchange of the tails of two routes, reversal of a part of one.

use super::arcs::Arcs;
use super::delta::{
    RoutePairDelta, arc_cost, exchange_cost, inter_route, intra_route, overload, refresh,
};
use super::instance::Instance;
use super::route_set::RouteSet;
use super::walk::Walk;

/// A 2-opt* move: the tails of two routes change places.
struct TailExchange {
    vehicles: [usize; 2],
    /// The last nodes that stay.
    from: [u16; 2],
    /// Their successors after the move: the tail of the other route, or the own end node.
    to: [u16; 2],
    /// The end nodes, and the nodes before them.
    ends: [u16; 2],
    last: [u16; 2],
}

impl TailExchange {
    /// The move that replaces arcs `u -> n(u)` and `v -> n(v)` by `u -> n(v)` and `v -> n(u)`.
    fn new(
        instance: &Instance<'_, impl Arcs>,
        solution: &RouteSet,
        u: u16,
        v: u16,
    ) -> Option<Self> {
        let vehicles = [solution.vehicle(u), solution.vehicle(v)];
        let ends = vehicles.map(|vehicle| instance.end(vehicle));
        let (x, y) = (solution.next(u), solution.next(v));
        // A route that takes over no task goes to its own end.
        let to = [
            if y == ends[1] { ends[0] } else { y },
            if x == ends[0] { ends[1] } else { x },
        ];
        let is_change = vehicles[0] != vehicles[1] && to != ends;
        is_change.then(|| Self {
            vehicles,
            from: [u, v],
            to,
            last: ends.map(|end| solution.prev(end)),
            ends,
        })
    }

    /// Whether the route on a side takes over tasks.
    fn takes_tasks(&self, side: usize) -> bool {
        self.to[side] != self.ends[side]
    }

    /// Change of the cost of arcs, if less than `limit`.
    fn arc_cost(
        &self,
        instance: &Instance<'_, impl Arcs>,
        solution: &RouteSet,
        limit: i64,
    ) -> Option<i64> {
        let ([u, v], last, ends) = (self.from, self.last, self.ends);
        let new = [(u, self.to[0]), (v, self.to[1])];
        let old = [(u, solution.next(u)), (v, solution.next(v))];
        let takers = [(0, 1), (1, 0)]
            .into_iter()
            .filter(|(side, _)| self.takes_tasks(*side));
        let homes = takers.map(|(side, other)| {
            let home = arc_cost(instance, last[other], ends[side]);
            home - arc_cost(instance, last[other], ends[other])
        });
        let homes: i64 = homes.sum();
        let cost = exchange_cost(instance, solution, new, old, limit - homes)?;
        Some(cost + homes)
    }

    /// Whether the move lowers the penalised cost.
    fn improves(&self, instance: &Instance<'_, impl Arcs>, solution: &RouteSet) -> bool {
        let ([u, v], vehicles, ends) = (self.from, self.vehicles, self.ends);
        let [one, other] = vehicles.map(|vehicle| &instance.vehicles[vehicle]);
        let penalties = vehicles.map(|vehicle| solution.routes[vehicle].penalty);
        let limit = penalties[0] + penalties[1];
        let Some(cost) = self.arc_cost(instance, solution, limit) else {
            return false;
        };
        let [one_skills, other_skills] = self.to.map(|to| solution.suffix_skills[to as usize]);
        if (one_skills & !one.skills) | (other_skills & !other.skills) != 0 {
            return false;
        }
        let delays = |side: usize| {
            let walk = Walk::from_node(instance, solution, self.from[side]);
            let to = self.to[side];
            if to as usize >= instance.tasks || one.tail == other.tail {
                return walk.finish(instance, solution, to);
            }
            let walk = walk.visit_rest(instance, solution, to);
            walk.finish(instance, solution, ends[side])
        };
        let load = |node: u16, d: usize| solution.loads[node as usize * instance.dimensions + d];
        let tail = |node: u16, end: u16, d: usize| load(end, d) - load(node, d);
        let more = |d: usize| tail(v, ends[1], d) - tail(u, ends[0], d);
        let pair = RoutePairDelta {
            vehicles,
            arc_cost: cost,
            overload: [
                overload(instance, solution, vehicles[0], more),
                overload(instance, solution, vehicles[1], |d| -more(d)),
            ],
            delays: [&|| delays(0), &|| delays(1)],
        };
        inter_route(instance, solution, &pair)
    }

    fn apply(&self, instance: &Instance<'_, impl Arcs>, solution: &mut RouteSet) {
        for (side, other) in [(0, 1), (1, 0)] {
            solution.connect(self.from[side], self.to[side]);
            if self.takes_tasks(side) {
                solution.connect(self.last[other], self.ends[side]);
            }
        }
        refresh(instance, solution, self.vehicles);
    }
}

/// Exchanges what follows `u` with what follows `v`, on two routes (2-opt*), if that lowers the
/// penalised cost. Returns whether it did.
pub(super) fn two_opt_star(
    instance: &Instance<'_, impl Arcs>,
    solution: &mut RouteSet,
    u: u16,
    v: u16,
) -> bool {
    let exchange = TailExchange::new(instance, solution, u, v);
    let exchange = exchange.filter(|exchange| exchange.improves(instance, solution));
    exchange.is_some_and(|exchange| {
        exchange.apply(instance, solution);
        true
    })
}

/// Reverses the nodes after `u` up to `v`, on one route (2-opt), if that lowers the penalised cost.
/// Returns whether it did.
pub(super) fn two_opt(
    instance: &Instance<'_, impl Arcs>,
    solution: &mut RouteSet,
    u: u16,
    v: u16,
) -> bool {
    let vehicle = solution.vehicle(u);
    let positions = [u, v].map(|node| solution.nodes[node as usize].position);
    if vehicle != solution.vehicle(v) || positions[0] + 1 >= positions[1] {
        return false;
    }
    let next = solution.next(v);
    // Arcs may be asymmetric: all reversed arcs are summed.
    let mut walk = Walk::from_node(instance, solution, u);
    let limit = solution.nodes[next as usize].prefix_cost + solution.routes[vehicle].penalty;
    let mut node = v;
    while node != u {
        walk.step(instance, node);
        if walk.cost >= limit {
            return false;
        }
        node = solution.prev(node);
    }
    let arc = instance.arc(
        walk.table,
        walk.location,
        instance.node_data[next as usize].location,
    );
    let cost = walk.cost + arc.cost - solution.nodes[next as usize].prefix_cost;
    let better = intra_route(instance, solution, vehicle, cost, |_| {
        walk.finish(instance, solution, next)
    });
    if better {
        let first = solution.next(u);
        let mut node = first;
        while node != next {
            let after = solution.next(node);
            let before = solution.prev(node);
            solution.nodes[node as usize].next = before;
            solution.nodes[node as usize].prev = after;
            node = after;
        }
        solution.connect(u, v);
        solution.connect(first, next);
        solution.refresh(instance, vehicle);
    }
    better
}
