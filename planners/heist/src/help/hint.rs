//! Hints in grades: each reveals more than the one before.

use crate::game::{Intervention, Target};
use crate::museum::{Museum, Thing};

/// Number of grades.
pub const GRADES: u32 = 4;

/// A hint for the player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hint {
    /// Grade 1: the number of interventions.
    Deeds(usize),
    /// Grade 2: the place and latest time of the next one.
    Near {
        /// The rooms in which the thing stands: two for a door.
        rooms: Vec<usize>,
        /// The tick before which it has to be done.
        tick: u32,
    },
    /// Grade 3: the target of the next one.
    Target(Target),
    /// Grade 4: the next intervention itself.
    PlayerAction(Intervention),
}

/// The hint of a grade, 1 to [`GRADES`], for interventions, the first of which is next. `None`:
/// there are no interventions, or no such grade.
#[must_use]
pub fn hint(museum: &Museum, player_actions: &[Intervention], grade: u32) -> Option<Hint> {
    let next = player_actions.iter().min_by_key(|it| it.tick)?;
    let layout = museum.layout();
    let target = next.player_action.target;
    match grade {
        1 => Some(Hint::Deeds(player_actions.len())),
        2 => {
            let rooms = match target {
                Target::Thing(Thing::Door(door)) => layout.doors.get(door)?.ends.to_vec(),
                Target::Thing(Thing::Container(it)) => vec![layout.containers.get(it)?.room],
                Target::Thing(Thing::Machine(it)) => vec![layout.machines.get(it)?.room],
                Target::Camera(camera) => vec![*layout.cameras.get(camera)?],
            };
            let tick = next.tick;
            Some(Hint::Near { rooms, tick })
        }
        3 => Some(Hint::Target(target)),
        4 => Some(Hint::PlayerAction(*next)),
        _ => None,
    }
}
