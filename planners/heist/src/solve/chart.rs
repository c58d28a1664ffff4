//! An errand made ready for searching: what is shut, what it takes to open it, and what has to be
//! taken.

use super::errand::Errand;
use super::reach::Reach;
use crate::museum::Thing;
pub(super) use crate::museum::ones;
use crate::world::Place;

/// Not shut.
const NONE: u32 = u32::MAX;

/// What all searches for one errand look at.
#[derive(Debug)]
pub(super) struct Chart<'a> {
    /// The errand.
    pub errand: Errand<'a>,
    /// The items at hand from the start, as bits. One of several copies counts as all of them.
    pub held: u64,
    /// The items that are not at hand and in every plan, as bits: what is wanted, and keys without
    /// which it cannot be had.
    pub needed: u64,
    /// Keys that are in some plans, not at hand, as bits.
    pub spare: u64,
    /// For each container, the needed and spare items that are believed in it, as bits.
    pub contents: Vec<u64>,
    /// For each room, its container with such items, or several.
    stores: Vec<Vec<u32>>,
    /// For each door and container its number among what is shut.
    doors: Vec<u32>,
    lids: Vec<u32>,
    /// For each that is shut: what it takes to open it.
    shut: Vec<Shut>,
    /// What is locked, by number, as bits.
    locked: Vec<u64>,
    /// For each room, the visits that are made by being there, as bits; empty where there is an
    /// order.
    visits: Vec<u64>,
}

/// A door or lid that is shut at first.
#[derive(Debug, Clone, Copy)]
struct Shut {
    /// Keys that fit, as bits; 0 where it is not locked.
    keys: u64,
    /// Actions that it takes: open, or unlock and open.
    actions: u32,
}

impl<'a> Chart<'a> {
    /// The chart of an errand; `None` when there is no plan.
    pub(super) fn new(errand: Errand<'a>) -> Option<Self> {
        let reach = Reach::of(&errand, 0);
        if !reach.serves(&errand) {
            return None;
        }
        let held = errand.facts.held(errand.agent);
        let held = held.fold(0, |held, item| held | errand.museum.copies(item));
        let single = |item: &usize| errand.museum.copies(*item).count_ones() == 1;
        let mut chart = Self {
            errand,
            held,
            needed: bits(errand.goal.items.iter().copied().filter(single)) & !held,
            spare: 0,
            contents: vec![0; errand.museum.layout().containers.len()],
            stores: vec![Vec::new(); errand.museum.rooms()],
            doors: Vec::new(),
            lids: Vec::new(),
            shut: Vec::new(),
            locked: Vec::new(),
            visits: Vec::new(),
        };
        if !errand.goal.in_order {
            chart.visits = vec![0; errand.museum.rooms()];
            for (visit, room) in errand.goal.visits.iter().enumerate() {
                chart.visits[*room] |= 1 << visit;
            }
        }
        chart.number();
        chart.sort_keys(&reach);
        chart.store();
        Some(chart)
    }

    /// Items that are taken in some plans, and rooms to be visited in any order.
    pub(super) fn stops(&self) -> u32 {
        let goal = self.errand.goal;
        let visits = if goal.in_order { 0 } else { goal.visits.len() };
        (self.needed | self.spare).count_ones() + visits as u32
    }

    /// Numbers what is shut.
    fn number(&mut self) {
        let layout = self.errand.museum.layout();
        let facts = self.errand.facts;
        let mut numbers = |count: usize, thing: fn(usize) -> Thing| -> Vec<u32> {
            let number = |index| {
                let leaf = facts.leaf(thing(index));
                if leaf.open {
                    return NONE;
                }
                let keys = self.errand.museum.keys_of(thing(index));
                self.shut.push(Shut {
                    keys: if leaf.locked {
                        bits(keys.iter().copied())
                    } else {
                        0
                    },
                    actions: 1 + u32::from(leaf.locked),
                });
                // Fits: doors and containers are few.
                self.shut.len() as u32 - 1
            };
            (0..count).map(number).collect()
        };
        self.doors = numbers(layout.doors.len(), Thing::Door);
        self.lids = numbers(layout.containers.len(), Thing::Container);
        self.locked = vec![0; self.shut.len().div_ceil(64)];
        for (number, shut) in self.shut.iter().enumerate() {
            if shut.actions > 1 {
                self.locked[number / 64] |= 1 << (number % 64);
            }
        }
    }

    /// Which keys are needed, and which may serve.
    fn sort_keys(&mut self, reach: &Reach) {
        let fitting = self.shut.iter().fold(0, |keys, shut| keys | shut.keys);
        let wanted = self.errand.goal.items.iter();
        let wanted = wanted.fold(0, |keys, item| keys | self.errand.museum.copies(*item));
        let keys = (fitting | wanted) & reach.items & !self.held & !self.needed;
        for key in ones(keys) {
            if Reach::of(&self.errand, 1 << key).serves(&self.errand) {
                self.spare |= 1 << key;
            } else {
                self.needed |= 1 << key;
            }
        }
    }

