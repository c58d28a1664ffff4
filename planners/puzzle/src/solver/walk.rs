//! Cells within the player's reach, and shortest walks.

use super::field::{Field, back};
use super::{NOWHERE, Push, Spot};
use crate::board::{Direction, Step};
use search::paths::nearest;

/// Which cells hold boxes.
#[derive(Debug, Clone, Default)]
pub(super) struct Taken {
    pub(super) is_taken: Vec<bool>,
    /// For each row of the board a bit for each floor cell without a box.
    free: Vec<u64>,
}

impl Taken {
    /// No box anywhere.
    pub(super) fn clear(&mut self, field: &Field) {
        self.is_taken.clear();
        self.is_taken.resize(field.len(), false);
        self.free.clone_from(&field.rows);
    }

    /// A box comes, or goes.
    pub(super) fn set(&mut self, field: &Field, spot: Spot, is_taken: bool) {
        self.is_taken[usize::from(spot)] = is_taken;
        let (row, bit) = field.bit(spot);
        if is_taken {
            self.free[row] &= !bit;
        } else {
            self.free[row] |= bit;
        }
    }
}

/// Reached cells: for each row of the board a bit for each cell.
#[derive(Debug, Clone, Default)]
pub(super) struct Fill {
    rows: Vec<u64>,
}

impl Fill {
    /// Marks all cells that can be walked to from `start` past the boxes; returns the least of
    /// them. Row by row, down and up again until nothing is new.
    pub(super) fn fill(&mut self, field: &Field, taken: &Taken, start: Spot) -> Spot {
        let free = &taken.free;
        self.rows.clear();
        self.rows.resize(free.len(), 0);
        let (row, bit) = field.bit(start);
        self.rows[row] = spread(bit, free[row] | bit);
        let (mut least, mut most) = (row, row);
        loop {
            let mut is_new = false;
            // The border is all walls: the row above and the one below exist.
            while self.enter(free, most, most + 1) {
                most += 1;
                is_new = true;
            }
            for row in (least..most).rev() {
                is_new |= self.enter(free, row + 1, row);
            }
            while self.enter(free, least, least - 1) {
                least -= 1;
                is_new = true;
            }
            for row in least..most {
                is_new |= self.enter(free, row, row + 1);
            }
            if !is_new {
                return field.lowest(least, self.rows[least]);
            }
        }
    }

    /// Walks from a row into the next one; whether anything is new there.
    fn enter(&mut self, free: &[u64], from: usize, to: usize) -> bool {
        let new = self.rows[from] & free[to] & !self.rows[to];
        if new != 0 {
            self.rows[to] |= spread(new, free[to]);
        }
        new != 0
    }

    /// Whether the last fill reached a cell.
    pub(super) fn contains(&self, field: &Field, spot: Spot) -> bool {
        let (row, bit) = field.bit(spot);
        self.rows[row] & bit != 0
    }
}

/// For each set of the eight cells around another, as [`Field::around`] numbers them, whether it
/// joins those next to that cell.
const JOINED: [bool; 256] = joined();

const fn joined() -> [bool; 256] {
    let mut joined = [false; 256];
    let mut around = 0_usize;
    while around < 256 {
        // Runs of cells around it with one in it that is next to it: those have even numbers.
        let mut runs = 0;
        let mut at = 0;
        while at < 8 {
            let is_in = around >> at & 1 == 1;
            let is_before = around >> ((at + 7) % 8) & 1 == 1;
            let is_after = around >> ((at + 1) % 8) & 1 == 1;
            let is_lone_corner = at % 2 == 1 && !is_after;
            if is_in && !is_before && !is_lone_corner {
                runs += 1;
            }
            at += 1;
        }
        joined[around] = runs <= 1;
        around += 1;
    }
    joined
}

/// The least cell that the player can walk to after a push, if a look at the neighbours decides it:
/// all of the cells reachable before still are, because the cells around the box are joined, and
/// the push opens no path to other cells.
pub(super) fn after_push(
    field: &Field,
    taken: &Taken,
    before: &Fill,
    least: Spot,
    [from, ahead]: [Spot; 2],
) -> Option<Spot> {
    if least == ahead || !JOINED[usize::from(field.around(ahead, &taken.free))] {
        return None;
    }
    let mut neighbours = field.next[usize::from(from)].iter();
    let is_known = |&spot: &Spot| {
        spot == NOWHERE || taken.is_taken[usize::from(spot)] || before.contains(field, spot)
    };
    neighbours.all(is_known).then_some(least.min(from))
}

/// All bits of the runs of `free` in which `bits` are: a sum carries through a run to its end.
fn spread(bits: u64, free: u64) -> u64 {
    let up = |bits: u64, free: u64| free & ((free.wrapping_add(bits) ^ free) | bits);
    up(bits, free) | up(bits.reverse_bits(), free.reverse_bits()).reverse_bits()
}

/// The steps of a list of pushes: the shortest walk to each, and the push.
pub(crate) fn steps(field: &Field, boxes: &[Spot], player: Spot, pushes: &[Push]) -> Vec<Step> {
    let mut is_taken = vec![false; field.len()];
    for &spot in boxes {
        is_taken[usize::from(spot)] = true;
    }
    let mut player = player;
    let mut steps = Vec::new();
    for push in pushes {
        let direction = usize::from(push.direction);
        let behind = field.next[usize::from(push.from)][back(direction)];
        walk(field, &is_taken, [player, behind], &mut steps);
        steps.push(Step {
            direction: Direction::ALL[direction],
            pushes: true,
        });
        is_taken[usize::from(push.from)] = false;
        is_taken[usize::from(field.next[usize::from(push.from)][direction])] = true;
        player = push.from;
    }
    steps
}

/// Appends a shortest walk, by a search backwards.
fn walk(field: &Field, is_taken: &[bool], [from, to]: [Spot; 2], steps: &mut Vec<Step>) {
    let next = |spot: usize| {
        let next = field.next[spot].iter().filter(|next| **next != NOWHERE);
        let next = next.map(|next| usize::from(*next));
        next.filter(|next| !is_taken[*next])
    };
    let (from, to) = (usize::from(from), usize::from(to));
    let path = nearest(field.len(), to, next, |spot| spot == from).unwrap_or_default();
    let spots: Vec<usize> = std::iter::once(to).chain(path).collect();
    steps.extend(spots.windows(2).rev().filter_map(|pair| {
        let mut neighbours = field.next[pair[1]].iter();
        let direction = neighbours.position(|next| usize::from(*next) == pair[0])?;
        Some(Step {
            direction: Direction::ALL[direction],
            pushes: false,
        })
    }));
}
