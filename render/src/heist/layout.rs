//! Layout of rooms on a map: the problem's, or a grid with neighbours side by side if possible.
//!
//! Rooms are placed breadth first, each in the free cell nearest to its neighbours, and then moved
//! and swapped while edges get shorter, for a fixed number of rounds. Nothing is random.

use super::scene::Scene;
use std::collections::{BTreeMap, VecDeque};

/// Rounds of moving and swapping.
const ROUNDS: usize = 24;
/// How far around the middle of its neighbours a room is tried.
const REACH: i64 = 2;

/// A cell of a grid: column and row.
pub(super) type Cell = (i64, i64);

/// Where rooms are.
pub(super) struct Layout {
    /// To the right and downwards, in units of about a room; neighbours are one apart at best.
    pub(super) places: Vec<(f64, f64)>,
    /// Column and row from 0 on, for each room another; no row and no column is empty.
    pub(super) cells: Vec<Cell>,
}

impl Layout {
    pub(super) fn new(scene: &Scene<'_>) -> Self {
        let count = scene.world.rooms.len();
        let ways: Vec<_> = (0..scene.world.doors.len())
            .filter_map(|d| scene.sides(d))
            .filter(|[a, b]| a != b)
            .collect();
        if let Some(places) = given(scene) {
            let cells = snapped(&places, &ways);
            return Self { places, cells };
        }
        let cells = dense(&grown(count, &ways));
        let places = cells.iter().map(|(x, y)| (*x as f64, *y as f64));
        Self {
            places: places.collect(),
            cells,
        }
    }
}

/// The places that the problem gives, where it gives all, and they differ.
fn given(scene: &Scene<'_>) -> Option<Vec<(f64, f64)>> {
    let sane = |n: &f64| n.is_finite() && n.abs() <= 1e9;
    let place = |r: &stratagem_proto::v1::HeistRoom| Some((r.x.filter(sane)?, r.y.filter(sane)?));
    let places: Option<Vec<_>> = scene.world.rooms.iter().map(place).collect();
    places.filter(|p| p.len() < 2 || p.iter().any(|place| *place != p[0]))
}

/// Cells for places: of two in one cell the second goes to the next free one.
fn snapped(places: &[(f64, f64)], ways: &[[usize; 2]]) -> Vec<Cell> {
    let far = |[a, b]: &[usize; 2]| {
        let (x, y) = (places[*a].0 - places[*b].0, places[*a].1 - places[*b].1);
        x.abs().max(y.abs())
    };
    let mut lengths: Vec<f64> = ways.iter().map(far).filter(|l| *l > 0.0).collect();
    lengths.sort_by(f64::total_cmp);
    let unit = lengths.get(lengths.len() / 2).copied().unwrap_or(1.0);
    let mut taken = BTreeMap::new();
    for (room, (x, y)) in places.iter().enumerate() {
        let cell = |n: f64| (n / unit).round().clamp(-1e12, 1e12) as i64;
        let wanted = (cell(*x), cell(*y));
        let cell = nearest_free(&taken, wanted);
        taken.insert(cell, room);
    }
    let mut cells = vec![(0, 0); places.len()];
    for (cell, room) in taken {
        cells[room] = cell;
    }
    dense(&cells)
}

/// The free cell nearest to another, in rings around it.
fn nearest_free(taken: &BTreeMap<Cell, usize>, (x, y): Cell) -> Cell {
    for radius in 0_i64.. {
        let ring = (-radius..=radius).flat_map(|dy| (-radius..=radius).map(move |dx| (dx, dy)));
        let mut free = ring
            .filter(|(dx, dy)| dx.abs().max(dy.abs()) == radius)
            .map(|(dx, dy)| (x + dx, y + dy))
            .filter(|cell| !taken.contains_key(cell));
        if let Some(cell) = free.next() {
            return cell;
        }
    }
    // There are fewer rooms than cells.
    (x, y)
}

