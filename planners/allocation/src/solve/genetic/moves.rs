//! Pieces of routes that go elsewhere, where that lowers the energy.

use super::ground::Ground;
use super::judge::{Sides, across, arc, excess, inside, refresh};
use super::tours::Tours;
use super::walk::Walk;

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
