//! SWAP*: swap of two tasks of two routes, each inserted at the best position of the other route.
//!
//! Vidal, "Hybrid genetic search for the CVRP", Computers & Operations Research 140 (2022), section
//! 4.2: the best position of a task in a route without another task is that task's, or among its
//! three best in the whole route. Where time counts that is a heuristic, so the most promising swap
//! is evaluated as a whole before it is applied.

use super::delta::{RoutePairDelta, arc_cost, inter_route, overload, refresh};
use super::instance::{Instance, NIL};
use super::route_set::RouteSet;
use super::walk::{Delays, Walk};
use anytime::{Stop, Ticker};

/// Insertion positions that are kept for each task.
const POSITIONS: usize = 3;
/// Neighbours of a task whose routes are paired with its own.
const NEAR: usize = 10;

/// The best insertions of a task into the other route: what it adds and behind which node.
type Positions = [(i64, u16); POSITIONS];

/// The SWAP* neighbourhood with its scratch space.
#[derive(Debug, Clone, Default)]
pub(super) struct SwapStar {
    /// By pair of routes: number of changes when it was evaluated last.
    tested: Vec<u32>,
    /// By pair of routes: whether they have neighbours of each other.
    touches: Vec<bool>,
    candidates: [Vec<Candidate>; 2],
}

/// A task of a route that the other route could do.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    task: u16,
    /// What its removal saves, loads excepted.
    gain: i64,
    /// Time penalty of its route without it.
    rest: i64,
    positions: Positions,
}

/// A task of each route, and the node of the other route behind which it goes.
#[derive(Debug, Clone, Copy)]
struct Swap {
    tasks: [u16; 2],
    after: [u16; 2],
}

impl SwapStar {
    /// Makes the next [`SwapStar::improve`] evaluate all pairs of routes.
    pub(super) fn reset(&mut self, instance: &Instance<'_>) {
        self.tested.clear();
        self.tested
            .resize(instance.vehicle_count() * instance.vehicle_count(), 0);
    }

    /// Applies the first improving swap found, and returns its two tasks. A pair of routes of which
    /// none has changed is not evaluated again.
    pub(super) fn improve(
        &mut self,
        instance: &Instance<'_>,
        solution: &mut RouteSet,
        ticker: &Ticker,
    ) -> Result<Option<[u16; 2]>, Stop> {
        let count = instance.vehicle_count();
        self.find_touching(instance, solution);
        for one in 0..count {
            for other in one + 1..count {
                let pair = one * count + other;
                let stamp = solution.routes[one].stamp.max(solution.routes[other].stamp);
                if !self.touches[pair] || stamp <= self.tested[pair] {
                    continue;
                }
                ticker.look()?;
                self.tested[pair] = solution.clock;
                if let Some(best) = self.best_swap(instance, solution, [one, other])
                    && apply_if_better(instance, solution, &best)
                {
                    return Ok(Some(best.tasks));
                }
            }
        }
        Ok(None)
    }

    /// Finds pairs of routes that have neighbours of each other.
    fn find_touching(&mut self, instance: &Instance<'_>, solution: &RouteSet) {
        let count = instance.vehicle_count();
        self.touches.clear();
        self.touches.resize(count * count, false);
        for task in (0..instance.tasks as u16).filter(|task| solution.is_assigned(*task)) {
            let vehicle = solution.vehicle(task);
            for neighbour in instance
                .neighbourhood
                .neighbours(u32::from(task))
                .iter()
                .take(NEAR)
            {
                let neighbour = *neighbour as u16;
                if solution.is_assigned(neighbour) && solution.vehicle(neighbour) != vehicle {
                    let (low, high) = (
                        vehicle.min(solution.vehicle(neighbour)),
                        vehicle.max(solution.vehicle(neighbour)),
                    );
                    self.touches[low * count + high] = true;
                }
            }
        }
    }

