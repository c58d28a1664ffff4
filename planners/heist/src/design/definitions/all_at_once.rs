//! Definition F: n rooms with traps are on the burglar's path, and the player can turn the burglar
//! away from all of them simultaneously.

use super::{Stopped, Verdict};
use crate::design::standing::standing_traps;
use crate::museum::{Thing, ones};
use crate::plan::Plan;
use crate::solve::{Errand, best_plan_while, proved_plan};
use crate::trial::{Halt, act_out};
use crate::watch::Watch;
use crate::world::{Agent, BURGLAR, Facts, Leaf, Place, World};
use std::cell::RefCell;

/// Whether F(n) holds: the burglar's plan leads through n rooms with traps, and into one of them in
/// the real world, and there are deeds on doors and containers after which the burglar, who learns
/// of them, has a plan that leads through none and works.
///
/// Traps are cameras that are on and guards who stand. The deeds tried: for a path that avoids all
/// traps, everything on it open and everything else locked. If any deeds make the burglar choose a
/// path, these do, as they make it cheapest and everything else most expensive. With keys the
/// burglar may prefer to unlock a door instead. Then all choices of open doors are tried except
/// those that proofs of shortest plans rule out. `watch` is asked before each plan that is made.
pub fn definition_f(world: &World, n: usize, watch: &mut dyn Watch) -> Verdict {
    let burglar = &world.agents()[BURGLAR];
    let traps = standing_traps(world);
    let known = burglar.belief.traps(world.museum());
    let errand = errand(world, &burglar.belief.facts, &known);
    if !watch.game() {
        return Verdict::Unknown;
    }
    let plan = best_plan_while(&errand, &mut || watch.go_on());
    if !watch.go_on() {
        return Verdict::Unknown;
    }
    let Some(plan) = plan else {
        return Verdict::No;
    };
    let rooms = plan.entered(world.museum(), burglar.body.room);
    let trapped = rooms.iter().filter(|room| traps[**room]).count();
    let seen = |room: usize| traps[room].then_some(());
    let caught = act_out(&errand, world.facts(), &plan, seen);
    if trapped != n || !matches!(caught, Some(Halt::Seen { .. })) {
        return Verdict::No;
    }
    Verdict::of(turned_away(world, burglar, &traps, watch))
}

fn errand<'a>(world: &'a World, facts: &'a Facts, traps: &'a [bool]) -> Errand<'a> {
    let burglar = &world.agents()[BURGLAR];
    Errand {
        museum: world.museum(),
        facts,
        body: burglar.body,
        agent: BURGLAR,
        goal: &burglar.goal,
        traps,
    }
}

/// Whether some deeds make the burglar choose a way without traps.
fn turned_away(
    world: &World,
    burglar: &Agent,
    traps: &[bool],
    watch: &mut dyn Watch,
) -> Result<bool, Stopped> {
    let museum = world.museum();
    let known = burglar.belief.traps(museum);
    let all: Vec<bool> = known.iter().zip(traps).map(|(a, b)| *a || *b).collect();
    let lids: Vec<usize> = (0..museum.layout().containers.len()).collect();
    let doors: Vec<usize> = (0..museum.layout().doors.len()).collect();
    let wide = opened(&burglar.belief.facts, &doors, &lids);
    if !watch.game() {
        return Err(Stopped);
    }
    let way = best_plan_while(&errand(world, &wide, &all), &mut || watch.go_on());
    if !watch.go_on() {
        return Err(Stopped);
    }
    let Some(way) = way else {
        return Ok(false);
    };
    let watch = &RefCell::new(watch);
    let mut tried = |doors: &[usize]| {
        if !watch.borrow_mut().game() {
            return Err(Stopped);
        }
        let lids = wanted(world);
        let believed = opened(&burglar.belief.facts, doors, &lids);
        let real = opened(world.facts(), doors, &lids);
        let errand = errand(world, &believed, &known);
        let plan = best_plan_while(&errand, &mut || watch.borrow_mut().go_on());
        if !watch.borrow_mut().go_on() {
            return Err(Stopped);
        }
        let seen = |room: usize| traps[room].then_some(());
        Ok(plan.is_some_and(|plan| act_out(&errand, &real, &plan, seen).is_none()))
    };
    if tried(&doors_of(&way))? {
        return Ok(true);
    }
    // Doors into traps stay locked.
    let free = |door: &usize| {
        let ends = museum.layout().doors[*door].ends;
        ends.iter().all(|room| !all[*room])
    };
    let found = Doors {
        world,
        traps: [&known, &all],
        tried: &mut tried,
        watch,
    }
    .choose(&mut Vec::new(), doors.into_iter().filter(free).collect())?;
    // Which copies of what he wants are in reach would have to be chosen, too.
    let mut items = burglar.goal.items.iter();
    let is_open = items.any(|item| museum.copies(*item).count_ones() > 1);
    (found || !is_open).then_some(found).ok_or(Stopped)
}

