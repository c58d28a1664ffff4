//! Relevant actions of the player: those that make a difference within one tick.

use super::Aim;
use crate::game::{Catcher, Ending, Event, Game, Outcome, PlayerAction, Replan, Target, Verb};
use crate::museum::Thing;
use crate::rules::Action;
use crate::world::{BURGLAR, LockState};

/// The player's actions that make a difference in one tick.
pub(super) struct RelevantActions<'a, 'w> {
    before: &'a Game<'w>,
    after: &'a Game<'w>,
    /// Sorted, each once.
    pub(super) found: Vec<PlayerAction>,
}

impl<'a, 'w> RelevantActions<'a, 'w> {
    /// The relevant actions between a game and the same game one tick later.
    pub(super) fn between(before: &'a Game<'w>, after: &'a Game<'w>, aim: Aim) -> Self {
        let mut relevant = Self {
            before,
            after,
            found: Vec::new(),
        };
        relevant.add_handled();
        for event in after.events() {
            if relevant.observes(event) {
                relevant.add_visible(event.agent);
            }
        }
        relevant.add_cameras(aim);
        relevant.add_machines();
        relevant.found.sort_unstable();
        relevant.found.dedup();
        relevant
    }

    /// Adds all states of the things that agents are about to handle.
    fn add_handled(&mut self) {
        for mind in self.before.minds() {
            if let Some(thing) = mind.next_handled().filter(|_| mind.delay() == 0) {
                self.set_states(
                    thing,
                    [LockState::OPEN, LockState::CLOSED, LockState::LOCKED],
                );
            }
        }
    }

    fn set_states<const N: usize>(&mut self, thing: Thing, states: [LockState; N]) {
        let from = self.before.facts().lock_state(thing);
        let others = states.into_iter().filter(|to| *to != from);
        let player_actions = others.map(|to| PlayerAction::turning(thing, from, to));
        self.found.extend(player_actions);
    }

    fn observes(&self, event: &Event) -> bool {
        if event.refusal.is_some() {
            return true;
        }
        let entered = matches!(event.outcome, Outcome::Acted(Action::Enter(_)));
        let waits =
            event.outcome == Outcome::Waited && self.before.minds()[event.agent].intent().is_none();
        self.before.rules().replan == Replan::OnInconsistency && (entered || waits)
    }

    /// Adds visible states. Closed and locked look the same: the difference can wait until an agent
    /// handles the thing.
    fn add_visible(&mut self, agent: usize) {
        let room = self.after.minds()[agent].position().room;
        let museum = self.before.world().museum();
        let doors = museum.exits(room).iter().map(|it| Thing::Door(it.door));
        let containers = museum.containers_in(room).iter();
        for thing in doors.chain(containers.map(|it| Thing::Container(*it))) {
            if self.before.facts().lock_state(thing).open {
                self.set_states(thing, [LockState::CLOSED, LockState::LOCKED]);
            } else {
                self.set_states(thing, [LockState::OPEN]);
            }
        }
    }

    fn switch(&mut self, camera: usize, on: bool) {
        let verb = if on { Verb::On } else { Verb::Off };
        let target = Target::Camera(camera);
        self.found.push(PlayerAction { verb, target });
    }

    /// Adds the cameras in the burglar's room.
    fn add_cameras(&mut self, aim: Aim) {
        let room = self.after.minds()[BURGLAR].position().room;
        match (aim, self.after.ending()) {
            (
                Aim::Win,
                Some(Ending::Caught {
                    by: Catcher::Camera(camera),
                    ..
                }),
            ) => self.switch(camera, false),
            (Aim::Capture, _) => {
                let museum = self.before.world().museum();
                for &camera in museum.cameras_in(room) {
                    if !self.after.facts().cameras[camera] {
                        self.switch(camera, true);
                    }
                }
            }
            (Aim::Win, _) => {}
        }
    }

    fn add_machines(&mut self) {
        let museum = self.before.world().museum();
        for mind in self.before.minds() {
            for &machine in museum.machines_in(mind.position().room) {
                let target = Target::Thing(Thing::Machine(machine));
                let verb = Verb::Trigger;
                self.found.push(PlayerAction { verb, target });
            }
        }
    }
}
