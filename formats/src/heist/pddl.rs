//! The problem as one agent believes it, in PDDL with types and negative preconditions.
//!
//! Ten predicates and eight actions of one unit of time; three more predicates and one more action
//! for rooms to be visited in order. An agent is near exactly one thing; an agent at nothing is
//! near a dummy thing that cannot be reached again. Doors stand in both of their rooms. No door
//! leads into a room that the agent avoids.

use super::Names;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use stratagem_proto::v1::{HeistLockState, HeistProblem};
use stratagem_render::heist::{Place, Scene, Thing};

/// The domain of problems without a list of rooms to visit in order.
pub const DOMAIN: &str = include_str!("pddl/domain.pddl");
/// The domain of problems with such a list: the same, with places on the list.
pub const DOMAIN_IN_ORDER: &str = include_str!("pddl/in-order.pddl");

/// Names on a line of objects, at most.
const LINE_MAX: usize = 8;

/// The domain that the problem of an agent is of: [`DOMAIN`], or [`DOMAIN_IN_ORDER`].
#[must_use]
pub fn domain(problem: &HeistProblem) -> &'static str {
    let scene = Scene::new(problem);
    if list(&scene).is_empty() {
        DOMAIN
    } else {
        DOMAIN_IN_ORDER
    }
}

/// The rooms to be visited in order, from the first that the agent is not in. Empty where the order
/// does not matter.
fn list<'s>(scene: &Scene<'s>) -> Vec<&'s str> {
    let goal = scene.agent.goal.as_ref();
    let ordered = goal.is_some_and(|g| !g.any_order && g.visit_room_ids.len() > 1);
    if !ordered {
        return Vec::new();
    }
    let (_, mut visits, _) = scene.wanted();
    // One entry visits a room for all its consecutive places in the list, and so does the start.
    visits.dedup();
    let here = scene.start().map(|room| scene.room_id(room));
    if visits.first().copied() == here {
        visits.remove(0);
    }
    visits
}

/// Writes the problem of [`domain`] as the agent believes it. Ids that are invalid in PDDL are in
/// comments.
///
/// # Errors
/// A problem without rooms, or whose agent is nowhere.
pub fn write(problem: &HeistProblem) -> Result<String, String> {
    let scene = Scene::new(problem);
    if scene.world.rooms.is_empty() {
        return Err("there are no rooms".into());
    }
    let Some(start) = scene.start() else {
        return Err(format!("the room of {} is unknown", scene.name()));
    };
    let list = list(&scene);
    let writer = Writer {
        names: Names::with_list(&scene, list.len()),
        list,
        scene: &scene,
        start,
    };
    Ok(writer.text())
}

struct Writer<'s> {
    names: Names,
    scene: &'s Scene<'s>,
    start: usize,
    /// Rooms to visit in order.
    list: Vec<&'s str>,
}

