//! Exchanges of two tasks of two routes, each going to the best place of the other route (SWAP*).
//!
//! Vidal, "Hybrid genetic search for the CVRP", Computers & Operations Research 140 (2022), section
//! 4.2: the best place for a task in a route without another one is that one's, or among its three
//! best in the whole route. Where time counts that is a guess, so that what looks best is judged as
//! a whole before it is done.

use super::ground::{Ground, NIL};
use super::judge::{Sides, across, arc, excess, refresh};
use super::tours::Tours;
use super::walk::Walk;
use crate::problem::Micros;
use anytime::Pulse;

/// Places that are remembered for each task.
const PLACES: usize = 3;
/// Near tasks that bring two routes together.
const NEAR: usize = 10;

/// What a task adds and behind which nodes of the other route; the least first.
type Places = [(i64, u16); PLACES];

/// Which routes have been looked at, and scratch space.
#[derive(Debug, Clone, Default)]
pub(super) struct Exchange {
    /// For each pair of lanes the change after which it was looked at last; and which touch.
    tested: Vec<u32>,
    touches: Vec<bool>,
    sides: [Side; 2],
}

/// A task of a route that may go to the other.
#[derive(Debug, Clone, Copy)]
struct Mover {
    task: u16,
    /// Energy that it gives back when it leaves, but for loads; and of the time of its route then.
    gain: i64,
    rest: i64,
    places: Places,
}

type Side = Vec<Mover>;

/// A task of each route, and behind which node of the other it goes.
#[derive(Debug, Clone, Copy)]
struct Change {
    tasks: [u16; 2],
    after: [u16; 2],
}

impl Exchange {
    /// Looks at all routes anew in the next [`Exchange::any`].
    pub(super) fn reset(&mut self, ground: &Ground<'_>) {
        self.tested.clear();
        self.tested.resize(ground.lanes() * ground.lanes(), 0);
    }

    /// Does the first exchange found that lowers the energy, and tells its two tasks. Two routes
    /// neither of which has changed are not looked at again.
    pub(super) fn any(
        &mut self,
        ground: &Ground<'_>,
        tours: &mut Tours,
        pulse: &Pulse,
    ) -> Option<[u16; 2]> {
        let count = ground.lanes();
        self.find_touching(ground, tours);
        for one in 0..count {
            for other in one + 1..count {
                let pair = one * count + other;
                let stamp = tours.lanes[one].stamp.max(tours.lanes[other].stamp);
                if !self.touches[pair] || stamp <= self.tested[pair] {
                    continue;
                }
                if !pulse.beats() {
                    return None;
                }
                self.tested[pair] = tours.clock;
                if let Some(best) = self.best(ground, tours, [one, other])
                    && carry_out(ground, tours, &best)
                {
                    return Some(best.tasks);
                }
            }
        }
        None
    }

    /// Finds routes that have near tasks of each other.
    fn find_touching(&mut self, ground: &Ground<'_>, tours: &Tours) {
        let count = ground.lanes();
        self.touches.clear();
        self.touches.resize(count * count, false);
        for task in (0..ground.tasks as u16).filter(|task| tours.is_done(*task)) {
            let lane = tours.lane(task);
            for near in ground.near.of(u32::from(task)).iter().take(NEAR) {
                let near = *near as u16;
                if tours.is_done(near) && tours.lane(near) != lane {
                    let (low, high) = (lane.min(tours.lane(near)), lane.max(tours.lane(near)));
                    self.touches[low * count + high] = true;
                }
            }
        }
    }

    /// What looks best of all exchanges between two routes, if it looks good.
    fn best(&mut self, ground: &Ground<'_>, tours: &Tours, lanes: [usize; 2]) -> Option<Change> {
        let [mine, yours] = lanes;
        let [one, other] = &mut self.sides;
        fill(one, ground, tours, (mine, yours));
        fill(other, ground, tours, (yours, mine));
        let demand = |task: u16, d: usize| ground.demands[task as usize * ground.dimensions + d];
        let loads = |u: u16, v: u16| {
            let more = |d: usize| demand(v, d) - demand(u, d);
            let less = |d: usize| demand(u, d) - demand(v, d);
            tours.fine(ground, mine, (true, excess(ground, tours, mine, more)))
                + tours.fine(ground, yours, (true, excess(ground, tours, yours, less)))
        };
        let now: i64 = lanes
            .iter()
            .map(|lane| load_fine(ground, tours, *lane))
            .sum();
        let (mut least, mut found) = (0, None);
        for u in one.iter() {
            for v in other.iter() {
                let change = loads(u.task, v.task) - now - u.gain - v.gain;
                if change >= least {
                    continue;
                }
                let there = place(ground, tours, u, v);
                if change + there.0 >= least {
                    continue;
                }
                let here = place(ground, tours, v, u);
                if change + there.0 + here.0 < least {
                    least = change + there.0 + here.0;
                    found = Some(Change {
                        tasks: [u.task, v.task],
                        after: [there.1, here.1],
                    });
                }
            }
        }
        found
    }
}

/// Energy of the times of a lane, and of the rest that is not its cost.
fn time_fine(ground: &Ground<'_>, tours: &Tours, lane: usize) -> i64 {
    let lane = &tours.lanes[lane];
    tours.time_fine(ground, (lane.warp_us, lane.late_us))
}

