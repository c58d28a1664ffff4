//! The world in the middle of a game: its true state, and all agents' beliefs.

use super::game::Game;
use stratagem_proto::v1::{
    HeistAgent, HeistBelief, HeistBeliefUpdate, HeistEvent, HeistInterventionResult,
    HeistInterventionVerb, HeistItemPlace, HeistLockState, HeistState, HeistVerb, HeistWorld,
};

/// Returns the world before a tick: agents, locks, items and beliefs, as far as the game records
/// them.
#[must_use]
pub fn moment(game: Game<'_>, tick: i32) -> HeistWorld {
    let mut now = game.world.clone();
    let past = game.messages.iter().filter_map(|m| m.tick.as_ref());
    for past in past.filter(|t| t.tick < tick) {
        for deed in past.interventions.iter().filter(|d| d.changed) {
            interfere(&mut now, deed);
        }
        for event in &past.events {
            act(&mut now, event);
            for lesson in &event.belief_updates {
                if let Some(agent) = find(&mut now, &event.agent_id) {
                    learn(agent, lesson);
                }
            }
        }
    }
    now
}

/// An agent by id; one without an id is the burglar.
fn find<'w>(world: &'w mut HeistWorld, id: &str) -> Option<&'w mut HeistAgent> {
    let guard = world.guards.iter().position(|g| g.id == id);
    match guard {
        Some(n) => world.guards.get_mut(n),
        None => world.burglar.as_mut(),
    }
}

fn interfere(world: &mut HeistWorld, deed: &HeistInterventionResult) {
    let leaf = match deed.verb() {
        HeistInterventionVerb::Lock => HeistLockState::Locked,
        HeistInterventionVerb::Unlock | HeistInterventionVerb::Close => HeistLockState::Closed,
        HeistInterventionVerb::Open => HeistLockState::Open,
        HeistInterventionVerb::SwitchOn | HeistInterventionVerb::SwitchOff => {
            let active = deed.verb() == HeistInterventionVerb::SwitchOn;
            let cameras = world.cameras.iter_mut();
            for camera in cameras.filter(|c| c.id == deed.target_id) {
                camera.active = Some(active);
            }
            return;
        }
        HeistInterventionVerb::Trigger | HeistInterventionVerb::Unspecified => return,
    };
    turn(world, &deed.target_id, leaf, None);
}

fn act(world: &mut HeistWorld, event: &HeistEvent) {
    if let Some(agent) = find(world, &event.agent_id)
        && !event.room_id.is_empty()
    {
        agent.room_id.clone_from(&event.room_id);
        agent.at_id.clone_from(&event.at_id);
    }
    let step = event.step.as_ref().filter(|_| event.refusal.is_empty());
    let Some(step) = step else {
        return;
    };
    let leaf = match step.verb() {
        HeistVerb::Open => HeistLockState::Open,
        HeistVerb::Close | HeistVerb::Unlock => HeistLockState::Closed,
        HeistVerb::Lock => HeistLockState::Locked,
        HeistVerb::PickUp => return take(world, event, &step.target_id),
        _ => return,
    };
    turn(world, &step.target_id, leaf, Some(&event.agent_id));
}

/// Changes a door or container. The agent that does it knows; the others keep their beliefs.
fn turn(world: &mut HeistWorld, id: &str, leaf: HeistLockState, by: Option<&str>) {
    let doors = world.doors.iter_mut().map(|d| (&d.id, &mut d.lock_state));
    let containers = world
        .containers
        .iter_mut()
        .map(|c| (&c.id, &mut c.lock_state));
    let Some((_, old)) = doors.chain(containers).find(|(other, _)| *other == id) else {
        return;
    };
    let before = std::mem::replace(old, leaf.into());
    let burglar = world.burglar.iter_mut();
    for agent in burglar.chain(&mut world.guards) {
        let own = by.is_some_and(|by| by == agent.id || agent.id.is_empty() && by == "burglar");
        let states = &mut agent.belief.get_or_insert_with(HeistBelief::default).states;
        let known = states.iter().any(|s| s.id == id);
        if own {
            believe(states, id, leaf.into());
        } else if !known {
            believe(states, id, before);
        }
    }
}

fn believe(states: &mut Vec<HeistState>, id: &str, leaf: i32) {
    states.retain(|s| s.id != id);
    states.push(HeistState {
        id: id.to_owned(),
        lock_state: leaf,
    });
}

/// Gives an agent an item from the container at hand. The others keep their beliefs about its
/// place.
fn take(world: &mut HeistWorld, event: &HeistEvent, item: &str) {
    let by = event.agent_id.as_str();
    let inside = |ids: &[String]| ids.iter().any(|i| i == item);
    let homes = world.containers.iter().enumerate();
    let homes: Vec<(usize, String)> = homes
        .filter(|(_, c)| inside(&c.item_ids))
        .map(|(n, c)| (n, c.id.clone()))
        .collect();
    // Several have it where it is a key with copies.
    let at_hand = homes.iter().find(|(_, id)| *id == event.at_id);
    let Some((n, home)) = at_hand.or_else(|| homes.first()) else {
        return;
    };
    world.containers[*n].item_ids.retain(|i| i != item);
    let place = |container_id: &String| HeistItemPlace {
        item_id: item.to_owned(),
        container_id: container_id.clone(),
    };
    let burglar = world.burglar.iter_mut();
    for agent in burglar.chain(&mut world.guards) {
        let own = by == agent.id || agent.id.is_empty() && by == "burglar";
        let items = &mut agent.belief.get_or_insert_with(HeistBelief::default).items;
        let is_told = items.iter().any(|i| i.item_id == item);
        if own {
            items.retain(|i| i.item_id != item || i.container_id != *home && homes.len() > 1);
            // Beliefs about the other copies stay.
            if is_told && homes.len() > 1 && items.iter().all(|i| i.item_id != item) {
                items.push(place(&String::new()));
            }
            agent.item_ids.push(item.to_owned());
        } else if !is_told {
            items.extend(homes.iter().map(|(_, id)| place(id)));
        }
    }
}

fn learn(agent: &mut HeistAgent, lesson: &HeistBeliefUpdate) {
    let belief = agent.belief.get_or_insert_with(HeistBelief::default);
    let id = &lesson.subject_id;
    if let Some(on) = lesson.camera_on {
        belief.known_ids.retain(|known| known != id);
        if on {
            belief.known_ids.push(id.clone());
        }
    } else if lesson.lock_state_after() != HeistLockState::Unspecified {
        believe(&mut belief.states, id, lesson.lock_state_after);
    } else if let Some(place) = told_place(&mut belief.items, lesson) {
        place.container_id.clone_from(&lesson.place_id_after);
    } else if !lesson.place_id_after.is_empty() && !belief.known_ids.contains(id) {
        // A guard is known to be there; ids of items there do no harm.
        belief.known_ids.push(id.clone());
    }
}

/// The belief about an item that a lesson changes: of a key with copies the one about this copy.
fn told_place<'b>(
    items: &'b mut [HeistItemPlace],
    lesson: &HeistBeliefUpdate,
) -> Option<&'b mut HeistItemPlace> {
    let own = |p: &HeistItemPlace| p.item_id == lesson.subject_id;
    let same = |p: &HeistItemPlace| own(p) && p.container_id == lesson.place_id_before;
    let at = items.iter().position(same);
    let at = at.or_else(|| items.iter().position(own))?;
    items.get_mut(at)
}
