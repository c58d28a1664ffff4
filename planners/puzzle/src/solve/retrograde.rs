//! Retrograde analysis: all positions of a small board, from the solved ones backwards.

use super::draft::Ground;
use crate::problem::Problem;
use crate::solver::{Field, NOWHERE};

/// Most positions that are looked at, all sets of goals together: about as many as take some
/// seconds.
const POSITIONS_MAX: u64 = 4_000_000;
/// Largest table of positions: what they have room in, with a place for each cell that the player
/// can be at.
const TABLE_MAX: u64 = 16_000_000;
/// Parts of the floor that boxes cut it into, as a rule.
const PARTS: u64 = 2;
/// No depth.
const NEVER: u16 = u16::MAX;

/// Cells of a floor as bits.
pub(super) type Cells = u64;

/// A position: boxes, least cell of the part in which the player can walk, and fewest pushes to a
/// solved one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) boxes: Cells,
    pub(super) player: u8,
    pub(super) depth: u16,
}

/// Retrograde analysis of a floor of at most 64 cells, with room for all positions of some number
/// of boxes.
#[derive(Debug)]
pub(super) struct Retrograde {
    pub(super) field: Field,
    /// For each cell those next to it.
    near: Vec<Cells>,
    /// Binomial coefficients: row by number of cells, column by number of boxes.
    binomials: Vec<[u64; crate::problem::BOXES_MAX + 1]>,
    /// Goals that the template asks for.
    goals: Cells,
    depths: Vec<u16>,
    found: Vec<Position>,
}

impl Retrograde {
    /// The analysis of a problem whose template leaves no wall open, if all its positions are few
    /// enough.
    pub(super) fn for_problem(
        problem: &Problem,
        ground: &Ground<'_>,
        nodes_max: usize,
    ) -> Option<Self> {
        if !ground.orbits.is_empty() || ground.open.len() > 64 {
            return None;
        }
        let spec = problem.spec();
        let mut field = Field::default();
        field.set(
            ground.width,
            |cell| ground.solid()[cell],
            spec.width * spec.height,
        );
        let near = field.next.iter().map(|neighbours| {
            let cells = neighbours.iter().filter(|next| **next != NOWHERE);
            cells.fold(0, |near, &next| near | 1 << next)
        });
        let goals = ground.goals.iter().map(|&cell| field.spots[cell]);
        let retrograde = Self {
            near: near.collect(),
            binomials: pascal(field.len()),
            goals: goals.fold(0, |goals, spot| goals | 1 << spot),
            field,
            depths: Vec::new(),
            found: Vec::new(),
        };
        let cells = retrograde.field.len() as u64;
        let mut positions = 0_u64;
        for boxes in spec.boxes_min..=spec.boxes_max {
            let fixed = ground.goals.len().min(boxes);
            let sets = retrograde.choices(cells as usize, boxes)?;
            if sets.saturating_mul(cells) > TABLE_MAX.min(nodes_max as u64) {
                return None;
            }
            let of_goals = retrograde.choices(cells as usize - fixed, boxes - fixed)?;
            positions = positions.saturating_add(sets.saturating_mul(PARTS * of_goals));
        }
        (positions <= POSITIONS_MAX).then_some(retrograde)
    }

    /// Ways to choose; none where that is more than can be counted.
    fn choices(&self, cells: usize, boxes: usize) -> Option<u64> {
        let choices = self.binomials.get(cells)?[boxes];
        (choices != u64::MAX).then_some(choices)
    }

    /// All sets of this number of goals with those that the template asks for.
    pub(super) fn goal_sets(&self, count: usize) -> impl Iterator<Item = Cells> + use<> {
        let (cells, fixed) = (self.field.len(), self.goals);
        let first = (count <= cells).then(|| Cells::MAX >> (64 - count));
        let sets = std::iter::successors(first, move |set| {
            // The next number with as many bits (Gosper).
            let low = set & set.wrapping_neg();
            let carried = set.checked_add(low)?;
            let next = (((carried ^ set) >> 2) / low) | carried;
            (cells == 64 || next >> cells == 0).then_some(next)
        });
        sets.filter(move |set| set & fixed == fixed)
    }

