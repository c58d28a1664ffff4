//! Definition F: as many traps as wanted are on the way, and the player can turn the burglar away from all of them at once.

use super::{Stopped, Verdict};
use crate::design::act::{Acted, act_out, entered, standing_traps};
use crate::museum::Thing;
use crate::plan::Plan;
use crate::solve::{Errand, best_plan};
use crate::watch::Watch;
use crate::world::{Agent, BURGLAR, Facts, Leaf, Place, World};

/// Most doors of which all choices are tried to decide F.
const CHOSEN_MAX: usize = 16;

/// Whether F(n) holds: the burglar's plan leads through n rooms with traps, and into one of them as things really are, and there are
/// deeds on doors and containers after which he, who is told of them, has a plan that leads through none and works.
///
/// Traps are cameras that are on and guards who stand. The deeds tried: for a way that avoids all traps, everything on it open and
/// everything else locked. If any deeds at all make him choose a way, these do, as they make it cheapest and everything else as dear
/// as it can be; only between ways that are equally long could others decide otherwise. `watch` is asked before each plan that is made.
pub fn definition_f(world: &World, n: usize, watch: &mut dyn Watch) -> Verdict {
    let burglar = &world.agents()[BURGLAR];
    let traps = standing_traps(world);
    let known = burglar.belief.traps(world.museum());
    let errand = errand(world, &burglar.belief.facts, &known);
    if !watch.game() {
        return Verdict::Unknown;
    }
    let Some(plan) = best_plan(&errand) else {
        return Verdict::No;
    };
    let rooms = entered(world.museum(), burglar.body, &plan);
    let trapped = rooms.iter().filter(|room| traps[**room]).count();
    let caught = act_out(&errand, world.facts(), &plan, &traps);
    if trapped != n || !matches!(caught, Acted::Caught) {
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
    let Some(way) = best_plan(&errand(world, &wide, &all)) else {
        return Ok(false);
    };
    let mut tried = |doors: &[usize]| {
        if !watch.game() {
            return Err(Stopped);
        }
        // Only what is wanted has to be taken when no key is needed.
        let wanted = burglar.goal.items.iter();
        let places = wanted.map(|item| burglar.belief.facts.items[*item]);
        let lids: Vec<usize> = places
            .filter_map(|place| match place {
                Place::In(container) => Some(container),
                Place::With(_) | Place::Unknown => None,
            })
            .collect();
        let believed = opened(&burglar.belief.facts, doors, &lids);
        let real = opened(world.facts(), doors, &lids);
        let errand = errand(world, &believed, &known);
        let plan = best_plan(&errand);
        Ok(plan.is_some_and(|plan| act_out(&errand, &real, &plan, traps) == Acted::Done))
    };
    if tried(&doors_of(&way))? {
        return Ok(true);
    }
    // Doors into traps stay locked.
    let free = |door: &usize| {
        let ends = museum.layout().doors[*door].ends;
        ends.iter().all(|room| !all[*room])
    };
    let free: Vec<usize> = doors.into_iter().filter(free).collect();
    if free.len() > CHOSEN_MAX {
        return Err(Stopped);
    }
    for choice in 0_u32..1 << free.len() {
        let chosen = free.iter().enumerate();
        let chosen = chosen.filter(|(index, _)| choice & (1 << index) != 0);
        if tried(&chosen.map(|it| *it.1).collect::<Vec<_>>())? {
            return Ok(true);
        }
    }
    Ok(false)
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
