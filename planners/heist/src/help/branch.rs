//! What the player could have done before one tick, so that it makes a difference in this tick.

use super::Aim;
use crate::game::{Catcher, Deed, Did, Ending, Event, Game, Replan, Target, Verb};
use crate::museum::Thing;
use crate::rules::Action;
use crate::world::{BURGLAR, Leaf};

/// The deeds that make a difference in one tick.
pub(super) struct Branches<'a, 'w> {
    before: &'a Game<'w>,
    after: &'a Game<'w>,
    /// Sorted, each once.
    pub(super) found: Vec<Deed>,
}

impl<'a, 'w> Branches<'a, 'w> {
    /// Those between a game and the same game one tick later.
    pub(super) fn of(before: &'a Game<'w>, after: &'a Game<'w>, aim: Aim) -> Self {
        let mut branches = Self {
            before,
            after,
            found: Vec::new(),
        };
        branches.handled();
        for event in after.events() {
            if branches.looks(event) {
                branches.seen(event.agent);
            }
        }
        branches.cameras(aim);
        branches.machines();
        branches.found.sort_unstable();
        branches.found.dedup();
        branches
    }

    /// What somebody is about to handle can be in any state.
    fn handled(&mut self) {
        for mind in self.before.minds() {
            if let Some(thing) = mind.next_handled().filter(|_| mind.delay() == 0) {
                self.turn(thing, [Leaf::OPEN, Leaf::CLOSED, Leaf::LOCKED]);
            }
        }
    }

    fn turn<const N: usize>(&mut self, thing: Thing, states: [Leaf; N]) {
        let from = self.before.facts().leaf(thing);
        let others = states.into_iter().filter(|to| *to != from);
        let deeds = others.map(|to| Deed::turning(thing, from, to));
        self.found.extend(deeds);
    }

    fn looks(&self, event: &Event) -> bool {
        if event.refusal.is_some() {
            return true;
        }
        let entered = matches!(event.did, Did::Acted(Action::Enter(_)));
        let waits = event.did == Did::Waited && self.before.minds()[event.agent].intent().is_none();
        self.before.rules().replan == Replan::OnInconsistency && (entered || waits)
    }

    /// What is seen looks the same closed or locked: that can wait until somebody handles it.
    fn seen(&mut self, agent: usize) {
        let room = self.after.minds()[agent].body().room;
        let museum = self.before.world().museum();
        let doors = museum.exits(room).iter().map(|it| Thing::Door(it.door));
        let containers = museum.containers_in(room).iter();
        for thing in doors.chain(containers.map(|it| Thing::Container(*it))) {
            if self.before.facts().leaf(thing).open {
                self.turn(thing, [Leaf::CLOSED, Leaf::LOCKED]);
            } else {
                self.turn(thing, [Leaf::OPEN]);
            }
        }
    }

    fn switch(&mut self, camera: usize, on: bool) {
        let verb = if on { Verb::On } else { Verb::Off };
        let target = Target::Camera(camera);
        self.found.push(Deed { verb, target });
    }

    /// Cameras make a difference when the burglar is in their room.
    fn cameras(&mut self, aim: Aim) {
        let room = self.after.minds()[BURGLAR].body().room;
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

    fn machines(&mut self) {
        let museum = self.before.world().museum();
        for mind in self.before.minds() {
            for &machine in museum.machines_in(mind.body().room) {
                let target = Target::Thing(Thing::Machine(machine));
                let verb = Verb::Trigger;
                self.found.push(Deed { verb, target });
            }
        }
    }
}
