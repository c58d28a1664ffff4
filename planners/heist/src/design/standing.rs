//! Where traps stand.

use crate::world::World;

/// Rooms with cameras that are on, and with guards who stand.
pub(super) fn standing_traps(world: &World) -> Vec<bool> {
    let museum = world.museum();
    let mut traps = vec![false; museum.rooms()];
    let cameras = museum.layout().cameras.iter().zip(&world.facts().cameras);
    for (room, on) in cameras {
        traps[*room] |= *on;
    }
    for guard in 1..world.agents().len() {
        if stands(world, guard) {
            traps[world.agents()[guard].body.room] = true;
        }
    }
    traps
}

/// Whether a guard stays where he is.
pub(super) fn stands(world: &World, guard: usize) -> bool {
    let guard = &world.agents()[guard];
    let room = guard.body.room;
    let goal = &guard.goal;
    goal.items.is_empty()
        && goal.visits.iter().all(|visit| *visit == room)
        && goal.room.is_none_or(|end| end == room)
}
