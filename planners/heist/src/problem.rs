//! The planning problem of one agent, by its belief.

use crate::museum::Museum;
use crate::world::{BURGLAR, Belief, Goal, Position, World};
use anytime::{Fault, Path, element};

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
    /// Every fault, with its path in the contract's `HeistProblem`.
    pub fn new(world: World, agent: usize, avoid: &[usize]) -> Result<Self, Vec<Fault>> {
        let mut faults = Vec::new();
        if agent >= world.agents().len() {
            let (at, agent) = (Path::root("agent_id"), element("agent", agent));
            faults.push(anytime::check::unknown(&at, agent));
        }
        let rooms = world.museum().rooms();
        let avoided = Path::root("avoided_room_ids");
        for (index, &room) in avoid.iter().enumerate() {
            if room >= rooms {
                let (at, room) = (avoided.index(index), element("room", room));
                faults.push(anytime::check::unknown(&at, room));
            }
        }
        if !faults.is_empty() {
            return Err(faults);
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