    /// The most promising improving swap of two routes.
    fn best_swap(
        &mut self,
        instance: &Instance<'_>,
        solution: &RouteSet,
        vehicles: [usize; 2],
    ) -> Option<Swap> {
        let [own, its] = vehicles;
        let [one, other] = &mut self.candidates;
        collect(one, instance, solution, own, its);
        collect(other, instance, solution, its, own);
        let demand =
            |task: u16, d: usize| instance.demands[task as usize * instance.dimensions + d];
        let loads = |u: u16, v: u16| {
            let more = |d: usize| demand(v, d) - demand(u, d);
            let less = |d: usize| demand(u, d) - demand(v, d);
            solution.overload_penalty(instance, own, true, overload(instance, solution, own, more))
                + solution.overload_penalty(
                    instance,
                    its,
                    true,
                    overload(instance, solution, its, less),
                )
        };
        let penalties = vehicles.map(|vehicle| overload_penalty(instance, solution, vehicle));
        let now = penalties[0] + penalties[1];
        let (mut least, mut found) = (0, None);
        for u in one.iter() {
            for v in other.iter() {
                let change = loads(u.task, v.task) - now - u.gain - v.gain;
                if change >= least {
                    continue;
                }
                let there = best_position(instance, solution, u, v);
                if change + there.0 >= least {
                    continue;
                }
                let here = best_position(instance, solution, v, u);
                if change + there.0 + here.0 < least {
                    least = change + there.0 + here.0;
                    found = Some(Swap {
                        tasks: [u.task, v.task],
                        after: [there.1, here.1],
                    });
                }
            }
        }
        found
    }
}

/// Penalty of the time warp and the lateness of a route.
fn time_warp_penalty(instance: &Instance<'_>, solution: &RouteSet, vehicle: usize) -> i64 {
    solution.time_warp_penalty(instance, solution.routes[vehicle].delays())
}

/// Penalties of a route but for time warp and lateness.
fn overload_penalty(instance: &Instance<'_>, solution: &RouteSet, vehicle: usize) -> i64 {
    solution.routes[vehicle].penalty - time_warp_penalty(instance, solution, vehicle)
}

/// Collects the tasks of a route that another vehicle can serve, with their best positions there.
fn collect(
    candidates: &mut Vec<Candidate>,
    instance: &Instance<'_>,
    solution: &RouteSet,
    vehicle: usize,
    other: usize,
) {
    candidates.clear();
    let now = time_warp_penalty(instance, solution, vehicle);
    let mut task = solution.next(instance.start(vehicle));
    while (task as usize) < instance.tasks {
        let (prev, next) = (solution.prev(task), solution.next(task));
        if instance.can_serve(other, task) {
            let arcs = arc_cost(instance, prev, task) + arc_cost(instance, task, next)
                - arc_cost(instance, prev, next);
            let delays = Walk::from_node(instance, solution, prev).finish(instance, solution, next);
            let rest = solution.time_warp_penalty(instance, delays);
            candidates.push(Candidate {
                task,
                gain: arcs + now - rest,
                rest,
                positions: best_positions(instance, solution, task, other),
            });
        }
        task = next;
    }
}

/// The best positions of a task in a route that does not have it.
fn best_positions(
    instance: &Instance<'_>,
    solution: &RouteSet,
    task: u16,
    vehicle: usize,
) -> Positions {
    let now = time_warp_penalty(instance, solution, vehicle);
    let end = instance.end(vehicle);
    let mut positions = [(i64::MAX, NIL); POSITIONS];
    let mut after = instance.start(vehicle);
    while after != end {
        let then = solution.next(after);
        let change = insertion_cost(instance, solution, task, after, then) - now;
        if change < positions[POSITIONS - 1].0 {
            positions[POSITIONS - 1] = (change, after);
            positions.sort_unstable();
        }
        after = then;
    }
    positions
}

