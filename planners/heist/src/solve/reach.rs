//! What can be reached and taken at all, in time linear in the museum.
//!
//! Opening, unlocking and taking never hurt, and every move can be taken back, so that an agent
//! that takes everything within reach can do whatever is possible: one fixed point over rooms and
//! keys decides.

use super::errand::Errand;
use crate::museum::Thing;
use crate::world::Place;

/// What an agent can get at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reach {
    /// Whether he can be in each room.
    pub rooms: Vec<bool>,
    /// The items that he can have, as bits.
    pub items: u64,
}

impl Reach {
    /// All that can be reached without ever taking the items of `without`, as bits.
    pub(crate) fn of(errand: &Errand<'_>, without: u64) -> Self {
        let mut flood = Flood::new(errand, without);
        flood.enter(errand.body.room);
        while let Some(room) = flood.open.pop() {
            flood.look_around(room);
        }
        Self {
            rooms: flood.rooms,
            items: flood.items,
        }
    }

    /// Whether all of a goal can be reached.
    pub(super) fn serves(&self, errand: &Errand<'_>) -> bool {
        let goal = errand.goal;
        let mut items = goal.items.iter();
        items.all(|item| self.items & errand.museum.copies(*item) != 0)
            && goal.visits.iter().all(|room| self.rooms[*room])
            && goal.room.is_none_or(|room| self.rooms[room])
    }
}

/// Whether there is a plan at all.
#[must_use]
pub fn exists(errand: &Errand<'_>) -> bool {
    Reach::of(errand, 0).serves(errand)
}

struct Flood<'a> {
    errand: Errand<'a>,
    without: u64,
    rooms: Vec<bool>,
    items: u64,
    /// Rooms that have been entered and not looked at.
    open: Vec<usize>,
    /// For each key, what waits for it: things in rooms that have been entered.
    waiting: Vec<Vec<Thing>>,
    /// For each container, the first item believed in it, and for each item the next one.
    first: Vec<u32>,
    next: Vec<u32>,
}

/// No item.
const NONE: u32 = u32::MAX;

impl<'a> Flood<'a> {
    fn new(errand: &Errand<'a>, without: u64) -> Self {
        let museum = errand.museum;
        let mut first = vec![NONE; museum.layout().containers.len()];
        let mut next = vec![NONE; museum.items()];
        let mut items = 0;
        for (item, place) in errand.facts.items.iter().enumerate() {
            match *place {
                Place::In(container) => {
                    next[item] = first[container];
                    // Fits: items are few.
                    first[container] = item as u32;
                }
                Place::With(agent) if agent == errand.agent => items |= 1 << item,
                Place::With(_) | Place::Unknown => {}
            }
        }
        Self {
            errand: *errand,
            without,
            rooms: vec![false; museum.rooms()],
            items,
            open: Vec::new(),
            waiting: vec![Vec::new(); museum.layout().keys],
            first,
            next,
        }
    }

    fn enter(&mut self, room: usize) {
        if !self.rooms[room] {
            self.rooms[room] = true;
            self.open.push(room);
        }
    }

    fn look_around(&mut self, room: usize) {
        let museum = self.errand.museum;
        for exit in museum.exits(room) {
            if !self.rooms[exit.to] && !self.errand.is_trap(exit.to) {
                self.try_thing(Thing::Door(exit.door));
            }
        }
        self.open_lids(room);
    }

    fn open_lids(&mut self, room: usize) {
        for &container in self.errand.museum.containers_in(room) {
            if self.first[container] != NONE {
                self.try_thing(Thing::Container(container));
            }
        }
    }

    /// Opens a thing in a room that has been entered, or has it wait for its keys.
    fn try_thing(&mut self, thing: Thing) {
        if !self.errand.facts.leaf(thing).locked || self.has_key(thing) {
            self.open(thing);
        } else {
            for &key in self.errand.museum.keys_of(thing) {
                self.waiting[key].push(thing);
            }
        }
    }

    fn has_key(&self, thing: Thing) -> bool {
        let mut keys = self.errand.museum.keys_of(thing).iter();
        keys.any(|key| self.items & (1 << key) != 0)
    }

    fn open(&mut self, thing: Thing) {
        match thing {
            Thing::Door(door) => {
                for room in self.errand.museum.layout().doors[door].ends {
                    if !self.errand.is_trap(room) {
                        self.enter(room);
                    }
                }
            }
            Thing::Container(container) => {
                let mut item = self.first[container];
                while item != NONE {
                    self.take(item as usize);
                    item = self.next[item as usize];
                }
            }
            Thing::Machine(_) => {}
        }
    }

    fn take(&mut self, item: usize) {
        if (self.items | self.without) & (1 << item) != 0 {
            return;
        }
        self.items |= 1 << item;
        if let Some(waiting) = self.waiting.get_mut(item) {
            for thing in std::mem::take(waiting) {
                self.open(thing);
            }
        }
    }
}