fn load_fine(ground: &Ground<'_>, tours: &Tours, lane: usize) -> i64 {
    tours.lanes[lane].fine - time_fine(ground, tours, lane)
}

/// Takes the tasks of a lane that may go to another, with their places there.
fn fill(side: &mut Side, ground: &Ground<'_>, tours: &Tours, (lane, other): (usize, usize)) {
    side.clear();
    let now = time_fine(ground, tours, lane);
    let mut task = tours.next(ground.start(lane));
    while (task as usize) < ground.tasks {
        let (prev, next) = (tours.prev(task), tours.next(task));
        if ground.may(other, task) {
            let ways = arc(ground, prev, task) + arc(ground, task, next) - arc(ground, prev, next);
            let times = Walk::at(ground, tours, prev).finish(ground, tours, next);
            let rest = tours.time_fine(ground, times);
            side.push(Mover {
                task,
                gain: ways + now - rest,
                rest,
                places: places(ground, tours, task, other),
            });
        }
        task = next;
    }
}

/// The best places of a task in a lane of others.
fn places(ground: &Ground<'_>, tours: &Tours, task: u16, lane: usize) -> Places {
    let now = time_fine(ground, tours, lane);
    let end = ground.end(lane);
    let mut places = [(i64::MAX, NIL); PLACES];
    let mut after = ground.start(lane);
    while after != end {
        let then = tours.next(after);
        let change = added(ground, tours, task, (after, then)) - now;
        if change < places[PLACES - 1].0 {
            places[PLACES - 1] = (change, after);
            places.sort_unstable();
        }
        after = then;
    }
    places
}

/// What a task adds between two nodes of a route, with the energy of the times of all of that.
fn added(ground: &Ground<'_>, tours: &Tours, task: u16, (after, then): (u16, u16)) -> i64 {
    let ways = arc(ground, after, task) + arc(ground, task, then) - arc(ground, after, then);
    let mut walk = Walk::at(ground, tours, after);
    walk.step(ground, task);
    ways + tours.time_fine(ground, walk.finish(ground, tours, then))
}

/// What a task adds, and behind which node, where another one leaves: there, or elsewhere.
fn place(ground: &Ground<'_>, tours: &Tours, task: &Mover, leaves: &Mover) -> (i64, u16) {
    let (prev, next) = (tours.prev(leaves.task), tours.next(leaves.task));
    let instead = added(ground, tours, task.task, (prev, next)) - leaves.rest;
    let stays = |place: &&(i64, u16)| place.1 != prev && place.1 != leaves.task && place.1 != NIL;
    match task.places.iter().find(stays) {
        Some(place) if place.0 < instead => *place,
        _ => (instead, prev),
    }
}

/// Lets a task leave its route and another one join it behind a node: cost, time gone back and
/// lateness.
fn after(
    ground: &Ground<'_>,
    tours: &Tours,
    (leaves, joins, node): (u16, u16, u16),
) -> (i64, impl Fn() -> (Micros, Micros)) {
    let (prev, next) = (tours.prev(leaves), tours.next(leaves));
    let then = if node == prev { next } else { tours.next(node) };
    let mut cost = arc(ground, node, joins) + arc(ground, joins, then)
        - arc(ground, prev, leaves)
        - arc(ground, leaves, next);
    if node != prev {
        cost += arc(ground, prev, next) - arc(ground, node, then);
    }
    let rank = |node: u16| tours.nodes[node as usize].rank;
    let is_later = rank(node) > rank(leaves);
    let times = move || {
        if node == prev {
            Walk::at(ground, tours, prev)
                .along(ground, &[joins])
                .finish(ground, tours, next)
        } else if is_later {
            let walk = Walk::at(ground, tours, prev).between(ground, tours, (leaves, then));
            walk.along(ground, &[joins]).finish(ground, tours, then)
        } else {
            let walk = Walk::at(ground, tours, node).along(ground, &[joins]);
            let walk = walk.between(ground, tours, (node, leaves));
            walk.finish(ground, tours, next)
        }
    };
    (cost, times)
}

/// Does an exchange if it lowers the energy. True if that was done.
fn carry_out(ground: &Ground<'_>, tours: &mut Tours, change: &Change) -> bool {
    let ([u, v], [after_u, after_v]) = (change.tasks, change.after);
    let lanes = [tours.lane(u), tours.lane(v)];
    let demand = |task: u16, d: usize| ground.demands[task as usize * ground.dimensions + d];
    let more = |d: usize| demand(v, d) - demand(u, d);
    let better = {
        let (mine, my_times) = after(ground, tours, (u, v, after_v));
        let (yours, your_times) = after(ground, tours, (v, u, after_u));
        let sides = Sides {
            used: [true, true],
            excess: [
                excess(ground, tours, lanes[0], more),
                excess(ground, tours, lanes[1], |d| -more(d)),
            ],
            times: [&my_times, &your_times],
        };
        across(ground, tours, mine + yours, (lanes, &sides))
    };
    if better {
        for task in [u, v] {
            tours.link(tours.prev(task), tours.next(task));
        }
        for (task, after) in [(u, after_u), (v, after_v)] {
            let then = tours.next(after);
            tours.link(after, task);
            tours.link(task, then);
        }
        refresh(ground, tours, lanes);
    }
    better
}
