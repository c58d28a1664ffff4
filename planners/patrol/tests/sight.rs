//! Rounds on maps of tiles, where guards see far or go past everything.

use anytime::{Conclusion, Control, Limits};
use patrol::generate::{grid, staying, world};
use patrol::problem::{CERTAIN, Edge, Gap, Pause};
use patrol::{Cost, Params, Plan, Problem, Spec, solve};

/// As the client reads maps: doors take two ticks and are not seen through, guards (`G`) see four tiles far, and stay for three ticks at
/// `P`; `V` has to be out of sight for six.
const CASTLE: &str = "\
############################
#G....#......#......#.....V#
#.....+..2...+......+......#
#.....#......#...9..#......#
###+#####+######+#######+###
#..........................#
#.............P............#
###+#######+#######+########
#......#.......#.......#9.9#
#......+...3...+...5...D...#
#......#.......#.......#.9.#
###+########+######+########
#..........................#
#G..........G..............#
############################";

type Tile = (usize, usize);

fn castle() -> Spec {
    let rows: Vec<&[u8]> = CASTLE.lines().map(str::as_bytes).collect();
    let at = |(column, row): Tile| rows[row][column];
    let is_door = |tile: Tile| matches!(at(tile), b'+' | b'D');
    let all = (0..rows.len()).flat_map(|row| (0..rows[0].len()).map(move |column| (column, row)));
    let floor: Vec<Tile> = all.filter(|tile| at(*tile) != b'#').collect();
    let floor = &floor;
    let marked = |mark: u8| (0..floor.len()).filter(move |tile| at(floor[*tile]) == mark);
    let starts: Vec<usize> = marked(b'G').collect();
    let mut spec = world((floor.len(), &[]), starts.len());
    let mut sight = vec![Vec::new(); floor.len()];
    for (one, from) in floor.iter().enumerate() {
        for (other, to) in floor.iter().enumerate().skip(one + 1) {
            let (wide, tall) = (to.0.abs_diff(from.0), to.1 - from.1);
            if wide + tall == 1 {
                let length = 1 + u32::from(is_door(*from) || is_door(*to));
                let ends = [one, other];
                spec.edges.push(Edge { ends, length });
            }
            let opaque = |tile: &Tile| at(*tile) == b'#' || is_door(*tile);
            if wide * wide + tall * tall <= 16 && !line(*from, *to).iter().any(opaque) {
                sight[one].push(other);
                sight[other].push(one);
            }
        }
    }
    spec.sights = vec![sight];
    for (guard, start) in spec.guards.iter_mut().zip(starts) {
        (guard.start, guard.sight) = (start, Some(0));
    }
    let weight = |tile: &Tile| match at(*tile) {
        digit @ b'0'..=b'9' => 1_000_000 * u64::from(digit - b'0'),
        _ => 1_000_000,
    };
    spec.weights_micro = floor.iter().map(weight).collect();
    spec.pauses = marked(b'P')
        .map(|vertex| Pause { vertex, ticks: 3 })
        .collect();
    spec.gaps = marked(b'V')
        .map(|vertex| Gap { vertex, ticks: 6 })
        .collect();
    spec.intruder.instants = 15;
    spec
}

/// Tiles on a straight line between two, without them (Bresenham).
fn line(from: Tile, to: Tile) -> Vec<Tile> {
    let [(mut x, mut y), (to_x, to_y)] = [from, to].map(|(x, y)| (x as i64, y as i64));
    let (wide, tall) = ((to_x - x).abs(), -(to_y - y).abs());
    let (right, down) = ((to_x - x).signum(), (to_y - y).signum());
    let mut error = wide + tall;
    let mut tiles = Vec::new();
    while (x, y) != (to_x, to_y) {
        let twice = 2 * error;
        if twice >= tall {
            error += tall;
            x += right;
        }
        if twice <= wide {
            error += wide;
            y += down;
        }
        tiles.push((x as usize, y as usize));
    }
    tiles.pop();
    tiles
}

fn search(spec: Spec, iterations: u64) -> (f64, Conclusion) {
    let problem = Problem::new(spec).expect("it makes sense");
    let mut best = 1.0;
    let mut sink = |_: &Plan, cost: Cost| best = cost.0 as f64 / CERTAIN as f64;
    let mut control = Control::new(Limits::iterations(iterations), 1, &mut sink);
    let end = solve(&problem, &Params::default(), &mut control).expect("it is supported");
    (1.0 - best, end)
}

#[test]
fn rounds_begin_with_what_has_to_be_seen() {
    let (caught, _) = search(castle(), 1);
    assert!(caught >= 0.42, "{caught}");
    let (caught, _) = search(castle(), 40_000);
    assert!(caught >= 0.62, "{caught}");
}

#[test]
fn a_round_past_all_tiles_of_an_open_floor_is_found_at_once() {
    let (caught, end) = search(staying(grid(20, 20, 8), 49), 1_000);
    assert!(caught >= 0.99, "{caught} {end:?}");
}
