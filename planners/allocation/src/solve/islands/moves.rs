//! Relocate and swap: moves of segments within a route or between two.

use super::arcs::Arcs;
use super::delta::{RoutePairDelta, exchange_cost, inter_route, intra_route, overload, refresh};
use super::instance::Instance;
use super::route_set::RouteSet;
use super::walk::Walk;

/// Longest segment that is moved.
pub(super) const SEGMENT_MAX: usize = 3;

/// Consecutive tasks of a route.
#[derive(Debug, Clone, Copy)]
pub(super) struct Segment {
    tasks: [u16; SEGMENT_MAX],
    count: usize,
    prev: u16,
    next: u16,
}

impl Segment {
    /// `count` tasks from `first` on, if the route has them.
    #[inline]
    pub(super) fn starting_at(
        instance: &Instance<'_, impl Arcs>,
        solution: &RouteSet,
        first: u16,
        count: usize,
    ) -> Option<Self> {
        let mut tasks = [first; SEGMENT_MAX];
        let mut node = first;
        for task in &mut tasks[..count] {
            if node as usize >= instance.tasks {
                return None;
            }
            *task = node;
            node = solution.next(node);
        }
        let prev = solution.prev(first);
        Some(Self {
            tasks,
            count,
            prev,
            next: node,
        })
    }

    #[inline]
    pub(super) fn tasks(&self) -> &[u16] {
        &self.tasks[..self.count]
    }

    #[inline]
    fn first(&self) -> u16 {
        self.tasks[0]
    }

    #[inline]
    fn last(&self) -> u16 {
        self.tasks[self.count - 1]
    }

    fn fits(&self, instance: &Instance<'_, impl Arcs>, vehicle: usize) -> bool {
        let mut tasks = self.tasks().iter();
        tasks.all(|task| instance.can_serve(vehicle, *task))
    }

    fn load(&self, instance: &Instance<'_, impl Arcs>, d: usize) -> i64 {
        let demand = |task: &u16| instance.demands[*task as usize * instance.dimensions + d];
        self.tasks().iter().map(demand).sum()
    }
}

/// Moves a segment behind `after`, on another route or its own, if that lowers the penalised cost.
/// Returns whether it did.
pub(super) fn relocate(
    instance: &Instance<'_, impl Arcs>,
    solution: &mut RouteSet,
    segment: &Segment,
    after: u16,
) -> bool {
    let (prev, next, first, last) = (segment.prev, segment.next, segment.first(), segment.last());
    if after == prev || segment.tasks().contains(&after) {
        return false;
    }
    let then = solution.next(after);
    let (from, to) = (solution.vehicle(first), solution.vehicle(after));
    let new = [(after, first), (last, then), (prev, next)];
    let limit = solution.routes[from].penalty + solution.routes[to].penalty;
    let old = [(prev, first), (last, next), (after, then)];
    let Some(cost) = exchange_cost(instance, solution, new, old, limit) else {
        return false;
    };
    let better = if from == to {
        intra_route(instance, solution, from, cost, |walk| {
            if solution.nodes[after as usize].position > solution.nodes[first as usize].position {
                let walk = walk(prev).visit_between(instance, solution, last, then);
                walk.visit_all(instance, segment.tasks())
                    .finish(instance, solution, then)
            } else {
                let walk = walk(after).visit_all(instance, segment.tasks());
                walk.visit_between(instance, solution, after, first)
                    .finish(instance, solution, next)
            }
        })
    } else {
        segment.fits(instance, to)
            && inter_route(
                instance,
                solution,
                &RoutePairDelta {
                    vehicles: [from, to],
                    arc_cost: cost,
                    overload: [
                        overload(instance, solution, from, |d| -segment.load(instance, d)),
                        overload(instance, solution, to, |d| segment.load(instance, d)),
                    ],
                    delays: [
                        &|| {
                            Walk::from_node(instance, solution, prev)
                                .finish(instance, solution, next)
                        },
                        &|| {
                            let walk = Walk::from_node(instance, solution, after)
                                .visit_all(instance, segment.tasks());
                            walk.finish(instance, solution, then)
                        },
                    ],
                },
            )
    };
    if better {
        solution.connect(prev, next);
        solution.connect(after, first);
        solution.connect(last, then);
        refresh(instance, solution, [from, to]);
    }
    better
}

/// Swaps two segments that are not adjacent, if that lowers the penalised cost. Returns whether it
/// did.
pub(super) fn swap(
    instance: &Instance<'_, impl Arcs>,
    solution: &mut RouteSet,
    a: &Segment,
    b: &Segment,
) -> bool {
    let touches = a.next == b.first() || b.next == a.first() || a.tasks().contains(&b.first());
    if touches || b.tasks().contains(&a.first()) {
        return false;
    }
    let vehicles = [solution.vehicle(a.first()), solution.vehicle(b.first())];
    let Some(cost) = swap_cost(instance, solution, [a, b], vehicles) else {
        return false;
    };
    let better = if vehicles[0] == vehicles[1] {
        let position = |segment: &Segment| solution.nodes[segment.first() as usize].position;
        let (one, two) = if position(a) < position(b) {
            (a, b)
        } else {
            (b, a)
        };
        intra_route(instance, solution, vehicles[0], cost, |walk| {
            let walk = walk(one.prev).visit_all(instance, two.tasks());
            let walk = walk.visit_between(instance, solution, one.last(), two.first());
            walk.visit_all(instance, one.tasks())
                .finish(instance, solution, two.next)
        })
    } else {
        let more = |d: usize| b.load(instance, d) - a.load(instance, d);
        let delays = |out: &Segment, into: &Segment| {
            let walk =
                Walk::from_node(instance, solution, out.prev).visit_all(instance, into.tasks());
            walk.finish(instance, solution, out.next)
        };
        b.fits(instance, vehicles[0])
            && a.fits(instance, vehicles[1])
            && inter_route(
                instance,
                solution,
                &RoutePairDelta {
                    vehicles,
                    arc_cost: cost,
                    overload: [
                        overload(instance, solution, vehicles[0], more),
                        overload(instance, solution, vehicles[1], |d| -more(d)),
                    ],
                    delays: [&|| delays(a, b), &|| delays(b, a)],
                },
            )
    };
    if better {
        solution.connect(a.prev, b.first());
        solution.connect(b.last(), a.next);
        solution.connect(b.prev, a.first());
        solution.connect(a.last(), b.next);
        refresh(instance, solution, vehicles);
    }
    better
}

/// Change of the cost of arcs by a swap, if penalties may outweigh it.
#[inline]
fn swap_cost(
    instance: &Instance<'_, impl Arcs>,
    solution: &RouteSet,
    [a, b]: [&Segment; 2],
    vehicles: [usize; 2],
) -> Option<i64> {
    let new = [
        (a.prev, b.first()),
        (b.last(), a.next),
        (b.prev, a.first()),
        (a.last(), b.next),
    ];
    let old = [
        (a.prev, a.first()),
        (a.last(), a.next),
        (b.prev, b.first()),
        (b.last(), b.next),
    ];
    let limit = solution.routes[vehicles[0]].penalty + solution.routes[vehicles[1]].penalty;
    exchange_cost(instance, solution, new, old, limit)
}
