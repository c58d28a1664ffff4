//! Changes of one or two routes: judged by what they would add to the energy, and made where that
//! is negative.
//!
//! A judgement starts with the ways alone; then loads, then times are added, and it stops as soon
//! as what the fines of now could give back is used up.

use super::ground::Ground;
use super::tours::{Tours, Walk};

/// Longest piece that is moved.
pub(super) const PIECE_MAX: usize = 3;

/// A few tasks in a row, on one route.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    tasks: [u16; PIECE_MAX],
    count: usize,
    prev: u16,
    next: u16,
}

impl Piece {
    /// `count` tasks from `first` on, if there are so many.
    #[inline]
    pub(super) fn from(
        ground: &Ground<'_>,
        tours: &Tours,
        first: u16,
        count: usize,
    ) -> Option<Self> {
        let mut tasks = [first; PIECE_MAX];
        let mut node = first;
        for slot in &mut tasks[..count] {
            if node as usize >= ground.tasks {
                return None;
            }
            *slot = node;
            node = tours.next(node);
        }
        let prev = tours.prev(first);
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

    fn load(&self, ground: &Ground<'_>, d: usize) -> i64 {
        let demand = |task: &u16| ground.demands[*task as usize * ground.dimensions + d];
        self.tasks().iter().map(demand).sum()
    }
}

impl Walk {
    #[inline]
    fn along(mut self, ground: &Ground<'_>, tasks: &[u16]) -> Self {
        for &task in tasks {
            self.step(ground, task);
        }
        self
    }

    /// Over all tasks from `node` to the end of its route: another agent's, so that all has to be
    /// gone through.
    fn over(mut self, ground: &Ground<'_>, tours: &Tours, mut node: u16) -> Self {
        while (node as usize) < ground.tasks {
            self.step(ground, node);
            node = tours.next(node);
        }
        self
    }