    /// Finds all positions from which these goals can be filled, those of fewest pushes first;
    /// false when stopped.
    pub(super) fn explore(&mut self, goals: Cells, go_on: &mut dyn FnMut() -> bool) -> bool {
        /// Positions between two looks at whether to go on.
        const PATIENCE: usize = 4_096;
        let cells = self.field.len();
        let sets = self.binomials[cells][goals.count_ones() as usize] as usize;
        self.depths.clear();
        self.depths.resize(sets * cells, NEVER);
        self.found.clear();
        let mut rest = self.all_cells() & !goals;
        while rest != 0 {
            let part = self.reach(rest.trailing_zeros(), goals);
            self.add(goals, part, 0);
            rest &= !part;
        }
        let mut at = 0;
        while at < self.found.len() {
            if at.is_multiple_of(PATIENCE) && !go_on() {
                return false;
            }
            self.pull(self.found[at]);
            at += 1;
        }
        true
    }

    /// Positions that were found last.
    pub(super) fn found(&self) -> &[Position] {
        &self.found
    }

    fn all_cells(&self) -> Cells {
        Cells::MAX >> (64 - self.field.len())
    }

    /// Adds all positions of one more push.
    fn pull(&mut self, from: Position) {
        let part = self.reach(from.player.into(), from.boxes);
        let mut boxes = from.boxes;
        while boxes != 0 {
            let spot = boxes.trailing_zeros();
            boxes &= boxes - 1;
            for direction in 0..4 {
                // The player steps back, and the box comes along.
                let stand = self.field.next[spot as usize][direction];
                if stand == NOWHERE || part & (1 << stand) == 0 {
                    continue;
                }
                let back = self.field.next[usize::from(stand)][direction];
                if back == NOWHERE || from.boxes & (1 << back) != 0 {
                    continue;
                }
                let after = from.boxes & !(1 << spot) | 1 << stand;
                let part = self.reach(back.into(), after);
                self.add(after, part, from.depth + 1);
            }
        }
    }

    fn add(&mut self, boxes: Cells, part: Cells, depth: u16) {
        let player = part.trailing_zeros();
        let index = self.rank(boxes) * self.field.len() + player as usize;
        if self.depths[index] == NEVER {
            self.depths[index] = depth;
            self.found.push(Position {
                boxes,
                player: player as u8,
                depth,
            });
        }
    }

    /// Number of a set of cells among all sets of as many.
    fn rank(&self, set: Cells) -> usize {
        let mut rank = 0;
        let mut rest = set;
        let mut taken = 1;
        while rest != 0 {
            rank += self.binomials[rest.trailing_zeros() as usize][taken];
            rest &= rest - 1;
            taken += 1;
        }
        rank as usize
    }

    /// Cells within reach of the player from a cell, past the boxes.
    pub(super) fn reach(&self, from: u32, boxes: Cells) -> Cells {
        let mut reached: Cells = 1 << from;
        let mut open = reached;
        while open != 0 {
            let near = self.near[open.trailing_zeros() as usize] & !boxes & !reached;
            reached |= near;
            open = (open & (open - 1)) | near;
        }
        reached
    }

    /// Cells of the board, rising.
    pub(super) fn cells(&self, set: Cells) -> Vec<usize> {
        let spots = (0..self.field.len()).filter(|spot| set & (1 << spot) != 0);
        spots.map(|spot| self.field.cells[spot]).collect()
    }
}

/// Pascal's triangle; what cannot be counted is `u64::MAX`.
fn pascal(rows: usize) -> Vec<[u64; crate::problem::BOXES_MAX + 1]> {
    let mut triangle = vec![[0_u64; crate::problem::BOXES_MAX + 1]; rows + 1];
    for row in 0..=rows {
        triangle[row][0] = 1;
        for chosen in 1..=crate::problem::BOXES_MAX.min(row) {
            let above = triangle[row - 1];
            triangle[row][chosen] = above[chosen].saturating_add(above[chosen - 1]);
        }
    }
    triangle
}
