//! What one agent of a world has to plan, by what he believes.

use crate::errors::ProblemError;
use crate::museum::Museum;
use crate::world::{BURGLAR, Belief, Body, Goal, World};

/// One agent's errand. What is true does not matter for it, only what he believes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    world: World,
    agent: usize,
    traps: Vec<bool>,
}

impl Problem {
    /// The errand of the agent with this index. The burglar avoids rooms in which they believe to
    /// be seen, and the rooms given.
    ///
    /// # Errors
    /// Every reason why it makes no sense.
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
        // He is there already: that he may come back keeps every move one that can be taken back.
        traps[world.agents()[agent].body.room] = false;
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

    /// Where he is.
    #[must_use]
    pub fn body(&self) -> Body {
        self.world.agents()[self.agent].body
    }

    /// What he believes.
    #[must_use]
    pub fn belief(&self) -> &Belief {
        &self.world.agents()[self.agent].belief
    }

    /// What he wants.
    #[must_use]
    pub fn goal(&self) -> &Goal {
        &self.world.agents()[self.agent].goal
    }

    /// Rooms that he may not enter. The one that he begins in is none of them.
    #[must_use]
    pub fn traps(&self) -> &[bool] {
        &self.traps
    }
}
