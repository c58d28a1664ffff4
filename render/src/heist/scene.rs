//! Rooms and things by index, as they are and as an agent believes them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;
use stratagem_proto::v1::{HeistAgent, HeistDoor, HeistLockState, HeistPlan};
use stratagem_proto::v1::{HeistProblem, HeistState, HeistVerb, HeistWorld};

/// What a problem without a world is about.
static NOTHING: LazyLock<HeistWorld> = LazyLock::new(HeistWorld::default);
/// Who is where nobody is.
static NOBODY: LazyLock<HeistAgent> = LazyLock::new(HeistAgent::default);

/// Id of the burglar where the world gives none.
const BURGLAR: &str = "burglar";

/// Something that somebody can stand at, by its index in the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Thing {
    /// A door.
    Door(usize),
    /// A container.
    Container(usize),
    /// A vending machine.
    Machine(usize),
}

/// Where a key or an artifact is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place<'a> {
    /// In the container with this index.
    In(usize),
    /// With an agent, by id.
    With(&'a str),
}

/// A problem of heist, as one agent believes it and as it is. What is invalid is skipped.
#[derive(Debug)]
pub struct Scene<'a> {
    /// The problem.
    pub problem: &'a HeistProblem,
    /// Its world; an empty one where it has none.
    pub world: &'a HeistWorld,
    /// The agent whose problem it is; the burglar where no agent has that id.
    pub agent: &'a HeistAgent,
    /// Whether the agent is the burglar.
    pub is_burglar: bool,
    rooms: BTreeMap<&'a str, usize>,
    things: BTreeMap<&'a str, Thing>,
    /// Rooms at both sides of each door; none where one is missing.
    sides: Vec<Option<[usize; 2]>>,
    beliefs: BTreeMap<&'a str, HeistLockState>,
    /// States that the agent has observed: they are true.
    found: BTreeMap<&'a str, HeistLockState>,
    known: BTreeSet<&'a str>,
    avoided: BTreeSet<&'a str>,
    /// By room, whether the agent avoids it.
    shunned: Vec<bool>,
}

impl<'a> Scene<'a> {
    /// The scene of a problem.
    #[must_use]
    pub fn new(problem: &'a HeistProblem) -> Self {
        let world = problem.world.as_ref().unwrap_or(&NOTHING);
        let burglar = world.burglar.as_ref().unwrap_or(&NOBODY);
        let guard = world.guards.iter().find(|g| g.id == problem.agent_id);
        let guard = guard.filter(|_| !problem.agent_id.is_empty());
        let agent = guard.unwrap_or(burglar);
        let rooms = first(world.rooms.iter().map(|r| r.id.as_str()));
        let find = |id: &str| rooms.get(id).copied();
        let side = |d: &HeistDoor| Some([find(&d.a_room_id)?, find(&d.b_room_id)?]);
        let sides = world.doors.iter().map(side).collect();
        let belief = agent.belief.as_ref();
        let states = belief.iter().flat_map(|b| &b.states);
        let found = problem.current.iter().flat_map(|c| &c.states);
        let state_of = |s: &'a HeistState| (s.id.as_str(), shut(s.lock_state()));
        let known = belief.iter().flat_map(|b| &b.known_ids);
        let known = known.chain(problem.current.iter().flat_map(|c| &c.known_ids));
        let mut scene = Self {
            problem,
            world,
            agent,
            is_burglar: guard.is_none(),
            shunned: Vec::new(),
            // Later observations count.
            beliefs: states.chain(found.clone()).map(state_of).collect(),
            found: found.map(state_of).collect(),
            known: known.map(String::as_str).collect(),
            avoided: problem
                .avoided_room_ids
                .iter()
                .map(String::as_str)
                .collect(),
            rooms,
            things: things(world),
            sides,
        };
        scene.shunned = scene.find_shunned();
        scene
    }

    fn find_shunned(&self) -> Vec<bool> {
        let mut shunned = vec![false; self.world.rooms.len()];
        let cameras = self.world.cameras.iter().map(|c| (&c.id, &c.room_id));
        let guards = self.world.guards.iter().map(|g| (&g.id, &g.room_id));
        let feared = cameras.chain(guards);
        let feared = feared.filter(|(id, _)| self.is_burglar && self.known.contains(id.as_str()));
        let feared = feared.filter_map(|(_, room)| self.room(room));
        let avoided = self.avoided.iter().filter_map(|id| self.room(id));
        for room in feared.chain(avoided) {
            shunned[room] = self.start() != Some(room);
        }
        shunned
    }

