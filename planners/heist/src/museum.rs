//! The static part of a world: rooms, doors, containers, machines and cameras.

use anytime::{Argument, element};

/// Maximal number of rooms.
pub const ROOMS_MAX: usize = 2_000;
/// Maximal number of doors.
pub const DOORS_MAX: usize = 8_000;
/// Maximal number of containers.
pub const CONTAINERS_MAX: usize = 2_000;
/// Maximal number of vending machines.
pub const MACHINES_MAX: usize = 500;
/// Maximal number of cameras.
pub const CAMERAS_MAX: usize = 2_000;
/// Maximal number of keys and artifacts together.
pub const ITEMS_MAX: usize = 64;
/// Maximal number of kinds of keys that fit one lock.
pub const FITTING_MAX: usize = 8;
/// Longest delay by a vending machine, in ticks.
pub const DELAY_MAX: u32 = 1_000;

/// A museum as given: plain data. Rooms, and everything else, are named by index.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Layout {
    /// Number of rooms, 1 to [`ROOMS_MAX`].
    pub rooms: usize,
    /// Edges between rooms, at most [`DOORS_MAX`]. Two rooms may have several.
    pub doors: Vec<Door>,
    /// What items lie in, at most [`CONTAINERS_MAX`].
    pub containers: Vec<Container>,
    /// At most [`MACHINES_MAX`].
    pub machines: Vec<Machine>,
    /// The room of each camera, at most [`CAMERAS_MAX`].
    pub cameras: Vec<usize>,
    /// Number of keys: the items from 0 on.
    pub keys: usize,
    /// For each key the lowest key of its kind: keys of one kind are copies of each other. Empty:
    /// there are no copies.
    pub kinds: Vec<usize>,
    /// Number of artifacts: the items after the keys. At most [`ITEMS_MAX`] items in all.
    pub artifacts: usize,
}

impl Layout {
    /// The lowest key of which a key is a copy: itself, where there are none. Other items are of
    /// their own kind.
    #[must_use]
    pub fn kind(&self, item: usize) -> usize {
        self.kinds.get(item).copied().unwrap_or(item)
    }
}

/// A door between two rooms; it stands in both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Door {
    /// The two rooms, different.
    pub ends: [usize; 2],
    /// Keys that fit, at most [`FITTING_MAX`] kinds, different; copies of them fit, too. Empty: no
    /// agent can unlock it.
    pub keys: Vec<usize>,
}

/// What items lie in: a box, a case, an open pedestal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Container {
    /// Where it stands.
    pub room: usize,
    /// As those of doors.
    pub keys: Vec<usize>,
}

/// A vending machine: the player triggers it to distract the agents in its room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Machine {
    /// Where it stands.
    pub room: usize,
    /// Ticks that all agents in its room lose when the player triggers it, 1 to [`DELAY_MAX`].
    pub delay: u32,
}

/// A thing that an agent can stand at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Thing {
    /// The door with this index.
    Door(usize),
    /// The container with this index.
    Container(usize),
    /// The vending machine with this index.
    Machine(usize),
}

impl Thing {
    /// The thing as an argument of a text.
    #[must_use]
    pub(crate) fn named(self) -> Argument {
        match self {
            Self::Door(door) => element("door", door),
            Self::Container(container) => element("container", container),
            Self::Machine(machine) => element("machine", machine),
        }
    }
}

/// A door out of a room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exit {
    /// The door.
    pub door: usize,
    /// The room behind it.
    pub to: usize,
}

/// A checked museum with an index by room. Made by [`crate::World::new`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Museum {
    layout: Layout,
    exits: Rows<Exit>,
    containers: Rows<usize>,
    machines: Rows<usize>,
    cameras: Rows<usize>,
    /// For each item those of its kind, itself too, as bits.
    copies: Vec<u64>,
}

