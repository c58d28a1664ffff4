//! The input of the search: belief, position and goal of one agent.

use crate::museum::Museum;
use crate::problem::Problem;
use crate::world::{BURGLAR, Facts, Goal, Position, World};

/// The planning task of one agent. Borrowed: games replan many times in the same museum.
#[derive(Debug, Clone, Copy)]
pub struct AgentTask<'a> {
    /// The museum.
    pub museum: &'a Museum,
    /// The believed facts.
    pub facts: &'a Facts,
    /// The position.
    pub position: Position,
    /// Index of the agent.
    pub agent: usize,
    /// The goal.
    pub goal: &'a Goal,
    /// Rooms that the agent may not enter, except the first one: an agent that starts in a trap
    /// room may come back to it.
    pub traps: &'a [bool],
}

impl<'a> AgentTask<'a> {
    /// Whether the agent may not enter a room.
    pub(super) fn is_trap(&self, room: usize) -> bool {
        self.traps[room] && room != self.position.room
    }

    /// The task of a problem.
    #[must_use]
    pub fn new(problem: &'a Problem) -> Self {
        Self {
            museum: problem.museum(),
            facts: &problem.belief().facts,
            position: problem.position(),
            agent: problem.agent(),
            goal: problem.goal(),
            traps: problem.traps(),
        }
    }

    /// The task of the burglar of a world, as it believes that things are, with other trap rooms.
    #[must_use]
    pub fn of_burglar(world: &'a World, traps: &'a [bool]) -> Self {
        let burglar = &world.agents()[BURGLAR];
        Self {
            museum: world.museum(),
            facts: &burglar.belief.facts,
            position: burglar.position,
            agent: BURGLAR,
            goal: &burglar.goal,
            traps,
        }
    }
}
