//! A map whose rooms are the places.

use super::super::{edge, guards};
use super::{Map, Place, Settings, Tile, id, neighbours, vertex};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use stratagem_proto::v1::{PatrolEdge, PatrolProblem, PatrolVertex};

/// Adds a place for each room (the tiles between walls and doors) and an edge for each two rooms
/// that a door, or a row of doors, connects, as long as the path from middle to middle. A room's
/// weight is the sum over its tiles; doors belong to the edge. If there are only doors, they are
/// the rooms.
pub(super) fn fill(problem: &mut PatrolProblem, map: &Map, settings: &Settings) {
    let rooms = rooms(map);
    let middles: Vec<Place> = rooms.iter().map(|room| middle(room)).collect();
    let mut room_of = BTreeMap::new();
    for (n, room) in rooms.iter().enumerate() {
        room_of.extend(room.iter().map(|place| (*place, n)));
    }
    for (room, middle) in rooms.iter().zip(&middles) {
        problem.vertices.push(place(map, settings, room, *middle));
    }
    let starts = map.starts(settings.guards);
    let start = |place: Place| room_of.get(&place).map(|n| id(middles[*n]));
    problem.guards = guards(starts.into_iter().filter_map(start).collect());
    problem.edges = ways(map, settings, &middles, &room_of);
}

/// The tiles of each room, row by row.
fn rooms(map: &Map) -> Vec<Vec<Place>> {
    let inside = |tile: Tile| tile.is_floor() && tile != Tile::Door;
    let only_doors = !map.floor.iter().any(|p| inside(map.tile(*p)));
    let belongs = |place: Place| {
        let tile = map.tile(place);
        inside(tile) || only_doors && tile.is_floor()
    };
    let mut taken = BTreeSet::new();
    let mut rooms = Vec::new();
    for first in &map.floor {
        if !belongs(*first) || !taken.insert(*first) {
            continue;
        }
        let mut room = vec![*first];
        let mut next = 0;
        while next < room.len() {
            for place in neighbours(room[next]) {
                if belongs(place) && taken.insert(place) {
                    room.push(place);
                }
            }
            next += 1;
        }
        room.sort_by_key(|(column, row)| (*row, *column));
        rooms.push(room);
    }
    rooms
}

/// The tile that is nearest to all others of its room, on average; ties go to the first.
fn middle(room: &[Place]) -> Place {
    let sum = |of: fn(&Place) -> usize| room.iter().map(of).sum::<usize>();
    let (columns, rows, count) = (sum(|p| p.0), sum(|p| p.1), room.len());
    let far = |p: &&Place| {
        let x = (p.0 * count).abs_diff(columns);
        let y = (p.1 * count).abs_diff(rows);
        x * x + y * y
    };
    *room.iter().min_by_key(far).expect("rooms have tiles")
}

fn place(map: &Map, settings: &Settings, room: &[Place], middle: Place) -> PatrolVertex {
    let has = |tile: Tile| room.iter().any(|p| map.tile(*p) == tile);
    let mark = [Tile::Pause, Tile::Gap].into_iter().filter(|t| has(*t));
    let mut vertex_of = vertex(settings, id(middle), Tile::Floor(1), middle);
    for tile in mark {
        let marked = vertex(settings, String::new(), tile, middle);
        vertex_of.pause_duration = vertex_of.pause_duration.or(marked.pause_duration);
        vertex_of.gap_duration = vertex_of.gap_duration.or(marked.gap_duration);
    }
    let weights = room.iter().filter_map(|p| map.tile(*p).weight());
    vertex_of.weight = Some(weights.map(f64::from).sum());
    vertex_of
}

/// From each room to those behind its doors, the shortest.
fn ways(
    map: &Map,
    settings: &Settings,
    middles: &[Place],
    room_of: &BTreeMap<Place, usize>,
) -> Vec<PatrolEdge> {
    let mut ways: BTreeMap<[usize; 2], i64> = BTreeMap::new();
    for (n, middle) in middles.iter().enumerate() {
        // Steps from the middle, through doors but not through other rooms. Steps at doors are
        // longer, so a place is looked at again when it is reached sooner.
        let mut steps: BTreeMap<Place, i64> = BTreeMap::from([(*middle, 0)]);
        let mut queue = VecDeque::from([*middle]);
        while let Some(here) = queue.pop_front() {
            let so_far = steps[&here];
            for place in neighbours(here) {
                let room = room_of.get(&place);
                let door = map.tile(place) == Tile::Door || map.tile(here) == Tile::Door;
                if !map.tile(place).is_floor() || room_of.get(&here).is_some_and(|r| *r != n) {
                    continue;
                }
                let total = so_far + if door { settings.door } else { 1 };
                if steps.get(&place).is_none_or(|known| total < *known) {
                    steps.insert(place, total);
                    queue.push_back(place);
                }
                if let Some(other) = room.filter(|r| **r != n) {
                    let rest = inside(map, place, middles[*other]);
                    let way = ways
                        .entry([n.min(*other), n.max(*other)])
                        .or_insert(i64::MAX);
                    *way = (*way).min(total + rest);
                }
            }
        }
    }
    let edges = ways.iter();
    let edges =
        edges.map(|([from, to], length)| edge(id(middles[*from]), id(middles[*to]), *length));
    edges.collect()
}

/// Steps from a place to another of the same room, inside of it.
fn inside(map: &Map, from: Place, to: Place) -> i64 {
    let mut steps: BTreeMap<Place, i64> = BTreeMap::from([(from, 0)]);
    let mut queue = VecDeque::from([from]);
    while let Some(here) = queue.pop_front() {
        if here == to {
            break;
        }
        let so_far = steps[&here];
        for place in neighbours(here) {
            let tile = map.tile(place);
            if tile.is_floor() && tile != Tile::Door && !steps.contains_key(&place) {
                steps.insert(place, so_far + 1);
                queue.push_back(place);
            }
        }
    }
    steps.get(&to).copied().unwrap_or(1)
}
