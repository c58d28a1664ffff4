//! The world of a game as it is at present, to the wire. Items stay where they were at the start:
//! where they are now is in a list of its own, copy by copy.

use super::super::names::Names;
use super::super::tick::lock_state;
use super::position;
use ::heist::game::{Game, Mind};
use ::heist::{BURGLAR, Facts, Thing};
use stratagem_proto::v1 as pb;

/// The world of a game, given as it was at the start.
pub(super) fn world(given: &pb::HeistWorld, game: &Game<'_>, names: &Names) -> pb::HeistWorld {
    let facts = game.facts();
    let mut world = given.clone();
    for (door, state) in world.doors.iter_mut().zip(&facts.doors) {
        door.lock_state = lock_state(*state).into();
    }
    let containers = world.containers.iter_mut().zip(&facts.containers);
    for (container, state) in containers {
        container.lock_state = lock_state(*state).into();
    }
    for (camera, on) in world.cameras.iter_mut().zip(&facts.cameras) {
        camera.active = Some(*on);
    }
    let goal = &game.world().agents()[BURGLAR].goal;
    if let Some(burglar) = &mut world.burglar {
        // By default it depends on the room at the start.
        burglar.goal.get_or_insert_with(|| pb::HeistGoal {
            item_ids: goal
                .items
                .iter()
                .map(|it| names.items[*it].clone())
                .collect(),
            end_room_id: goal
                .room
                .map_or_else(String::new, |room| names.rooms[room].clone()),
            any_order: !goal.in_order,
            ..pb::HeistGoal::default()
        });
    }
    let agents = world.burglar.iter_mut().chain(&mut world.guards);
    for (agent, (given, mind)) in agents.zip(game.minds()).enumerate() {
        let position = position(mind, &names.agents[agent], names);
        given.room_id = position.room_id;
        given.at_id = position.at_id;
        let items = given.belief.take().unwrap_or_default().items;
        given.belief = Some(pb::HeistBelief {
            items,
            ..belief(mind, facts, names)
        });
    }
    world
}

/// What an agent believes that is not so, and what the burglar knows.
fn belief(mind: &Mind, facts: &Facts, names: &Names) -> pb::HeistBelief {
    let believed = &mind.belief().facts;
    let doors = (0..facts.doors.len()).map(Thing::Door);
    let things = doors.chain((0..facts.containers.len()).map(Thing::Container));
    let mistaken = things.filter(|it| believed.lock_state(*it) != facts.lock_state(*it));
    let states = mistaken.map(|thing| pb::HeistState {
        id: names.thing_id(thing).into(),
        lock_state: lock_state(believed.lock_state(thing)).into(),
    });
    pb::HeistBelief {
        states: states.collect(),
        items: Vec::new(),
        known_ids: if mind.agent() == BURGLAR {
            let cameras = believed.cameras.iter().zip(&names.cameras);
            let known = cameras.filter(|(on, _)| **on);
            known.map(|(_, id)| id.clone()).collect()
        } else {
            Vec::new()
        },
    }
}
