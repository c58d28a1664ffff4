//! What one agent has to plan, from the wire.

use super::names::Names;
use super::world::{checked, item_places, known_to, knows, read, set, states};
use crate::wire::mistakes::{Code, Mistakes};
use crate::wire::path::Path;
use crate::wire::values::shown;
use heist::{BURGLAR, Body, Place, Problem, Spec, Thing};
use stratagem_proto::v1 as pb;

/// A checked problem, and how the caller calls the things in it.
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
    let avoided = avoided(&avoided_room_ids, (&avoided_at, names), wrong);
    // Where he is by now is judged apart.
    let as_given = checked(read.spec.clone(), names, &world_at, wrong);
    let world = match (current, agent) {
        (Some(current), Some(agent)) => {
            let current_at = at.field("current");
            now(
                current,
                (&mut read.spec, agent),
                (&current_at, names),
                wrong,
            );
            // What is wrong with it is told: the planner would call it a mistake of the world.
            as_given.filter(|_| wrong.is_empty())?;
            checked(read.spec, names, &world_at, wrong)?
        }
        _ => as_given?,
    };
    let problem = Problem::new(world, agent?, &avoided).map_err(|errors| {
        // Agents and rooms are found by their ids.
        for error in &errors {
            wrong.add(at, Code::Contradiction, error);
        }
    });
    Some(Decoded {
        problem: problem.ok()?,
        names: read.names,
    })
}

/// Rooms that he is not to enter; naming one twice says nothing new.
fn avoided(ids: &[String], (at, names): (&Path<'_>, &Names), wrong: &mut Mistakes) -> Vec<usize> {
    let rooms = ids.iter().enumerate();
    rooms
        .filter_map(|(index, id)| names.room(&at.index(index), id, wrong))
        .collect()
}

/// Puts somebody where he is by now, with what he has and knows. What he knows is true.
fn now(
    given: pb::HeistCurrent,
    (spec, agent): (&mut Spec, usize),
    (at, names): (&Path<'_>, &Names),
    wrong: &mut Mistakes,
) {
    let pb::HeistCurrent {
        room_id,
        at_id,
        item_ids,
        states: known,
        items,
        known_ids,
    } = given;
    body((&room_id, &at_id), (spec, agent), (at, names), wrong);
    let hands = at.field("item_ids");
    for (index, id) in item_ids.iter().enumerate() {
        let at = hands.index(index);
        let item = names.item(&at, id, wrong);
        if item.is_some() && item_ids[..index].contains(id) {
            let why = format!("is {}, which is in this list already", shown(id));
            wrong.add(&at, Code::Duplicate, why);
        }
        if let Some(item) = item {
            take(spec, one_of(&names.copies(item), (spec, agent)), agent);
        }
    }
    let states = states(&known, (&at.field("states"), names), wrong);
    set(&mut spec.facts, &states);
    let rooms: Vec<usize> = spec.agents.iter().map(|it| it.body.room).collect();
    let belief = &mut spec.agents[agent].belief;
    set(&mut belief.facts, &states);
    let items_at = at.field("items");
    let items_of = (agent, &mut belief.facts.items[..], &spec.facts.items[..]);
    item_places(&items, (&items_at, names), items_of, wrong);
    let known_at = at.field("known_ids");
    known_to(agent, (&known_ids, &known_at), (names, wrong), |named| {
        knows(belief, named, &rooms);
    });
}

/// Puts somebody into a room, at something in it.
fn body(
    (room_id, at_id): (&str, &str),
    (spec, agent): (&mut Spec, usize),
    (at, names): (&Path<'_>, &Names),
    wrong: &mut Mistakes,
) {
    let body = &mut spec.agents[agent].body;
    match room_id {
        "" if at_id.is_empty() => return,
        "" => {}
        id => match names.room(&at.field("room_id"), id, wrong) {
            Some(room) => *body = Body { room, at: None },
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
    body.at = Some(thing);
    let museum = &spec.museum;
    let stands = match thing {
        Thing::Door(door) => museum.doors[door].ends.contains(&body.room),
        Thing::Container(container) => museum.containers[container].room == body.room,
        Thing::Machine(machine) => museum.machines[machine].room == body.room,
    };
    if let (false, Some(room)) = (stands, names.rooms.get(body.room)) {
        let (thing, room) = (names.described(thing), shown(room));
        let why = format!("is {thing}, which does not stand in room {room}");
        wrong.add(&at, Code::Elsewhere, why);
    }
}

/// The copy of a key that an agent has taken: the first whose place the agent knew, else the first
/// that the agent does not have.
fn one_of(copies: &[usize], (spec, agent): (&Spec, usize)) -> usize {
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