impl Museum {
    /// Indexes a layout whose references have been checked. Locks then name all copies of the keys
    /// that fit.
    pub(crate) fn new(layout: Layout) -> Self {
        let mut layout = layout;
        let doors = layout.doors.iter_mut().map(|it| &mut it.keys);
        let locks = doors.chain(layout.containers.iter_mut().map(|it| &mut it.keys));
        for keys in locks {
            let kinds = &layout.kinds;
            let named = std::mem::take(keys);
            keys.extend_from_slice(&named);
            let copies = kinds.iter().enumerate();
            let copies = copies.filter(|(key, kind)| {
                let fits = named.iter().any(|it| kinds[*it] == **kind);
                fits && !named.contains(key)
            });
            keys.extend(copies.map(|(key, _)| key));
        }
        let rooms = layout.rooms;
        let mut exits = Vec::with_capacity(2 * layout.doors.len());
        for (door, Door { ends: [a, b], .. }) in layout.doors.iter().enumerate() {
            exits.push((*a, Exit { door, to: *b }));
            exits.push((*b, Exit { door, to: *a }));
        }
        let stand = |places: Vec<usize>| {
            let things = places.into_iter().enumerate();
            Rows::new(rooms, things.map(|(thing, room)| (room, thing)).collect())
        };
        Self {
            exits: Rows::new(rooms, exits),
            containers: stand(layout.containers.iter().map(|it| it.room).collect()),
            machines: stand(layout.machines.iter().map(|it| it.room).collect()),
            cameras: stand(layout.cameras.clone()),
            copies: copies(&layout),
            layout,
        }
    }

    /// The layout.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Number of rooms.
    #[must_use]
    pub fn rooms(&self) -> usize {
        self.layout.rooms
    }

    /// Number of items: keys, then artifacts.
    #[must_use]
    pub fn items(&self) -> usize {
        self.layout.keys + self.layout.artifacts
    }

    /// Items of the same kind as one, itself too, as bits.
    #[must_use]
    pub fn copies(&self, item: usize) -> u64 {
        self.copies[item]
    }

    /// Doors out of a room, by rising index.
    #[must_use]
    pub(crate) fn exits(&self, room: usize) -> &[Exit] {
        self.exits.row(room)
    }

    /// Containers in a room, rising.
    #[must_use]
    pub(crate) fn containers_in(&self, room: usize) -> &[usize] {
        self.containers.row(room)
    }

    /// Vending machines in a room, rising.
    #[must_use]
    pub(crate) fn machines_in(&self, room: usize) -> &[usize] {
        self.machines.row(room)
    }

    /// Cameras in a room, rising.
    #[must_use]
    pub(crate) fn cameras_in(&self, room: usize) -> &[usize] {
        self.cameras.row(room)
    }

    /// The room on the other side of a door, seen from `room`.
    #[must_use]
    pub fn behind(&self, door: usize, room: usize) -> usize {
        let [a, b] = self.layout.doors[door].ends;
        if a == room { b } else { a }
    }

    /// Whether a thing stands in a room; doors stand in both of theirs.
    #[must_use]
    pub fn stands_in(&self, thing: Thing, room: usize) -> bool {
        match thing {
            Thing::Door(door) => self.layout.doors[door].ends.contains(&room),
            Thing::Container(container) => self.layout.containers[container].room == room,
            Thing::Machine(machine) => self.layout.machines[machine].room == room,
        }
    }

    /// Keys that fit a thing; machines have no lock.
    #[must_use]
    pub fn keys_of(&self, thing: Thing) -> &[usize] {
        match thing {
            Thing::Door(door) => &self.layout.doors[door].keys,
            Thing::Container(container) => &self.layout.containers[container].keys,
            Thing::Machine(_) => &[],
        }
    }
}

fn copies(layout: &Layout) -> Vec<u64> {
    let items = 0..layout.keys + layout.artifacts;
    let of = |item: usize| {
        let same = items
            .clone()
            .filter(|it| layout.kind(*it) == layout.kind(item));
        same.fold(0, |bits, it| bits | 1 << it)
    };
    items.clone().map(of).collect()
}

/// A list for each room, in one allocation (CSR).
#[derive(Debug, Clone, PartialEq, Eq)]
struct Rows<T> {
    starts: Vec<u32>,
    values: Vec<T>,
}

impl<T: Copy> Rows<T> {
    fn new(rooms: usize, mut pairs: Vec<(usize, T)>) -> Self {
        // Stable: what is in one room stays in the order given.
        pairs.sort_by_key(|pair| pair.0);
        let mut starts = vec![0; rooms + 1];
        for (room, _) in &pairs {
            starts[room + 1] += 1;
        }
        for room in 0..rooms {
            starts[room + 1] += starts[room];
        }
        Self {
            starts,
            values: pairs.into_iter().map(|pair| pair.1).collect(),
        }
    }

    fn row(&self, room: usize) -> &[T] {
        &self.values[self.starts[room] as usize..self.starts[room + 1] as usize]
    }
}

/// The indices of the bits that are set, rising.
pub(crate) fn set_bits(bits: u64) -> impl Iterator<Item = usize> {
    let mut left = bits;
    std::iter::from_fn(move || {
        let number = left.trailing_zeros() as usize;
        left &= left.checked_sub(1)?;
        Some(number)
    })
}
