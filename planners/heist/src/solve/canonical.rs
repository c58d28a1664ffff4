//! Canonical form of a task: the order in which a world names its elements does not matter.
//!
//! Searches break ties by index. With many stops they end before a proof, and ties decide how short
//! the plan is. Worlds that differ only in the order of their elements become the same task here,
//! except where elements are alike for colour refinement and no symmetry exchanges them, and where
//! the refinement ends before all elements differ: after its limit of work, or stopped.

mod colour_refinement;

use super::agent_task::AgentTask;
use crate::museum::{Container, Door, Layout, Machine, Museum};
use crate::rules::Action;
use crate::world::{Facts, Goal, Place, Position};
use colour_refinement::{ColourRefinement, Order};

/// A task in canonical order.
pub(super) struct CanonicalTask {
    museum: Museum,
    facts: Facts,
    position: Position,
    agent: usize,
    goal: Goal,
    traps: Vec<bool>,
    order: Order,
}

impl CanonicalTask {
    /// Once `go_on` returns false, elements not distinguished yet keep the order given.
    pub(super) fn new(task: &AgentTask<'_>, go_on: &mut dyn FnMut() -> bool) -> Self {
        let order = ColourRefinement::new(task).order(go_on);
        let numbers = order.inverse();
        Self {
            museum: Museum::new(layout(task.museum.layout(), &order, &numbers)),
            facts: facts(task.facts, &order, &numbers),
            position: Position {
                room: numbers.rooms[task.position.room],
                at: task.position.at.map(|thing| numbers.thing(thing)),
            },
            agent: task.agent,
            goal: goal(task.goal, &numbers),
            traps: order.rooms.iter().map(|room| task.traps[*room]).collect(),
            order,
        }
    }

    pub(super) fn task(&self) -> AgentTask<'_> {
        AgentTask {
            museum: &self.museum,
            facts: &self.facts,
            position: self.position,
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
    // The lowest key of each kind may have changed.
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
