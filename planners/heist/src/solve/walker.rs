//! Expansion of macro moves into actions.

use super::planning_task::{PlanningTask, bits};
use super::shortest_paths::Origin;
use crate::museum::Thing;
use crate::rules::Action;
use crate::world::Place;

/// A macro move: everything from approaching to entering, or to taking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Move {
    /// Through a door.
    Through(usize),
    /// Take an item out of its container.
    Take(usize),
}

/// An agent that executes macro moves, and its actions.
#[derive(Debug, Clone)]
pub(super) struct Walker {
    pub room: usize,
    pub at: Option<Thing>,
    /// The items held, and all their copies, as bits.
    pub items: u64,
    /// The items held, as bits.
    hands: u64,
    pub visits: u64,
    pub opened: Vec<u64>,
    pub actions: Vec<Action>,
}

impl Walker {
    /// An agent at the start.
    pub(super) fn new(task: &PlanningTask<'_>) -> Self {
        let position = task.input.position;
        Self {
            room: position.room,
            at: position.at,
            items: task.held,
            hands: bits(task.input.facts.held(task.input.agent)),
            visits: task.visit(0, position.room),
            opened: vec![0; task.words()],
            actions: Vec::new(),
        }
    }

    /// The same without actions.
    pub(super) fn rested(&self) -> Self {
        Self {
            opened: self.opened.clone(),
            actions: Vec::new(),
            ..*self
        }
    }

    /// Where paths of the agent start, with what has been opened.
    pub(super) fn origin<'a>(&self, opened: &'a [u64]) -> Origin<'a> {
        Origin {
            room: self.room,
            at: match self.at {
                Some(Thing::Door(door)) => Some(door),
                _ => None,
            },
            items: self.items,
            opened,
        }
    }

    /// Executes a move. The agent has the keys.
    pub(super) fn go(&mut self, task: &PlanningTask<'_>, what: Move) {
        match what {
            Move::Through(door) => {
                self.reach(task, Thing::Door(door));
                self.actions.push(Action::Enter(door));
                self.room = task.input.museum.behind(door, self.room);
                self.visits = task.visit(self.visits, self.room);
            }
            Move::Take(item) => {
                if let Place::In(container) = task.input.facts.items[item] {
                    self.reach(task, Thing::Container(container));
                }
                self.actions.push(Action::PickUp(item));
                self.items = task.take(self.items, item);
                self.hands |= 1 << item;
            }
        }
    }

    fn reach(&mut self, task: &PlanningTask<'_>, thing: Thing) {
        if self.at != Some(thing) {
            self.actions.push(Action::Approach(thing));
            self.at = Some(thing);
        }
        if task.actions_to_open(thing, self.items, &self.opened) != Some(0) {
            if let Some(key) = task.key_for(thing, self.hands) {
                self.actions.push(Action::Unlock(thing, key));
            }
            self.actions.push(Action::Open(thing));
            task.open(thing, &mut self.opened);
        }
    }
}
