//! Reachability by delete relaxation: one fixpoint over rooms and keys, in time linear in the
//! museum.
//!
//! The relaxation is exact. Opening, unlocking and taking never hurt, and every move can be taken
//! back, so that an agent that takes everything within reach can do all that is possible.

use super::agent_task::AgentTask;
use crate::museum::Thing;
use crate::world::Place;

/// Reachable rooms and items of an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reachability {
    /// Whether each room is reachable.
    pub rooms: Vec<bool>,
    /// The reachable items, as bits.
    pub items: u64,
}

impl Reachability {
    /// The fixpoint without taking the items of `without`, as bits.
    pub(crate) fn new(task: &AgentTask<'_>, without: u64) -> Self {
        let mut flood = Fixpoint::new(task, without);
        flood.enter(task.position.room);
        while let Some(room) = flood.open.pop() {
            flood.try_exits(room);
        }
        Self {
            rooms: flood.rooms,
            items: flood.items,
        }
    }

    /// Whether the goal is reachable.
    pub(crate) fn reaches_goal(&self, task: &AgentTask<'_>) -> bool {
        let goal = task.goal;
        let mut items = goal.items.iter();
        items.all(|item| self.items & task.museum.copies(*item) != 0)
            && goal.visits.iter().all(|room| self.rooms[*room])
            && goal.room.is_none_or(|room| self.rooms[room])
    }
}

/// Whether there is a plan at all.
#[must_use]
pub fn exists(task: &AgentTask<'_>) -> bool {
    Reachability::new(task, 0).reaches_goal(task)
}

struct Fixpoint<'a> {
    task: AgentTask<'a>,
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

impl<'a> Fixpoint<'a> {
    fn new(task: &AgentTask<'a>, without: u64) -> Self {
        let museum = task.museum;
        let mut first = vec![NONE; museum.layout().containers.len()];
        let mut next = vec![NONE; museum.items()];
        let mut items = 0;
        for (item, place) in task.facts.items.iter().enumerate() {
            match *place {
                Place::In(container) => {
                    next[item] = first[container];
                    // Fits: items are few.
                    first[container] = item as u32;
                }
                Place::With(agent) if agent == task.agent => items |= 1 << item,
                Place::With(_) | Place::Unknown => {}
            }
        }
        Self {
            task: *task,
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

    fn try_exits(&mut self, room: usize) {
        let museum = self.task.museum;
        for exit in museum.exits(room) {
            if !self.rooms[exit.to] && !self.task.is_trap(exit.to) {
                self.try_opening(Thing::Door(exit.door));
            }
        }
        self.open_containers(room);
    }

    fn open_containers(&mut self, room: usize) {
        for &container in self.task.museum.containers_in(room) {
            if self.first[container] != NONE {
                self.try_opening(Thing::Container(container));
            }
        }
    }

    /// Opens a thing in a room that has been entered, or registers it for its keys.
    fn try_opening(&mut self, thing: Thing) {
        if !self.task.facts.lock_state(thing).locked || self.has_key(thing) {
            self.open(thing);
        } else {
            for &key in self.task.museum.keys_of(thing) {
                self.waiting[key].push(thing);
            }
        }
    }

    fn has_key(&self, thing: Thing) -> bool {
        let mut keys = self.task.museum.keys_of(thing).iter();
        keys.any(|key| self.items & (1 << key) != 0)
    }

    fn open(&mut self, thing: Thing) {
        match thing {
            Thing::Door(door) => {
                for room in self.task.museum.layout().doors[door].ends {
                    if !self.task.is_trap(room) {
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
