//! Maps of tiles: a dungeon as game designers draw it, as a problem of patrol.
//!
//! ```text
//! title: The vault
//! intruder: stationary
//! time: 8
//!
//! #########
//! #G..#..3#
//! #...+...#
//! #########
//! ```
//!
//! Above the map stand settings, a line each, as in `time: 8`; they are the names of [`Settings`].
//! Tiles are
//!
//! * `#`: wall;
//! * `.`, and a blank that walls enclose: floor. What blanks reach from the edge is outside;
//! * `0` to `9`: floor of that weight, where all other floor has 1;
//! * `+` or `D`: a door: floor that takes longer to enter and leave, and that nobody sees through;
//! * `G` or `S`: where a guard starts;
//! * `P`: a place where each guard that comes by stays for a while;
//! * `V`: a place that is out of sight for a while in each round, so that a player can pass.
//!
//! Each tile of floor is a vertex, called `column,row` from 0 at the upper left; a tile has ways to
//! the four next to it.

mod head;
mod rooms;
mod sight;
mod write;

pub use head::Settings;
pub use write::write;

use super::super::words::unmarked;
use super::super::{Mistake, Options, note};
use super::pace::pace;
use super::{edge, guards, ticks};
use stratagem_proto::v1::{PatrolEdge, PatrolPoint, PatrolProblem, PatrolVertex};

/// Most vertices: those of the contract.
const VERTICES_MAX: usize = 2_000;
/// Longest row and most rows.
const SIDE_MAX: usize = 1_000;

/// Whether a text looks like a map of tiles: under its settings most lines consist of tiles.
#[must_use]
pub fn looks_like(text: &str) -> bool {
    let lines = text.lines().map(str::trim_end);
    let map = lines.skip_while(|l| l.is_empty() || l.contains(':'));
    let lines: Vec<_> = map.filter(|l| !l.is_empty()).collect();
    let drawn = |l: &&&str| l.len() > 2 && l.chars().all(|c| Tile::of_letter(c).is_some());
    let wall = lines.iter().any(|l| l.contains("##") || l.contains(".."));
    // Comments of other formats may be walls, too; but not what follows.
    let other = lines.iter().any(|l| l.contains(':'));
    wall && !other && 2 * lines.iter().filter(drawn).count() > lines.len()
}

/// Reads a map of tiles.
///
/// # Errors
/// All mistakes, with line and column where there is one.
pub fn read(text: &str, options: &Options) -> Result<PatrolProblem, Vec<Mistake>> {
    let text = unmarked(text);
    let mut mistakes = Vec::new();
    let (settings, first) = head::read(text, &mut mistakes);
    let map = Map::read(text, first, &mut mistakes);
    map.check(&mut mistakes);
    let starts = map.starts(settings.guards);
    if starts.is_empty() && mistakes.is_empty() {
        mistakes.push(Mistake::new("no `G` marks where a guard starts"));
    }
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let mut problem = settings.problem();
    let range = options.sight.unwrap_or(settings.sight);
    let tick_us = options.tick_us.unwrap_or(settings.tick_us);
    if options.rooms {
        rooms::fill(&mut problem, &map, &settings);
        pace(&mut problem, tick_us);
        return Ok(problem);
    }
    let seen = sight::seen(&map, range).map_err(|m| vec![m])?;
    let vertices = map.floor.iter().zip(seen);
    problem.vertices = vertices
        .map(|(place, seen)| PatrolVertex {
            seen_vertex_ids: seen.into_iter().map(|p| id(map.floor[p])).collect(),
            ..vertex(&settings, id(*place), map.tile(*place), *place)
        })
        .collect();
    problem.edges = edges(&map, &settings);
    problem.guards = guards(starts.into_iter().map(id).collect());
    pace(&mut problem, tick_us);
    Ok(problem)
}

/// Column and row, from 0.
type Place = (usize, usize);

fn id((column, row): Place) -> String {
    format!("{column},{row}")
}

fn vertex(settings: &Settings, id: String, tile: Tile, place: Place) -> PatrolVertex {
    PatrolVertex {
        id,
        weight: match tile {
            Tile::Floor(1) => None,
            tile => tile.weight().map(f64::from).filter(|w| *w != 1.0),
        },
        point: Some(PatrolPoint {
            x: place.0 as f64,
            y: place.1 as f64,
        }),
        pause_duration: (tile == Tile::Pause).then(|| ticks(settings.pause)),
        gap_duration: (tile == Tile::Gap).then(|| ticks(settings.gap)),
        ..PatrolVertex::default()
    }
}

fn edges(map: &Map, settings: &Settings) -> Vec<PatrolEdge> {
    let mut edges = Vec::new();
    for place in &map.floor {
        let (column, row) = *place;
        for other in [(column + 1, row), (column, row + 1)] {
            if !map.tile(other).is_floor() {
                continue;
            }
            let door = [*place, other].iter().any(|p| map.tile(*p) == Tile::Door);
            let length = if door { settings.door } else { 1 };
            edges.push(edge(id(*place), id(other), length));
        }
    }
    edges
}

/// What is on a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tile {
    Wall,
    Blank,
    /// With a weight.
    Floor(u8),
    Door,
    Start,
    Pause,
    Gap,
}

impl Tile {
    fn of_letter(letter: char) -> Option<Self> {
        Some(match letter {
            '#' => Self::Wall,
            ' ' => Self::Blank,
            '.' => Self::Floor(1),
            '0'..='9' => Self::Floor(letter as u8 - b'0'),
            '+' | 'D' => Self::Door,
            'G' | 'S' => Self::Start,
            'P' => Self::Pause,
            'V' => Self::Gap,
            _ => return None,
        })
    }

