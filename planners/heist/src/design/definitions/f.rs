//! Definition F: n rooms with traps are on the burglar's path, and one set of interventions turns
//! the burglar away from all of them.

use super::{Stopped, Verdict};
use crate::budget::Budget;
use crate::design::static_traps::static_traps;
use crate::execution::{Interruption, execute_in};
use crate::museum::{Thing, set_bits};
use crate::plan::Plan;
use crate::solve::{AgentTask, best_plan_until, proved_plan};
use crate::world::{Agent, BURGLAR, Facts, LockState, Place, World};
use std::cell::RefCell;

/// Whether F(n) holds. The burglar's plan leads through n rooms with traps, and into one of them in
/// the real world. There are interventions on doors and containers after which the burglar, knowing
/// of them, has a plan that leads through no trap and works.
///
/// Traps are cameras that are on and stationary guards. The interventions tried: for a path that
/// avoids all traps, everything on it open and everything else locked. If any interventions make
/// the burglar choose a path, these do, as they make it cheapest and everything else most
/// expensive. With keys the burglar may prefer to unlock a door instead. Then all choices of open
/// doors are tried except those that proofs of shortest plans rule out. `budget` is asked before
/// each plan that is made.
pub fn definition_f(world: &World, n: usize, budget: &mut dyn Budget) -> Verdict {
    let burglar = &world.agents()[BURGLAR];
    let traps = static_traps(world);
    let known = burglar.belief.traps(world.museum());
    let task = task(world, &burglar.belief.facts, &known);
    if !budget.next_game() {
        return Verdict::Unknown;
    }
    let plan = best_plan_until(&task, &mut || budget.go_on());
    if !budget.go_on() {
        return Verdict::Unknown;
    }
    let Some(plan) = plan else {
        return Verdict::No;
    };
    let rooms = plan.entered(world.museum(), burglar.position.room);
    let trapped = rooms.iter().filter(|room| traps[**room]).count();
    let seen = |room: usize| traps[room].then_some(());
    let caught = execute_in(&task, world.facts(), &plan, seen);
    if trapped != n || !matches!(caught, Some(Interruption::Seen { .. })) {
        return Verdict::No;
    }
    Verdict::new(can_be_turned_away(world, burglar, &traps, budget))
}

fn task<'a>(world: &'a World, facts: &'a Facts, traps: &'a [bool]) -> AgentTask<'a> {
    AgentTask {
        facts,
        ..AgentTask::of_burglar(world, traps)
    }
}

/// Whether some interventions make the burglar choose a path without traps.
fn can_be_turned_away(
    world: &World,
    burglar: &Agent,
    traps: &[bool],
    budget: &mut dyn Budget,
) -> Result<bool, Stopped> {
    let museum = world.museum();
    let known = burglar.belief.traps(museum);
    let all: Vec<bool> = known.iter().zip(traps).map(|(a, b)| *a || *b).collect();
    let containers: Vec<usize> = (0..museum.layout().containers.len()).collect();
    let doors: Vec<usize> = (0..museum.layout().doors.len()).collect();
    let all_open = opened(&burglar.belief.facts, &doors, &containers);
    if !budget.next_game() {
        return Err(Stopped);
    }
    let path = best_plan_until(&task(world, &all_open, &all), &mut || budget.go_on());
    if !budget.go_on() {
        return Err(Stopped);
    }
    let Some(path) = path else {
        return Ok(false);
    };
    let budget = &RefCell::new(budget);
    let mut works = |doors: &[usize]| {
        if !budget.borrow_mut().next_game() {
            return Err(Stopped);
        }
        let containers = wanted_containers(world);
        let believed = opened(&burglar.belief.facts, doors, &containers);
        let real = opened(world.facts(), doors, &containers);
        let task = task(world, &believed, &known);
        let plan = best_plan_until(&task, &mut || budget.borrow_mut().go_on());
        if !budget.borrow_mut().go_on() {
            return Err(Stopped);
        }
        let seen = |room: usize| traps[room].then_some(());
        Ok(plan.is_some_and(|plan| execute_in(&task, &real, &plan, seen).is_none()))
    };
    if works(&doors_of(&path))? {
        return Ok(true);
    }
    // Doors into traps stay locked.
    let free = |door: &usize| {
        let ends = museum.layout().doors[*door].ends;
        ends.iter().all(|room| !all[*room])
    };
    let found = DoorSearch {
        world,
        traps: [&known, &all],
        works: &mut works,
        budget,
    }
    .choose(&mut Vec::new(), doors.into_iter().filter(free).collect())?;
    // The copies of wanted items that are in reach would have to be chosen, too.
    let mut items = burglar.goal.items.iter();
    let is_open = items.any(|item| museum.copies(*item).count_ones() > 1);
    (found || !is_open).then_some(found).ok_or(Stopped)
}

