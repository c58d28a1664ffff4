//! The map: rooms, doors and what is in rooms.

use super::Drawn;
use super::frame::Frame;
use super::game::{Game, moving};
use super::layout::Layout;
use super::lines::{intent, routes};
use super::scene::{Place, Scene, Thing};
use super::words::leaf_word;
use crate::scene::{Drawing, Key, Panel, Picture, colour, key};
use std::collections::BTreeMap;
use stratagem_proto::v1::{HeistLockState, HeistPlan};

/// Pixels at the left, and above and below the map, for lines that go past rooms.
const MARGIN: f64 = 16.0;
const ABOVE: f64 = 22.0;
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

/// The museum, with the plan or a game, and what the marks mean.
pub(super) fn picture(scene: &Scene<'_>, drawn: Drawn<'_>, game: Option<Game<'_>>) -> Picture {
    let layout = Layout::new(scene);
    let frame = Frame::new(scene, &layout, [MARGIN, ABOVE]);
    let mut all = Drawing {
        width: frame.width + 2.0 * MARGIN,
        height: frame.height + 2.0 * ABOVE,
        ..Drawing::default()
    };
    doors(&mut all, &frame, scene);
    rooms(&mut all, &frame, scene);
    routes(&mut all, &frame, scene);
    if let Some(plan) = drawn.plan {
        intent(&mut all, &frame, scene, plan, drawn.outcome);
    }
    let clock = game.and_then(|game| moving(&mut all, &frame, scene, game));
    let caption = match (drawn.plan, game) {
        (_, Some(_)) => "The game, tick by tick",
        (Some(_), None) => "The museum and the plan: numbers are those of steps",
        (None, None) => "The museum as it is believed to be",
    };
    Picture {
        caption: caption.into(),
        panels: vec![Panel::Drawing(all), Panel::Legend(legend(scene, drawn))],
        clock,
    }
}

