//! Writing worlds in JSON.

use super::super::super::json;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use stratagem_proto::v1::{
    HeistAgent, HeistCosts, HeistGoal, HeistLockState, HeistProblem, HeistWorld,
};
use stratagem_render::heist::{Scene, Thing};

/// Writes a world as [`super::read`] reads it.
///
/// # Errors
/// What the format cannot say, all of it.
pub fn write(problem: &HeistProblem) -> Result<String, String> {
    let scene = Scene::new(problem);
    let world = scene.world;
    let Some(burglar) = &world.burglar else {
        return Err("there is no burglar".into());
    };
    let lost = lost(problem, world, burglar);
    if !lost.is_empty() {
        return Err(format!("the format has no place for {}", lost.join(", ")));
    }
    let open =
        |leaf: HeistLockState| !matches!(leaf, HeistLockState::Closed | HeistLockState::Locked);
    let locked = |leaf: HeistLockState| leaf == HeistLockState::Locked;
    let doors = world.doors.iter().map(|d| {
        json!({"id": d.id, "a": d.a_room_id, "b": d.b_room_id, "open": open(d.lock_state()),
               "locked": locked(d.lock_state()), "key": d.key_ids.first()})
    });
    let containers = world.containers.iter().map(|c| {
        json!({"id": c.id, "room": c.room_id, "open": open(c.lock_state()),
               "locked": locked(c.lock_state()), "key": c.key_ids.first(), "items": c.item_ids})
    });
    let machines = world.machines.iter().map(|m| {
        let delay = m.delay_ticks.unwrap_or(super::DELAY);
        json!({"id": m.id, "room": m.room_id, "delay": delay})
    });
    let cameras = world.cameras.iter();
    let cameras =
        cameras.map(|c| json!({"id": c.id, "room": c.room_id, "on": c.active.unwrap_or(true)}));
    let guards = world.guards.iter().map(|g| {
        let route = g.goal.as_ref().map(|goal| &goal.visit_room_ids);
        json!({"id": g.id, "room": g.room_id, "route": route, "keys": g.item_ids})
    });
    let goal = burglar
        .goal
        .as_ref()
        .map_or(&burglar.room_id, |g| &g.end_room_id);
    let known = burglar.belief.as_ref().map_or(&[][..], |b| &b.known_ids);
    let rooms: Vec<_> = world.rooms.iter().map(|r| r.id.as_str()).collect();
    let mut fields = vec![
        ("name", json!(world.title)),
        ("rooms", json!(rooms)),
        ("entrance", json!(burglar.room_id)),
        ("doors", doors.collect()),
        ("containers", containers.collect()),
        ("machines", machines.collect()),
        ("cameras", cameras.collect()),
        ("artifact", json!(world.artifact_ids.first())),
        ("keys", json!(world.key_ids)),
        ("guards", guards.collect()),
        (
            "burglar",
            json!({"room": burglar.room_id, "goal": goal, "keys": burglar.item_ids, "knows": known}),
        ),
        ("belief", beliefs(&scene)),
    ];
    if let Some(costs) = &world.costs {
        fields.push(("costs", self::costs(costs)));
    }
    Ok(json::object(fields))
}

/// What the player pays, where the world says it.
fn costs(costs: &HeistCosts) -> Value {
    let HeistCosts {
        door,
        container,
        machine,
        camera,
    } = *costs;
    let each = [
        ("door", door),
        ("container", container),
        ("machine", machine),
        ("camera", camera),
    ];
    let said = each
        .into_iter()
        .filter_map(|(name, cost)| Some((name.to_owned(), json!(cost?))));
    Value::Object(said.collect())
}

/// What would get lost.
fn lost(problem: &HeistProblem, world: &HeistWorld, burglar: &HeistAgent) -> Vec<String> {
    let mut lost = Vec::new();
    let mut note = |is: bool, what: &str| {
        if is {
            lost.push(what.to_owned());
        }
    };
    let agents = || std::iter::once(burglar).chain(&world.guards);
    let several = |keys: &[String]| keys.len() > 1;
    let own_goal = |goal: &HeistGoal| {
        goal.item_ids != world.artifact_ids
            || !goal.visit_room_ids.is_empty()
            || goal.end_room_id.is_empty()
    };
    let round_only = |g: &HeistAgent| {
        g.goal.as_ref().is_some_and(|goal| {
            let stays = goal.visit_room_ids.is_empty() && goal.end_room_id == g.room_id;
            let goes = !goal.visit_room_ids.is_empty() && goal.end_room_id.is_empty();
            goal.item_ids.is_empty() && !goal.any_order && (stays || goes)
        })
    };
    let elsewhere = |a: &HeistAgent| a.belief.as_ref().is_some_and(|b| !b.items.is_empty());
    let burglars = burglar.goal.as_ref();
    note(
        !problem.agent_id.is_empty() && problem.agent_id != burglar.id,
        "whose problem it is",
    );
    note(!problem.avoided_room_ids.is_empty(), "rooms to avoid");
    note(problem.current.is_some(), "where an agent is by now");
    note(!world.description.is_empty(), "a description");
    note(
        world.rooms.iter().any(|r| r.x.is_some() || r.y.is_some()),
        "places of rooms",
    );
    note(
        world.doors.iter().any(|d| several(&d.key_ids)),
        "several keys of a door",
    );
    note(
        world.containers.iter().any(|c| several(&c.key_ids)),
        "several keys of a container",
    );
    note(world.artifact_ids.len() > 1, "several artifacts");
    note(
        !matches!(burglar.id.as_str(), "" | super::BURGLAR),
        "another id of the burglar",
    );
    note(
        agents().any(|a| !a.at_id.is_empty()),
        "things at which agents stand",
    );
    note(agents().any(elsewhere), "beliefs about where items are");
    note(
        burglars.is_some_and(own_goal),
        "another goal of the burglar than all artifacts and a room",
    );
    note(
        !world.guards.iter().all(round_only),
        "another goal of a guard than a round",
    );
    lost
}

fn beliefs(scene: &Scene<'_>) -> Value {
    let mut all = Map::new();
    for (id, agent) in scene.agents() {
        let mut kinds: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
        for state in agent.belief.iter().flat_map(|b| &b.states) {
            let kind = match scene.thing(&state.id) {
                Some(Thing::Container(_)) => "containers",
                _ => "doors",
            };
            let open = !matches!(
                state.lock_state(),
                HeistLockState::Closed | HeistLockState::Locked
            );
            let listed =
                json!({"open": open, "locked": state.lock_state() == HeistLockState::Locked});
            kinds
                .entry(kind)
                .or_default()
                .insert(state.id.clone(), listed);
        }
        if !kinds.is_empty() {
            all.insert(id.to_owned(), json!(kinds));
        }
    }
    Value::Object(all)
}
