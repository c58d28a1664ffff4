//! Planning problems of one agent, from the wire.

use super::names::Names;
use super::world::{ItemBeliefs, checked, item_places, known_to, knows, read, set, states};
use crate::mistakes::{Code, Mistakes};
use crate::values::shown;
use anytime::Path;
use heist::{BURGLAR, Place, Position, Problem, Spec, Thing};
use stratagem_proto::v1 as pb;

/// A checked problem, and its names.
#[derive(Debug)]
pub(crate) struct Decoded {
    pub problem: Problem,
    pub names: Names,
}

/// A problem; `None` when there are mistakes.
pub(crate) fn problem(
    given: pb::HeistProblem,
    at: &Path<'_>,
    wrong: &mut Mistakes,
) -> Option<Decoded> {
    let pb::HeistProblem {
        world,
        agent_id,
        avoided_room_ids,
        current,
    } = given;
    let world_at = at.field("world");
    let mut read = read(world?, &world_at, wrong)?;
    let names = &read.names;
    let agent = match agent_id.as_str() {
        "" => Some(BURGLAR),
        id => names.agent(&at.field("agent_id"), id, wrong),
    };
    let avoided_at = at.field("avoided_room_ids");
    let avoided = avoided(&avoided_room_ids, &avoided_at, names, wrong);
    // The current state is checked separately.
    let as_given = checked(read.spec.clone(), names, &world_at, wrong);
    let world = match (current, agent) {
        (Some(current), Some(agent)) => {
            let current_at = at.field("current");
            now(current, &mut read.spec, agent, &current_at, names, wrong);
            // The planner would report a mistake in the current state as one of the world.
            as_given.filter(|_| wrong.is_empty())?;
            checked(read.spec, names, &world_at, wrong)?
        }
        _ => as_given?,
    };
    match Problem::new(world, agent?, &avoided) {
        Ok(problem) => Some(Decoded {
            problem,
            names: read.names,
        }),
        Err(faults) => {
            wrong.add_faults(&faults, &read.names, at);
            None
        }
    }
}

/// Rooms that the agent may not enter; one may be named twice.
fn avoided(ids: &[String], at: &Path<'_>, names: &Names, wrong: &mut Mistakes) -> Vec<usize> {
    let rooms = ids.iter().enumerate();
    rooms
        .filter_map(|(index, id)| names.room(&at.index(index), id, wrong))
        .collect()
}

/// Puts an agent where it is now, with what it holds and knows. What it knows is true.
fn now(
    given: pb::HeistCurrent,
    spec: &mut Spec,
    agent: usize,
    at: &Path<'_>,
    names: &Names,
    wrong: &mut Mistakes,
) {
    position(&given, spec, agent, at, names, wrong);
    let pb::HeistCurrent {
        // Read above.
        room_id: _,
        at_id: _,
        item_ids,
        states: known,
        items,
        known_ids,
    } = given;
    let hands = at.field("item_ids");
    for (index, id) in item_ids.iter().enumerate() {
        let at = hands.index(index);
        let item = names.item(&at, id, wrong);
        if item.is_some() && item_ids[..index].contains(id) {
            let why = format!("is {}, which is in this list already", shown(id));
            wrong.add(&at, Code::Duplicate, why);
        }
        if let Some(item) = item {
            take(spec, taken_copy(&names.copies(item), spec, agent), agent);
        }
    }
    let states = states(&known, &at.field("states"), names, wrong);
    set(&mut spec.facts, &states);
    let rooms: Vec<usize> = spec.agents.iter().map(|it| it.position.room).collect();
    let belief = &mut spec.agents[agent].belief;
    set(&mut belief.facts, &states);
    let items_at = at.field("items");
    let believed = ItemBeliefs {
        agent,
        believed: &mut belief.facts.items,
        truth: &spec.facts.items,
    };
    item_places(&items, &items_at, names, believed, wrong);
    let known_at = at.field("known_ids");
    known_to(agent, &known_ids, &known_at, names, wrong, |named| {
        knows(belief, named, &rooms);
    });
}

/// Puts an agent into a room, at something in it.
fn position(
    given: &pb::HeistCurrent,
    spec: &mut Spec,
    agent: usize,
    at: &Path<'_>,
    names: &Names,
    wrong: &mut Mistakes,
) {
    let (room_id, at_id) = (given.room_id.as_str(), given.at_id.as_str());
    let position = &mut spec.agents[agent].position;
    match room_id {
        "" if at_id.is_empty() => return,
        "" => {}
        id => match names.room(&at.field("room_id"), id, wrong) {
            Some(room) => *position = Position { room, at: None },
            None => return,
        },
    }
    if at_id.is_empty() {
        return;
    }
    let at = at.field("at_id");
    let Some(thing) = names.thing(&at, at_id, wrong) else {
        return;
    };
    position.at = Some(thing);
    let museum = &spec.museum;
    let stands = match thing {
        Thing::Door(door) => museum.doors[door].ends.contains(&position.room),
        Thing::Container(container) => museum.containers[container].room == position.room,
        Thing::Machine(machine) => museum.machines[machine].room == position.room,
    };
    if let (false, Some(room)) = (stands, names.rooms.get(position.room)) {
        let (thing, room) = (names.described(thing), shown(room));
        let why = format!("is {thing}, which does not stand in room {room}");
        wrong.add(&at, Code::Elsewhere, why);
    }
}

/// The copy of a key that an agent has taken: the first whose place the agent knew, else the first
/// that the agent does not have.
fn taken_copy(copies: &[usize], spec: &Spec, agent: usize) -> usize {
    let truth = |it: &usize| spec.facts.items[*it];
    let believed = |it: &usize| spec.agents[agent].belief.facts.items[*it];
    let mut free = copies.iter().filter(|it| truth(it) != Place::With(agent));
    let known = free.clone().find(|it| truth(it) == believed(it));
    // The agent has all of them, or the only one.
    *known.or_else(|| free.next()).unwrap_or(&copies[0])
}

/// Puts an item into an agent's hands. Agents that knew its place still do.
fn take(spec: &mut Spec, item: usize, agent: usize) {
    let before = std::mem::replace(&mut spec.facts.items[item], Place::With(agent));
    for (other, it) in spec.agents.iter_mut().enumerate() {
        let place = &mut it.belief.facts.items[item];
        if other == agent || *place == before {
            *place = Place::With(agent);
        }
    }
}
