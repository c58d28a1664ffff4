//! Ids of the caller, which the planner does not know.

use crate::mistakes::{Code, Mistakes};
use crate::values::shown;
use anytime::Path;
use heist::game::Catcher;
use heist::{BURGLAR, Place, Thing};
use std::collections::HashMap;

/// What an id names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    Room(usize),
    Thing(Thing),
    Camera(usize),
    /// A key or an artifact.
    Item(usize),
    Agent(usize),
}

impl Named {
    /// What it is, for people.
    fn kind(self) -> &'static str {
        match self {
            Self::Room(_) => "a room",
            Self::Thing(Thing::Door(_)) => "a door",
            Self::Thing(Thing::Container(_)) => "a container",
            Self::Thing(Thing::Machine(_)) => "a vending machine",
            Self::Camera(_) => "a camera",
            Self::Item(_) => "a key or an artifact",
            Self::Agent(BURGLAR) => "the burglar",
            Self::Agent(_) => "a guard",
        }
    }
}

/// Index for an id that could not be read. What the planner reports about it is ignored.
pub(super) const NOTHING: usize = usize::MAX;

/// The ids of a world.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// By index.
    pub rooms: Vec<String>,
    pub doors: Vec<String>,
    pub containers: Vec<String>,
    pub machines: Vec<String>,
    pub cameras: Vec<String>,
    /// Keys as they are listed, then further copies of them, then artifacts.
    pub items: Vec<String>,
    /// How many of the items are keys, with all copies.
    pub keys: usize,
    /// For each key the first one of its id.
    pub kinds: Vec<usize>,
    /// The burglar, then the guards.
    pub agents: Vec<String>,
    index: HashMap<String, Named>,
}

impl Names {
    /// Takes the id of something; notes bad and repeated ones.
    pub(super) fn take(&mut self, at: &Path<'_>, id: String, named: Named, wrong: &mut Mistakes) {
        if let Some(other) = self.index.get(&id) {
            let (kind, id) = (other.kind(), shown(&id));
            wrong.add(
                at,
                Code::Duplicate,
                format!("is {id}, as is the one of {kind}"),
            );
        } else if !id.is_empty() {
            self.index.insert(id.clone(), named);
        }
        self.list(named).push(id);
    }

    /// Gives something that the caller does not know an id that nothing has.
    pub(super) fn add(&mut self, named: Named) -> String {
        let ids = (1..).map(|number: usize| format!("trap_{number}"));
        let mut free = ids.filter(|id| !self.index.contains_key(id));
        let id = free.next().expect("there are more numbers than ids");
        self.index.insert(id.clone(), named);
        self.list(named).push(id.clone());
        id
    }

    fn list(&mut self, named: Named) -> &mut Vec<String> {
        match named {
            Named::Room(_) => &mut self.rooms,
            Named::Thing(Thing::Door(_)) => &mut self.doors,
            Named::Thing(Thing::Container(_)) => &mut self.containers,
            Named::Thing(Thing::Machine(_)) => &mut self.machines,
            Named::Camera(_) => &mut self.cameras,
            Named::Item(_) => &mut self.items,
            Named::Agent(_) => &mut self.agents,
        }
    }

    /// What an id names. Notes a mistake when it names nothing, or nothing that `take` accepts;
    /// `wanted` describes what is accepted. That an id is required is a rule of its field.
    pub(super) fn find<T>(
        &self,
        at: &Path<'_>,
        id: &str,
        wanted: &str,
        wrong: &mut Mistakes,
        take: impl FnOnce(Named) -> Option<T>,
    ) -> Option<T> {
        if id.is_empty() {
            return None;
        }
        let Some(named) = self.index.get(id).copied() else {
            let why = format!("is {}, which does not exist", shown(id));
            wrong.add(at, Code::Unknown, why);
            return None;
        };
        let taken = take(named);
        if taken.is_none() {
            let (id, kind) = (shown(id), named.kind());
            let why = format!("is {id}, {kind}; {wanted} is wanted");
            wrong.add(at, Code::WrongKind, why);
        }
        taken
    }

    /// A room.
    pub(super) fn room(&self, at: &Path<'_>, id: &str, wrong: &mut Mistakes) -> Option<usize> {
        self.find(at, id, "a room", wrong, |named| match named {
            Named::Room(room) => Some(room),
            _ => None,
        })
    }

    /// A key or an artifact.
    pub(super) fn item(&self, at: &Path<'_>, id: &str, wrong: &mut Mistakes) -> Option<usize> {
        let wanted = "a key or an artifact";
        self.find(at, id, wanted, wrong, |named| match named {
            Named::Item(item) => Some(item),
            _ => None,
        })
    }

