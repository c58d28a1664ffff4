//! A* over positions of boxes.

use super::bound::Bound;
use super::corral::{Corrals, Scene};
use super::field::{Task, back};
use super::transposition::{Index, NONE, TranspositionTable};
use super::walk::{Fill, Taken, after_push};
use super::{NOWHERE, Push, Spot, frozen};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Steps between two looks at whether to go on: some 0.1 ms.
const PATIENCE: usize = 200_000;

/// End of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum End {
    /// A solution with fewest pushes, and the effort of the board if [`Rules::plain`] was set.
    Solved { pushes: Vec<Push>, effort: u32 },
    /// There is no solution.
    Unsolvable,
    /// A limit was reached: a lower bound on the pushes of every solution.
    Unknown { pushes_min: u32 },
}

/// Limits and options of a search.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Rules {
    /// Most positions to open.
    pub(crate) opened_max: u32,
    /// Most positions to keep.
    pub(crate) kept_max: usize,
    /// Weight of the bound, in tenths: 10 finds fewest pushes, more finds some solution
    /// sooner.
    pub(crate) greed_tenths: u32,
    /// Whether positions may be cut that the plain search, which defines effort, opens.
    pub(crate) prunes: bool,
}

impl Rules {
    /// The plain search that defines effort, up to `opened_max` positions.
    pub(crate) fn plain(opened_max: u32) -> Self {
        Self {
            opened_max,
            kept_max: usize::MAX,
            greed_tenths: 10,
            prunes: false,
        }
    }

    /// Sum by which positions are ordered, in tenths.
    fn sum(&self, pushes: u32, bound: u32) -> u32 {
        pushes * 10 + bound * self.greed_tenths
    }
}

/// Least sum of pushes and bound first, then most pushes, then the newest.
type Entry = (u32, Reverse<u32>, Reverse<Index>);

/// A push to try: of a box, from a position.
#[derive(Debug, Clone, Copy)]
struct Try {
    row: usize,
    direction: usize,
    index: Index,
    /// Pushes before it.
    pushes: u32,
}

/// Memory of searches, used again and again.
#[derive(Debug, Clone, Default)]
pub(crate) struct Search {
    positions: TranspositionTable,
    open: BinaryHeap<Reverse<Entry>>,
    bound: Bound,
    here: Fill,
    there: Fill,
    taken: Taken,
    boxes: Vec<Spot>,
    after: Vec<Spot>,
    corrals: Corrals,
    /// Rows of boxes and directions that are tried from a position.
    tries: Vec<(u8, u8)>,
    rules: Rules,
    opened: u32,
}

impl Search {
    /// Positions opened by the last search.
    pub(crate) fn opened(&self) -> u32 {
        self.opened
    }

    /// Looks for a solution with fewest pushes. Boxes rise.
    pub(crate) fn solve(
        &mut self,
        task: &Task,
        boxes: &[Spot],
        player: Spot,
        rules: Rules,
        go_on: &mut dyn FnMut() -> bool,
    ) -> End {
        self.rules = rules;
        self.opened = 0;
        self.positions.clear(boxes.len());
        self.open.clear();
        self.taken.clear(&task.field);
        self.take(task, boxes, true);
        let Some(bound) = self.bound.start(task, boxes) else {
            return End::Unsolvable;
        };
        if frozen::is_stuck_at_all(task, boxes, &self.taken.is_taken) {
            return End::Unsolvable;
        }
        let least = self.here.fill(&task.field, &self.taken, player);
        self.take(task, boxes, false);
        let nothing = Push {
            from: 0,
            direction: 0,
        };
        self.positions.add((boxes, least), 0, (NONE, nothing));
        // Each position opened fills the floor for most of its pushes.
        let each = 4 * boxes.len() * (task.field.len() + boxes.len().pow(2));
        let patience = (PATIENCE / each).clamp(1, 256) as u32;
        let sum = rules.sum(0, bound);
        self.open.push(Reverse((sum, Reverse(0), Reverse(0))));
        // Positions opened whose sum is below that of the position at hand: sums never fall.
        let (mut below, mut last) = (0, sum);
        while let Some(Reverse((sum, Reverse(pushes), Reverse(index)))) = self.open.pop() {
            if self.positions.is_stale(index) {
                continue;
            }
            if sum > last {
                (below, last) = (self.opened, sum);
            }
            if self.positions.boxes(index) == task.goals {
                let effort = below + pushes;
                let pushes = self.positions.path_to(index);
                return End::Solved { pushes, effort };
            }
            let is_full = self.opened == rules.opened_max || self.positions.len() >= rules.kept_max;
            if is_full || (self.opened.is_multiple_of(patience) && !go_on()) {
                let pushes_min = if rules.greed_tenths == 10 {
                    sum / 10
                } else {
                    bound
                };
                return End::Unknown { pushes_min };
            }
            self.opened += 1;
            self.expand(task, index, pushes);
        }
        End::Unsolvable
    }

