//! Doing and leaving out tasks that may be left out.

use super::ground::Ground;
use super::judge::{arc, excess};
use super::tours::Tours;
use super::walk::Walk;

/// Energy that an absent task would add behind `after`, if less than `most`.
#[inline]
pub(super) fn insertion(
    ground: &Ground<'_>,
    tours: &Tours,
    task: u16,
    (after, most): (u16, i64),
) -> Option<i64> {
    let then = tours.next(after);
    let lane = tours.lane(after);
    let now = &tours.lanes[lane];
    let mut change =
        arc(ground, after, task) + arc(ground, task, then) - arc(ground, after, then) - now.fine;
    if change >= most || !ground.may(lane, task) {
        return None;
    }
    let demand = |d: usize| ground.demands[task as usize * ground.dimensions + d];
    change += tours.fine(ground, lane, (true, excess(ground, tours, lane, demand)));
    if change >= most {
        return None;
    }
    let mut walk = Walk::at(ground, tours, after);
    walk.step(ground, task);
    change += tours.time_fine(ground, walk.finish(ground, tours, then));
    (change < most).then_some(change)
}

/// Puts an absent task next to a near one, or on an idle lane, where that lowers the energy most.
pub(super) fn include(ground: &Ground<'_>, tours: &mut Tours, task: u16, idle: &[u16]) -> bool {
    let loss = ground.losses[task as usize].unwrap_or(ground.missing);
    let place = best_place(ground, tours, (task, loss), idle);
    place.is_some_and(|after| {
        tours.join(ground, task, after);
        tours.refresh(ground, tours.lane(after));
        true
    })
}

/// The node behind which a task adds least, if less than `most`; near tasks and idle lanes only.
pub(super) fn best_place(
    ground: &Ground<'_>,
    tours: &Tours,
    (task, mut most): (u16, i64),
    idle: &[u16],
) -> Option<u16> {
    let mut best = None;
    let mut consider = |after: u16| {
        if let Some(change) = insertion(ground, tours, task, (after, most)) {
            (most, best) = (change, Some(after));
        }
    };
    for &near in ground.near.of(u32::from(task)) {
        let near = near as u16;
        if tours.is_done(near) {
            consider(near);
            consider(tours.prev(near));
        }
    }
    idle.iter()
        .for_each(|lane| consider(ground.start(*lane as usize)));
    best
}

/// Leaves a task out if it may be and that lowers the energy.
pub(super) fn exclude(ground: &Ground<'_>, tours: &mut Tours, task: u16) -> bool {
    let Some(loss) = ground.losses[task as usize] else {
        return false;
    };
    let (prev, next, lane) = (tours.prev(task), tours.next(task), tours.lane(task));
    let now = &tours.lanes[lane];
    let ways = arc(ground, prev, next) - arc(ground, prev, task) - arc(ground, task, next);
    let mut change = loss + ways - now.fine;
    if change >= 0 {
        return false;
    }
    let demand = |d: usize| -ground.demands[task as usize * ground.dimensions + d];
    let sides = (now.tasks > 1, excess(ground, tours, lane, demand));
    change += tours.fine(ground, lane, sides);
    let times = Walk::at(ground, tours, prev).finish(ground, tours, next);
    if change + tours.time_fine(ground, times) >= 0 {
        return false;
    }
    tours.leave(ground, task);
    tours.refresh(ground, lane);
    true
}
