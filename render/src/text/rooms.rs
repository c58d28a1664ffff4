//! Rooms as boxes of characters, and doors between them.

use super::TextOptions;
use crate::axis::push_line;
use crate::label::{columns, fit, printable};
use crate::scene::{Door, Room, Rooms};
use std::collections::BTreeSet;

/// Columns between rooms.
const GAP: usize = 3;
/// Fewest and most columns inside a room.
const INSIDE: [usize; 2] = [3, 16];
/// Doors that are listed because they are not drawn, at most.
const LISTED_MAX: usize = 40;
/// Rooms above each other, at most.
const ROWS_MAX: i64 = 200;

/// A letter, and its style.
type Mark = (char, &'static str);

/// A map; one that is wider than the terminal is only described.
pub(super) fn painted(map: &Rooms, options: &TextOptions) -> String {
    let most = |of: fn(&Room) -> i64| map.rooms.iter().map(of).max().unwrap_or(0);
    let (wide, tall) = (1 + most(|r| r.cell.0) as usize, 1 + most(|r| r.cell.1));
    let inside = ((options.columns() + GAP) / wide).saturating_sub(GAP + 2);
    if inside < INSIDE[0] {
        let room = wide * (INSIDE[0] + 2 + GAP) - GAP;
        return format!("the map is {room} columns wide at least: draw it as SVG\n");
    }
    if tall > ROWS_MAX {
        return format!("the map is {tall} rooms high: draw it as SVG\n");
    }
    let texts = |room: &Room| {
        let marks = columns(&options.pick(&room.marks));
        columns(&room.name).max(marks).max(columns(&room.numbers))
    };
    let wanted = map.rooms.iter().map(texts).max().unwrap_or(1);
    let inside = inside.min(wanted.clamp(INSIDE[0], INSIDE[1]));
    let lines = if map.has_numbers { 3 } else { 2 };
    let step = (inside + 2 + GAP, lines + 3);
    let mut painter = Painter {
        map,
        options,
        inside,
        lines,
        canvas: vec![vec![(' ', ""); step.0 * wide - GAP]; step.1 * tall as usize - 1],
        taken: map.rooms.iter().map(|room| room.cell).collect(),
    };
    let mut hidden = Vec::new();
    let mut drawn = BTreeSet::new();
    for door in &map.doors {
        let [a, b] = door.ends;
        if !drawn.insert([a.min(b), a.max(b)]) || !painter.door(door) {
            hidden.push(door);
        }
    }
    map.rooms.iter().for_each(|room| painter.room(room));
    painter.finish() + &unseen(&hidden)
}

/// Doors that there is no room for on the map.
fn unseen(doors: &[&Door]) -> String {
    let mut out = String::new();
    if !doors.is_empty() {
        push_line(&mut out, "not on the map:");
    }
    for door in doors.iter().take(LISTED_MAX) {
        push_line(&mut out, &format!("  {}", printable(&door.text)));
    }
    if doors.len() > LISTED_MAX {
        let more = doors.len() - LISTED_MAX;
        push_line(&mut out, &format!("  and {more} more doors"));
    }
    out
}

struct Painter<'s> {
    map: &'s Rooms,
    options: &'s TextOptions,
    inside: usize,
    lines: usize,
    canvas: Vec<Vec<Mark>>,
    taken: BTreeSet<(i64, i64)>,
}

impl Painter<'_> {
    /// The upper left corner of a room.
    fn corner(&self, room: &Room) -> (usize, usize) {
        let (column, row) = room.cell;
        let step = (self.inside + 2 + GAP, self.lines + 3);
        (column as usize * step.0, row as usize * step.1)
    }

    fn room(&mut self, room: &Room) {
        let (left, top) = self.corner(room);
        let (border, style) = room.border;
        let signs: Vec<char> = self.options.pick(&border).chars().collect();
        let [across, down, corners @ ..] = &signs[..] else {
            return;
        };
        let across = across.to_string().repeat(self.inside);
        let edge = |n: usize| format!("{}{across}{}", corners[n], corners[n + 1]);
        let marks = self.options.pick(&room.marks);
        let texts = [(&room.name, ""), (&marks, "36"), (&room.numbers, "32")];
        self.write((left, top), &edge(0), style);
        for (n, (text, own)) in texts.into_iter().take(self.lines).enumerate() {
            let line = top + 1 + n;
            let text = fit(text, self.inside, self.options.ellipsis());
            self.write((left, line), &down.to_string(), style);
            self.write((left + 1, line), &text, own);
            self.write((left + 1 + self.inside, line), &down.to_string(), style);
        }
        self.write((left, top + 1 + self.lines), &edge(2), style);
    }

    /// Puts letters on the canvas. A wide letter leaves no room for what comes after it.
    fn write(&mut self, at: (usize, usize), text: &str, style: &'static str) {
        let mut column = at.0;
        for letter in text.chars() {
            let width = columns(letter.encode_utf8(&mut [0; 4]));
            for part in 0..width {
                let mark = if part == 0 {
                    (letter, style)
                } else {
                    ('\0', "")
                };
                if let Some(cell) = self.canvas[at.1].get_mut(column + part) {
                    *cell = mark;
                }
            }
            column += width;
        }
    }

    /// Draws a door between rooms in one row or column with nothing between; false where they are
    /// not.
    fn door(&mut self, door: &Door) -> bool {
        let [a, b] = door.ends.map(|room| &self.map.rooms[room]);
        let (first, last) = if a.cell < b.cell { (a, b) } else { (b, a) };
        let (one, other) = (first.cell, last.cell);
        let flat = one.1 == other.1;
        if !flat && one.0 != other.0 || one == other {
            return false;
        }
        let mut between = if flat {
            let cells = (one.0 + 1..other.0).map(|x| (x, one.1));
            cells.collect::<Vec<_>>()
        } else {
            (one.1 + 1..other.1).map(|y| (one.0, y)).collect()
        }
        .into_iter();
        if between.any(|cell| self.taken.contains(&cell)) {
            return false;
        }
        let (start, end) = (self.corner(first), self.corner(last));
        let style = door.mark.map_or("", |(_, style)| style);
        let cells: Vec<(usize, usize)> = if flat {
            let line = start.1 + 1 + self.lines / 2;
            (start.0 + self.inside + 2..end.0)
                .map(|x| (x, line))
                .collect()
        } else {
            let column = start.0 + 1 + self.inside / 2;
            (start.1 + self.lines + 2..end.1)
                .map(|y| (column, y))
                .collect()
        };
        let edge = self
            .options
            .pick(if flat { &['─', '-'] } else { &['│', '|'] });
        for (n, (x, y)) in cells.iter().enumerate() {
            let mark = door.mark.filter(|_| n == cells.len() / 2);
            self.canvas[*y][*x] = (mark.map_or(edge, |(sign, _)| sign), style);
        }
        true
    }

    fn finish(&self) -> String {
        let mut out = String::new();
        for row in &self.canvas {
            let marks = row.iter().filter(|mark| mark.0 != '\0');
            let end = row.iter().rposition(|mark| mark.0 != ' ');
            let text = |mark: &Mark| self.options.styled(mark.1, &mark.0.to_string());
            let line: String = marks.map(text).collect();
            push_line(&mut out, if end.is_some() { &line } else { "" });
        }
        out.push('\n');
        out
    }
}