/// Choices of doors to be open, of which the burglar's plan is to be one without traps.
struct Doors<'a, 'w> {
    world: &'a World,
    /// Rooms that he does not enter: those he knows of, and all traps.
    traps: [&'a [bool]; 2],
    /// Whether with these doors open, and all others locked, the burglar's plan leads through no
    /// trap and works.
    tried: &'a mut dyn FnMut(&[usize]) -> Result<bool, Stopped>,
    watch: &'a RefCell<&'w mut dyn Watch>,
}

impl Doors<'_, '_> {
    /// Whether there is a choice with these doors open and any of the others.
    fn choose(&mut self, open: &mut Vec<usize>, mut left: Vec<usize>) -> Result<bool, Stopped> {
        let all: Vec<usize> = open.iter().chain(&left).copied().collect();
        if (self.tried)(&all)? {
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
        let door = self.apart(&all, &left)?;
        left.retain(|it| *it != door);
        if self.choose(open, left.clone())? {
            return Ok(true);
        }
        open.push(door);
        let found = self.choose(open, left);
        open.pop();
        found
    }

    /// A door to be decided next: one on the way that he prefers, which it makes longer, else any.
    fn apart(&self, all: &[usize], left: &[usize]) -> Result<usize, Stopped> {
        let plan = self.plan(all, self.traps[0])?;
        let used = plan.map(|plan| doors_of(&plan.0)).unwrap_or_default();
        let mut used = used.into_iter().filter(|door| left.contains(door));
        Ok(used.next().unwrap_or(left[0]))
    }

    /// The plan of a burglar that does not enter these rooms, with these doors open; and whether it
    /// is proved that none is shorter.
    fn plan(&self, doors: &[usize], traps: &[bool]) -> Result<Option<(Plan, bool)>, Stopped> {
        let burglar = &self.world.agents()[BURGLAR];
        let believed = opened(&burglar.belief.facts, doors, &wanted(self.world));
        let errand = errand(self.world, &believed, traps);
        let plan = proved_plan(&errand, &mut || self.watch.borrow_mut().go_on());
        if self.watch.borrow_mut().go_on() {
            Ok(plan)
        } else {
            Err(Stopped)
        }
    }
}

/// Containers in which the burglar believes the wanted items to be: only these have to be opened
/// when no key is needed.
fn wanted(world: &World) -> Vec<usize> {
    let burglar = &world.agents()[BURGLAR];
    let wanted = burglar.goal.items.iter();
    let wanted = wanted.flat_map(|item| ones(world.museum().copies(*item)));
    let places = wanted.map(|item| burglar.belief.facts.items[item]);
    let lids = places.filter_map(|place| match place {
        Place::In(container) => Some(container),
        Place::With(_) | Place::Unknown => None,
    });
    lids.collect()
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
    facts.doors.fill(Leaf::LOCKED);
    facts.containers.fill(Leaf::LOCKED);
    for &door in doors {
        facts.doors[door] = Leaf::OPEN;
    }
    for &container in containers {
        facts.containers[container] = Leaf::OPEN;
    }
    facts
}
