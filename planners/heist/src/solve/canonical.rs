//! An errand whose elements are in a canonical order: the order in which a world names them does
//! not matter.
//!
//! Searches break ties by index. With many stops they end before a proof, and ties decide how short
//! the plan is. Worlds that differ only in the order of their elements become the same errand here,
//! except where elements are alike for colour refinement and no symmetry exchanges them, and where
//! the refinement ends before all elements differ: after its limit of work, or stopped.

mod colours;

use super::errand::Errand;
use crate::museum::{Container, Door, Layout, Machine, Museum};
use crate::rules::Action;
use crate::world::{Body, Facts, Goal, Place};
use colours::{Colours, Order};

/// An errand in canonical order.
pub(super) struct Canonical {
    museum: Museum,
    facts: Facts,
    body: Body,
    agent: usize,
    goal: Goal,
    traps: Vec<bool>,
    order: Order,
}

impl Canonical {
    /// When `go_on`, which is asked now and then, says no, the order given counts for more.
    pub(super) fn of(errand: &Errand<'_>, go_on: &mut dyn FnMut() -> bool) -> Self {
        let order = Colours::new(errand).order(go_on);
        let numbers = order.inverse();
        Self {
            museum: Museum::new(layout(errand.museum.layout(), &order, &numbers)),
            facts: facts(errand.facts, &order, &numbers),
            body: Body {
                room: numbers.rooms[errand.body.room],
                at: errand.body.at.map(|thing| numbers.thing(thing)),
            },
            agent: errand.agent,
            goal: goal(errand.goal, &numbers),
            traps: order.rooms.iter().map(|room| errand.traps[*room]).collect(),
            order,
        }
    }

    pub(super) fn errand(&self) -> Errand<'_> {
        Errand {
            museum: &self.museum,
            facts: &self.facts,
            body: self.body,
            agent: self.agent,
            goal: &self.goal,
            traps: &self.traps,
        }
    }

    /// The same action with the indices given.
    pub(super) fn given(&self, action: Action) -> Action {
        let order = &self.order;
        match action {
            Action::Approach(it) => Action::Approach(order.thing(it)),
            Action::Open(it) => Action::Open(order.thing(it)),
            Action::Close(it) => Action::Close(order.thing(it)),
            Action::Unlock(it, key) => Action::Unlock(order.thing(it), order.items[key]),
            Action::Lock(it, key) => Action::Lock(order.thing(it), order.items[key]),
            Action::Enter(door) => Action::Enter(order.doors[door]),
            Action::PickUp(item) => Action::PickUp(order.items[item]),
            Action::Operate(machine) => Action::Operate(machine),
        }
    }
}

fn layout(given: &Layout, order: &Order, numbers: &Order) -> Layout {
    let fit = |keys: &[usize]| renumbered(keys, &numbers.items);
    let doors = order.doors.iter().map(|door| &given.doors[*door]);
    let containers = order.containers.iter().map(|it| &given.containers[*it]);
    let machines = given.machines.iter().map(|machine| Machine {
        room: numbers.rooms[machine.room],
        delay: machine.delay,
    });
    // The lowest of each kind is another one now.
    let kind = |key: &usize| {
        let mut all = order.items.iter();
        all.position(|it| given.kind(*it) == given.kind(*key))
    };
    Layout {
        rooms: given.rooms,
        doors: doors
            .map(|door| Door {
                ends: door.ends.map(|room| numbers.rooms[room]),
                keys: fit(&door.keys),
            })
            .collect(),
        containers: containers
            .map(|container| Container {
                room: numbers.rooms[container.room],
                keys: fit(&container.keys),
            })
            .collect(),
        machines: machines.collect(),
        cameras: given.cameras.iter().map(|it| numbers.rooms[*it]).collect(),
        keys: given.keys,
        kinds: if given.kinds.is_empty() {
            Vec::new()
        } else {
            order.items[..given.keys].iter().filter_map(kind).collect()
        },
        artifacts: given.artifacts,
    }
}

fn facts(given: &Facts, order: &Order, numbers: &Order) -> Facts {
    let place = |item: &usize| match given.items[*item] {
        Place::In(container) => Place::In(numbers.containers[container]),
        other => other,
    };
    Facts {
        doors: order.doors.iter().map(|it| given.doors[*it]).collect(),
        containers: order
            .containers
            .iter()
            .map(|it| given.containers[*it])
            .collect(),
        items: order.items.iter().map(place).collect(),
        cameras: given.cameras.clone(),
    }
}

fn goal(given: &Goal, numbers: &Order) -> Goal {
    let mut visits: Vec<usize> = given.visits.iter().map(|it| numbers.rooms[*it]).collect();
    if !given.in_order {
        visits.sort_unstable();
    }
    Goal {
        items: renumbered(&given.items, &numbers.items),
        visits,
        in_order: given.in_order,
        room: given.room.map(|room| numbers.rooms[room]),
    }
}

/// A set in its new numbers, rising.
fn renumbered(set: &[usize], numbers: &[usize]) -> Vec<usize> {
    let mut set: Vec<usize> = set.iter().map(|it| numbers[*it]).collect();
    set.sort_unstable();
    set
}
