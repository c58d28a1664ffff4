//! Floor of a board, and distances of boxes to goals.

use super::{NOWHERE, Spot};
use crate::board::{Board, Direction};

/// No path to the goal.
pub(crate) const NEVER: u16 = u16::MAX;

/// The floor of a board: cells numbered row by row, and their neighbours.
#[derive(Debug, Clone, Default)]
pub(crate) struct Field {
    /// For each floor cell its neighbours, up, right, down, left: [`NOWHERE`] for walls.
    pub(crate) next: Vec<[Spot; 4]>,
    /// For each floor cell its cell on the board.
    pub(crate) cells: Vec<usize>,
    /// For each cell of the board its floor cell.
    pub(crate) spots: Vec<Spot>,
    /// For each row of the board a bit for each floor cell: boards have at most 64 columns.
    pub(super) rows: Vec<u64>,
    width: usize,
}

impl Field {
    /// The floor of cells that are no walls, on a board of `width` columns whose border is all
    /// walls.
    pub(crate) fn set(&mut self, width: usize, is_wall: impl Fn(usize) -> bool, cells: usize) {
        self.cells.clear();
        self.spots.clear();
        self.next.clear();
        self.width = width;
        self.rows.clear();
        self.rows.resize(cells.div_ceil(width), 0);
        for cell in 0..cells {
            if is_wall(cell) {
                self.spots.push(NOWHERE);
            } else {
                self.rows[cell / width] |= 1 << (cell % width);
                // At most 64 x 64 cells.
                self.spots.push(self.cells.len() as Spot);
                self.cells.push(cell);
            }
        }
        for &cell in &self.cells {
            let neighbours = [cell - width, cell + 1, cell + width, cell - 1];
            self.next.push(neighbours.map(|cell| self.spots[cell]));
        }
    }

    /// Row of a floor cell, and its bit.
    pub(super) fn bit(&self, spot: Spot) -> (usize, u64) {
        let cell = self.cells[usize::from(spot)];
        (cell / self.width, 1 << (cell % self.width))
    }

    /// Which of the eight cells around a floor cell are in `rows`, clockwise from the one above.
    pub(super) fn around(&self, spot: Spot, rows: &[u64]) -> u8 {
        let cell = self.cells[usize::from(spot)];
        // The border is all walls.
        let (row, left) = (cell / self.width, cell % self.width - 1);
        let three = |row: usize| (rows[row] >> left) as u8 & 7;
        let (above, here, below) = (three(row - 1), three(row), three(row + 1));
        // A row's lowest bit is its cell to the left.
        above >> 1
            | (here >> 2) << 2
            | (below >> 2) << 3
            | (below >> 1 & 1) << 4
            | (below & 1) << 5
            | (here & 1) << 6
            | (above & 1) << 7
    }

    /// The floor cell of a row and the lowest bit of some.
    pub(super) fn lowest(&self, row: usize, bits: u64) -> Spot {
        self.spots[row * self.width + bits.trailing_zeros() as usize]
    }

    /// Number of floor cells.
    pub(crate) fn len(&self) -> usize {
        self.next.len()
    }
}

/// A board to solve: floor, goals, and how far each cell is from each goal.
#[derive(Debug, Clone, Default)]
pub(crate) struct Task {
    pub(crate) field: Field,
    /// Goals, rising.
    pub(crate) goals: Vec<Spot>,
    /// For each floor cell whether it is a goal.
    pub(crate) is_goal: Vec<bool>,
    /// Fewest pushes of a lone box from a cell to a goal, wherever the player is: cell by cell,
    /// goal by goal.
    pub(crate) pushes: Vec<u16>,
    /// For each floor cell whether no goal can be reached from it.
    pub(crate) is_dead: Vec<bool>,
    queue: Vec<Spot>,
}

impl Task {
    /// The task of a board, and where boxes and player are on its floor.
    pub(crate) fn from_board(board: &Board) -> (Self, Vec<Spot>, Spot) {
        let mut task = Self::default();
        task.field.set(
            board.width(),
            |cell| board.is_wall(cell),
            board.tiles().len(),
        );
        let spot = |cell: &usize| task.field.spots[*cell];
        let boxes = board.boxes().iter().map(spot).collect();
        let player = spot(&board.player());
        let goals: Vec<Spot> = board.goals().iter().map(spot).collect();
        task.set_goals(&goals);
        (task, boxes, player)
    }

    /// Takes these goals, rising, and measures the distances to them.
    pub(crate) fn set_goals(&mut self, goals: &[Spot]) {
        let floor = self.field.len();
        self.goals.clear();
        self.goals.extend_from_slice(goals);
        self.is_goal.clear();
        self.is_goal.resize(floor, false);
        self.pushes.clear();
        self.pushes.resize(floor * goals.len(), NEVER);
        for (goal, &spot) in goals.iter().enumerate() {
            self.is_goal[usize::from(spot)] = true;
            self.measure(goal, spot);
        }
        self.is_dead.clear();
        let rows = self.pushes.chunks(goals.len().max(1));
        self.is_dead
            .extend(rows.map(|row| row.iter().all(|pushes| *pushes == NEVER)));
    }

    fn measure(&mut self, goal: usize, spot: Spot) {
        let goals = self.goals.len();
        self.queue.clear();
        self.queue.push(spot);
        self.pushes[usize::from(spot) * goals + goal] = 0;
        let mut at = 0;
        while at < self.queue.len() {
            let cell = usize::from(self.queue[at]);
            at += 1;
            let pushes = self.pushes[cell * goals + goal];
            for direction in 0..4 {
                let from = self.field.next[cell][direction];
                if from == NOWHERE {
                    continue;
                }
                let entry = usize::from(from) * goals + goal;
                // The player pushed from one cell further on that side.
                if self.pushes[entry] == NEVER
                    && self.field.next[usize::from(from)][direction] != NOWHERE
                {
                    self.pushes[entry] = pushes + 1;
                    self.queue.push(from);
                }
            }
        }
    }

    /// Pushes from a cell to each goal.
    pub(crate) fn pushes_to_goals(&self, spot: Spot) -> &[u16] {
        let goals = self.goals.len();
        &self.pushes[usize::from(spot) * goals..][..goals]
    }
}

/// The opposite of a direction, as indices in [`Direction::ALL`].
pub(crate) fn back(direction: usize) -> usize {
    (direction + 2) % Direction::ALL.len()
}