    /// Index of a box that is frozen off the goals.
    pub(crate) fn frozen(&mut self, task: &Task, boxes: &[Spot]) -> Option<usize> {
        self.taken.clear(&task.field);
        self.take(task, boxes, true);
        let is_stuck = |&spot: &Spot| {
            !task.is_goal[usize::from(spot)]
                && frozen::is_stuck(task, boxes, &self.taken.is_taken, spot)
        };
        boxes.iter().position(is_stuck)
    }

    /// Whether each box has a goal of its own.
    pub(crate) fn is_matched(&mut self, task: &Task, boxes: &[Spot]) -> bool {
        self.bound.start(task, boxes).is_some()
    }

    fn take(&mut self, task: &Task, boxes: &[Spot], is_taken: bool) {
        for &spot in boxes {
            self.taken.set(&task.field, spot, is_taken);
        }
    }

    fn expand(&mut self, task: &Task, index: Index, pushes: u32) {
        let mut boxes = std::mem::take(&mut self.boxes);
        boxes.clear();
        boxes.extend_from_slice(self.positions.boxes(index));
        self.take(task, &boxes, true);
        self.here
            .fill(&task.field, &self.taken, self.positions.player(index));
        // What was found has a matching.
        self.bound.start(task, &boxes);
        let mut tries = std::mem::take(&mut self.tries);
        tries.clear();
        let scene = Scene {
            task,
            boxes: &boxes,
            is_taken: &self.taken.is_taken,
            reached: &self.here,
        };
        let prunes = self.rules.prunes;
        match prunes.then(|| self.corrals.first(scene)).flatten() {
            Some(pushes) => tries.extend_from_slice(pushes),
            // At most 128 boxes.
            None => tries.extend(
                (0..boxes.len())
                    .flat_map(|row| (0..4).map(move |direction| (row as u8, direction))),
            ),
        }
        for &(row, direction) in &tries {
            let made = Try {
                row: usize::from(row),
                direction: usize::from(direction),
                index,
                pushes,
            };
            self.push(task, &mut boxes, made);
        }
        self.tries = tries;
        self.take(task, &boxes, false);
        self.boxes = boxes;
    }

    /// Tries one push.
    fn push(&mut self, task: &Task, boxes: &mut [Spot], made: Try) {
        let Try { row, direction, .. } = made;
        let from = boxes[row];
        let neighbours = task.field.next[usize::from(from)];
        let (ahead, behind) = (neighbours[direction], neighbours[back(direction)]);
        if ahead == NOWHERE || behind == NOWHERE {
            return;
        }
        let to = usize::from(ahead);
        if task.is_dead[to] || self.taken.is_taken[to] || !self.here.contains(&task.field, behind) {
            return;
        }
        boxes[row] = ahead;
        self.taken.set(&task.field, from, false);
        self.taken.set(&task.field, ahead, true);
        if let Some(bound) = self.bound.moved(task, boxes, made.row)
            && !frozen::is_stuck(task, boxes, &self.taken.is_taken, ahead)
        {
            let least = self.positions.player(made.index);
            let moved = [from, ahead];
            let known = after_push(&task.field, &self.taken, &self.here, least, moved);
            let player = known.unwrap_or_else(|| self.there.fill(&task.field, &self.taken, from));
            self.after.clear();
            self.after.extend_from_slice(boxes);
            self.after.sort_unstable();
            let push = Push {
                from,
                direction: direction as u8,
            };
            let pushes = made.pushes + 1;
            let position = (&self.after[..], player);
            if let Some(next) = self.positions.add(position, pushes, (made.index, push)) {
                let sum = self.rules.sum(pushes, bound);
                let entry = (sum, Reverse(pushes), Reverse(next));
                self.open.push(Reverse(entry));
            }
        }
        boxes[row] = from;
        self.taken.set(&task.field, from, true);
        self.taken.set(&task.field, ahead, false);
    }
}
