//! The map of a museum in characters.

use super::Drawn;
use super::layout::Layout;
use super::map::legend;
use super::scene::{Place, Scene, Thing};
use crate::scene::{Content, Door, On, Room, Rooms};
use stratagem_proto::v1::HeistLockState;

/// Adds a box for each room with its name, its contents and the numbers of the steps that enter it,
/// doors as the agent believes them, and a legend.
pub(super) fn map(all: &mut crate::Scene, scene: &Scene<'_>, drawn: Drawn<'_>) {
    if scene.world.rooms.is_empty() {
        return;
    }
    let layout = Layout::new(scene);
    let entered = entered(scene, drawn);
    let rooms = entered.into_iter().enumerate().map(|(room, numbers)| Room {
        cell: layout.cells[room],
        name: scene.room_id(room).to_owned(),
        marks: [false, true].map(|ascii| content(scene, room, ascii)),
        numbers,
        border: match (scene.shuns(room), scene.surprises(room)) {
            (true, _) => (["═║╔╗╚╝", "######"], "31"),
            (false, true) => (["┄┆┌┐└┘", "~!++++"], "33"),
            (false, false) => (["─│┌┐└┘", "-|++++"], ""),
        },
    });
    let doors = (0..scene.world.doors.len()).filter_map(|door| {
        let ends = scene.sides(door)?;
        let thing = Thing::Door(door);
        let believed = scene.believed(thing);
        let rooms = ends.map(|room| scene.room_id(room)).join(" - ");
        let leaf = super::words::leaf_word(believed);
        Some(Door {
            ends,
            mark: match believed {
                _ if believed != scene.truth(thing) => Some(('?', "35")),
                HeistLockState::Locked => Some(('#', "31")),
                HeistLockState::Closed => Some(('+', "33")),
                _ => None,
            },
            text: format!("{}: {rooms} ({leaf})", scene.world.doors[door].id),
        })
    });
    let rooms = Rooms {
        rooms: rooms.collect(),
        doors: doors.collect(),
        has_numbers: drawn.plan.is_some(),
    };
    all.push(On::Terminal, Content::Rooms(rooms));
    let keys = legend(scene, Drawn::default());
    all.push(On::Terminal, Content::Keys(keys));
}

/// The numbers of the steps that enter each room.
fn entered(scene: &Scene<'_>, drawn: Drawn<'_>) -> Vec<String> {
    let mut entered = vec![String::new(); scene.world.rooms.len()];
    let Some(plan) = drawn.plan else {
        return entered;
    };
    for (n, pair) in scene.walk(plan).windows(2).enumerate() {
        if let ([before, Some(room)], true) = (pair, pair[0] != pair[1]) {
            let is_next = before.is_some() && !entered[*room].is_empty();
            let space = if is_next { " " } else { "" };
            entered[*room] += &format!("{space}{}", n + 1);
        }
    }
    entered
}

/// What is in a room, by letters.
fn content(scene: &Scene<'_>, room: usize, ascii: bool) -> String {
    let id = scene.room_id(room);
    let mut marks = String::new();
    if scene.start() == Some(room) {
        marks.push('@');
    }
    if scene.wanted().2 == Some(room) {
        marks.push(if ascii { '>' } else { '⌂' });
    }
    let containers = scene.world.containers.iter().enumerate();
    for (number, _) in containers.filter(|(_, c)| c.room_id == id) {
        marks.push_str(match scene.believed(Thing::Container(number)) {
            HeistLockState::Locked => "[#",
            HeistLockState::Closed => "[+",
            _ => "[",
        });
        let inside = |item: &&str| scene.believed_places(item).contains(&Place::In(number));
        for item in scene.items().filter(inside) {
            let is_key = scene.world.key_ids.iter().any(|k| k == item);
            marks.push(if is_key { 'k' } else { '$' });
        }
        marks.push(']');
    }
    let machines = scene.world.machines.iter().filter(|m| m.room_id == id);
    marks.extend(machines.map(|_| 'm'));
    let cameras = scene.world.cameras.iter().filter(|c| c.room_id == id);
    marks.extend(cameras.map(|c| if c.active == Some(false) { 'c' } else { 'C' }));
    let guards = scene.world.guards.iter().filter(|g| g.room_id == id);
    marks.extend(guards.map(|_| 'G'));
    marks
}
