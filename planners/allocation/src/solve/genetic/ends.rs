//! Tails of routes that are exchanged, and stretches that are turned around, where that lowers the
//! energy.

use super::ground::Ground;
use super::judge::{Sides, across, arc, excess, inside, refresh};
use super::tours::Tours;
use super::walk::Walk;

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