    /// The agent's name.
    #[must_use]
    pub fn name(&self) -> &'a str {
        match self.agent.id.as_str() {
            "" => BURGLAR,
            id => id,
        }
    }

    /// The room of an id.
    #[must_use]
    pub fn room(&self, id: &str) -> Option<usize> {
        self.rooms.get(id).copied()
    }

    /// Id of a room.
    #[must_use]
    pub fn room_id(&self, room: usize) -> &'a str {
        self.world.rooms.get(room).map_or("?", |r| r.id.as_str())
    }

    /// The door, container or machine of an id.
    #[must_use]
    pub fn thing(&self, id: &str) -> Option<Thing> {
        self.things.get(id).copied()
    }

    /// Id of a thing.
    #[must_use]
    pub fn thing_id(&self, thing: Thing) -> &'a str {
        match thing {
            Thing::Door(n) => &self.world.doors[n].id,
            Thing::Container(n) => &self.world.containers[n].id,
            Thing::Machine(n) => &self.world.machines[n].id,
        }
    }

    /// Rooms that a thing stands in: two for doors; none where they do not exist.
    #[must_use]
    pub fn stands_in(&self, thing: Thing) -> Vec<usize> {
        match thing {
            Thing::Door(n) => self.sides[n].map_or(Vec::new(), Vec::from),
            Thing::Container(n) => Vec::from_iter(self.room(&self.world.containers[n].room_id)),
            Thing::Machine(n) => Vec::from_iter(self.room(&self.world.machines[n].room_id)),
        }
    }

    /// Rooms at both sides of a door.
    #[must_use]
    pub fn sides(&self, door: usize) -> Option<[usize; 2]> {
        self.sides.get(door).copied().flatten()
    }

    /// The room behind a door, from another.
    #[must_use]
    pub fn behind(&self, door: usize, room: usize) -> Option<usize> {
        match self.sides(door)? {
            [a, b] if a == room => Some(b),
            [a, b] if b == room => Some(a),
            _ => None,
        }
    }

    /// The keys that fit a thing.
    #[must_use]
    pub fn keys_of(&self, thing: Thing) -> &'a [String] {
        match thing {
            Thing::Door(n) => &self.world.doors[n].key_ids,
            Thing::Container(n) => &self.world.containers[n].key_ids,
            Thing::Machine(_) => &[],
        }
    }

    /// How a thing is. Machines are open.
    #[must_use]
    pub fn truth(&self, thing: Thing) -> HeistLockState {
        if let Some(leaf) = self.found.get(self.thing_id(thing)) {
            return *leaf;
        }
        match thing {
            Thing::Door(n) => shut(self.world.doors[n].lock_state()),
            Thing::Container(n) => shut(self.world.containers[n].lock_state()),
            Thing::Machine(_) => HeistLockState::Open,
        }
    }

    /// The believed state.
    #[must_use]
    pub fn believed(&self, thing: Thing) -> HeistLockState {
        let id = self.thing_id(thing);
        let own = self.beliefs.get(id).copied();
        own.unwrap_or_else(|| self.truth(thing))
    }

    /// All agents: the burglar, then the guards, with their ids.
    pub fn agents(&self) -> impl Iterator<Item = (&'a str, &'a HeistAgent)> {
        let burglar = self.world.burglar.iter().map(|b| match b.id.as_str() {
            "" => (BURGLAR, b),
            id => (id, b),
        });
        burglar.chain(self.world.guards.iter().map(|g| (g.id.as_str(), g)))
    }

    /// Ids of all keys, then of all artifacts.
    pub fn items(&self) -> impl Iterator<Item = &'a str> {
        let ids = self.world.key_ids.iter().chain(&self.world.artifact_ids);
        ids.map(String::as_str)
    }

    /// Where a key or an artifact is, or each copy of a key. Containers come first.
    #[must_use]
    pub fn places(&self, item: &str) -> Vec<Place<'a>> {
        let names = |ids: &[String]| ids.iter().any(|i| i == item);
        let containers = self.world.containers.iter().enumerate();
        let inside = containers.filter(|(_, c)| names(&c.item_ids));
        let with = self.agents().filter(|(_, a)| names(&a.item_ids));
        let inside = inside.map(|(n, _)| Place::In(n));
        inside.chain(with.map(|(id, _)| Place::With(id))).collect()
    }

    /// Where the burglar believes it is, or one of its copies. Empty: unknown.
    #[must_use]
    pub fn believed_places(&self, item: &str) -> Vec<Place<'a>> {
        let truth = self.places(item);
        // Later observations count.
        let found = self.problem.current.iter().flat_map(|c| &c.items);
        let stated = self.agent.belief.iter().flat_map(|b| &b.items);
        let lists: [Vec<_>; 2] = [found.collect(), stated.collect()];
        let mut lists = lists.iter().map(|list| {
            let own = list.iter().filter(|p| p.item_id == item);
            own.collect::<Vec<_>>()
        });
        let mine = Place::With(self.name());
        let mut believed = match lists.find(|list| !list.is_empty()) {
            None => truth.clone(),
            Some(list) => {
                let inside = list
                    .iter()
                    .filter_map(|p| match self.thing(&p.container_id) {
                        Some(Thing::Container(n)) => Some(Place::In(n)),
                        _ => None,
                    });
                let own = truth.iter().filter(|place| **place == mine);
                inside.chain(own.copied()).collect()
            }
        };
        let mut taken = self.problem.current.iter().flat_map(|c| &c.item_ids);
        if taken.any(|i| i == item) && !believed.contains(&mine) {
            // The first that the agent knew.
            if let Some(first) = believed.iter().position(|place| truth.contains(place)) {
                believed.remove(first);
            }
            believed.push(mine);
            if truth.len() < 2 {
                believed.retain(|place| *place == mine);
            }
        }
        believed
    }

    /// The room of the agent.
    #[must_use]
    pub fn start(&self) -> Option<usize> {
        let now = self.problem.current.as_ref().map_or("", |c| &c.room_id);
        self.room(if now.is_empty() {
            &self.agent.room_id
        } else {
            now
        })
    }

    /// The thing that the agent stands at.
    #[must_use]
    pub fn place(&self) -> Option<Thing> {
        match &self.problem.current {
            Some(now) if !now.room_id.is_empty() || !now.at_id.is_empty() => self.thing(&now.at_id),
            _ => self.thing(&self.agent.at_id),
        }
    }

    /// Ids of items to have, rooms to visit, and the room to end in: what is wanted.
    #[must_use]
    pub fn wanted(&self) -> (Vec<&'a str>, Vec<&'a str>, Option<usize>) {
        let Some(goal) = &self.agent.goal else {
            let all = self.world.artifact_ids.iter().map(String::as_str);
            return (all.collect(), Vec::new(), self.room(&self.agent.room_id));
        };
        let ids = |list: &'a [String]| list.iter().map(String::as_str).collect();
        let end = self.room(&goal.end_room_id);
        (ids(&goal.item_ids), ids(&goal.visit_room_ids), end)
    }

    /// Cameras that are on and guards, by id, that catch the burglar in a room as things stand.
    pub fn dangers(&self, room: usize) -> impl Iterator<Item = &'a str> {
        let id = self.room_id(room);
        let cameras = self.world.cameras.iter();
        let on = cameras.filter(move |c| c.room_id == id && c.active != Some(false));
        let guards = self.world.guards.iter().filter(move |g| g.room_id == id);
        let on = on.map(|c| c.id.as_str());
        on.chain(guards.map(|g| g.id.as_str()))
    }

    /// Cameras and guards in a room that the burglar knows and believes to catch burglars.
    pub fn feared(&self, room: usize) -> impl Iterator<Item = &'a str> {
        let id = self.room_id(room);
        let cameras = self.world.cameras.iter().filter(move |c| c.room_id == id);
        let guards = self.world.guards.iter().filter(move |g| g.room_id == id);
        let all = cameras.map(|c| c.id.as_str());
        let all = all.chain(guards.map(|g| g.id.as_str()));
        all.filter(|id| self.is_burglar && self.known.contains(id))
    }

    /// Whether the agent knows a camera or guard. Guards know all.
    #[must_use]
    pub fn knows(&self, id: &str) -> bool {
        !self.is_burglar || self.known.contains(id)
    }

    /// Whether a room is not to be entered, by an instruction.
    #[must_use]
    pub fn is_avoided(&self, room: usize) -> bool {
        self.avoided.contains(self.room_id(room))
    }

    /// Whether the agent avoids a room. The agent's own room is never avoided.
    #[must_use]
    pub fn shuns(&self, room: usize) -> bool {
        self.shunned.get(room).copied().unwrap_or(false)
    }

    /// Whether a room catches the burglar by a camera or guard that the burglar does not know.
    #[must_use]
    pub fn surprises(&self, room: usize) -> bool {
        self.is_burglar && self.dangers(room).any(|id| !self.knows(id))
    }

    /// The room of each step of a plan, and of its end. Steps through doors of other rooms are
    /// ignored.
    #[must_use]
    pub fn walk(&self, plan: &HeistPlan) -> Vec<Option<usize>> {
        let mut here = self.start();
        let mut rooms = vec![here];
        for step in &plan.steps {
            if let (HeistVerb::Enter, Some(Thing::Door(door)), Some(room)) =
                (step.verb(), self.thing(&step.target_id), here)
            {
                here = self.behind(door, room).or(here);
            }
            rooms.push(here);
        }
        rooms
    }
}

/// Things by their ids.
fn things(world: &HeistWorld) -> BTreeMap<&str, Thing> {
    let doors = world.doors.iter().map(|d| d.id.as_str()).enumerate();
    let doors = doors.map(|(n, id)| (id, Thing::Door(n)));
    let containers = world.containers.iter().map(|c| c.id.as_str()).enumerate();
    let containers = containers.map(|(n, id)| (id, Thing::Container(n)));
    let machines = world.machines.iter().map(|m| m.id.as_str()).enumerate();
    let machines = machines.map(|(n, id)| (id, Thing::Machine(n)));
    let mut things = BTreeMap::new();
    for (id, thing) in doors.chain(containers).chain(machines) {
        things.entry(id).or_insert(thing);
    }
    things
}

/// The contract's default is open.
fn shut(leaf: HeistLockState) -> HeistLockState {
    match leaf {
        HeistLockState::Unspecified => HeistLockState::Open,
        leaf => leaf,
    }
}

/// Indices by name: of those that are called alike the first.
fn first<'a>(names: impl Iterator<Item = &'a str>) -> BTreeMap<&'a str, usize> {
    let mut index = BTreeMap::new();
    for (n, name) in names.enumerate() {
        index.entry(name).or_insert(n);
    }
    index
}
