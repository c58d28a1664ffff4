//! What changes of one or two routes would add to the energy.
//!
//! A judgement starts with the ways alone; then loads, then times are added, and it stops as soon
//! as what the fines of now could give back is used up.

use super::ground::Ground;
use super::tours::Tours;
use super::walk::Walk;

impl Walk {
    #[inline]
    pub(super) fn along(mut self, ground: &Ground<'_>, tasks: &[u16]) -> Self {
        for &task in tasks {
            self.step(ground, task);
        }
        self
    }

    /// Over all tasks from `node` to the end of its route: another agent's, so that all has to be
    /// gone through.
    pub(super) fn over(mut self, ground: &Ground<'_>, tours: &Tours, mut node: u16) -> Self {
        while (node as usize) < ground.tasks {
            self.step(ground, node);
            node = tours.next(node);
        }
        self
    }

    /// Over all nodes after `from`, up to but without `to`.
    #[inline]
    pub(super) fn between(
        mut self,
        ground: &Ground<'_>,
        tours: &Tours,
        (from, to): (u16, u16),
    ) -> Self {
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
pub(super) fn inside<'a>(
    ground: &'a Ground<'_>,
    tours: &'a Tours,
    (lane, cost): (usize, i64),
    time: impl Fn(&dyn Fn(u16) -> Walk) -> (i64, i64),
) -> bool {
    let now = &tours.lanes[lane];
    let change = cost - tours.time_fine(ground, (now.warp_us, now.late_us));
    change < 0 && change + tours.time_fine(ground, time(&|node| Walk::at(ground, tours, node))) < 0
}

/// Computes two lanes anew, which may be the same.
pub(super) fn refresh(ground: &Ground<'_>, tours: &mut Tours, lanes: [usize; 2]) {
    tours.refresh(ground, lanes[0]);
    if lanes[1] != lanes[0] {
        tours.refresh(ground, lanes[1]);
    }
}
