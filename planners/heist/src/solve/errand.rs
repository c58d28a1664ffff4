//! What a planner looks at: one agent's picture of the world, and what he wants.

use crate::museum::Museum;
use crate::problem::Problem;
use crate::world::{Body, Facts, Goal};

/// What one agent is to plan. Borrowed: games plan again and again in the same museum.
#[derive(Debug, Clone, Copy)]
pub struct Errand<'a> {
    /// The museum.
    pub museum: &'a Museum,
    /// How the agent believes things to be.
    pub facts: &'a Facts,
    /// Where he is.
    pub body: Body,
    /// Who he is: index of the agent.
    pub agent: usize,
    /// What he wants.
    pub goal: &'a Goal,
    /// Rooms that the agent may not enter, except the first one: an agent that begins in a trap
    /// room may come back to it.
    pub traps: &'a [bool],
}

impl<'a> Errand<'a> {
    /// Whether he may not enter a room.
    pub(super) fn is_trap(&self, room: usize) -> bool {
        self.traps[room] && room != self.body.room
    }

    /// The errand of a problem.
    #[must_use]
    pub fn of(problem: &'a Problem) -> Self {
        Self {
            museum: problem.museum(),
            facts: &problem.belief().facts,
            body: problem.body(),
            agent: problem.agent(),
            goal: problem.goal(),
            traps: problem.traps(),
        }
    }
}
