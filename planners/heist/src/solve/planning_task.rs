//! Preprocessed planning task: closed doors and containers, the actions to open them, and the items
//! to take.

use super::agent_task::AgentTask;
use super::reachability::Reachability;
use crate::museum::Thing;
pub(super) use crate::museum::set_bits;
use crate::world::Place;

/// The number of a thing that is open at first.
const NONE: u32 = u32::MAX;

/// The preprocessed task of one agent, shared by all searches.
#[derive(Debug)]
pub(super) struct PlanningTask<'a> {
    /// The task.
    pub input: AgentTask<'a>,
    /// The items at hand from the start, as bits. One of several copies counts as all of them.
    pub held: u64,
    /// Landmark items, not at hand, as bits: those wanted, and keys without which the goal is
    /// unreachable.
    pub needed: u64,
    /// Optional keys, not at hand, as bits: they are in some plans.
    pub spare: u64,
    /// For each container, the needed and spare items that are believed in it, as bits.
    pub contents: Vec<u64>,
    /// For each room, its container with such items, or several.
    useful_containers: Vec<Vec<u32>>,
    /// For each door and container its number among the closed ones.
    doors: Vec<u32>,
    containers: Vec<u32>,
    /// For each closed one: keys and actions to open it.
    closed: Vec<Closed>,
    /// The locked ones, by number, as bits.
    locked: Vec<u64>,
    /// For each room, the visits that are made by being there, as bits; empty where there is an
    /// order.
    visits: Vec<u64>,
}

/// A door or container that is closed at first.
#[derive(Debug, Clone, Copy)]
struct Closed {
    /// Keys that fit, as bits; 0 where it is not locked.
    keys: u64,
    /// Actions that it takes: open, or unlock and open.
    actions: u32,
}

impl<'a> PlanningTask<'a> {
    /// Preprocesses a task; `None` when there is no plan.
    pub(super) fn new(input: AgentTask<'a>) -> Option<Self> {
        let reach = Reachability::new(&input, 0);
        if !reach.reaches_goal(&input) {
            return None;
        }
        let held = input.facts.held(input.agent);
        let held = held.fold(0, |held, item| held | input.museum.copies(item));
        let single = |item: &usize| input.museum.copies(*item).count_ones() == 1;
        let mut task = Self {
            input,
            held,
            needed: bits(input.goal.items.iter().copied().filter(single)) & !held,
            spare: 0,
            contents: vec![0; input.museum.layout().containers.len()],
            useful_containers: vec![Vec::new(); input.museum.rooms()],
            doors: Vec::new(),
            containers: Vec::new(),
            closed: Vec::new(),
            locked: Vec::new(),
            visits: Vec::new(),
        };
        if !input.goal.in_order {
            task.visits = vec![0; input.museum.rooms()];
            for (visit, room) in input.goal.visits.iter().enumerate() {
                task.visits[*room] |= 1 << visit;
            }
        }
        task.number();
        task.classify_keys(&reach);
        task.index_contents();
        Some(task)
    }

    /// Items that are taken in some plans, and rooms to be visited in any order.
    pub(super) fn stops(&self) -> u32 {
        let goal = self.input.goal;
        let visits = if goal.in_order { 0 } else { goal.visits.len() };
        (self.needed | self.spare).count_ones() + visits as u32
    }

    /// Numbers the closed doors and containers.
    fn number(&mut self) {
        let layout = self.input.museum.layout();
        let facts = self.input.facts;
        let mut numbers = |count: usize, thing: fn(usize) -> Thing| -> Vec<u32> {
            let number = |index| {
                let state = facts.lock_state(thing(index));
                if state.open {
                    return NONE;
                }
                let keys = self.input.museum.keys_of(thing(index));
                self.closed.push(Closed {
                    keys: if state.locked {
                        bits(keys.iter().copied())
                    } else {
                        0
                    },
                    actions: 1 + u32::from(state.locked),
                });
                // Fits: doors and containers are few.
                self.closed.len() as u32 - 1
            };
            (0..count).map(number).collect()
        };
        self.doors = numbers(layout.doors.len(), Thing::Door);
        self.containers = numbers(layout.containers.len(), Thing::Container);
        self.locked = vec![0; self.closed.len().div_ceil(64)];
        for (number, closed) in self.closed.iter().enumerate() {
            if closed.actions > 1 {
                self.locked[number / 64] |= 1 << (number % 64);
            }
        }
    }

    /// Classifies keys: needed, or optional.
    fn classify_keys(&mut self, reach: &Reachability) {
        let fitting = self
            .closed
            .iter()
            .fold(0, |keys, closed| keys | closed.keys);
        let wanted = self.input.goal.items.iter();
        let wanted = wanted.fold(0, |keys, item| keys | self.input.museum.copies(*item));
        let keys = (fitting | wanted) & reach.items & !self.held & !self.needed;
        for key in set_bits(keys) {
            if Reachability::new(&self.input, 1 << key).reaches_goal(&self.input) {
                self.spare |= 1 << key;
            } else {
                self.needed |= 1 << key;
            }
        }
    }

