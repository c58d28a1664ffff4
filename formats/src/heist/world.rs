//! Worlds in JSON: rooms by name, doors with their states, who is where, and beliefs.

mod costs;
mod write;

pub use write::write;

use super::super::json::{self, document};
use super::super::{Mistake, note, unless_wrong};
use costs::Costs;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use stratagem_proto::v1::{
    HeistAgent, HeistBelief, HeistCamera, HeistContainer, HeistDoor, HeistGoal, HeistLockState,
    HeistMachine, HeistProblem, HeistRoom, HeistState, HeistWorld,
};

/// Id of the burglar.
const BURGLAR: &str = "burglar";
/// Ticks that a machine takes where nothing is said.
const DELAY: i32 = 3;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(default)]
    name: String,
    rooms: Vec<String>,
    entrance: Option<String>,
    #[serde(default)]
    doors: Vec<Door>,
    #[serde(default)]
    containers: Vec<Container>,
    #[serde(default)]
    machines: Vec<Machine>,
    #[serde(default)]
    cameras: Vec<Camera>,
    artifact: Option<String>,
    #[serde(default)]
    keys: Vec<String>,
    #[serde(default)]
    guards: Vec<Guard>,
    burglar: Burglar,
    #[serde(default)]
    belief: BTreeMap<String, Belief>,
    costs: Option<Costs>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Door {
    id: String,
    a: String,
    b: String,
    open: bool,
    #[serde(default)]
    locked: bool,
    key: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Container {
    id: String,
    room: String,
    open: bool,
    #[serde(default)]
    locked: bool,
    key: Option<String>,
    #[serde(default)]
    items: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Machine {
    id: String,
    room: String,
    delay: Option<i32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Camera {
    id: String,
    room: String,
    on: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Guard {
    id: String,
    room: String,
    #[serde(default)]
    route: Vec<String>,
    #[serde(default)]
    keys: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Burglar {
    room: String,
    goal: Option<String>,
    #[serde(default)]
    keys: Vec<String>,
    #[serde(default)]
    knows: Vec<String>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Belief {
    #[serde(default)]
    doors: BTreeMap<String, State>,
    #[serde(default)]
    containers: BTreeMap<String, State>,
}

/// What is said about a state; the rest is as it is in truth.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    open: Option<bool>,
    locked: Option<bool>,
}

/// Reads a world: `name`, `rooms` (ids), `entrance` (a room; where the burglar is counts), `doors`
/// (`id`, `a`, `b`, `open`, `locked`, `key`), `containers` (`id`, `room`, `open`, `locked`, `key`,
/// `items`), `machines` (`id`, `room`, `delay`), `cameras` (`id`, `room`, `on`), `artifact`,
/// `keys`, `guards` (`id`, `room`, `route`, `keys`), `burglar` (`room`, `goal`, `keys`, `knows`),
/// `belief` (by agent, `doors` and `containers` by id, `open` and `locked` where they differ) and
/// `costs` (`door`, `container`, `machine`, `camera`; what the player pays). A guard without a
/// route is stationary.
///
/// # Errors
/// All mistakes, by their fields. Whatever needs the whole world to be judged is the server's.
pub fn read(text: &str) -> Result<HeistProblem, Vec<Mistake>> {
    // Twice, for keys that are there twice.
    json::tree(text).map_err(|m| vec![m])?;
    let given: Document = document(text).map_err(|m| vec![m])?;
    let mut reader = Reader {
        rooms: given.rooms.iter().cloned().collect(),
        mistakes: Vec::new(),
    };
    let problem = reader.problem(given);
    unless_wrong(problem, reader.mistakes)
}

struct Reader {
    rooms: BTreeSet<String>,
    mistakes: Vec<Mistake>,
}

impl Reader {
    fn add_mistake(&mut self, path: String, message: impl Into<String>) {
        note(&mut self.mistakes, Mistake::in_element(path, message));
    }

    /// A room that has to be there.
    fn room(&mut self, path: String, id: String) -> String {
        if !self.rooms.contains(&id) {
            self.add_mistake(path, format!("there is no room `{id}`"));
        }
        id
    }

    fn leaf(&mut self, path: &str, open: bool, locked: bool) -> HeistLockState {
        match (open, locked) {
            (true, true) => {
                self.add_mistake(format!("{path}.locked"), "open and locked");
                HeistLockState::Open
            }
            (true, false) => HeistLockState::Open,
            (false, false) => HeistLockState::Closed,
            (false, true) => HeistLockState::Locked,
        }
    }

    fn problem(&mut self, given: Document) -> HeistProblem {
        let beliefs = self.beliefs(&given);
        let belief = |agent: &str, known: Vec<String>| {
            let states = beliefs.get(agent).cloned().unwrap_or_default();
            let some = !states.is_empty() || !known.is_empty();
            some.then_some(HeistBelief {
                states,
                known_ids: known,
                ..HeistBelief::default()
            })
        };
        if let Some(entrance) = given.entrance {
            self.room("entrance".into(), entrance);
        }
        let costs = given.costs.map(|given| given.read(&mut self.mistakes));
        let artifact_ids = Vec::from_iter(given.artifact);
        let known = given.burglar.knows.clone();
        let burglar = self.burglar(given.burglar, &artifact_ids, belief(BURGLAR, known));
        let guards = given.guards.into_iter().enumerate();
        let guards = guards.map(|(n, guard)| {
            let belief = belief(&guard.id, Vec::new());
            self.guard(&format!("guards[{n}]"), guard, belief)
        });
        let guards = guards.collect();
        let room = |id| HeistRoom {
            id,
            ..HeistRoom::default()
        };
        let world = HeistWorld {
            title: given.name,
            rooms: given.rooms.into_iter().map(room).collect(),
            doors: self.doors(given.doors),
            containers: self.containers(given.containers),
            machines: self.machines(given.machines),
            cameras: self.cameras(given.cameras),
            key_ids: given.keys,
            artifact_ids,
            burglar: Some(burglar),
            guards,
            costs,
            ..HeistWorld::default()
        };
        HeistProblem {
            world: Some(world),
            ..HeistProblem::default()
        }
    }

    fn burglar(
        &mut self,
        burglar: Burglar,
        artifact_ids: &[String],
        belief: Option<HeistBelief>,
    ) -> HeistAgent {
        let end = burglar.goal.unwrap_or_else(|| burglar.room.clone());
        let goal = HeistGoal {
            item_ids: artifact_ids.to_vec(),
            end_room_id: self.room("burglar.goal".into(), end),
            ..HeistGoal::default()
        };
        HeistAgent {
            id: BURGLAR.into(),
            room_id: self.room("burglar.room".into(), burglar.room),
            item_ids: burglar.keys,
            goal: Some(goal),
            belief,
            ..HeistAgent::default()
        }
    }

    fn guard(&mut self, path: &str, guard: Guard, belief: Option<HeistBelief>) -> HeistAgent {
        let visits = guard.route.into_iter().enumerate();
        let visits = visits.map(|(n, id)| self.room(format!("{path}.route[{n}]"), id));
        let visits: Vec<String> = visits.collect();
        let stays = if visits.is_empty() {
            guard.room.clone()
        } else {
            String::new()
        };
        HeistAgent {
            id: guard.id,
            item_ids: guard.keys,
            goal: Some(HeistGoal {
                visit_room_ids: visits,
                end_room_id: stays,
                ..HeistGoal::default()
            }),
            room_id: self.room(format!("{path}.room"), guard.room),
            belief,
            ..HeistAgent::default()
        }
    }

    fn doors(&mut self, doors: Vec<Door>) -> Vec<HeistDoor> {
        let each = doors.into_iter().enumerate();
        each.map(|(n, door)| {
            let path = format!("doors[{n}]");
            HeistDoor {
                id: door.id,
                a_room_id: self.room(format!("{path}.a"), door.a),
                b_room_id: self.room(format!("{path}.b"), door.b),
                lock_state: self.leaf(&path, door.open, door.locked).into(),
                key_ids: Vec::from_iter(door.key),
            }
        })
        .collect()
    }

    fn containers(&mut self, containers: Vec<Container>) -> Vec<HeistContainer> {
        let each = containers.into_iter().enumerate();
        each.map(|(n, container)| {
            let path = format!("containers[{n}]");
            HeistContainer {
                id: container.id,
                room_id: self.room(format!("{path}.room"), container.room),
                lock_state: self.leaf(&path, container.open, container.locked).into(),
                key_ids: Vec::from_iter(container.key),
                item_ids: container.items,
            }
        })
        .collect()
    }

    fn machines(&mut self, machines: Vec<Machine>) -> Vec<HeistMachine> {
        let each = machines.into_iter().enumerate();
        each.map(|(n, machine)| HeistMachine {
            id: machine.id,
            room_id: self.room(format!("machines[{n}].room"), machine.room),
            delay_ticks: machine.delay,
        })
        .collect()
    }

    fn cameras(&mut self, cameras: Vec<Camera>) -> Vec<HeistCamera> {
        let each = cameras.into_iter().enumerate();
        each.map(|(n, camera)| HeistCamera {
            id: camera.id,
            room_id: self.room(format!("cameras[{n}].room"), camera.room),
            active: (!camera.on).then_some(false),
        })
        .collect()
    }

    /// States that agents believe, by agent.
    fn beliefs(&mut self, given: &Document) -> BTreeMap<String, Vec<HeistState>> {
        let doors = given
            .doors
            .iter()
            .map(|d| (d.id.as_str(), (d.open, d.locked)));
        let doors: BTreeMap<_, _> = doors.collect();
        let containers = given.containers.iter();
        let containers = containers.map(|c| (c.id.as_str(), (c.open, c.locked)));
        let containers: BTreeMap<_, _> = containers.collect();
        let mut all = BTreeMap::new();
        for (agent, belief) in &given.belief {
            let known = agent == BURGLAR || given.guards.iter().any(|g| g.id == *agent);
            if !known {
                self.add_mistake(format!("belief.{agent}"), "there is no agent of this name");
            }
            let mut states = Vec::new();
            let kinds = [
                ("doors", &belief.doors, &doors),
                ("containers", &belief.containers, &containers),
            ];
            for (kind, believed, truth) in kinds {
                for (id, state) in believed {
                    let path = format!("belief.{agent}.{kind}.{id}");
                    match truth.get(id.as_str()) {
                        None => self
                            .add_mistake(path, format!("there is nothing of this name in {kind}")),
                        Some(&(open, locked)) => {
                            states.push(self.state(&path, id, state, open, locked));
                        }
                    }
                }
            }
            all.insert(agent.clone(), states);
        }
        all
    }

    /// What is open is not locked, and what is locked not open, unless both is said.
    fn state(
        &mut self,
        path: &str,
        id: &str,
        state: &State,
        open: bool,
        locked: bool,
    ) -> HeistState {
        let (open, locked) = match (state.open, state.locked) {
            (Some(open), Some(locked)) => (open, locked),
            (Some(open), None) => (open, locked && !open),
            (None, Some(locked)) => (open && !locked, locked),
            (None, None) => (open, locked),
        };
        HeistState {
            id: id.to_owned(),
            lock_state: self.leaf(path, open, locked).into(),
        }
    }
}