    fn store(&mut self) {
        let wanted = self.needed | self.spare;
        for item in ones(wanted) {
            if let Place::In(container) = self.errand.facts.items[item] {
                self.contents[container] |= 1 << item;
            }
        }
        for (container, items) in self.contents.iter().enumerate() {
            if *items != 0 {
                let room = self.errand.museum.layout().containers[container].room;
                // Fits: containers are few.
                self.stores[room].push(container as u32);
            }
        }
    }

    /// The visits made once an agent enters a room after the visits `before`: bits, or how many of
    /// the visits that have an order.
    pub(super) fn visit(&self, before: u64, room: usize) -> u64 {
        let goal = self.errand.goal;
        if !goal.in_order {
            return before | self.visits[room];
        }
        let left = &goal.visits[before as usize..];
        before + left.iter().take_while(|next| **next == room).count() as u64
    }

    /// Whether all is visited.
    pub(super) fn has_visited(&self, visits: u64) -> bool {
        let goal = self.errand.goal;
        let count = goal.visits.len();
        visits
            == if goal.in_order {
                count as u64
            } else {
                (1 << count) - 1
            }
    }

    /// Whether the goal is reached by somebody in this room with these items and visits.
    pub(super) fn is_done(&self, room: usize, items: u64, visits: u64) -> bool {
        let goal = self.errand.goal;
        let has = goal.items.iter().all(|item| items & (1 << item) != 0);
        has && goal.room.is_none_or(|end| end == room) && self.has_visited(visits)
    }

    /// The items after one more is taken: with all its copies, as no more of them are of use.
    pub(super) fn take(&self, items: u64, item: usize) -> u64 {
        items | self.errand.museum.copies(item)
    }

    /// Containers in a room with needed or spare items.
    pub(super) fn stores(&self, room: usize) -> impl Iterator<Item = usize> + '_ {
        self.stores[room]
            .iter()
            .map(|container| *container as usize)
    }

    /// Number of 64-bit words that tell what has been opened.
    pub(super) fn words(&self) -> usize {
        self.locked.len()
    }

    /// What it takes to get a thing open: none when these items are not enough. `opened` are the
    /// bits of what has been opened.
    pub(super) fn actions_to_open(&self, thing: Thing, items: u64, opened: &[u64]) -> Option<u32> {
        let number = self.number_of(thing);
        if number == NONE || is_set(opened, number) {
            return Some(0);
        }
        let shut = self.shut[number as usize];
        (shut.keys & items != 0 || shut.actions == 1).then_some(shut.actions)
    }

    /// What it takes to get a door open for whoever has the keys, as it is at first.
    pub(super) fn actions_at_first(&self, door: usize) -> u32 {
        let shut = self.shut.get(self.doors[door] as usize);
        shut.map_or(0, |shut| shut.actions)
    }

    /// Whether a door can be opened by whoever has these items.
    pub(super) fn passes(&self, door: usize, items: u64) -> bool {
        let number = self.doors[door];
        number == NONE || {
            let shut = self.shut[number as usize];
            shut.actions == 1 || shut.keys & items != 0
        }
    }

    /// Marks a thing as opened.
    pub(super) fn open(&self, thing: Thing, opened: &mut [u64]) {
        let number = self.number_of(thing);
        if number != NONE {
            opened[number as usize / 64] |= 1 << (number % 64);
        }
    }

    /// Actions that it takes to open all that is opened in `theirs` and not in `ours`, once one
    /// stands there.
    pub(super) fn actions_between(&self, ours: &[u64], theirs: &[u64]) -> u32 {
        let mut actions = 0;
        for (word, locked) in self.locked.iter().enumerate() {
            let lacking = theirs[word] & !ours[word];
            actions += lacking.count_ones() + (lacking & locked).count_ones();
        }
        actions
    }

    /// A key of these that fits a thing, the lowest; none where it is not locked.
    pub(super) fn key_for(&self, thing: Thing, items: u64) -> Option<usize> {
        let number = self.number_of(thing);
        let keys = self.shut.get(number as usize)?.keys & items;
        (keys != 0).then(|| keys.trailing_zeros() as usize)
    }

    fn number_of(&self, thing: Thing) -> u32 {
        match thing {
            Thing::Door(door) => self.doors[door],
            Thing::Container(container) => self.lids[container],
            Thing::Machine(_) => NONE,
        }
    }
}

fn is_set(words: &[u64], number: u32) -> bool {
    words[number as usize / 64] & (1 << (number % 64)) != 0
}

/// Numbers as bits.
pub(super) fn bits(numbers: impl Iterator<Item = usize>) -> u64 {
    numbers.fold(0, |bits, number| bits | 1 << number)
}
