//! Explanation of a problem: the agent's goal, wrong beliefs, and obstacles.

use super::scene::{Place, Scene, Thing};
use super::way::{place_words, way};
use super::words::leaf_word;
use std::collections::BTreeSet;
use stratagem_proto::v1::HeistLockState;

/// Lines of a section, at most; more are only counted.
const LINES_MAX: usize = 60;

/// Maximum number of visits with a path.
const VISITS_MAX: usize = 20;

/// A part of an explanation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// What it is about.
    pub title: &'static str,
    /// Sentences without a full stop; at most 60, and one that counts the others.
    pub lines: Vec<String>,
}

/// Explains a problem: the goal, wrong beliefs, rooms that catch the agent, known or unknown, locks
/// and the places of their keys, and obstacles. Empty sections are left out. Nothing is searched: a
/// path does not imply a plan.
#[must_use]
pub fn sections(scene: &Scene<'_>) -> Vec<Section> {
    let all = [
        ("The errand", errand(scene)),
        ("Wrong beliefs", beliefs(scene)),
        ("Rooms to avoid", shunned(scene)),
        ("Unknown traps", surprises(scene)),
        ("Locks and keys", locks(scene)),
        ("Obstacles", in_the_way(scene)),
    ];
    let filled = all.into_iter().filter(|(_, lines)| !lines.is_empty());
    filled
        .map(|(title, lines)| Section {
            title,
            lines: bounded(lines),
        })
        .collect()
}

fn bounded(mut lines: Vec<String>) -> Vec<String> {
    let more = lines.len().saturating_sub(LINES_MAX);
    lines.truncate(LINES_MAX);
    if more > 0 {
        lines.push(format!("and {more} more"));
    }
    lines
}

fn errand(scene: &Scene<'_>) -> Vec<String> {
    let room = |room: Option<usize>| room.map_or("no room", |r| scene.room_id(r));
    let at = scene.place().map(|thing| scene.thing_id(thing));
    let at = at.map_or(String::new(), |id| format!(", at {id}"));
    let mut lines = vec![format!(
        "{} is in {}{at}",
        scene.name(),
        room(scene.start())
    )];
    let own = |item: &&str| {
        scene
            .believed_places(item)
            .contains(&Place::With(scene.name()))
    };
    let held: Vec<_> = scene.items().filter(own).collect();
    if !held.is_empty() {
        lines.push(format!("has {}", held.join(", ")));
    }
    let (items, visits, end) = scene.wanted();
    for item in items.iter().filter(|item| !own(item)) {
        let place = place_words(scene, &scene.believed_places(item));
        lines.push(format!("wants {item}, believed {place}"));
    }
    if !visits.is_empty() {
        let any = scene.agent.goal.as_ref().is_some_and(|g| g.any_order);
        let order = if any { "in any order" } else { "in this order" };
        let shown = visits
            .iter()
            .take(VISITS_MAX)
            .copied()
            .collect::<Vec<_>>()
            .join(", ");
        let more = match visits.len().saturating_sub(VISITS_MAX) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        lines.push(format!("wants to visit {shown}{more}, {order}"));
    }
    if end.is_some() {
        lines.push(format!("wants to end in {}", room(end)));
    }
    lines
}