    /// Over all nodes after `from`, up to but without `to`.
    #[inline]
    fn between(mut self, ground: &Ground<'_>, tours: &Tours, (from, to): (u16, u16)) -> Self {
        let mut node = tours.next(from);
        while node != to {
            self.step(ground, node);
            node = tours.next(node);
        }
        self
    }
}

/// Load of a lane above its capacity, after `change` in each dimension.
#[inline]
pub(super) fn excess(
    ground: &Ground<'_>,
    tours: &Tours,
    lane: usize,
    change: impl Fn(usize) -> i64,
) -> i64 {
    let (end, dimensions) = (ground.end(lane) as usize, ground.dimensions);
    let over = |d: usize| {
        let room = ground.capacities[lane * dimensions + d] - tours.loads[end * dimensions + d];
        (change(d) - room).max(0)
    };
    (0..dimensions).map(over).sum()
}

/// Cost of the way between two nodes.
#[inline]
pub(super) fn arc(ground: &Ground<'_>, from: u16, to: u16) -> i64 {
    let place = |node: u16| ground.spots[node as usize].place;
    ground.cost(place(from), place(to))
}

/// Moves a piece behind `after`, on another route or on its own. True if that was done.
pub(super) fn relocate(ground: &Ground<'_>, tours: &mut Tours, piece: &Piece, after: u16) -> bool {
    let (prev, next, first, last) = (piece.prev, piece.next, piece.first(), piece.last());
    if after == prev || piece.tasks().contains(&after) {
        return false;
    }
    let then = tours.next(after);
    let cost = arc(ground, prev, next) + arc(ground, after, first) + arc(ground, last, then)
        - arc(ground, prev, first)
        - arc(ground, last, next)
        - arc(ground, after, then);
    let (from, to) = (tours.lane(first), tours.lane(after));
    let better = if from == to {
        inside(ground, tours, (from, cost), |walk| {
            if tours.nodes[after as usize].rank > tours.nodes[first as usize].rank {
                let walk = walk(prev).between(ground, tours, (last, then));
                walk.along(ground, piece.tasks())
                    .finish(ground, tours, then)
            } else {
                let walk = walk(after).along(ground, piece.tasks());
                walk.between(ground, tours, (after, first))
                    .finish(ground, tours, next)
            }
        })
    } else {
        let fits = || piece.tasks().iter().all(|task| ground.may(to, *task));
        cost < tours.lanes[from].fine + tours.lanes[to].fine
            && fits()
            && across(
                ground,
                tours,
                cost,
                (
                    [from, to],
                    &Sides {
                        used: [tours.lanes[from].tasks as usize > piece.count, true],
                        excess: [
                            excess(ground, tours, from, |d| -piece.load(ground, d)),
                            excess(ground, tours, to, |d| piece.load(ground, d)),
                        ],
                        times: [
                            &|| Walk::at(ground, tours, prev).finish(ground, tours, next),
                            &|| {
                                let walk =
                                    Walk::at(ground, tours, after).along(ground, piece.tasks());
                                walk.finish(ground, tours, then)
                            },
                        ],
                    },
                ),
            )
    };
    if better {
        tours.link(prev, next);
        tours.link(after, first);
        tours.link(last, then);
        refresh(ground, tours, [from, to]);
    }
    better
}

/// Exchanges two pieces with something between them. True if that was done.
pub(super) fn swap(ground: &Ground<'_>, tours: &mut Tours, a: &Piece, b: &Piece) -> bool {
    let touches = a.next == b.first() || b.next == a.first() || a.tasks().contains(&b.first());
    if touches || b.tasks().contains(&a.first()) {
        return false;
    }
    let cost = arc(ground, a.prev, b.first())
        + arc(ground, b.last(), a.next)
        + arc(ground, b.prev, a.first())
        + arc(ground, a.last(), b.next)
        - arc(ground, a.prev, a.first())
        - arc(ground, a.last(), a.next)
        - arc(ground, b.prev, b.first())
        - arc(ground, b.last(), b.next);
    let lanes = [tours.lane(a.first()), tours.lane(b.first())];
    let better = if lanes[0] == lanes[1] {
        let rank = |piece: &Piece| tours.nodes[piece.first() as usize].rank;
        let (one, two) = if rank(a) < rank(b) { (a, b) } else { (b, a) };
        inside(ground, tours, (lanes[0], cost), |walk| {
            let walk = walk(one.prev).along(ground, two.tasks());
            let walk = walk.between(ground, tours, (one.last(), two.first()));
            walk.along(ground, one.tasks())
                .finish(ground, tours, two.next)
        })
    } else {
        let may = |lane, piece: &Piece| piece.tasks().iter().all(|task| ground.may(lane, *task));
        let more = |d: usize| b.load(ground, d) - a.load(ground, d);
        let time = |out: &Piece, into: &Piece| {
            let walk = Walk::at(ground, tours, out.prev).along(ground, into.tasks());
            walk.finish(ground, tours, out.next)
        };
        cost < tours.lanes[lanes[0]].fine + tours.lanes[lanes[1]].fine
            && may(lanes[0], b)
            && may(lanes[1], a)
            && across(
                ground,
                tours,
                cost,
                (
                    lanes,
                    &Sides {
                        used: [true, true],
                        excess: [
                            excess(ground, tours, lanes[0], more),
                            excess(ground, tours, lanes[1], |d| -more(d)),
                        ],
                        times: [&|| time(a, b), &|| time(b, a)],
                    },
                ),
            )
    };
    if better {
        tours.link(a.prev, b.first());
        tours.link(b.last(), a.next);
        tours.link(b.prev, a.first());
        tours.link(a.last(), b.next);
        refresh(ground, tours, lanes);
    }
    better
}

/// Exchanges what comes after `u` with what comes after `v`, on two routes (2-opt*). True if that
/// was done.
pub(super) fn tails(ground: &Ground<'_>, tours: &mut Tours, u: u16, v: u16) -> bool {
    let lanes = [tours.lane(u), tours.lane(v)];
    let [mine, yours] = lanes;
    let ends = lanes.map(|lane| ground.end(lane));
    let (x, y) = (tours.next(u), tours.next(v));
    // Whoever takes over no task goes to the own end.
    let to_mine = if y == ends[1] { ends[0] } else { y };
    let to_yours = if x == ends[0] { ends[1] } else { x };
    if mine == yours || (to_mine == ends[0] && to_yours == ends[1]) {
        return false;
    }
    let last = ends.map(|end| tours.prev(end));
    let mut cost =
        arc(ground, u, to_mine) + arc(ground, v, to_yours) - arc(ground, u, x) - arc(ground, v, y);
    if to_mine == y {
        cost += arc(ground, last[1], ends[0]) - arc(ground, last[1], ends[1]);
    }
    if to_yours == x {
        cost += arc(ground, last[0], ends[1]) - arc(ground, last[0], ends[0]);
    }
    let missing = |node: u16, lane: usize| tours.needs[node as usize] & !ground.berths[lane].skills;
    if cost >= tours.lanes[mine].fine + tours.lanes[yours].fine
        || missing(to_mine, mine) | missing(to_yours, yours) != 0
    {
        return false;
    }
    let same = ground.berths[mine].class == ground.berths[yours].class;
    let time = |from: u16, to: u16, end: u16| {
        let walk = Walk::at(ground, tours, from);
        if to as usize >= ground.tasks || same {
            return walk.finish(ground, tours, to);
        }
        walk.over(ground, tours, to).finish(ground, tours, end)
    };
    let load = |node: u16, d: usize| tours.loads[node as usize * ground.dimensions + d];
    let rest = |node: u16, end: u16, d: usize| load(end, d) - load(node, d);
    let more = |d: usize| rest(v, ends[1], d) - rest(u, ends[0], d);
    let is_used = |u: u16, to: u16| (u as usize) < ground.tasks || (to as usize) < ground.tasks;
    let sides = Sides {
        used: [is_used(u, to_mine), is_used(v, to_yours)],
        excess: [
            excess(ground, tours, mine, more),
            excess(ground, tours, yours, |d| -more(d)),
        ],
        times: [&|| time(u, to_mine, ends[0]), &|| {
            time(v, to_yours, ends[1])
        }],
    };
    let better = across(ground, tours, cost, (lanes, &sides));
    if better {
        tours.link(u, to_mine);
        tours.link(v, to_yours);
        if to_mine == y {
            tours.link(last[1], ends[0]);
        }
        if to_yours == x {
            tours.link(last[0], ends[1]);
        }
        refresh(ground, tours, lanes);
    }
    better
}

/// Turns around the stretch after `u` up to `v`, on one route (2-opt). True if that was done.
pub(super) fn reverse(ground: &Ground<'_>, tours: &mut Tours, u: u16, v: u16) -> bool {
    let lane = tours.lane(u);
    let ranks = [u, v].map(|node| tours.nodes[node as usize].rank);
    if lane != tours.lane(v) || ranks[0] + 1 >= ranks[1] {
        return false;
    }
    let next = tours.next(v);
    // Ways may be longer in the other direction: all of them are added up.
    let mut walk = Walk::at(ground, tours, u);
    let most = tours.nodes[next as usize].run + tours.lanes[lane].fine;
    let mut node = v;
    while node != u {
        walk.step(ground, node);
        if walk.cost >= most {
            return false;
        }
        node = tours.prev(node);
    }
    let way = ground.way(walk.table, walk.place, ground.spots[next as usize].place);
    let cost = walk.cost + way.cost - tours.nodes[next as usize].run;
    let better = inside(ground, tours, (lane, cost), |_| {
        walk.finish(ground, tours, next)
    });
    if better {
        let first = tours.next(u);
        let mut node = first;
        while node != next {
            let after = tours.next(node);
            let before = tours.prev(node);
            tours.nodes[node as usize].next = before;
            tours.nodes[node as usize].prev = after;
            node = after;
        }
        tours.link(u, v);
        tours.link(first, next);
        tours.refresh(ground, lane);
    }
    better
}

/// Two routes after a change: whether they do anything, their loads too much, and their time gone
/// back and lateness.
pub(super) struct Sides<'a> {
    pub(super) used: [bool; 2],
    pub(super) excess: [i64; 2],
    pub(super) times: [&'a dyn Fn() -> (i64, i64); 2],
}

/// Whether a change of two routes lowers the energy.
#[inline]
pub(super) fn across(
    ground: &Ground<'_>,
    tours: &Tours,
    cost: i64,
    (lanes, sides): ([usize; 2], &Sides<'_>),
) -> bool {
    let mut change = cost;
    for (side, lane) in lanes.into_iter().enumerate() {
        change += tours.fine(ground, lane, (sides.used[side], sides.excess[side]));
        change -= tours.lanes[lane].fine;
    }
    for time in sides.times {
        if change >= 0 {
            return false;
        }
        change += tours.time_fine(ground, time());
    }
    change < 0
}

/// Whether a change inside one route lowers the energy; `time` gets what walks from a node on.
#[inline]
fn inside<'a>(
    ground: &'a Ground<'_>,
    tours: &'a Tours,
    (lane, cost): (usize, i64),
    time: impl Fn(&dyn Fn(u16) -> Walk) -> (i64, i64),
) -> bool {
    let now = &tours.lanes[lane];
    let change = cost - tours.time_fine(ground, (now.warp_us, now.late_us));
    change < 0 && change + tours.time_fine(ground, time(&|node| Walk::at(ground, tours, node))) < 0
}

fn refresh(ground: &Ground<'_>, tours: &mut Tours, lanes: [usize; 2]) {
    tours.refresh(ground, lanes[0]);
    if lanes[1] != lanes[0] {
        tours.refresh(ground, lanes[1]);
    }
}