impl Writer<'_> {
    fn name(&self, id: &str) -> &str {
        self.names.name(id)
    }

    fn room(&self, room: usize) -> &str {
        self.name(self.scene.room_id(room))
    }

    fn text(&self) -> String {
        let agent = self.name(self.scene.name());
        let mut out = String::from(";; What one agent of a heist believes and wants.\n");
        for (name, id) in self.names.changed() {
            // As JSON, so that nothing in an id ends the comment.
            let id = serde_json::Value::from(id);
            let _ = writeln!(out, ";; {name} = {id}");
        }
        let domain = if self.list.is_empty() {
            "heist"
        } else {
            "heist-in-order"
        };
        let _ = writeln!(
            out,
            "(define (problem heist-of-{agent})\n  (:domain {domain})"
        );
        self.objects(&mut out);
        out += "  (:init\n";
        for fact in self.facts() {
            let _ = writeln!(out, "    ({fact})");
        }
        let _ = writeln!(out, "  )\n  (:goal (and{})))", self.goal());
        out
    }

    fn objects(&self, out: &mut String) {
        let world = self.scene.world;
        let ids = |ids: Vec<&String>| ids.into_iter().map(|id| self.name(id)).collect::<Vec<_>>();
        let mut containers = ids(world.containers.iter().map(|c| &c.id).collect());
        containers.push(self.names.nothing());
        let kinds = [
            ("agent", vec![self.name(self.scene.name())]),
            ("room", ids(world.rooms.iter().map(|r| &r.id).collect())),
            ("door", ids(world.doors.iter().map(|d| &d.id).collect())),
            ("container", containers),
            (
                "machine",
                ids(world.machines.iter().map(|m| &m.id).collect()),
            ),
            ("key", ids(world.key_ids.iter().collect())),
            ("artifact", ids(world.artifact_ids.iter().collect())),
            ("place-on-list", self.names.places().collect()),
        ];
        *out += "  (:objects\n";
        for (kind, names) in kinds.into_iter().filter(|(_, names)| !names.is_empty()) {
            let lines: Vec<_> = names.chunks(LINE_MAX).map(|line| line.join(" ")).collect();
            let _ = writeln!(out, "    {} - {kind}", lines.join("\n    "));
        }
        *out += "  )\n";
    }

    fn facts(&self) -> Vec<String> {
        let (scene, world) = (self.scene, self.scene.world);
        let agent = self.name(scene.name());
        let near = scene
            .place()
            .map_or(self.names.nothing(), |at| self.name(scene.thing_id(at)));
        let start = self.room(self.start);
        let mut facts = vec![
            format!("in {agent} {start}"),
            format!("visited {agent} {start}"),
            format!("near {agent} {near}"),
        ];
        for door in 0..world.doors.len() {
            let name = self.name(&world.doors[door].id);
            let Some([a, b]) = scene.sides(door) else {
                continue;
            };
            for (from, to) in [(a, b), (b, a)] {
                facts.push(format!("located {name} {}", self.room(from)));
                if !scene.shuns(to) {
                    facts.push(format!(
                        "connects {name} {} {}",
                        self.room(from),
                        self.room(to)
                    ));
                }
            }
        }
        let containers = (0..world.containers.len()).map(Thing::Container);
        let machines = (0..world.machines.len()).map(Thing::Machine);
        for thing in containers.clone().chain(machines) {
            let name = self.name(scene.thing_id(thing));
            let rooms = scene.stands_in(thing).into_iter();
            facts.extend(rooms.map(|room| format!("located {name} {}", self.room(room))));
        }
        for thing in (0..world.doors.len()).map(Thing::Door).chain(containers) {
            let name = self.name(scene.thing_id(thing));
            match scene.believed(thing) {
                HeistLockState::Closed => {}
                HeistLockState::Locked => facts.push(format!("locked {name}")),
                _ => facts.push(format!("opened {name}")),
            }
            let keys = scene.keys_of(thing).iter();
            facts.extend(keys.map(|key| format!("fits {} {name}", self.name(key))));
        }
        for item in scene.items() {
            // A key with copies is located in several containers: each can be taken out of one.
            for place in scene.believed_places(item) {
                match place {
                    Place::In(n) => {
                        let container = self.name(&world.containers[n].id);
                        facts.push(format!("located {} {container}", self.name(item)));
                    }
                    Place::With(id) if id == scene.name() => {
                        facts.push(format!("has {agent} {}", self.name(item)));
                    }
                    Place::With(_) => {}
                }
            }
        }
        facts.extend(self.places());
        facts
    }

    /// The agent's position on the list, and the room due at each position.
    fn places(&self) -> Vec<String> {
        let places: Vec<&str> = self.names.places().collect();
        let Some(first) = places.first() else {
            return Vec::new();
        };
        let mut facts = vec![format!("reached {} {first}", self.name(self.scene.name()))];
        for (pair, room) in places.windows(2).zip(&self.list) {
            facts.push(format!("due {} {}", pair[0], self.name(room)));
            facts.push(format!("followed-by {} {}", pair[0], pair[1]));
        }
        facts
    }

    fn goal(&self) -> String {
        let agent = self.name(self.scene.name());
        let (items, visits, end) = self.scene.wanted();
        let mut goal = String::new();
        for item in items {
            let _ = write!(goal, " (has {agent} {})", self.name(item));
        }
        if let Some(last) = self.names.places().last() {
            let _ = write!(goal, " (reached {agent} {last})");
        }
        for room in visits.into_iter().collect::<BTreeSet<_>>() {
            let _ = write!(goal, " (visited {agent} {})", self.name(room));
        }
        if let Some(room) = end {
            let _ = write!(goal, " (in {agent} {})", self.room(room));
        }
        goal
    }
}