/// The agent's wrong beliefs.
fn beliefs(scene: &Scene<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    for thing in lids(scene) {
        let (believed, truth) = (scene.believed(thing), scene.truth(thing));
        if believed != truth {
            let (believed, truth) = (leaf_word(believed), leaf_word(truth));
            let name = described(scene, thing);
            lines.push(format!(
                "{name} is {truth}; it is believed to be {believed}"
            ));
        }
    }
    for item in scene.items() {
        let (believed, truth) = (scene.believed_places(item), scene.places(item));
        // What the agent took later is with the agent, whatever the world's start was.
        let wrong = believed.len() != truth.len() || believed.iter().any(|it| !truth.contains(it));
        if wrong && !believed.contains(&Place::With(scene.name())) {
            let (believed, truth) = (place_words(scene, &believed), place_words(scene, &truth));
            lines.push(format!("{item} is {truth}; it is believed {believed}"));
        }
    }
    let off = scene.world.cameras.iter();
    for camera in off.filter(|c| c.active == Some(false) && scene.is_burglar && scene.knows(&c.id))
    {
        let (id, room) = (&camera.id, &camera.room_id);
        lines.push(format!(
            "the camera {id} in {room} is off; it is believed to be on"
        ));
    }
    for guard in &scene.world.guards {
        let visits = guard.goal.as_ref().map_or(&[][..], |g| &g.visit_room_ids);
        let rooms: BTreeSet<_> = visits.iter().chain([&guard.room_id]).collect();
        if scene.is_burglar && scene.knows(&guard.id) && rooms.len() > 1 {
            let (id, room) = (&guard.id, &guard.room_id);
            lines.push(format!(
                "the guard {id} walks; it is believed to stay in {room}"
            ));
        }
    }
    lines
}

fn shunned(scene: &Scene<'_>) -> Vec<String> {
    let rooms = (0..scene.world.rooms.len()).filter(|room| scene.shuns(*room));
    rooms
        .map(|room| {
            let id = scene.room_id(room);
            let feared: Vec<_> = scene.feared(room).collect();
            match (feared.is_empty(), scene.is_avoided(room)) {
                (true, _) => format!("{id}: to avoid"),
                (false, avoided) => {
                    let too = if avoided { ", and is to avoid it" } else { "" };
                    format!("{id}: known for {}{too}", feared.join(", "))
                }
            }
        })
        .collect()
}

fn surprises(scene: &Scene<'_>) -> Vec<String> {
    let rooms = (0..scene.world.rooms.len()).filter(|room| scene.surprises(*room));
    let filled = rooms.map(|room| {
        let unknown = scene.dangers(room).filter(|id| !scene.knows(id));
        let unknown = unknown.collect::<Vec<_>>().join(", ");
        format!("{}: {unknown}", scene.room_id(room))
    });
    let mut lines: Vec<_> = filled.collect();
    for guard in &scene.world.guards {
        let visits = guard.goal.as_ref().map_or(&[][..], |g| &g.visit_room_ids);
        let others: BTreeSet<_> = visits.iter().filter(|v| **v != guard.room_id).collect();
        if scene.is_burglar && !others.is_empty() {
            let others: Vec<_> = others.into_iter().map(String::as_str).collect();
            lines.push(format!(
                "the guard {} also comes to {}",
                guard.id,
                others.join(", ")
            ));
        }
    }
    lines
}

/// What has a lock or is believed to be locked.
fn locks(scene: &Scene<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    for thing in lids(scene) {
        let (keys, believed) = (scene.keys_of(thing), scene.believed(thing));
        if keys.is_empty() && believed != HeistLockState::Locked {
            continue;
        }
        let name = described(scene, thing);
        let fit = match keys {
            [] => "no key fits".into(),
            [key] => format!("{key} fits"),
            keys => format!("{} fit", keys.join(", ")),
        };
        lines.push(format!("{name} is {}; {fit}", leaf_word(believed)));
    }
    for key in &scene.world.key_ids {
        let places = scene.believed_places(key);
        let phrases = places.iter().map(|place| {
            let open = match *place {
                Place::In(n) => format!(
                    ", which is {}",
                    leaf_word(scene.believed(Thing::Container(n)))
                ),
                Place::With(_) => String::new(),
            };
            format!("{}{open}", place_words(scene, &[*place]))
        });
        let phrases: Vec<_> = phrases.collect();
        match phrases.len() {
            0 => lines.push(format!("{key} is {}", place_words(scene, &[]))),
            1 => lines.push(format!("{key} is {}", phrases[0])),
            many => lines.push(format!("{key} has {many} copies: {}", phrases.join("; "))),
        }
    }
    lines
}

