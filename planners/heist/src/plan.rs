//! Plans of an agent, and what they cost.

use crate::museum::Museum;
use crate::rules::Action;

/// Longest plan that is judged, in actions.
pub const ACTIONS_MAX: usize = 1_000_000;

/// What an agent does, one action each tick.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// In this order. Empty: he is there already.
    pub actions: Vec<Action>,
}

/// What is minimised: the number of actions, which is the number of ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cost {
    /// Actions.
    pub actions: u32,
}

impl Plan {
    /// The rooms that somebody enters by it from this room on, each once, in order of the first
    /// time.
    #[must_use]
    pub fn entered(&self, museum: &Museum, room: usize) -> Vec<usize> {
        let mut room = room;
        let mut seen = vec![false; museum.rooms()];
        let mut rooms = Vec::new();
        for action in &self.actions {
            if let Action::Enter(door) = *action {
                room = museum.behind(door, room);
                if !std::mem::replace(&mut seen[room], true) {
                    rooms.push(room);
                }
            }
        }
        rooms
    }
}
