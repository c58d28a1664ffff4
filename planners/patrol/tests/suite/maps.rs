//! Maps of tiles, as the command line reads them, for tests and benches.

use patrol::Problem;
use patrol::generate::world;
use patrol::problem::{Edge, Gap, Pause};

/// A keep with three guards, rooms behind doors, a pause and a gap.
pub(crate) const KEEP: &str = include_str!("maps/keep.map");
/// Range of sight of its guards.
pub(crate) const KEEP_SIGHT: i64 = 4;
/// Instants of its intruders.
pub(crate) const KEEP_INSTANTS: u32 = 15;

/// Problem of a map with guards of sight `range` tiles, against an intruder with `instants`
/// instants. Settings above the map are skipped. Doors take 2 ticks and are not seen through,
/// guards start at `G` and stay for 3 ticks at `P`, and `V` is out of sight for 6.
pub(crate) fn read(map: &str, range: i64, instants: u32) -> Problem {
    let lines = map.lines().filter(|line| line.contains('#'));
    let rows: Vec<Vec<char>> = lines.map(|line| line.chars().collect()).collect();
    let tile = |x: i64, y: i64| rows[y as usize][x as usize];
    let mut floor = Vec::new();
    for (y, row) in rows.iter().enumerate() {
        let free = row.iter().enumerate().filter(|(_, tile)| **tile != '#');
        floor.extend(free.map(|(x, _)| (x as i64, y as i64)));
    }
    let index = |place: (i64, i64)| floor.iter().position(|other| *other == place);
    let is_door = |x: i64, y: i64| matches!(tile(x, y), '+' | 'D');
    let marked = |mark: char| -> Vec<usize> {
        let all = floor.iter().enumerate();
        let marked = all.filter(|(_, (x, y))| tile(*x, *y) == mark);
        marked.map(|(vertex, _)| vertex).collect()
    };
    let starts = marked('G');
    let mut spec = world(floor.len(), &[], starts.len());
    for (from, (x, y)) in floor.iter().enumerate() {
        for place in [(x + 1, *y), (*x, y + 1)] {
            if let Some(to) = index(place) {
                let door = is_door(*x, *y) || is_door(place.0, place.1);
                spec.edges.push(Edge {
                    ends: [from, to],
                    length: if door { 2 } else { 1 },
                });
            }
        }
    }
    let is_near = |one: &(i64, i64), other: &(i64, i64)| {
        (one.0 - other.0).pow(2) + (one.1 - other.1).pow(2) <= range * range
    };
    let mut sights = vec![Vec::new(); floor.len()];
    for (one, from) in floor.iter().enumerate() {
        for (other, to) in floor.iter().enumerate().skip(one + 1) {
            let is_clear = |(x, y)| tile(x, y) != '#' && !is_door(x, y);
            if is_near(from, to) && line(*from, *to).all(is_clear) {
                sights[one].push(other);
                sights[other].push(one);
            }
        }
    }
    spec.sights = vec![sights];
    for (guard, start) in spec.guards.iter_mut().zip(starts) {
        (guard.start, guard.sight) = (start, Some(0));
    }
    let weight = |(x, y): &(i64, i64)| u64::from(tile(*x, *y).to_digit(10).unwrap_or(1));
    spec.weights_micro = floor
        .iter()
        .map(|place| 1_000_000 * weight(place))
        .collect();
    spec.pauses = marked('P')
        .into_iter()
        .map(|vertex| Pause { vertex, ticks: 3 })
        .collect();
    spec.gaps = marked('V')
        .into_iter()
        .map(|vertex| Gap { vertex, ticks: 6 })
        .collect();
    spec.intruder.instants = instants;
    Problem::new(spec).expect("maps are valid")
}

/// Tiles on a straight line between two, without them: along the longer axis one by one, along the
/// other rounded.
fn line(from: (i64, i64), to: (i64, i64)) -> impl Iterator<Item = (i64, i64)> {
    let (wide, tall) = (to.0 - from.0, to.1 - from.1);
    let long = wide.abs().max(tall.abs());
    let along =
        move |step: i64, side: i64| (2 * step * side.abs() + long) / (2 * long) * side.signum();
    (1..long).map(move |step| (from.0 + along(step, wide), from.1 + along(step, tall)))
}
