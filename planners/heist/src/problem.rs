//! The planning problem of one agent, by its belief.

use crate::errors::ProblemError;
use crate::museum::Museum;
use crate::world::{BURGLAR, Belief, Goal, Position, World};

/// The planning problem of one agent. The facts do not matter for it, only the belief.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    world: World,
    agent: usize,
    traps: Vec<bool>,
}

impl Problem {
    /// The problem of the agent with this index. The burglar avoids trap rooms by the belief, and
    /// the rooms given.
    ///
    /// # Errors
    /// Every validation error.
    pub fn new(world: World, agent: usize, avoid: &[usize]) -> Result<Self, Vec<ProblemError>> {
        let mut errors = Vec::new();
        let agents = world.agents().len();
        if agent >= agents {
            errors.push(ProblemError::UnknownAgent { agent, agents });
        }
        let rooms = world.museum().rooms();
        for (index, &room) in avoid.iter().enumerate() {
            if room >= rooms {
                errors.push(ProblemError::UnknownRoom { index, room, rooms });
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let mut traps = match agent {
            BURGLAR => world.agents()[agent].belief.traps(world.museum()),
            _ => vec![false; rooms],
        };
        for &room in avoid {
            traps[room] = true;
        }
        // The agent is there already. As it may come back, every move can be taken back.
        traps[world.agents()[agent].position.room] = false;
        Ok(Self {
            world,
            agent,
            traps,
        })
    }

    /// The world that the agent is in.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The museum.
    #[must_use]
    pub fn museum(&self) -> &Museum {
        self.world.museum()
    }

    /// Index of the agent.
    #[must_use]
    pub fn agent(&self) -> usize {
        self.agent
    }

    /// The position of the agent.
    #[must_use]
    pub fn position(&self) -> Position {
        self.world.agents()[self.agent].position
    }

    /// The belief of the agent.
    #[must_use]
    pub fn belief(&self) -> &Belief {
        &self.world.agents()[self.agent].belief
    }

    /// The goal of the agent.
    #[must_use]
    pub fn goal(&self) -> &Goal {
        &self.world.agents()[self.agent].goal
    }

    /// Rooms that the agent may not enter, without the first one.
    #[must_use]
    pub fn traps(&self) -> &[bool] {
        &self.traps
    }
}
