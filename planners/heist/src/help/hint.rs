//! Hints of graded strength: each tells more than the one before.

use crate::game::{Intervention, Target};
use crate::museum::{Museum, Thing};

/// Number of grades.
pub const GRADES: u32 = 4;

/// Something to be told to a player who does not know what to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hint {
    /// Grade 1: how many deeds it takes.
    Deeds(usize),
    /// Grade 2: where and until when the next one is.
    Near {
        /// The rooms in which the thing stands: two for a door.
        rooms: Vec<usize>,
        /// The tick before which it has to be done.
        tick: u32,
    },
    /// Grade 3: to what.
    Target(Target),
    /// Grade 4: the deed itself.
    Deed(Intervention),
}

/// The hint of a grade, 1 to [`GRADES`], for deeds, the first of which is next. `None`: there are
/// no deeds, or no such grade.
#[must_use]
pub fn hint(museum: &Museum, deeds: &[Intervention], grade: u32) -> Option<Hint> {
    let next = deeds.iter().min_by_key(|it| it.tick)?;
    let layout = museum.layout();
    let target = next.deed.target;
    match grade {
        1 => Some(Hint::Deeds(deeds.len())),
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
        4 => Some(Hint::Deed(*next)),
        _ => None,
    }
}
