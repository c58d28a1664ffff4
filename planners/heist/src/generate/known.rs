//! Small worlds with known answers.

use crate::museum::{Container, Door, Layout, Machine};
use crate::world::{Agent, Facts, Goal, LockState, Place, Spec, World};

const O: LockState = LockState::OPEN;
const C: LockState = LockState::CLOSED;
const L: LockState = LockState::LOCKED;

/// A world in short. Defaults: agents hold nothing, stand at nothing, and believe what is true,
/// except that the burglar knows of no cameras and of no guards.
#[derive(Debug, Default, Clone, Copy)]
pub struct Sketch<'a> {
    /// Number of rooms. The burglar is in room 0, and wants to be there in the end.
    pub rooms: usize,
    /// Doors: their ends, state and keys.
    pub doors: &'a [(usize, usize, LockState, &'a [usize])],
    /// Containers: their room, state and keys.
    pub containers: &'a [(usize, LockState, &'a [usize])],
    /// Number of keys.
    pub keys: usize,
    /// The container of each item. The burglar wants the last one.
    pub items: &'a [usize],
    /// Vending machines: their room and delay.
    pub machines: &'a [(usize, u32)],
    /// The room of each camera. All are on.
    pub cameras: &'a [usize],
    /// The list of each guard, in order. The guard starts in its first room.
    pub guards: &'a [&'a [usize]],
}

impl Sketch<'_> {
    /// The world in full.
    #[must_use]
    pub fn spec(&self) -> Spec {
        let facts = Facts {
            doors: self.doors.iter().map(|it| it.2).collect(),
            containers: self.containers.iter().map(|it| it.1).collect(),
            items: self.items.iter().map(|it| Place::In(*it)).collect(),
            cameras: vec![true; self.cameras.len()],
        };
        let agent = |room, goal| Agent::new(room, goal, &facts, 1 + self.guards.len());
        let wanted = Goal {
            items: self.items.len().checked_sub(1).into_iter().collect(),
            room: Some(0),
            ..Goal::default()
        };
        let mut burglar = agent(0, wanted);
        burglar.belief.facts.cameras.fill(false);
        let guards = self.guards.iter();
        let guards = guards.map(|list| agent(list[0], Goal::walk(list)));
        Spec {
            museum: self.layout(),
            agents: [burglar].into_iter().chain(guards).collect(),
            facts,
        }
    }

    fn layout(&self) -> Layout {
        let doors = self.doors.iter().map(|(a, b, _, keys)| Door {
            ends: [*a, *b],
            keys: keys.to_vec(),
        });
        let containers = self.containers.iter().map(|(room, _, keys)| Container {
            room: *room,
            keys: keys.to_vec(),
        });
        let machines = self.machines.iter();
        Layout {
            kinds: Vec::new(),
            rooms: self.rooms,
            doors: doors.collect(),
            containers: containers.collect(),
            machines: machines
                .map(|&(room, delay)| Machine { room, delay })
                .collect(),
            cameras: self.cameras.to_vec(),
            keys: self.keys,
            artifacts: self.items.len() - self.keys,
        }
    }

    /// The world in full, checked.
    ///
    /// # Panics
    /// When the sketch is invalid.
    #[must_use]
    pub fn world(&self) -> World {
        World::new(self.spec()).expect("a sketch of a world that makes sense")
    }
}

/// Eight rooms, a guard that patrols three of them, a camera, and a door that the burglar wrongly
/// believes to be open. The burglar needs two interventions of help, at the cost of 2. Without help
/// the plan would take 30 actions, if the belief were true.
///
/// # Panics
/// Never: the world is valid.
#[must_use]
pub fn museum8() -> World {
    let sketch = Sketch {
        rooms: 8,
        doors: &[
            (0, 1, O, &[]),
            (1, 2, C, &[]),
            (1, 3, O, &[]),
            (2, 4, C, &[]),
            (3, 4, C, &[]),
            (3, 5, C, &[]),
            (4, 6, L, &[0]),
            (2, 7, O, &[]),
            (7, 4, C, &[]),
        ],
        containers: &[(5, C, &[]), (6, L, &[0])],
        keys: 1,
        items: &[0, 1],
        machines: &[(7, 3)],
        cameras: &[2],
        guards: &[&[4, 7, 2]],
    };
    let mut spec = sketch.spec();
    spec.agents[0].belief.facts.doors[4] = O;
    World::new(spec).expect("a sketch of a world that makes sense")
}

const RING: [(usize, usize, LockState, &[usize]); 4] = [
    (0, 1, O, &[]),
    (1, 2, O, &[]),
    (2, 3, O, &[]),
    (3, 0, O, &[]),
];

/// A ring of four rooms, the artifact across, and cameras in these rooms.
#[must_use]
pub fn ring4(cameras: &[usize]) -> World {
    let sketch = Sketch {
        rooms: 4,
        doors: &RING,
        containers: &[(2, O, &[])],
        items: &[0],
        cameras,
        ..Sketch::default()
    };
    sketch.world()
}

/// Three rooms in a line, with a camera in the middle.
#[must_use]
pub fn line3() -> World {
    let sketch = Sketch {
        rooms: 3,
        doors: &RING[..2],
        containers: &[(2, O, &[])],
        items: &[0],
        cameras: &[1],
        ..Sketch::default()
    };
    sketch.world()
}

/// Two rings of four rooms one behind the other, the artifact at the far end, and cameras in these
/// rooms.
#[must_use]
pub fn two_rings(cameras: &[usize]) -> World {
    let second = RING.map(|(a, b, state, keys)| (a + 4, b + 4, state, keys));
    let bridge: (usize, usize, LockState, &[usize]) = (2, 4, O, &[]);
    let sketch = Sketch {
        rooms: 8,
        doors: &[&RING[..], &second, &[bridge]].concat(),
        containers: &[(6, O, &[])],
        items: &[0],
        cameras,
        ..Sketch::default()
    };
    sketch.world()
}
