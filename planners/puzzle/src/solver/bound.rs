//! The bound: a matching of least cost of boxes with goals.

use super::Spot;
use super::field::{NEVER, Task};

/// More than any sum of distances.
const FAR: i32 = 1 << 20;

/// A matching of rows (boxes) with columns (goals) of least cost, with potentials that prove it
/// (Kuhn, Munkres; by shortest augmenting paths).
#[derive(Debug, Clone, Default)]
struct Matching {
    of_row: Vec<i32>,
    of_column: Vec<i32>,
    /// For each column its row.
    row: Vec<u8>,
    /// For each row its column.
    column: Vec<u8>,
    least: Vec<i32>,
    from: Vec<u8>,
    is_done: Vec<bool>,
}

const NONE: u8 = u8::MAX;

/// The matching of a position, and room for those of the positions after it.
#[derive(Debug, Clone, Default)]
pub(super) struct Bound {
    here: Matching,
    after: Matching,
}

impl Bound {
    /// Matches these boxes; the cost, none if a box has no goal left.
    pub(super) fn start(&mut self, task: &Task, boxes: &[Spot]) -> Option<u32> {
        self.here.start(task, boxes)
    }

    /// The cost after one of the boxes of [`Bound::start`] has moved.
    pub(super) fn moved(&mut self, task: &Task, boxes: &[Spot], row: usize) -> Option<u32> {
        if let [spot] = boxes {
            let pushes = task.pushes_to_goals(*spot)[0];
            return (pushes != NEVER).then(|| u32::from(pushes));
        }
        self.after.copy(&self.here);
        let column = usize::from(self.after.column[row]);
        self.after.row[column] = NONE;
        self.after.column[row] = NONE;
        self.after.augment(task, boxes, row);
        self.after.cost(task, boxes)
    }
}

impl Matching {
    fn start(&mut self, task: &Task, boxes: &[Spot]) -> Option<u32> {
        let count = boxes.len();
        self.of_row.clear();
        self.of_row.resize(count, 0);
        self.of_column.clear();
        self.of_column.resize(count, 0);
        self.row.clear();
        self.row.resize(count, NONE);
        self.column.clear();
        self.column.resize(count, NONE);
        for row in 0..count {
            self.augment(task, boxes, row);
        }
        self.cost(task, boxes)
    }

    fn copy(&mut self, other: &Self) {
        self.of_row.clone_from(&other.of_row);
        self.of_column.clone_from(&other.of_column);
        self.row.clone_from(&other.row);
        self.column.clone_from(&other.column);
    }

    /// Gives a row without a column one, along a shortest path of reduced costs.
    fn augment(&mut self, task: &Task, boxes: &[Spot], row: usize) {
        let count = self.row.len();
        // The potential of the row may be anything that leaves no reduced cost below 0.
        let pushes_to_goals = task.pushes_to_goals(boxes[row]).iter().zip(&self.of_column);
        self.of_row[row] = pushes_to_goals
            .map(|(pushes, of_column)| cost(*pushes) - of_column)
            .min()
            .unwrap_or(0);
        self.least.clear();
        self.least.resize(count, i32::MAX);
        self.from.clear();
        self.from.resize(count, NONE);
        self.is_done.clear();
        self.is_done.resize(count, false);
        let mut current = row;
        let mut arrived = NONE;
        let mut reached = 0;
        let end = loop {
            let offset = reached - self.of_row[current];
            let (column, step) = self.relax(task.pushes_to_goals(boxes[current]), offset, arrived);
            reached = step;
            self.is_done[column] = true;
            if self.row[column] == NONE {
                break column;
            }
            arrived = column as u8;
            current = usize::from(self.row[column]);
        };
        for column in (0..count).filter(|&column| self.is_done[column]) {
            let slack = reached - self.least[column];
            self.of_column[column] -= slack;
            if self.row[column] != NONE {
                self.of_row[usize::from(self.row[column])] += slack;
            }
        }
        self.of_row[row] += reached;
        self.flip(row, end);
    }

    /// Relaxes the distances to columns from those of a row, and takes the nearest column that is
    /// not done, with its distance.
    fn relax(&mut self, pushes_to_goals: &[u16], offset: i32, arrived: u8) -> (usize, i32) {
        let mut next = 0;
        let mut step = i32::MAX;
        for (column, &pushes) in pushes_to_goals.iter().enumerate() {
            if self.is_done[column] {
                continue;
            }
            let reduced = offset + cost(pushes) - self.of_column[column];
            if reduced < self.least[column] {
                self.least[column] = reduced;
                self.from[column] = arrived;
            }
            if self.least[column] < step {
                step = self.least[column];
                next = column;
            }
        }
        (next, step)
    }

    /// Takes the path to column `end` into the matching.
    fn flip(&mut self, row: usize, end: usize) {
        let mut column = end;
        loop {
            let from = self.from[column];
            let taken = if from == NONE {
                row as u8
            } else {
                self.row[usize::from(from)]
            };
            self.row[column] = taken;
            self.column[usize::from(taken)] = column as u8;
            if from == NONE {
                break;
            }
            column = usize::from(from);
        }
    }

    fn cost(&self, task: &Task, boxes: &[Spot]) -> Option<u32> {
        let mut sum = 0;
        for (row, &spot) in boxes.iter().enumerate() {
            let pushes = task.pushes_to_goals(spot)[usize::from(self.column[row])];
            if pushes == NEVER {
                return None;
            }
            sum += u32::from(pushes);
        }
        Some(sum)
    }
}

fn cost(pushes: u16) -> i32 {
    if pushes == NEVER {
        FAR
    } else {
        i32::from(pushes)
    }
}
