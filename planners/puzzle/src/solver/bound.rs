//! The bound: a matching of least cost of boxes with goals.

use super::Spot;
use super::field::{NEVER, Task};

/// More than any sum of ways that exist.
const FAR: i32 = 1 << 20;

/// A matching of rows (boxes) with columns (goals) of least cost, with potentials that prove it (Kuhn, Munkres; by
/// shortest augmenting paths).
#[derive(Debug, Clone, Default)]
pub(super) struct Matching {
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

impl Matching {
    /// Matches these boxes; the cost, none if a box has no goal left.
    pub(super) fn start(&mut self, task: &Task, boxes: &[Spot]) -> Option<u32> {
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

    /// The cost after one box has moved, from the matching before, which stays as it was.
    pub(super) fn moved(
        &self,
        task: &Task,
        boxes: &[Spot],
        row: usize,
        work: &mut Self,
    ) -> Option<u32> {
        let column = usize::from(self.column[row]);
        if let [ways] = [task.ways(boxes[row])]
            && self.of_row.len() == 1
        {
            return (ways[0] != NEVER).then(|| u32::from(ways[0]));
        }
        work.copy(self);
        work.row[column] = NONE;
        work.column[row] = NONE;
        work.augment(task, boxes, row);
        work.cost(task, boxes)
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
        let ways = task.ways(boxes[row]);
        self.of_row[row] = (0..count)
            .map(|column| cost(ways[column]) - self.of_column[column])
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
            let ways = task.ways(boxes[current]);
            let mut next = NONE;
            let mut step = i32::MAX;
            for column in 0..count {
                if self.is_done[column] {
                    continue;
                }
                let reduced =
                    reached + cost(ways[column]) - self.of_row[current] - self.of_column[column];
                if reduced < self.least[column] {
                    self.least[column] = reduced;
                    self.from[column] = arrived;
                }
                if self.least[column] < step {
                    step = self.least[column];
                    next = column as u8;
                }
            }
            reached = step;
            let column = usize::from(next);
            self.is_done[column] = true;
            if self.row[column] == NONE {
                break column;
            }
            arrived = next;
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
            let pushes = task.ways(spot)[usize::from(self.column[row])];
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