/// What there is to pass on the way to each thing that is wanted, and to each key that this takes.
fn in_the_way(scene: &Scene<'_>) -> Vec<String> {
    let (items, visits, end) = scene.wanted();
    let mut lines = Vec::new();
    let mut open: Vec<&str> = items;
    let mut seen: BTreeSet<&str> = open.iter().copied().collect();
    let mut next = 0;
    while let Some(item) = open.get(next).copied() {
        next += 1;
        let places = scene.believed_places(item);
        if places.contains(&Place::With(scene.name())) {
            continue;
        }
        let inside = places.iter().filter_map(|place| match *place {
            Place::In(container) => Some(container),
            Place::With(_) => None,
        });
        let inside: Vec<usize> = inside.collect();
        if inside.is_empty() {
            lines.push(format!(
                "to {item}: no place is known where it can be taken"
            ));
        }
        for container in inside {
            let (line, keys) = into(scene, container);
            let home = &scene.world.containers[container];
            lines.push(format!("to {item} in {}: {line}", home.room_id));
            open.extend(keys.into_iter().filter(|key| seen.insert(*key)));
        }
    }
    let visits = visits.into_iter().take(VISITS_MAX);
    let rooms: BTreeSet<&str> = visits.chain(end.map(|r| scene.room_id(r))).collect();
    for room in rooms {
        if scene.room(room) != scene.start() {
            lines.push(format!("to {room}: {}", toward(scene, room).0));
        }
    }
    lines
}

/// What there is to pass on the way into a container, and the keys that this takes.
fn into<'a>(scene: &Scene<'a>, container: usize) -> (String, Vec<&'a str>) {
    let home = &scene.world.containers[container];
    let (mut line, mut keys) = toward(scene, &home.room_id);
    let lid = Thing::Container(container);
    if scene.believed(lid) == HeistLockState::Locked {
        line = format!("{line}; {} is locked ({})", home.id, fitting(scene, lid));
        keys.extend(scene.keys_of(lid).iter().map(String::as_str));
    }
    (line, keys)
}

/// What there is to pass on the way to a room, and the keys that this takes.
fn toward<'a>(scene: &Scene<'a>, room: &str) -> (String, Vec<&'a str>) {
    let Some(way) = scene.room(room).and_then(|to| way(scene, to)) else {
        return ("no doors lead there".into(), Vec::new());
    };
    let mut parts = Vec::new();
    if !way.shunned.is_empty() {
        let rooms: Vec<_> = way.shunned.iter().map(|r| scene.room_id(*r)).collect();
        parts.push(format!(
            "every path leads through a room to avoid, such as {}",
            rooms.join(", ")
        ));
    }
    let mut keys = Vec::new();
    for door in way.locks {
        let lock = Thing::Door(door);
        parts.push(format!(
            "{} is locked ({})",
            described(scene, lock),
            fitting(scene, lock)
        ));
        keys.extend(scene.keys_of(lock).iter().map(String::as_str));
    }
    match way.closed {
        0 => {}
        1 => parts.push("1 closed door".into()),
        closed => parts.push(format!("{closed} closed doors")),
    }
    if parts.is_empty() {
        parts.push("all doors stand open".into());
    }
    (parts.join("; "), keys)
}

/// The keys of a lock.
fn fitting(scene: &Scene<'_>, lock: Thing) -> String {
    match scene.keys_of(lock) {
        [] => "no key fits".into(),
        keys => keys.join(" or "),
    }
}

/// Doors and containers, in the order of the world.
fn lids(scene: &Scene<'_>) -> impl Iterator<Item = Thing> {
    let doors = (0..scene.world.doors.len()).map(Thing::Door);
    doors.chain((0..scene.world.containers.len()).map(Thing::Container))
}

/// A thing with its rooms.
fn described(scene: &Scene<'_>, thing: Thing) -> String {
    let id = scene.thing_id(thing);
    let rooms = scene.stands_in(thing);
    let rooms: Vec<_> = rooms.into_iter().map(|r| scene.room_id(r)).collect();
    match thing {
        Thing::Door(_) => format!("the door {id} ({})", rooms.join(" - ")),
        _ => format!("{id} ({})", rooms.join(" - ")),
    }
}
