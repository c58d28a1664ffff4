//! Somebody who carries out moves, as actions.

use super::chart::{Chart, bits};
use crate::museum::Thing;
use crate::rules::Action;
use crate::world::Place;

/// What is one step of the search: everything from approaching to entering, or taking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Move {
    /// Through a door.
    Through(usize),
    /// Take an item out of its container.
    Take(usize),
}

/// Where the walker is, and what he has done.
#[derive(Debug, Clone)]
pub(super) struct Walker {
    pub room: usize,
    pub at: Option<Thing>,
    /// What he has, with all copies of it.
    pub items: u64,
    /// What he has in his hands.
    hands: u64,
    pub visits: u64,
    pub opened: Vec<u64>,
    pub actions: Vec<Action>,
}

impl Walker {
    /// Somebody at the start.
    pub(super) fn new(chart: &Chart<'_>) -> Self {
        let body = chart.errand.body;
        Self {
            room: body.room,
            at: body.at,
            items: chart.held,
            hands: bits(chart.errand.facts.held(chart.errand.agent)),
            visits: chart.visit(0, body.room),
            opened: vec![0; chart.words()],
            actions: Vec::new(),
        }
    }

    /// The same, who has done nothing yet.
    pub(super) fn rested(&self) -> Self {
        Self {
            opened: self.opened.clone(),
            actions: Vec::new(),
            ..*self
        }
    }

    /// Carries out a move. He has the keys.
    pub(super) fn go(&mut self, chart: &Chart<'_>, what: Move) {
        match what {
            Move::Through(door) => {
                self.reach(chart, Thing::Door(door));
                self.actions.push(Action::Enter(door));
                self.room = chart.errand.museum.behind(door, self.room);
                self.visits = chart.visit(self.visits, self.room);
            }
            Move::Take(item) => {
                if let Place::In(container) = chart.errand.facts.items[item] {
                    self.reach(chart, Thing::Container(container));
                }
                self.actions.push(Action::PickUp(item));
                self.items = chart.take(self.items, item);
                self.hands |= 1 << item;
            }
        }
    }

    fn reach(&mut self, chart: &Chart<'_>, thing: Thing) {
        if self.at != Some(thing) {
            self.actions.push(Action::Approach(thing));
            self.at = Some(thing);
        }
        if chart.actions_to_open(thing, self.items, &self.opened) != Some(0) {
            if let Some(key) = chart.key_for(thing, self.hands) {
                self.actions.push(Action::Unlock(thing, key));
            }
            self.actions.push(Action::Open(thing));
            chart.open(thing, &mut self.opened);
        }
    }
}