/// Rooms on a grid.
fn grown(count: usize, ways: &[[usize; 2]]) -> Vec<Cell> {
    let mut near = vec![Vec::new(); count];
    for [a, b] in ways {
        near[*a].push(*b);
        near[*b].push(*a);
    }
    let mut grid = Grid {
        near,
        cells: vec![None; count],
        taken: BTreeMap::new(),
    };
    // Not from where somebody is: maps of one museum are alike.
    for start in 0..count {
        if grid.cells[start].is_none() {
            grid.grow(start);
        }
    }
    for _ in 0..ROUNDS {
        let moved = (0..count).filter(|room| grid.improve(*room)).count();
        if moved == 0 {
            break;
        }
    }
    let cells: Vec<Cell> = grid.cells.into_iter().flatten().collect();
    let wide = cells
        .iter()
        .map(|c| c.0)
        .max()
        .zip(cells.iter().map(|c| c.0).min());
    let tall = cells
        .iter()
        .map(|c| c.1)
        .max()
        .zip(cells.iter().map(|c| c.1).min());
    let span = |ends: Option<(i64, i64)>| ends.map_or(0, |(high, low)| high - low);
    // Screens are wide.
    if span(tall) > span(wide) {
        cells.into_iter().map(|(x, y)| (y, x)).collect()
    } else {
        cells
    }
}

struct Grid {
    near: Vec<Vec<usize>>,
    cells: Vec<Option<Cell>>,
    taken: BTreeMap<Cell, usize>,
}

impl Grid {
    /// Puts down a room and all that can be reached from it.
    fn grow(&mut self, start: usize) {
        let right = self.taken.keys().map(|c| c.0).max();
        self.put(start, (right.map_or(0, |x| x + 2), 0));
        let mut queue = VecDeque::from([start]);
        while let Some(room) = queue.pop_front() {
            for next in self.near[room].clone() {
                if self.cells[next].is_none() {
                    let cell = self.best(next);
                    self.put(next, cell);
                    queue.push_back(next);
                }
            }
        }
    }

    fn put(&mut self, room: usize, cell: Cell) {
        if let Some(old) = self.cells[room] {
            self.taken.remove(&old);
        }
        self.cells[room] = Some(cell);
        self.taken.insert(cell, room);
    }

    /// The middle of a room's neighbours that have a place.
    fn middle(&self, room: usize) -> Cell {
        let near: Vec<Cell> = self.near[room]
            .iter()
            .filter_map(|n| self.cells[*n])
            .collect();
        let count = near.len().max(1) as i64;
        let (x, y) = near
            .iter()
            .fold((0, 0), |sum, c| (sum.0 + c.0, sum.1 + c.1));
        (x.div_euclid(count), y.div_euclid(count))
    }

    /// The free cell that costs a new room the least.
    fn best(&self, room: usize) -> Cell {
        let middle = self.middle(room);
        let free = around(middle).filter(|cell| !self.taken.contains_key(cell));
        let cost = |cell: &Cell| self.cost(room, *cell) * 4 + self.crowd(room, *cell);
        free.min_by_key(cost)
            .unwrap_or_else(|| nearest_free(&self.taken, middle))
    }

    /// Moves a room, or swaps it with another, where that makes ways shorter.
    fn improve(&mut self, room: usize) -> bool {
        let Some(here) = self.cells[room] else {
            return false;
        };
        let middle = self.middle(room);
        let now = self.cost(room, here);
        if now == 0 || self.near[room].is_empty() {
            return false;
        }
        let mut best = (0, here);
        for cell in around(middle).filter(|cell| *cell != here) {
            let gain = match self.taken.get(&cell) {
                None => now - self.cost(room, cell),
                Some(other) => self.swap_gain(room, *other),
            };
            if gain > best.0 {
                best = (gain, cell);
            }
        }
        if best.0 == 0 {
            return false;
        }
        match self.taken.get(&best.1).copied() {
            None => self.put(room, best.1),
            Some(other) => self.swap(room, other),
        }
        true
    }

    fn swap(&mut self, one: usize, other: usize) {
        self.cells.swap(one, other);
        for room in [one, other] {
            if let Some(cell) = self.cells[room] {
                self.taken.insert(cell, room);
            }
        }
    }