/// Draws edges with a mark for each door in their middle.
fn doors(all: &mut Drawing, frame: &Frame, scene: &Scene<'_>) {
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
        all.line(&[start, way[0], way[1], end], "bold", "#ddd");
        let middle = ((way[0].0 + way[1].0) / 2.0, (way[0].1 + way[1].1) / 2.0);
        let class = outline(scene.believed(thing) != scene.truth(thing));
        let fill = if scene.believed(thing) == HeistLockState::Open {
            "#fff"
        } else {
            &fill
        };
        let disc = all.disc([middle.0, middle.1, 6.0], fill, class);
        disc.tip(thing_tip(scene, thing));
        let at = (middle.0, middle.1 + 3.0);
        match scene.believed(thing) {
            HeistLockState::Locked => all.text(at, "number", "#"),
            HeistLockState::Closed => all.text(at, "letter", "+"),
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
fn rooms(all: &mut Drawing, frame: &Frame, scene: &Scene<'_>) {
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
        let card = all.card(place, fill, stroke).tip(tip);
        card.class = if surprising && !shunned {
            "dash"
        } else {
            "line"
        };
        if wide >= 26.0 {
            let at = (*x, place[1] + 13.0);
            all.fitted(at, "strong", scene.room_id(room), wide - 6.0);
            inside(all, place, room, scene);
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
fn inside(all: &mut Drawing, place: [f64; 4], room: usize, scene: &Scene<'_>) {
    let [left, top, wide, tall] = place;
    let marks = marks(scene, room);
    let in_line = ((wide - 8.0) / PITCH).floor().max(1.0) as usize;
    let lines = ((tall - 18.0) / PITCH).floor().max(1.0) as usize;
    for (n, mark) in marks.iter().take(in_line * lines).enumerate() {
        let x = left + 12.0 + PITCH * (n % in_line) as f64;
        let y = top + 26.0 + PITCH * (n / in_line) as f64;
        let disc = all.disc([x, y, 6.5], &mark.fill, mark.class);
        disc.tip(mark.tip.as_str());
        all.text((x, y + 3.2), "letter", mark.letter);
    }
}

fn marks(scene: &Scene<'_>, room: usize) -> Vec<Mark> {
    let mut marks = Vec::new();
    if scene.start() == Some(room) {
        let tip = format!("{} is here", scene.name());
        marks.push(mark("#8fd3a5", "disc", "@", tip));
    }
    if scene.wanted().2 == Some(room) {
        let tip = "wanted at the end".into();
        marks.push(mark("#fff", "disc", "⌂", tip));
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
    if wrong { "wrong" } else { "disc" }
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
        marks.push(mark("#cfe3f7", "disc", "m", tip));
    }
    for camera in scene.world.cameras.iter().filter(|c| c.room_id == id) {
        let (fill, state) = if camera.active == Some(false) {
            ("#ddd", "off")
        } else {
            ("#f4a3a3", "on")
        };
        let tip = format!("camera {}: {state}, {}", camera.id, known(&camera.id));
        marks.push(mark(fill, "disc", "C", tip));
    }
    for guard in scene.world.guards.iter().filter(|g| g.room_id == id) {
        let tip = format!("guard {}: {}", guard.id, known(&guard.id));
        marks.push(mark("#a9b8f0", "disc", "G", tip));
    }
}

/// Marks in Unicode and in ASCII, their colours, and what they mean.
const KEYS: [([&str; 2], &str, &str); 14] = [
    ([""; 2], INTENT, "the plan, with the numbers of steps"),
    ([""; 2], CUT, "numbers of what does not happen any more"),
    (["@"; 2], "#8fd3a5", "burglar"),
    (["⌂", ">"], "#fff", "end of the plan"),
    (["+"; 2], CLOSED, "closed"),
    (["#"; 2], "", "locked"),
    (["?"; 2], "#c2185b", "not as believed (ringed)"),
    (["[$]"; 2], "#ffe45c", "artifact"),
    (["[k]"; 2], "", "key in a container"),
    (["m"; 2], "#cfe3f7", "vending machine"),
    (["C"; 2], "#f4a3a3", "camera (grey, c: off)"),
    (["G"; 2], "#a9b8f0", "guard; dashed: its route"),
    (["═══", "####"], "#fdeaea", "to avoid"),
    (["┄┄┄", "~~~~"], "#fff1de", "dashed: an unknown trap"),
];

/// What marks mean, in pictures and on terminals: only those that are on the map.
pub(super) fn legend(scene: &Scene<'_>, drawn: Drawn<'_>) -> Vec<Key> {
    let world = scene.world;
    let mut rooms = 0..world.rooms.len();
    let doors = (0..world.doors.len()).map(Thing::Door);
    let lids = (0..world.containers.len()).map(Thing::Container);
    let things = || doors.clone().chain(lids.clone());
    let any = |leaf: HeistLockState| things().any(|t| scene.believed(t) == leaf);
    let moves = drawn.plan.is_some_and(|p: &HeistPlan| !p.steps.is_empty());
    let are_there = [
        moves,
        moves && drawn.outcome.is_some_and(|o| o.step.is_some()),
        true,
        scene.wanted().2.is_some(),
        any(HeistLockState::Closed),
        any(HeistLockState::Locked),
        things().any(|t| scene.believed(t) != scene.truth(t)),
        !world.containers.is_empty(),
        !world.containers.is_empty(),
        !world.machines.is_empty(),
        !world.cameras.is_empty(),
        !world.guards.is_empty(),
        rooms.clone().any(|room| scene.shuns(room)),
        rooms.any(|room| scene.surprises(room)),
    ];
    let keys = KEYS.iter().zip(are_there).filter(|(_, is_there)| *is_there);
    let keys = keys.map(|((signs, fill, text), _)| key(*signs, fill, text));
    let own = world.key_ids.iter().take(64).map(|id| {
        let text = format!("k {id}, and # what it opens");
        key([""; 2], &key_colour(scene, id), &text)
    });
    keys.chain(own).collect()
}