    fn is_floor(self) -> bool {
        !matches!(self, Self::Wall | Self::Blank)
    }

    /// How likely an intruder enters; none for what is no floor.
    fn weight(self) -> Option<u8> {
        match self {
            Self::Floor(weight) => Some(weight),
            tile => tile.is_floor().then_some(1),
        }
    }
}

/// A map as drawn. Blanks that walls enclose are floor already.
struct Map {
    rows: Vec<Vec<Tile>>,
    /// The places of floor, row by row.
    floor: Vec<Place>,
    /// The line of the file that the first row is in, from 1.
    line: usize,
}

impl Map {
    fn read(text: &str, first: usize, mistakes: &mut Vec<Mistake>) -> Self {
        let mut rows: Vec<Vec<Tile>> = Vec::new();
        let lines = text.lines().skip(first).enumerate();
        for (row, line) in lines.take(SIDE_MAX + 1) {
            let mut tiles = Vec::new();
            let letters = line.trim_end().chars().enumerate();
            for (column, letter) in letters.take(SIDE_MAX + 1) {
                let tile = Tile::of_letter(letter).unwrap_or_else(|| {
                    let message =
                        format!("`{letter}` is no tile: # . + D G S P V 0-9 and blank are");
                    let mistake = Mistake::new(message);
                    note(mistakes, mistake.placed(first + row + 1, column + 1));
                    Tile::Wall
                });
                tiles.push(tile);
            }
            rows.push(tiles);
        }
        while rows.last().is_some_and(Vec::is_empty) {
            rows.pop();
        }
        let side = rows.iter().map(Vec::len).max().unwrap_or(0).max(rows.len());
        if side > SIDE_MAX {
            let message = format!("the map is longer than the {SIDE_MAX} tiles that are read");
            mistakes.push(Mistake::new(message).placed(first + 1, 1));
            rows.clear();
        }
        let mut map = Self {
            rows,
            floor: Vec::new(),
            line: first + 1,
        };
        map.enclose();
        map
    }

    /// Blanks that are not outside become floor.
    fn enclose(&mut self) {
        let width = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        for row in &mut self.rows {
            row.resize(width, Tile::Blank);
        }
        let height = self.rows.len();
        let edge = |(column, row): &Place| {
            *column == 0 || *row == 0 || *column + 1 == width || *row + 1 == height
        };
        let all = (0..height).flat_map(|row| (0..width).map(move |column| (column, row)));
        let all: Vec<Place> = all.collect();
        let mut outside: Vec<Place> = all
            .iter()
            .copied()
            .filter(|p| edge(p) && self.tile(*p) == Tile::Blank)
            .collect();
        // Walls for a moment, so that none is visited twice.
        let mut next = 0;
        outside
            .iter()
            .for_each(|(c, r)| self.rows[*r][*c] = Tile::Wall);
        while next < outside.len() {
            for (column, row) in neighbours(outside[next]) {
                if self.tile((column, row)) == Tile::Blank {
                    self.rows[row][column] = Tile::Wall;
                    outside.push((column, row));
                }
            }
            next += 1;
        }
        for (column, row) in all {
            let tile = &mut self.rows[row][column];
            if *tile == Tile::Blank {
                *tile = Tile::Floor(1);
            }
            if tile.is_floor() {
                self.floor.push((column, row));
            }
        }
    }

    /// What is at a place; beyond the map there is wall.
    fn tile(&self, (column, row): Place) -> Tile {
        let row = self.rows.get(row);
        let tile = row.and_then(|tiles| tiles.get(column));
        tile.copied().unwrap_or(Tile::Wall)
    }

    /// Where guards start: as many as there are marks, or as many as are wanted, in turn.
    fn starts(&self, wanted: Option<usize>) -> Vec<Place> {
        let marks = self.floor.iter().copied();
        let marks: Vec<_> = marks.filter(|p| self.tile(*p) == Tile::Start).collect();
        let count = wanted.unwrap_or(marks.len());
        marks.iter().copied().cycle().take(count).collect()
    }

    fn check(&self, mistakes: &mut Vec<Mistake>) {
        let count = self.floor.len();
        if count == 0 || count > VERTICES_MAX {
            let message =
                format!("the map has {count} tiles of floor, 1 to {VERTICES_MAX} are supported");
            mistakes.push(Mistake::new(message).placed(self.line, 1));
            return;
        }
        let weights = self.floor.iter().filter_map(|p| self.tile(*p).weight());
        if weights.max() == Some(0) {
            mistakes.push(Mistake::new("all weights are 0").placed(self.line, 1));
        }
        // Each part of the map that cannot be reached, by its first tile.
        let mut seen = vec![vec![false; self.rows[0].len()]; self.rows.len()];
        for place in std::iter::once(self.floor[0]).chain(self.floor.iter().copied()) {
            if std::mem::replace(&mut seen[place.1][place.0], true) {
                continue;
            }
            let mut part = vec![place];
            while let Some(here) = part.pop() {
                for (column, row) in neighbours(here) {
                    if self.tile((column, row)).is_floor() && !seen[row][column] {
                        seen[row][column] = true;
                        part.push((column, row));
                    }
                }
            }
            if place != self.floor[0] {
                let first = self.floor[0];
                let message = format!(
                    "there is no path from here to the floor at line {} column {}",
                    self.line + first.1,
                    first.0 + 1
                );
                let mistake = Mistake::new(message);
                note(mistakes, mistake.placed(self.line + place.1, place.0 + 1));
            }
        }
    }
}

/// The four places next to one, beyond the map's upper and left edge itself.
fn neighbours((column, row): Place) -> [Place; 4] {
    [
        (column + 1, row),
        (column, row + 1),
        (column.wrapping_sub(1), row),
        (column, row.wrapping_sub(1)),
    ]
}