    fn swap_gain(&mut self, one: usize, other: usize) -> i64 {
        let both = |grid: &Self| {
            let cost = |room: usize| grid.cells[room].map_or(0, |cell| grid.cost(room, cell));
            cost(one) + cost(other)
        };
        let before = both(self);
        self.swap(one, other);
        let after = both(self);
        self.swap(one, other);
        before - after
    }

    /// Length and crookedness of a room's edges in a cell; 0 where all neighbours are side by side.
    fn cost(&self, room: usize, (x, y): Cell) -> i64 {
        let far = |(nx, ny): Cell| {
            let (dx, dy) = ((x - nx).abs(), (y - ny).abs());
            let crooked = if dx > 0 && dy > 0 { 2 } else { 0 };
            3 * (dx + dy - 1) + crooked
        };
        let near = self.near[room].iter().filter_map(|n| self.cells[*n]);
        near.map(far).sum()
    }

    /// Rooms next to a cell that are no neighbours: they would look like some.
    fn crowd(&self, room: usize, (x, y): Cell) -> i64 {
        let beside = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)];
        let others = beside.iter().filter_map(|cell| self.taken.get(cell));
        others.filter(|n| !self.near[room].contains(n)).count() as i64
    }
}

/// Cells around another, to the right and below first.
fn around((x, y): Cell) -> impl Iterator<Item = Cell> {
    let order = [1, 0, -1, 2, -2];
    let within = |d: &i64| d.abs() <= REACH;
    let rows = order.into_iter().filter(within);
    rows.flat_map(move |dy| {
        let columns = order.into_iter().filter(within);
        columns.map(move |dx| (x + dx, y + dy))
    })
}

/// The same order, without empty columns and rows.
fn dense(cells: &[Cell]) -> Vec<Cell> {
    let rank = |of: fn(&Cell) -> i64| {
        let mut all: Vec<i64> = cells.iter().map(of).collect();
        all.sort_unstable();
        all.dedup();
        let ranks = all.into_iter().enumerate().map(|(n, v)| (v, n as i64));
        ranks.collect::<BTreeMap<_, _>>()
    };
    let (columns, rows) = (rank(|c| c.0), rank(|c| c.1));
    let cell = |(x, y): &Cell| (columns[x], rows[y]);
    cells.iter().map(cell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(count: usize) -> Vec<[usize; 2]> {
        (1..count).map(|n| [n - 1, n]).collect()
    }

    fn far(one: Cell, other: Cell) -> i64 {
        (one.0 - other.0).abs() + (one.1 - other.1).abs()
    }

    #[test]
    fn neighbours_of_a_chain_are_side_by_side() {
        let cells = grown(9, &chain(9));
        for pair in cells.windows(2) {
            assert_eq!(far(pair[0], pair[1]), 1, "{cells:?}");
        }
    }

    #[test]
    fn no_two_rooms_share_a_cell() {
        let star: Vec<_> = (1..40).map(|n| [0, n]).collect();
        for (count, ways) in [(40, star), (7, Vec::new()), (12, chain(5))] {
            let mut cells = dense(&grown(count, &ways));
            assert_eq!(cells.len(), count);
            cells.sort_unstable();
            cells.dedup();
            assert_eq!(cells.len(), count);
        }
    }

    #[test]
    fn a_small_grid_is_nearly_one() {
        let mut ways = Vec::new();
        for n in 0..16 {
            if n % 4 < 3 {
                ways.push([n, n + 1]);
            }
            if n < 12 {
                ways.push([n, n + 4]);
            }
        }
        let cells = grown(16, &ways);
        let long = ways.iter().map(|[a, b]| far(cells[*a], cells[*b]));
        assert!(long.sum::<i64>() <= 34, "{cells:?}");
        assert_eq!(cells, grown(16, &ways));
    }

    #[test]
    fn places_become_cells_in_their_order() {
        let places = [
            (0.0, 0.0),
            (130.0, 4.0),
            (260.0, 0.0),
            (131.0, 90.0),
            (131.0, 90.0),
        ];
        let cells = snapped(&places, &[[0, 1], [1, 2], [1, 3]]);
        assert_eq!(cells[..3], [(0, 0), (1, 0), (2, 0)]);
        assert_eq!(cells[3], (1, 1));
        assert_ne!(cells[3], cells[4]);
    }
}