    /// A key.
    pub(super) fn key(&self, at: &Path<'_>, id: &str, wrong: &mut Mistakes) -> Option<usize> {
        self.find(at, id, "a key", wrong, |named| match named {
            Named::Item(item) if item < self.keys => Some(item),
            _ => None,
        })
    }

    /// A door, a container or a vending machine.
    pub(super) fn thing(&self, at: &Path<'_>, id: &str, wrong: &mut Mistakes) -> Option<Thing> {
        let wanted = "a door, a container or a vending machine";
        self.find(at, id, wanted, wrong, |named| match named {
            Named::Thing(thing) => Some(thing),
            _ => None,
        })
    }

    /// A door or a container.
    pub(super) fn lockable(&self, at: &Path<'_>, id: &str, wrong: &mut Mistakes) -> Option<Thing> {
        let wanted = "a door or a container";
        self.find(at, id, wanted, wrong, |named| match named {
            Named::Thing(thing @ (Thing::Door(_) | Thing::Container(_))) => Some(thing),
            _ => None,
        })
    }

    /// A container.
    pub(super) fn container(&self, at: &Path<'_>, id: &str, wrong: &mut Mistakes) -> Option<usize> {
        self.find(at, id, "a container", wrong, |named| match named {
            Named::Thing(Thing::Container(container)) => Some(container),
            _ => None,
        })
    }

    /// A camera.
    pub(super) fn camera(&self, at: &Path<'_>, id: &str, wrong: &mut Mistakes) -> Option<usize> {
        self.find(at, id, "a camera", wrong, |named| match named {
            Named::Camera(camera) => Some(camera),
            _ => None,
        })
    }

    /// What the burglar hides from: a camera or a guard.
    pub(super) fn watcher(&self, at: &Path<'_>, id: &str, wrong: &mut Mistakes) -> Option<Named> {
        let wanted = "a camera or a guard";
        self.find(at, id, wanted, wrong, |named| match named {
            Named::Agent(BURGLAR) => None,
            Named::Camera(_) | Named::Agent(_) => Some(named),
            _ => None,
        })
    }

    /// The burglar or a guard.
    pub(super) fn agent(&self, at: &Path<'_>, id: &str, wrong: &mut Mistakes) -> Option<usize> {
        let wanted = "the burglar or a guard";
        self.find(at, id, wanted, wrong, |named| match named {
            Named::Agent(agent) => Some(agent),
            _ => None,
        })
    }
}

/// The other direction: ids of what the planner returns.
impl Names {
    /// The items of the same id as one, itself too, rising.
    pub(super) fn copies(&self, item: usize) -> Vec<usize> {
        match self.kinds.get(item) {
            None => vec![item],
            Some(kind) => {
                let keys = 0..self.kinds.len();
                keys.filter(|key| self.kinds[*key] == *kind).collect()
            }
        }
    }

    /// Id of a door, container or machine.
    pub(super) fn thing_id(&self, thing: Thing) -> &str {
        match thing {
            Thing::Door(door) => &self.doors[door],
            Thing::Container(container) => &self.containers[container],
            Thing::Machine(machine) => &self.machines[machine],
        }
    }

    /// Id of a camera or guard.
    pub(super) fn catcher(&self, by: Catcher) -> &str {
        match by {
            Catcher::Camera(camera) => &self.cameras[camera],
            Catcher::Guard(guard) => &self.agents[guard],
        }
    }

    /// The same with what it is, for people.
    pub(super) fn described(&self, thing: Thing) -> String {
        let kind = match thing {
            Thing::Door(_) => "door",
            Thing::Container(_) => "container",
            Thing::Machine(_) => "vending machine",
        };
        format!("{kind} {}", shown(self.thing_id(thing)))
    }

    /// Where something is believed to be, for people.
    pub(super) fn place(&self, place: Place) -> String {
        match place {
            Place::In(container) => format!("in {}", self.described(Thing::Container(container))),
            Place::With(agent) => format!("with {}", shown(&self.agents[agent])),
            Place::Unknown => "somewhere that the agent does not know".into(),
        }
    }
}

impl anytime::Names for Names {
    fn id(&self, kind: &str, index: usize) -> Option<String> {
        let ids = match kind {
            "room" => &self.rooms,
            "door" => &self.doors,
            "container" => &self.containers,
            "machine" => &self.machines,
            "camera" => &self.cameras,
            "item" => &self.items,
            "agent" => &self.agents,
            _ => return None,
        };
        ids.get(index).cloned()
    }
}
