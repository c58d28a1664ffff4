//! Static traps: cameras that are on, and stationary guards.

use crate::world::World;

/// Rooms with cameras that are on, or with stationary guards.
pub(super) fn static_traps(world: &World) -> Vec<bool> {
    let museum = world.museum();
    let mut traps = vec![false; museum.rooms()];
    let cameras = museum.layout().cameras.iter().zip(&world.facts().cameras);
    for (room, on) in cameras {
        traps[*room] |= *on;
    }
    for guard in 1..world.agents().len() {
        if is_stationary(world, guard) {
            traps[world.agents()[guard].position.room] = true;
        }
    }
    traps
}

/// Whether a guard never leaves its room.
pub(super) fn is_stationary(world: &World, guard: usize) -> bool {
    let guard = &world.agents()[guard];
    let room = guard.position.room;
    let goal = &guard.goal;
    goal.items.is_empty()
        && goal.visits.iter().all(|visit| *visit == room)
        && goal.room.is_none_or(|end| end == room)
}