/// Cost of the insertion of a task between two nodes, plus the time penalty of the whole route.
fn insertion_cost(
    instance: &Instance<'_>,
    solution: &RouteSet,
    task: u16,
    after: u16,
    then: u16,
) -> i64 {
    let arcs = arc_cost(instance, after, task) + arc_cost(instance, task, then)
        - arc_cost(instance, after, then);
    let mut walk = Walk::from_node(instance, solution, after);
    walk.step(instance, task);
    arcs + solution.time_warp_penalty(instance, walk.finish(instance, solution, then))
}

/// What a task adds, and behind which node, to a route that another task leaves: in its place, or
/// elsewhere.
fn best_position(
    instance: &Instance<'_>,
    solution: &RouteSet,
    task: &Candidate,
    leaves: &Candidate,
) -> (i64, u16) {
    let (prev, next) = (solution.prev(leaves.task), solution.next(leaves.task));
    let instead = insertion_cost(instance, solution, task.task, prev, next) - leaves.rest;
    let stays = |position: &&(i64, u16)| {
        position.1 != prev && position.1 != leaves.task && position.1 != NIL
    };
    match task.positions.iter().find(stays) {
        Some(position) if position.0 < instead => *position,
        _ => (instead, prev),
    }
}

/// Evaluates a route that one task leaves and another one joins behind a node: change of the cost
/// of arcs, and the delays.
fn reposition(
    instance: &Instance<'_>,
    solution: &RouteSet,
    leaves: u16,
    joins: u16,
    node: u16,
) -> (i64, impl Fn() -> Delays) {
    let (prev, next) = (solution.prev(leaves), solution.next(leaves));
    let then = if node == prev {
        next
    } else {
        solution.next(node)
    };
    let mut cost = arc_cost(instance, node, joins) + arc_cost(instance, joins, then)
        - arc_cost(instance, prev, leaves)
        - arc_cost(instance, leaves, next);
    if node != prev {
        cost += arc_cost(instance, prev, next) - arc_cost(instance, node, then);
    }
    let position = |node: u16| solution.nodes[node as usize].position;
    let is_later = position(node) > position(leaves);
    let delays = move || {
        if node == prev {
            Walk::from_node(instance, solution, prev)
                .visit_all(instance, &[joins])
                .finish(instance, solution, next)
        } else if is_later {
            let walk = Walk::from_node(instance, solution, prev)
                .visit_between(instance, solution, leaves, then);
            walk.visit_all(instance, &[joins])
                .finish(instance, solution, then)
        } else {
            let walk = Walk::from_node(instance, solution, node).visit_all(instance, &[joins]);
            let walk = walk.visit_between(instance, solution, node, leaves);
            walk.finish(instance, solution, next)
        }
    };
    (cost, delays)
}

/// Applies a swap if it lowers the penalised cost. Returns whether it did.
fn apply_if_better(instance: &Instance<'_>, solution: &mut RouteSet, swap: &Swap) -> bool {
    let ([u, v], [after_u, after_v]) = (swap.tasks, swap.after);
    let vehicles = [solution.vehicle(u), solution.vehicle(v)];
    let demand = |task: u16, d: usize| instance.demands[task as usize * instance.dimensions + d];
    let more = |d: usize| demand(v, d) - demand(u, d);
    let better = {
        let (own, own_delays) = reposition(instance, solution, u, v, after_v);
        let (other, other_delays) = reposition(instance, solution, v, u, after_u);
        let pair = RoutePairDelta {
            vehicles,
            arc_cost: own + other,
            used: [true, true],
            overload: [
                overload(instance, solution, vehicles[0], more),
                overload(instance, solution, vehicles[1], |d| -more(d)),
            ],
            delays: [&own_delays, &other_delays],
        };
        inter_route(instance, solution, &pair)
    };
    if better {
        for task in [u, v] {
            solution.connect(solution.prev(task), solution.next(task));
        }
        for (task, after) in [(u, after_u), (v, after_v)] {
            let then = solution.next(after);
            solution.connect(after, task);
            solution.connect(task, then);
        }
        refresh(instance, solution, vehicles);
    }
    better
}
