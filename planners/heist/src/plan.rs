//! Plans of an agent, and their cost.

use crate::museum::Museum;
use crate::rules::Action;

/// Maximal length of a plan, in actions.
pub const ACTIONS_MAX: usize = 1_000_000;

/// A plan: one action each tick.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// In this order. Empty: the goal is reached already.
    pub actions: Vec<Action>,
}

/// The objective: the number of actions, which is the number of ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cost {
    /// Number of actions.
    pub actions: u32,
}

impl Plan {
    /// The rooms that the plan enters from this room on, each once, in order of the first entry.
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
