//! Rooms, doors and what is in rooms.

use super::Drawn;
use super::frame::Frame;
use super::legend::Present;
use super::scene::{Place, Scene, Thing};
use super::words::leaf_word;
use crate::label::fit;
use crate::svg::{Canvas, colour};
use std::collections::BTreeMap;
use stratagem_proto::v1::{HeistLockState, HeistPlan};

/// From one mark in a room to the next, and marks in a line.
const PITCH: f64 = 16.0;

/// The agent's plan.
pub(super) const INTENT: &str = "#1b7f3b";
/// What does not happen any more.
pub(super) const CUT: &str = "#a33";
const CLOSED: &str = "#c9a227";
const OPEN: &str = "#bbb";
/// What is locked where no key fits.
const KEYLESS: &str = "#333";

/// Draws ways with a mark for each door in their middle.
pub(super) fn doors(canvas: &mut Canvas, frame: &Frame, scene: &Scene<'_>) {
    let mut between: BTreeMap<[usize; 2], usize> = BTreeMap::new();
    for door in 0..scene.world.doors.len() {
        let Some([a, b]) = scene.sides(door).filter(|[a, b]| a != b) else {
            continue;
        };
        let ends = [a.min(b), a.max(b)];
        let before = between.entry(ends).or_default();
        // Several doors between two rooms lie side by side.
        let aside = match *before {
            0 => 0.0,
            n => 14.0 * n.div_ceil(2) as f64 * if n % 2 == 0 { -1.0 } else { 1.0 },
        };
        *before += 1;
        let way = frame.way(ends, aside);
        let thing = Thing::Door(door);
        let fill = leaf_fill(scene, thing);
        let [start, end] = [frame.middles[ends[0]], frame.middles[ends[1]]];
        canvas.polyline(&[start, way[0], way[1], end], "way", "#ddd");
        let middle = ((way[0].0 + way[1].0) / 2.0, (way[0].1 + way[1].1) / 2.0);
        let tip = thing_tip(scene, thing);
        let class = outline(scene.believed(thing) != scene.truth(thing));
        let fill = if scene.believed(thing) == HeistLockState::Open {
            "#fff"
        } else {
            &fill
        };
        canvas.disc([middle.0, middle.1, 6.0], fill, class, &tip);
        let at = (middle.0, middle.1 + 3.0);
        match scene.believed(thing) {
            HeistLockState::Locked => canvas.text(at.0, at.1, "number", "#"),
            HeistLockState::Closed => canvas.text(at.0, at.1, "mark", "+"),
            _ => {}
        }
    }
}

/// The colour of a door or container: that of its first key where it is locked.
fn leaf_fill(scene: &Scene<'_>, thing: Thing) -> String {
    match scene.believed(thing) {
        HeistLockState::Closed => CLOSED.into(),
        HeistLockState::Locked => {
            let key = scene.keys_of(thing).first();
            key.map_or(KEYLESS.into(), |key| key_colour(scene, key))
        }
        _ => OPEN.into(),
    }
}

fn key_colour(scene: &Scene<'_>, key: &str) -> String {
    let key = scene.world.key_ids.iter().position(|k| k == key);
    key.map_or(KEYLESS.into(), colour)
}

/// The tooltip of a door or container.
fn thing_tip(scene: &Scene<'_>, thing: Thing) -> String {
    let id = scene.thing_id(thing);
    let (believed, truth) = (scene.believed(thing), scene.truth(thing));
    let mut tip = if believed == truth {
        format!("{id}: {}", leaf_word(truth))
    } else {
        format!(
            "{id}: believed to be {}, it is {}",
            leaf_word(believed),
            leaf_word(truth)
        )
    };
    let keys = scene.keys_of(thing);
    if !keys.is_empty() {
        tip += &format!("; {} fits", keys.join(", "));
    }
    if let Thing::Container(n) = thing {
        let inside = |item: &&str| scene.believed_places(item).contains(&Place::In(n));
        let items: Vec<_> = scene.items().filter(inside).collect();
        if !items.is_empty() {
            tip += &format!("; {} believed in it", items.join(", "));
        }
    }
    tip
}

/// Draws rooms and what is in them.
pub(super) fn rooms(canvas: &mut Canvas, frame: &Frame, scene: &Scene<'_>) {
    let (wide, tall) = frame.room;
    for (room, (x, y)) in frame.middles.iter().enumerate() {
        let place = [x - wide / 2.0, y - tall / 2.0, wide, tall];
        let (shunned, surprising) = (scene.shuns(room), scene.surprises(room));
        let (fill, stroke) = match (shunned, surprising) {
            (true, _) => ("#fdeaea", "#c62828"),
            (false, true) => ("#fff1de", "#e67e00"),
            _ => ("#f7f7f4", "#777"),
        };
        let mut tip = scene.room_id(room).to_owned();
        if shunned {
            tip += ": to avoid";
        } else if surprising {
            tip += ": an unknown trap";
        }
        canvas.outlined(place, fill, stroke, &tip);
        if shunned {
            canvas.hatch(place, "#c62828");
        }
        // A letter is about 6 pixels wide.
        let columns = (wide / 6.2) as usize;
        if columns >= 4 {
            let name = fit(scene.room_id(room), columns, "…");
            canvas.text(*x, place[1] + 13.0, "room", name.trim_end());
            inside(canvas, place, room, scene);
        }
    }
}

/// A mark in a room: its fill, outline, letter and tooltip.
struct Mark {
    fill: String,
    class: &'static str,
    letter: &'static str,
    tip: String,
}

