//! A world: a museum, the facts, the agents and their beliefs.

mod check;

use crate::museum::{self, Museum, Thing};
use anytime::Fault;

/// Maximal number of agents: the burglar and the guards.
pub const AGENTS_MAX: usize = 65;
/// Maximal number of rooms that one agent has to visit in any order.
pub const VISITS_MAX: usize = 16;
/// Maximal number of rooms that one agent has to visit in a given order.
pub const ROUTE_MAX: usize = 1_000;
/// Index of the burglar among the agents.
pub const BURGLAR: usize = 0;

/// A world as given: plain data, nothing checked. [`World::new`] checks it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Spec {
    /// The static part.
    pub museum: museum::Layout,
    /// The facts.
    pub facts: Facts,
    /// The burglar, then the guards in the order in which they act; at most [`AGENTS_MAX`].
    pub agents: Vec<Agent>,
}

/// The dynamic part of a world, real or believed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Facts {
    /// The state of each door.
    pub doors: Vec<LockState>,
    /// The state of each container.
    pub containers: Vec<LockState>,
    /// Where each item is.
    pub items: Vec<Place>,
    /// Whether each camera is on. As a belief: is known to be there and on.
    pub cameras: Vec<bool>,
}

/// The state of a door or container. Never open and locked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct LockState {
    /// Whether agents can go, or reach, through.
    pub open: bool,
    /// Whether it takes a key to open it.
    pub locked: bool,
}

impl LockState {
    /// Open.
    pub const OPEN: Self = Self {
        open: true,
        locked: false,
    };
    /// Closed, not locked.
    pub const CLOSED: Self = Self {
        open: false,
        locked: false,
    };
    /// Closed and locked.
    pub const LOCKED: Self = Self {
        open: false,
        locked: true,
    };
}

/// Where an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// In the container with this index.
    In(usize),
    /// In the hands of the agent with this index.
    With(usize),
    /// Unknown to the agent. Only in beliefs.
    Unknown,
}

/// The burglar or a guard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    /// The position.
    pub position: Position,
    /// The goal.
    pub goal: Goal,
    /// The belief.
    pub belief: Belief,
}

/// The position of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The room.
    pub room: usize,
    /// The thing of this room that the agent stands at, if any.
    pub at: Option<Thing>,
}

/// The goal of an agent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Goal {
    /// Items to hold at the end, different. Of a key with copies, any of them.
    pub items: Vec<usize>,
    /// Rooms to visit. The room at the start counts as visited. In any order at most
    /// [`VISITS_MAX`], different; in this order at most [`ROUTE_MAX`].
    pub visits: Vec<usize>,
    /// Whether rooms are to be visited in this order.
    pub in_order: bool,
    /// The room at the end, with all of that done. `None`: any.
    pub room: Option<usize>,
}

/// The belief of an agent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Belief {
    /// The believed facts.
    pub facts: Facts,
    /// The room of each other agent; `None`: unknown. The burglar believes that guards stand still.
    pub agents: Vec<Option<usize>>,
}

/// A valid world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct World {
    museum: Museum,
    facts: Facts,
    agents: Vec<Agent>,
}

impl Agent {
    /// An agent in a room who believes these facts, and does not know where any of `agents` agents
    /// is.
    #[must_use]
    pub fn new(room: usize, goal: Goal, facts: &Facts, agents: usize) -> Self {
        Self {
            position: Position { room, at: None },
            goal,
            belief: Belief {
                facts: facts.clone(),
                agents: vec![None; agents],
            },
        }
    }
}

impl Goal {
    /// To bring an item to a room.
    #[must_use]
    pub fn bring(item: usize, room: usize) -> Self {
        Self {
            items: vec![item],
            room: Some(room),
            ..Self::default()
        }
    }

    /// To visit rooms in this order.
    #[must_use]
    pub fn walk(rooms: &[usize]) -> Self {
        Self {
            visits: rooms.to_vec(),
            in_order: true,
            ..Self::default()
        }
    }
}

impl World {
    /// Checks a world.
    ///
    /// # Errors
    /// Every fault, with its path in the contract's `HeistWorld`.
    pub fn new(spec: Spec) -> Result<Self, Vec<Fault>> {
        let faults = check::check(&spec);
        if !faults.is_empty() {
            return Err(faults);
        }
        Ok(Self {
            museum: Museum::new(spec.museum),
            facts: spec.facts,
            agents: spec.agents,
        })
    }

    /// The static part.
    #[must_use]
    pub fn museum(&self) -> &Museum {
        &self.museum
    }

    /// The facts.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The burglar, then the guards.
    #[must_use]
    pub fn agents(&self) -> &[Agent] {
        &self.agents
    }

    /// The same as plain data, to change and check again.
    #[must_use]
    pub fn spec(&self) -> Spec {
        Spec {
            museum: self.museum.layout().clone(),
            facts: self.facts.clone(),
            agents: self.agents.clone(),
        }
    }
}

impl Facts {
    /// The state of a door or container; vending machines are always open.
    #[must_use]
    pub fn lock_state(&self, thing: Thing) -> LockState {
        match thing {
            Thing::Door(door) => self.doors[door],
            Thing::Container(container) => self.containers[container],
            Thing::Machine(_) => LockState::OPEN,
        }
    }

    /// The state of a door or container, to be changed; vending machines have none.
    pub fn lock_state_mut(&mut self, thing: Thing) -> Option<&mut LockState> {
        match thing {
            Thing::Door(door) => self.doors.get_mut(door),
            Thing::Container(container) => self.containers.get_mut(container),
            Thing::Machine(_) => None,
        }
    }

    /// Whether an agent has an item, or a copy of it.
    #[must_use]
    pub fn holds(&self, museum: &Museum, agent: usize, item: usize) -> bool {
        let mut held = self.held(agent);
        held.any(|it| museum.copies(item) & (1 << it) != 0)
    }

    /// Items in an agent's hands, rising.
    pub(crate) fn held(&self, agent: usize) -> impl Iterator<Item = usize> + '_ {
        let places = self.items.iter().enumerate();
        places.filter_map(move |(item, place)| (*place == Place::With(agent)).then_some(item))
    }
}

impl Belief {
    /// Rooms that an agent with this belief avoids if it must not be seen: with cameras that are
    /// on, and where agents stand.
    #[must_use]
    pub fn traps(&self, museum: &Museum) -> Vec<bool> {
        let mut traps = vec![false; museum.rooms()];
        let cameras = museum.layout().cameras.iter().zip(&self.facts.cameras);
        for (room, on) in cameras {
            traps[*room] |= *on;
        }
        for room in self.agents.iter().flatten() {
            traps[*room] = true;
        }
        traps
    }
}
