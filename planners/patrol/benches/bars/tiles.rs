//! Maps of tiles, as the command line reads them, for benches.

use patrol::Problem;
use patrol::generate::world;
use patrol::problem::{Gap, Pause};

/// A map with guards who see so many tiles far, against an intruder of so many instants. Doors take 2 ticks, a `P` is a pause of 3, a `V` a gap
/// of 6.
pub(crate) fn read(map: &str, (range, instants): (i64, u32)) -> Problem {
    let rows: Vec<Vec<char>> = map.lines().map(|line| line.chars().collect()).collect();
    let tile = |x: i64, y: i64| rows[y as usize][x as usize];
    let mut floor = Vec::new();
    for (y, row) in rows.iter().enumerate() {
        let free = row.iter().enumerate().filter(|(_, tile)| **tile != '#');
        floor.extend(free.map(|(x, _)| (x as i64, y as i64)));
    }
    let index = |place: (i64, i64)| floor.iter().position(|other| *other == place);
    let is_door = |(x, y): (i64, i64)| matches!(tile(x, y), '+' | 'D');
    let marked = |mark: char| -> Vec<usize> {
        let all = floor.iter().enumerate();
        let marked = all.filter(|(_, (x, y))| tile(*x, *y) == mark);
        marked.map(|(vertex, _)| vertex).collect()
    };
    let starts = marked('G');
    let mut spec = world((floor.len(), &[]), starts.len());
    for (from, (x, y)) in floor.iter().enumerate() {
        for place in [(x + 1, *y), (*x, y + 1)] {
            if let Some(to) = index(place) {
                let door = is_door((*x, *y)) || is_door(place);
                spec.edges.push(patrol::problem::Edge {
                    ends: [from, to],
                    length: if door { 2 } else { 1 },
                });
            }
        }
    }
    let is_near =
        |(x, y): (i64, i64), (u, v): (i64, i64)| (x - u).pow(2) + (y - v).pow(2) <= range * range;
    let mut sights = vec![Vec::new(); floor.len()];
    for (one, from) in floor.iter().enumerate() {
        for (other, to) in floor.iter().enumerate().skip(one + 1) {
            let clear = |(x, y): (i64, i64)| tile(x, y) != '#' && !is_door((x, y));
            if is_near(*from, *to) && line(*from, *to).into_iter().all(clear) {
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

/// Bresenham's line, ends not included.
fn line((mut x, mut y): (i64, i64), to: (i64, i64)) -> Vec<(i64, i64)> {
    let (wide, tall) = ((to.0 - x).abs(), -(to.1 - y).abs());
    let (right, down) = ((to.0 - x).signum(), (to.1 - y).signum());
    let (mut error, mut all) = (wide + tall, Vec::new());
    loop {
        let twice = 2 * error;
        if twice >= tall {
            error += tall;
            x += right;
        }
        if twice <= wide {
            error += wide;
            y += down;
        }
        if (x, y) == to {
            return all;
        }
        all.push((x, y));
    }
}
