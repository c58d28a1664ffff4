//! Acting a plan out where traps stand.

use crate::museum::Museum;
use crate::plan::Plan;
use crate::rules::{Action, Hand, Refusal};
use crate::solve::Errand;
use crate::world::{Body, Facts, World};

/// What comes of a plan as things really are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Acted {
    /// Nothing stands in its way.
    Done,
    /// It leads into a trap.
    Caught,
    /// One action cannot be done.
    Failed(Refusal),
}

/// Acts a plan out from where the agent of an errand is, in these facts, until he is in a trap.
pub(super) fn act_out(errand: &Errand<'_>, facts: &Facts, plan: &Plan, traps: &[bool]) -> Acted {
    let mut facts = facts.clone();
    let mut body = errand.body;
    for &action in &plan.actions {
        let mut hand = Hand {
            museum: errand.museum,
            facts: &mut facts,
            body: &mut body,
            agent: errand.agent,
        };
        if let Err(refusal) = hand.act(action) {
            return Acted::Failed(refusal);
        }
        if traps[body.room] {
            return Acted::Caught;
        }
    }
    Acted::Done
}

/// The rooms that somebody enters by a plan, each once, in order of the first time.
pub(super) fn entered(museum: &Museum, body: Body, plan: &Plan) -> Vec<usize> {
    let mut room = body.room;
    let mut seen = vec![false; museum.rooms()];
    let mut rooms = Vec::new();
    for action in &plan.actions {
        if let Action::Enter(door) = *action {
            room = museum.behind(door, room);
            if !std::mem::replace(&mut seen[room], true) {
                rooms.push(room);
            }
        }
    }
    rooms
}

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
