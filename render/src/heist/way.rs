//! Obstacles, as an agent believes: the path with the fewest locks.

use super::scene::{Place, Scene, Thing};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use stratagem_proto::v1::HeistLockState;

/// How one gets from a room to another.
pub(super) struct Way {
    /// Locked doors on the path.
    pub(super) locks: Vec<usize>,
    /// Closed doors on it, not locked.
    pub(super) closed: usize,
    /// Avoided rooms on the path.
    pub(super) shunned: Vec<usize>,
}

/// Shunned rooms, locks and steps to a room, and the door and room from which one comes.
type Reached = ([usize; 3], Option<(usize, usize)>);

/// The path to a room that enters no avoided room, with the fewest locked doors, then the fewest
/// steps. If there is no such path: the one with fewest obstacles. None where no doors lead there.
pub(super) fn way(scene: &Scene<'_>, to: usize) -> Option<Way> {
    let start = scene.start()?;
    let doors = scene.world.doors.len();
    let mut exits = vec![Vec::new(); scene.world.rooms.len()];
    for door in 0..doors {
        if let Some([a, b]) = scene.sides(door) {
            exits[a].push((door, b));
            exits[b].push((door, a));
        }
    }
    let mut best: Vec<Option<Reached>> = vec![None; exits.len()];
    best[start] = Some(([0; 3], None));
    let mut queue = BinaryHeap::from([Reverse(([0; 3], start))]);
    while let Some(Reverse((cost, room))) = queue.pop() {
        if best[room].is_some_and(|(known, _)| known < cost) {
            continue;
        }
        for (door, next) in &exits[room] {
            let leaf = scene.believed(Thing::Door(*door));
            let locked = usize::from(leaf == HeistLockState::Locked);
            // To open one takes a step, too.
            let steps = 1 + usize::from(leaf != HeistLockState::Open);
            let step = [usize::from(scene.shuns(*next)), locked, steps];
            let total = [0, 1, 2].map(|n| cost[n] + step[n]);
            if best[*next].is_none_or(|(known, _)| total < known) {
                best[*next] = Some((total, Some((*door, room))));
                queue.push(Reverse((total, *next)));
            }
        }
    }
    best[to]?;
    let mut way = Way {
        locks: Vec::new(),
        closed: 0,
        shunned: Vec::new(),
    };
    let mut here = to;
    while let Some((_, Some((door, before)))) = best[here] {
        match scene.believed(Thing::Door(door)) {
            HeistLockState::Locked => way.locks.push(door),
            HeistLockState::Closed => way.closed += 1,
            _ => {}
        }
        if scene.shuns(here) {
            way.shunned.push(here);
        }
        here = before;
    }
    way.locks.reverse();
    way.shunned.reverse();
    Some(way)
}

/// The believed places of an item: "with the burglar", "in case (vault)"; several if it has copies.
pub(super) fn place_words(scene: &Scene<'_>, places: &[Place<'_>]) -> String {
    let words = |place: &Place<'_>| match *place {
        Place::In(n) => {
            let container = &scene.world.containers[n];
            format!("in {} ({})", container.id, container.room_id)
        }
        Place::With(id) => format!("with {id}"),
    };
    match places {
        [] => "unknown".into(),
        places => places.iter().map(words).collect::<Vec<_>>().join(" and "),
    }
}