    fn index_contents(&mut self) {
        let wanted = self.needed | self.spare;
        for item in set_bits(wanted) {
            if let Place::In(container) = self.input.facts.items[item] {
                self.contents[container] |= 1 << item;
            }
        }
        for (container, items) in self.contents.iter().enumerate() {
            if *items != 0 {
                let room = self.input.museum.layout().containers[container].room;
                // Fits: containers are few.
                self.useful_containers[room].push(container as u32);
            }
        }
    }

    /// The visits made once an agent enters a room after the visits `before`: bits, or how many of
    /// the visits that have an order.
    pub(super) fn visit(&self, before: u64, room: usize) -> u64 {
        let goal = self.input.goal;
        if !goal.in_order {
            return before | self.visits[room];
        }
        let left = &goal.visits[before as usize..];
        before + left.iter().take_while(|next| **next == room).count() as u64
    }

    /// Whether all visits are made.
    pub(super) fn has_visited(&self, visits: u64) -> bool {
        let goal = self.input.goal;
        let count = goal.visits.len();
        visits
            == if goal.in_order {
                count as u64
            } else {
                (1 << count) - 1
            }
    }

    /// Whether the goal is reached by an agent in this room with these items and visits.
    pub(super) fn is_goal(&self, room: usize, items: u64, visits: u64) -> bool {
        let goal = self.input.goal;
        let has = goal.items.iter().all(|item| items & (1 << item) != 0);
        has && goal.room.is_none_or(|end| end == room) && self.has_visited(visits)
    }

    /// The items after one more is taken: with all its copies, as no more of them are of use.
    pub(super) fn take(&self, items: u64, item: usize) -> u64 {
        items | self.input.museum.copies(item)
    }

    /// Containers in a room with needed or spare items.
    pub(super) fn useful_containers(&self, room: usize) -> impl Iterator<Item = usize> + '_ {
        self.useful_containers[room]
            .iter()
            .map(|container| *container as usize)
    }

    /// Number of 64-bit words for the set of opened things.
    pub(super) fn words(&self) -> usize {
        self.locked.len()
    }

    /// Actions to open a thing; `None` when these items are not enough. `opened` is the set of
    /// opened things, as bits.
    pub(super) fn actions_to_open(&self, thing: Thing, items: u64, opened: &[u64]) -> Option<u32> {
        let number = self.number_of(thing);
        if number == NONE || is_set(opened, number) {
            return Some(0);
        }
        let closed = self.closed[number as usize];
        (closed.keys & items != 0 || closed.actions == 1).then_some(closed.actions)
    }

    /// Actions to open a door in its first state, with the keys.
    pub(super) fn initial_opening_actions(&self, door: usize) -> u32 {
        let closed = self.closed.get(self.doors[door] as usize);
        closed.map_or(0, |closed| closed.actions)
    }

    /// Whether a door can be opened by an agent that has these items.
    pub(super) fn can_pass(&self, door: usize, items: u64) -> bool {
        let number = self.doors[door];
        number == NONE || {
            let closed = self.closed[number as usize];
            closed.actions == 1 || closed.keys & items != 0
        }
    }

    /// Marks a thing as opened.
    pub(super) fn open(&self, thing: Thing, opened: &mut [u64]) {
        let number = self.number_of(thing);
        if number != NONE {
            opened[number as usize / 64] |= 1 << (number % 64);
        }
    }

    /// Actions to open all that is opened in `theirs` and not in `ours`, without approaching.
    pub(super) fn opening_actions_between(&self, ours: &[u64], theirs: &[u64]) -> u32 {
        let mut actions = 0;
        for (word, locked) in self.locked.iter().enumerate() {
            let missing_traps = theirs[word] & !ours[word];
            actions += missing_traps.count_ones() + (missing_traps & locked).count_ones();
        }
        actions
    }

    /// A key of these that fits a thing, the lowest; none where it is not locked.
    pub(super) fn key_for(&self, thing: Thing, items: u64) -> Option<usize> {
        let number = self.number_of(thing);
        let keys = self.closed.get(number as usize)?.keys & items;
        (keys != 0).then(|| keys.trailing_zeros() as usize)
    }

    fn number_of(&self, thing: Thing) -> u32 {
        match thing {
            Thing::Door(door) => self.doors[door],
            Thing::Container(container) => self.containers[container],
            Thing::Machine(_) => NONE,
        }
    }
}

fn is_set(words: &[u64], number: u32) -> bool {
    words[number as usize / 64] & (1 << (number % 64)) != 0
}

/// A set of numbers as bits.
pub(super) fn bits(numbers: impl Iterator<Item = usize>) -> u64 {
    numbers.fold(0, |bits, number| bits | 1 << number)
}
