//! Guards who notice something: they leave their rounds, look for the burglar, and calm down.
//!
//! A guard that sees the burglar through an open door chases it. One that hears a noise, or finds
//! something that is not as it believed, goes there and looks around. After that it goes on with
//! its round.

use super::mind::Mind;
use super::record::{BeliefUpdate, Event, Outcome};
use crate::museum::Museum;
use crate::world::{BURGLAR, Facts, Goal};

/// How guards react.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reactions {
    /// Ticks for which a guard looks around, at least 1.
    pub search_ticks: u32,
}

/// Whether a guard goes its round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Alert {
    /// It does.
    #[default]
    Calm,
    /// It goes to a room, and looks around there.
    Suspicious {
        /// The room.
        room: usize,
        /// Ticks for which it still looks around.
        left: u32,
    },
    /// It goes to where it has seen the burglar.
    Chasing {
        /// The room.
        room: usize,
    },
}

/// A noise before a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Noise {
    /// Where it is made.
    pub room: usize,
    /// It is heard in rooms that are at most this number of doors away, open or not.
    pub doors: u32,
}

impl Alert {
    /// The goal instead of the round.
    pub(super) fn goal(self) -> Option<Goal> {
        let room = self.room()?;
        Some(Goal {
            room: Some(room),
            ..Goal::default()
        })
    }

    /// Where the guard is alerted to.
    #[must_use]
    pub fn room(self) -> Option<usize> {
        match self {
            Self::Calm => None,
            Self::Suspicious { room, .. } | Self::Chasing { room } => Some(room),
        }
    }
}

/// What a guard can notice in a tick.
pub(super) struct Senses<'a> {
    pub museum: &'a Museum,
    pub facts: &'a Facts,
    pub burglar: &'a Mind,
    pub noises: &'a [Heard],
    pub reactions: Reactions,
}

impl Senses<'_> {
    /// The alert of a guard after its event in a tick.
    pub(super) fn alert_after(&self, guard: &Mind, event: &Event) -> Alert {
        if event.outcome == Outcome::Delayed || guard.agent == BURGLAR {
            return guard.alert;
        }
        let room = guard.position.room;
        if self.sees_burglar(room) {
            let room = self.burglar.position.room;
            return Alert::Chasing { room };
        }
        let left = self.reactions.search_ticks;
        let is_chasing = matches!(guard.alert, Alert::Chasing { .. });
        let is_odd = |update: &BeliefUpdate| !matches!(update, BeliefUpdate::Agent { .. });
        if !is_chasing {
            if let Some(room) = self.nearest_noise(room) {
                return Alert::Suspicious { room, left };
            }
            if event.learned.iter().any(is_odd) {
                return Alert::Suspicious { room, left };
            }
        }
        // One that cannot get there looks around where it is.
        let arrived = guard.alert.room() == Some(room);
        let can_come = guard.undecided.is_some() || guard.intent().is_some();
        match guard.alert {
            alert if can_come && !arrived => alert,
            Alert::Calm => Alert::Calm,
            Alert::Chasing { .. } => Alert::Suspicious { room, left },
            // It has just come.
            alert if event.outcome != Outcome::Waited => alert,
            Alert::Suspicious { left: 0 | 1, .. } => Alert::Calm,
            Alert::Suspicious { room, left } => Alert::Suspicious {
                room,
                left: left - 1,
            },
        }
    }

    /// Whether the burglar is in a room next to this one, behind an open door.
    fn sees_burglar(&self, room: usize) -> bool {
        let there = self.burglar.position.room;
        let mut exits = self.museum.exits(room).iter();
        exits.any(|exit| exit.to == there && self.facts.doors[exit.door].open)
    }

    /// The room of the noise that is heard in a room over the fewest doors; the first of several.
    fn nearest_noise(&self, room: usize) -> Option<usize> {
        let heard = self
            .noises
            .iter()
            .filter(|noise| noise.doors[room] < u32::MAX);
        heard
            .min_by_key(|noise| noise.doors[room])
            .map(|noise| noise.room)
    }
}

/// A noise, and where it is heard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Heard {
    room: usize,
    /// To each room, the doors in between; the largest number where it is not heard.
    doors: Vec<u32>,
}

impl Heard {
    /// Where a noise is heard.
    pub(super) fn new(museum: &Museum, noise: Noise) -> Self {
        let Noise { room, doors: most } = noise;
        let mut doors = vec![u32::MAX; museum.rooms()];
        doors[room] = 0;
        let mut front = vec![room];
        for between in 1..=most {
            let mut next = Vec::new();
            for exit in front.iter().flat_map(|from| museum.exits(*from)) {
                if doors[exit.to] == u32::MAX {
                    doors[exit.to] = between;
                    next.push(exit.to);
                }
            }
            if next.is_empty() {
                break;
            }
            front = next;
        }
        Self { room, doors }
    }
}
