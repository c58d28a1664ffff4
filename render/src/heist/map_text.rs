//! The map of a museum on a terminal: a box for each room, doors between them.

use super::Drawn;
use super::layout::Layout;
use super::legend;
use super::scene::{Place, Scene, Thing};
use crate::label::{columns, fit};
use crate::text::TextOptions;
use std::collections::BTreeMap;
use stratagem_proto::v1::{HeistLockState, HeistProblem};

/// Columns between rooms.
const GAP: usize = 3;
/// Fewest and most columns inside a room.
const INSIDE: [usize; 2] = [3, 16];
/// Doors that are listed because they are not drawn, at most.
const LISTED_MAX: usize = 40;

/// Rooms above each other, at most.
const ROWS_MAX: i64 = 200;

/// A letter, and its style.
type Mark = (char, Option<&'static str>);

/// Returns a map for terminals: a box for each room with its name, its contents and the numbers of
/// the steps that enter it, and doors as the agent believes them, with a legend. A museum that is
/// wider than the terminal is only described.
#[must_use]
pub fn map_text(problem: &HeistProblem, drawn: Drawn<'_>, options: &TextOptions) -> String {
    let scene = Scene::new(problem);
    if scene.world.rooms.is_empty() {
        return String::new();
    }
    let layout = Layout::new(&scene);
    let wide = 1 + layout.cells.iter().map(|c| c.0).max().unwrap_or(0) as usize;
    let inside = ((options.columns() + GAP) / wide).saturating_sub(GAP + 2);
    if inside < INSIDE[0] {
        let room = wide * (INSIDE[0] + 2 + GAP) - GAP;
        return format!("the map is {room} columns wide at least: draw it as SVG\n");
    }
    let tall = 1 + layout.cells.iter().map(|c| c.1).max().unwrap_or(0);
    if tall > ROWS_MAX {
        return format!("the map is {tall} rooms high: draw it as SVG\n");
    }
    let names = scene.world.rooms.iter().map(|r| columns(&r.id)).max();
    let lines: usize = if drawn.plan.is_some() { 3 } else { 2 };
    let entered = entered(&scene, drawn);
    let marks = |room: usize| columns(&content(&scene, room, options));
    let marks = (0..scene.world.rooms.len()).map(marks).max();
    let numbers = entered.iter().map(|n| columns(n)).max();
    let wanted = names.max(marks).max(numbers).unwrap_or(1);
    let inside = inside.min(wanted.clamp(INSIDE[0], INSIDE[1]));
    let mut map = Map {
        scene: &scene,
        layout: &layout,
        options,
        inside,
        lines,
        canvas: Vec::new(),
        at: BTreeMap::new(),
    };
    let hidden = map.draw(&entered);
    map.finish() + &legend::text(&scene, options) + &unseen(&scene, &hidden)
}

/// The numbers of the steps that enter each room.
fn entered(scene: &Scene<'_>, drawn: Drawn<'_>) -> Vec<String> {
    let mut entered = vec![String::new(); scene.world.rooms.len()];
    let Some(plan) = drawn.plan else {
        return entered;
    };
    for (n, pair) in scene.walk(plan).windows(2).enumerate() {
        if let ([before, Some(room)], true) = (pair, pair[0] != pair[1]) {
            let space = if before.is_some() && !entered[*room].is_empty() {
                " "
            } else {
                ""
            };
            entered[*room] += &format!("{space}{}", n + 1);
        }
    }
    entered
}

/// What is in a room, by letters.
fn content(scene: &Scene<'_>, room: usize, options: &TextOptions) -> String {
    let id = scene.room_id(room);
    let mut marks = String::new();
    if scene.start() == Some(room) {
        marks.push('@');
    }
    if scene.wanted().2 == Some(room) {
        marks.push(if options.ascii { '>' } else { '⌂' });
    }
    for container in scene.world.containers.iter().filter(|c| c.room_id == id) {
        let thing = scene.thing(&container.id);
        let leaf = thing.map_or(HeistLockState::Open, |t| scene.believed(t));
        marks.push_str(match leaf {
            HeistLockState::Locked => "[#",
            HeistLockState::Closed => "[+",
            _ => "[",
        });
        let number = match thing {
            Some(Thing::Container(n)) => Some(n),
            _ => None,
        };
        let inside = |item: &&str| {
            number.is_some_and(|n| scene.believed_places(item).contains(&Place::In(n)))
        };
        for item in scene.items().filter(inside) {
            let key = scene.world.key_ids.iter().any(|k| k == item);
            marks.push(if key { 'k' } else { '$' });
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

/// Doors that there is no room for on the map.
fn unseen(scene: &Scene<'_>, doors: &[usize]) -> String {
    if doors.is_empty() {
        return String::new();
    }
    let mut out = String::from("not on the map:\n");
    for door in doors.iter().take(LISTED_MAX) {
        let rooms = scene.stands_in(Thing::Door(*door));
        let rooms: Vec<_> = rooms.into_iter().map(|r| scene.room_id(r)).collect();
        let leaf = super::words::leaf_word(scene.believed(Thing::Door(*door)));
        let line = format!(
            "  {}: {} ({leaf})",
            scene.world.doors[*door].id,
            rooms.join(" - ")
        );
        out += &crate::label::printable(&line);
        out.push('\n');
    }
    if doors.len() > LISTED_MAX {
        out += &format!("  and {} more doors\n", doors.len() - LISTED_MAX);
    }
    out
}

struct Map<'s> {
    scene: &'s Scene<'s>,
    layout: &'s Layout,
    options: &'s TextOptions,
    inside: usize,
    lines: usize,
    canvas: Vec<Vec<Mark>>,
    at: BTreeMap<(i64, i64), usize>,
}

impl Map<'_> {
    /// Draws all; returns the doors that could not be.
    fn draw(&mut self, entered: &[String]) -> Vec<usize> {
        let cells = self.layout.cells.iter().enumerate();
        self.at = cells.map(|(room, cell)| (*cell, room)).collect();
        let most = |of: fn(&(i64, i64)) -> i64| self.layout.cells.iter().map(of).max();
        let (columns, rows) = (most(|c| c.0).unwrap_or(0), most(|c| c.1).unwrap_or(0));
        let (width, height) = (self.step().0, self.step().1);
        let width = width * (columns as usize + 1) - GAP;
        let height = height * (rows as usize + 1) - 1;
        self.canvas = vec![vec![(' ', None); width]; height];
        let mut hidden = Vec::new();
        let mut drawn = std::collections::BTreeSet::new();
        for door in 0..self.scene.world.doors.len() {
            let Some([a, b]) = self.scene.sides(door) else {
                continue;
            };
            let ends = (a.min(b), a.max(b));
            if !drawn.insert(ends) || !self.door(door, ends.0, ends.1) {
                hidden.push(door);
            }
        }
        for (room, numbers) in entered.iter().enumerate() {
            self.room(room, numbers);
        }
        hidden
    }

    /// From one room to the next, in columns and lines.
    fn step(&self) -> (usize, usize) {
        (self.inside + 2 + GAP, self.lines + 3)
    }

    /// The upper left corner of a room.
    fn corner(&self, room: usize) -> (usize, usize) {
        let (column, row) = self.layout.cells[room];
        (
            column as usize * self.step().0,
            row as usize * self.step().1,
        )
    }

    fn room(&mut self, room: usize, numbers: &str) {
        let (left, top) = self.corner(room);
        let known = self.scene.shuns(room);
        let unknown = self.scene.surprises(room);
        let style = match (known, unknown) {
            (true, _) => Some("31"),
            (false, true) => Some("33"),
            _ => None,
        };
        let ascii = self.options.ascii;
        let [across, down, corners] = match (known, unknown, ascii) {
            (true, _, false) => ["═", "║", "╔╗╚╝"],
            (true, _, true) => ["#", "#", "####"],
            (false, true, false) => ["┄", "┆", "┌┐└┘"],
            (false, true, true) => ["~", "!", "++++"],
            (false, false, false) => ["─", "│", "┌┐└┘"],
            (false, false, true) => ["-", "|", "++++"],
        };
        let corners: Vec<char> = corners.chars().collect();
        let across = across.repeat(self.inside);
        let content = content(self.scene, room, self.options);
        let name = self.scene.room_id(room);
        let mut texts = vec![(name, None), (content.as_str(), Some("36"))];
        if self.lines == 3 {
            texts.push((numbers, Some("32")));
        }
        self.write(
            left,
            top,
            &format!("{}{across}{}", corners[0], corners[1]),
            style,
        );
        for (n, (text, own)) in texts.into_iter().enumerate() {
            let line = top + 1 + n;
            let ellipsis = if ascii { "~" } else { "…" };
            self.write(left, line, down, style);
            self.write(left + 1, line, &fit(text, self.inside, ellipsis), own);
            self.write(left + 1 + self.inside, line, down, style);
        }
        let line = top + 1 + self.lines;
        self.write(
            left,
            line,
            &format!("{}{across}{}", corners[2], corners[3]),
            style,
        );
    }

    /// Puts letters on the canvas. A wide letter leaves no room for what comes after it.
    fn write(&mut self, left: usize, line: usize, text: &str, style: Option<&'static str>) {
        let mut column = left;
        for letter in text.chars() {
            let width = columns(letter.encode_utf8(&mut [0; 4]));
            if let Some(cell) = self.canvas[line].get_mut(column) {
                *cell = (letter, style);
            }
            for covered in 1..width {
                if let Some(cell) = self.canvas[line].get_mut(column + covered) {
                    *cell = ('\0', None);
                }
            }
            column += width;
        }
    }

    /// Draws a door between rooms in one row or column with nothing between; false where they are
    /// not.
    fn door(&mut self, door: usize, a: usize, b: usize) -> bool {
        let (one, other) = (self.layout.cells[a], self.layout.cells[b]);
        let flat = one.1 == other.1;
        if !flat && one.0 != other.0 || a == b {
            return false;
        }
        let between = if flat {
            (one.0.min(other.0) + 1..one.0.max(other.0))
                .map(|x| (x, one.1))
                .collect()
        } else {
            (one.1.min(other.1) + 1..one.1.max(other.1))
                .map(|y| (one.0, y))
                .collect::<Vec<_>>()
        };
        if between.iter().any(|cell| self.at.contains_key(cell)) {
            return false;
        }
        let (first, last) = if one < other { (a, b) } else { (b, a) };
        let (start, end) = (self.corner(first), self.corner(last));
        let (mark, style) = self.door_mark(door);
        let ascii = self.options.ascii;
        if flat {
            let line = start.1 + 1 + self.lines / 2;
            let columns = start.0 + self.inside + 2..end.0;
            let middle = columns.start + columns.len() / 2;
            for column in columns {
                self.canvas[line][column] = (if ascii { '-' } else { '─' }, style);
            }
            self.canvas[line][middle] = (mark.unwrap_or(if ascii { '-' } else { '─' }), style);
        } else {
            let column = start.0 + 1 + self.inside / 2;
            let lines = start.1 + self.lines + 2..end.1;
            let middle = lines.start + lines.len() / 2;
            for line in lines {
                self.canvas[line][column] = (if ascii { '|' } else { '│' }, style);
            }
            self.canvas[middle][column] = (mark.unwrap_or(if ascii { '|' } else { '│' }), style);
        }
        true
    }

    fn door_mark(&self, door: usize) -> (Option<char>, Option<&'static str>) {
        let thing = Thing::Door(door);
        let believed = self.scene.believed(thing);
        if believed != self.scene.truth(thing) {
            return (Some('?'), Some("35"));
        }
        match believed {
            HeistLockState::Locked => (Some('#'), Some("31")),
            HeistLockState::Closed => (Some('+'), Some("33")),
            _ => (None, None),
        }
    }

    fn finish(&self) -> String {
        let text = |(letter, style): &Mark| match style {
            Some(style) => self.options.styled(style, &letter.to_string()),
            None => letter.to_string(),
        };
        let mut out = String::new();
        for row in &self.canvas {
            let end = row.iter().rposition(|m| m.0 != ' ').map_or(0, |n| n + 1);
            let line = row[..end].iter().filter(|m| m.0 != '\0').map(text);
            out += &line.collect::<String>();
            out.push('\n');
        }
        out.push('\n');
        out
    }
}