/// Branch and bound over the set of open doors, for one with which the burglar's plan avoids all
/// traps.
struct DoorSearch<'a, 'w> {
    world: &'a World,
    /// Rooms that plans avoid: the traps known to the burglar, and all traps.
    traps: [&'a [bool]; 2],
    /// Whether with these doors open, and all others locked, the burglar's plan leads through no
    /// trap and works.
    works: &'a mut dyn FnMut(&[usize]) -> Result<bool, Stopped>,
    budget: &'a RefCell<&'w mut dyn Budget>,
}

impl DoorSearch<'_, '_> {
    /// Whether there is a set with these doors open and any of the others.
    fn choose(&mut self, open: &mut Vec<usize>, mut left: Vec<usize>) -> Result<bool, Stopped> {
        let all: Vec<usize> = open.iter().chain(&left).copied().collect();
        if (self.works)(&all)? {
            return Ok(true);
        }
        let [known, avoided] = self.traps;
        let (Some(safe), any) = (self.plan(&all, avoided)?, self.plan(open, known)?) else {
            return Ok(false);
        };
        // Open doors make no plan longer: with more doors open, the burglar's plan is no longer
        // than `any`, and no plan without traps is shorter than `safe`.
        let shorter = any.is_some_and(|any| safe.1 && any.0.actions.len() < safe.0.actions.len());
        if shorter || left.is_empty() {
            return Ok(false);
        }
        let door = self.branching_door(&all, &left)?;
        left.retain(|it| *it != door);
        if self.choose(open, left.clone())? {
            return Ok(true);
        }
        open.push(door);
        let found = self.choose(open, left);
        open.pop();
        found
    }

    /// The next door to branch on: one on the burglar's preferred path, else any.
    fn branching_door(&self, all: &[usize], left: &[usize]) -> Result<usize, Stopped> {
        let plan = self.plan(all, self.traps[0])?;
        let used = plan.map(|plan| doors_of(&plan.0)).unwrap_or_default();
        let mut used = used.into_iter().filter(|door| left.contains(door));
        Ok(used.next().unwrap_or(left[0]))
    }

    /// The plan of a burglar that does not enter these rooms, with these doors open; and whether it
    /// is proved that none is shorter.
    fn plan(&self, doors: &[usize], traps: &[bool]) -> Result<Option<(Plan, bool)>, Stopped> {
        let burglar = &self.world.agents()[BURGLAR];
        let believed = opened(&burglar.belief.facts, doors, &wanted_containers(self.world));
        let task = task(self.world, &believed, traps);
        let plan = proved_plan(&task, &mut || self.budget.borrow_mut().go_on());
        if self.budget.borrow_mut().go_on() {
            Ok(plan)
        } else {
            Err(Stopped)
        }
    }
}

/// Containers in which the burglar believes the wanted items to be: only these have to be opened
/// when no key is needed.
fn wanted_containers(world: &World) -> Vec<usize> {
    let burglar = &world.agents()[BURGLAR];
    let wanted_containers = burglar.goal.items.iter();
    let wanted_containers =
        wanted_containers.flat_map(|item| set_bits(world.museum().copies(*item)));
    let places = wanted_containers.map(|item| burglar.belief.facts.items[item]);
    let containers = places.filter_map(|place| match place {
        Place::In(container) => Some(container),
        Place::With(_) | Place::Unknown => None,
    });
    containers.collect()
}

fn doors_of(plan: &Plan) -> Vec<usize> {
    let things = plan.actions.iter().filter_map(|action| action.thing());
    things
        .filter_map(|thing| match thing {
            Thing::Door(door) => Some(door),
            Thing::Container(_) | Thing::Machine(_) => None,
        })
        .collect()
}

/// The same facts with these doors and containers open, and all others locked.
fn opened(facts: &Facts, doors: &[usize], containers: &[usize]) -> Facts {
    let mut facts = facts.clone();
    facts.doors.fill(LockState::LOCKED);
    facts.containers.fill(LockState::LOCKED);
    for &door in doors {
        facts.doors[door] = LockState::OPEN;
    }
    for &container in containers {
        facts.containers[container] = LockState::OPEN;
    }
    facts
}
