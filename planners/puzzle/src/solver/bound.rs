//! The bound: a matching of least cost of boxes with goals.

use super::Spot;
use super::field::{NEVER, Task};
use crate::board::BOXES_MAX;
use search::assignment::{Assignment, Cost};

/// The matching of a position, and room for those of the positions after it: boxes are rows, goals
/// columns.
#[derive(Debug, Clone)]
pub(super) struct Bound {
    here: Matching,
    after: Matching,
}

type Matching = Assignment<i32, { BOXES_MAX + 8 }>;

impl Default for Bound {
    fn default() -> Self {
        let [here, after] = [0; 2].map(|count| Assignment::new(count, count, 0));
        Self { here, after }
    }
}

impl Bound {
    /// Matches these boxes; the cost, none if a box has no goal left.
    pub(super) fn start(&mut self, task: &Task, boxes: &[Spot]) -> Option<u32> {
        if self.here.rows() != boxes.len() {
            self.here = Assignment::new(boxes.len(), boxes.len(), NEVER.into());
            self.here.begin(boxes.len());
        }
        for (row, spot) in boxes.iter().enumerate() {
            set(&mut self.here, row, task.pushes_to_goals(*spot));
        }
        self.here.solve().then(|| cost(&self.here, task, boxes))
    }

    /// The cost after one of the boxes of [`Bound::start`] has moved.
    pub(super) fn moved(&mut self, task: &Task, boxes: &[Spot], row: usize) -> Option<u32> {
        let pushes = task.pushes_to_goals(boxes[row]);
        if boxes.len() == 1 {
            return (pushes[0] != NEVER).then(|| u32::from(pushes[0]));
        }
        self.after.copy(&self.here);
        set(&mut self.after, row, pushes);
        let is_matched = self.after.solve_from(row);
        is_matched.then(|| cost(&self.after, task, boxes))
    }
}

fn set(matching: &mut Matching, row: usize, pushes_to_goals: &[u16]) {
    for (cost, pushes) in matching.costs_mut(row).iter_mut().zip(pushes_to_goals) {
        *cost = match *pushes {
            NEVER => Cost::NEVER,
            pushes => pushes.into(),
        };
    }
}

fn cost(matching: &Matching, task: &Task, boxes: &[Spot]) -> u32 {
    let matched = boxes.iter().enumerate().filter_map(|(row, spot)| {
        let goal = matching.column_of(row)?;
        Some(u32::from(task.pushes_to_goals(*spot)[goal]))
    });
    matched.sum()
}