/// Draws what is in a room, line by line, as much as there is room for.
fn inside(canvas: &mut Canvas, place: [f64; 4], room: usize, scene: &Scene<'_>) {
    let [left, top, wide, tall] = place;
    let marks = marks(scene, room);
    let in_line = ((wide - 8.0) / PITCH).floor().max(1.0) as usize;
    let lines = ((tall - 18.0) / PITCH).floor().max(1.0) as usize;
    for (n, mark) in marks.iter().take(in_line * lines).enumerate() {
        let x = left + 12.0 + PITCH * (n % in_line) as f64;
        let y = top + 26.0 + PITCH * (n / in_line) as f64;
        canvas.disc([x, y, 6.5], &mark.fill, mark.class, &mark.tip);
        canvas.text(x, y + 3.2, "mark", mark.letter);
    }
}

fn marks(scene: &Scene<'_>, room: usize) -> Vec<Mark> {
    let mut marks = Vec::new();
    if scene.start() == Some(room) {
        let tip = format!("{} is here", scene.name());
        marks.push(mark("#8fd3a5", "plain", "@", tip));
    }
    if scene.wanted().2 == Some(room) {
        let tip = "wanted at the end".into();
        marks.push(mark("#fff", "goal", "⌂", tip));
    }
    containers(&mut marks, scene, room);
    watchers(&mut marks, scene, room);
    marks
}

fn mark(fill: &str, class: &'static str, letter: &'static str, tip: String) -> Mark {
    Mark {
        fill: fill.to_owned(),
        class,
        letter,
        tip,
    }
}

/// Outlines of things about which the agent is wrong, and of others.
fn outline(wrong: bool) -> &'static str {
    if wrong { "wrong" } else { "plain" }
}

/// Containers, with their believed contents.
fn containers(marks: &mut Vec<Mark>, scene: &Scene<'_>, room: usize) {
    let id = scene.room_id(room);
    let here = scene.world.containers.iter().enumerate();
    for (n, container) in here.filter(|(_, c)| c.room_id == id) {
        let thing = Thing::Container(n);
        let class = outline(scene.believed(thing) != scene.truth(thing));
        let letter = match scene.believed(thing) {
            HeistLockState::Locked => "#",
            HeistLockState::Closed => "+",
            _ => "∪",
        };
        let fill = leaf_fill(scene, thing);
        marks.push(mark(&fill, class, letter, thing_tip(scene, thing)));
        let inside = |item: &&str| scene.believed_places(item).contains(&Place::In(n));
        for item in scene.items().filter(inside) {
            let class = outline(!scene.places(item).contains(&Place::In(n)));
            let tip = format!("{item} in {}", container.id);
            let key = scene.world.key_ids.iter().any(|k| k == item);
            marks.push(if key {
                mark(&key_colour(scene, item), class, "k", tip)
            } else {
                mark("#ffe45c", class, "$", tip)
            });
        }
    }
}

/// Machines, cameras and guards.
fn watchers(marks: &mut Vec<Mark>, scene: &Scene<'_>, room: usize) {
    let id = scene.room_id(room);
    let known = |id: &str| {
        if scene.knows(id) {
            "known to the burglar"
        } else {
            "not known to the burglar"
        }
    };
    for machine in scene.world.machines.iter().filter(|m| m.room_id == id) {
        let tip = format!("vending machine {}", machine.id);
        marks.push(mark("#cfe3f7", "plain", "m", tip));
    }
    for camera in scene.world.cameras.iter().filter(|c| c.room_id == id) {
        let (fill, state) = if camera.active == Some(false) {
            ("#ddd", "off")
        } else {
            ("#f4a3a3", "on")
        };
        let tip = format!("camera {}: {state}, {}", camera.id, known(&camera.id));
        marks.push(mark(fill, "plain", "C", tip));
    }
    for guard in scene.world.guards.iter().filter(|g| g.room_id == id) {
        let tip = format!("guard {}: {}", guard.id, known(&guard.id));
        marks.push(mark("#a9b8f0", "plain", "G", tip));
    }
}

/// Draws what marks mean; returns where it ends.
pub(super) fn legend(
    canvas: &mut Canvas,
    [left, top]: [f64; 2],
    scene: &Scene<'_>,
    drawn: Drawn<'_>,
) -> f64 {
    let here = Present::new(scene);
    let cut = drawn.outcome.is_some_and(|o| o.step.is_some());
    let moves = drawn.plan.is_some_and(|p: &HeistPlan| !p.steps.is_empty());
    let items = [
        (moves, INTENT, "the plan, with the numbers of steps"),
        (
            moves && cut,
            CUT,
            "numbers of what does not happen any more",
        ),
        (here.shunned, "#fdeaea", "hatched: to avoid"),
        (here.surprising, "#fff1de", "an unknown trap"),
        (here.wrong, "#c2185b", "ringed: not as believed"),
        (here.closed, CLOSED, "+ closed"),
        (here.cameras, "#f4a3a3", "C camera, grey where it is off"),
        (here.guards, "#a9b8f0", "G guard; dashed: its round"),
        (here.machines, "#cfe3f7", "m vending machine"),
    ];
    let present = items.iter().filter(|i| i.0);
    let mut entries: Vec<(String, String)> =
        present.map(|i| (i.1.to_owned(), i.2.to_owned())).collect();
    let keys = scene.world.key_ids.iter().take(64);
    entries.extend(keys.map(|key| {
        (
            key_colour(scene, key),
            format!("k {key}, and # what it opens"),
        )
    }));
    let mut y = top + 14.0;
    for pair in entries.chunks(2) {
        for (n, (fill, text)) in pair.iter().enumerate() {
            let x = left + 370.0 * n as f64;
            canvas.rect([x, y, 14.0, 11.0], fill, text);
            canvas.text(x + 20.0, y + 10.0, "note", text);
        }
        y += 17.0;
    }
    y
}
