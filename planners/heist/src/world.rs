//! A museum, what is true in it, who is in it, and what they believe.

mod check;

use crate::errors::WorldError;
use crate::museum::{self, Museum, Thing};

/// Most agents: the burglar and the guards.
pub const AGENTS_MAX: usize = 65;
/// Most rooms that one agent has to visit in any order.
pub const VISITS_MAX: usize = 16;
/// Most rooms that one agent has to visit in a given order.
pub const ROUTE_MAX: usize = 1_000;
/// Index of the burglar among the agents.
pub const BURGLAR: usize = 0;

/// A world as given: plain data, nothing checked. [`World::new`] checks it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Spec {
    /// What never changes.
    pub museum: museum::Layout,
    /// What is true.
    pub facts: Facts,
    /// The burglar, then the guards in the order in which they act; at most [`AGENTS_MAX`].
    pub agents: Vec<Agent>,
}

/// What can change, and can be believed wrongly.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Facts {
    /// Of each door.
    pub doors: Vec<Leaf>,
    /// Of each container.
    pub containers: Vec<Leaf>,
    /// Where each item is.
    pub items: Vec<Place>,
    /// Whether each camera is on. As a belief: is known to be there and on.
    pub cameras: Vec<bool>,
}

/// A door's or a lid's state. Never open and locked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Leaf {
    /// Whether one can go, or reach, through.
    pub open: bool,
    /// Whether it takes a key to open it.
    pub locked: bool,
}

impl Leaf {
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
    /// Nobody knows. As a belief: the agent does not know. Not a fact.
    Unknown,
}

/// Somebody who acts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    /// Where he is.
    pub body: Body,
    /// What he wants.
    pub goal: Goal,
    /// What he believes.
    pub belief: Belief,
}

/// Where somebody is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Body {
    /// The room.
    pub room: usize,
    /// What he stands at, in this room. `None`: nothing.
    pub at: Option<Thing>,
}

/// What somebody wants.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Goal {
    /// Items to have, different. Of a key with copies, any of them.
    pub items: Vec<usize>,
    /// Rooms to visit. The room at the start counts as visited. In any order at most
    /// [`VISITS_MAX`], different; in this order at most [`ROUTE_MAX`].
    pub visits: Vec<usize>,
    /// Whether rooms are to be visited in this order.
    pub in_order: bool,
    /// Where to be at the end, with all of that done. `None`: anywhere.
    pub room: Option<usize>,
}

/// What somebody believes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Belief {
    /// How things are.
    pub facts: Facts,
    /// In which room each other agent is; `None`: not known. The burglar believes that guards stand
    /// still.
    pub agents: Vec<Option<usize>>,
}

/// A world that makes sense.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct World {
    museum: Museum,
    facts: Facts,
    agents: Vec<Agent>,
}

impl World {
    /// Checks a world.
    ///
    /// # Errors
    /// Every reason why it makes no sense.
    pub fn new(spec: Spec) -> Result<Self, Vec<WorldError>> {
        let errors = check::check(&spec);
        if !errors.is_empty() {
            return Err(errors);
        }
        Ok(Self {
            museum: Museum::new(spec.museum),
            facts: spec.facts,
            agents: spec.agents,
        })
    }

    /// What never changes.
    #[must_use]
    pub fn museum(&self) -> &Museum {
        &self.museum
    }

    /// What is true.
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
    pub fn leaf(&self, thing: Thing) -> Leaf {
        match thing {
            Thing::Door(door) => self.doors[door],
            Thing::Container(container) => self.containers[container],
            Thing::Machine(_) => Leaf::OPEN,
        }
    }

    /// The state of a door or container, to be changed; vending machines have none.
    pub fn leaf_mut(&mut self, thing: Thing) -> Option<&mut Leaf> {
        match thing {
            Thing::Door(door) => self.doors.get_mut(door),
            Thing::Container(container) => self.containers.get_mut(container),
            Thing::Machine(_) => None,
        }
    }

    /// Whether somebody has an item, or a copy of it.
    #[must_use]
    pub fn has(&self, museum: &Museum, agent: usize, item: usize) -> bool {
        let mut held = self.held(agent);
        held.any(|it| museum.copies(item) & (1 << it) != 0)
    }

    /// Items in somebody's hands, rising.
    pub fn held(&self, agent: usize) -> impl Iterator<Item = usize> + '_ {
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
