//! The search itself.

use super::bound::Matching;
use super::field::{Task, back};
use super::found::{Found, Index, NONE};
use super::walk::Fill;
use super::{NOWHERE, Push, Spot, frozen};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Positions opened between two looks at whether to go on.
const PATIENCE: u32 = 64;

/// How a search ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum End {
    /// A solution with fewest pushes, and how many positions were opened before it.
    Solved { pushes: Vec<Push>, effort: u32 },
    /// There is no solution.
    Unsolvable,
    /// A limit was reached: every solution has at least so many pushes.
    Unknown { pushes_min: u32 },
}

/// What a search may do.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    /// Most positions to open.
    pub(crate) opened_max: u32,
    /// Most positions to keep.
    pub(crate) kept_max: usize,
    /// How many times the bound counts, in tenths: 10 finds fewest pushes, more finds some solution sooner.
    pub(crate) greed_tenths: u32,
    /// Whether positions may be cut that the plain search, which defines effort, opens.
    pub(crate) prunes: bool,
}

impl Rules {
    /// The plain search that defines effort, up to so many positions.
    pub(crate) fn plain(opened_max: u32) -> Self {
        Self {
            opened_max,
            kept_max: usize::MAX,
            greed_tenths: 10,
            prunes: false,
        }
    }

    /// What positions are opened in the order of, in tenths.
    fn sum(&self, pushes: u32, bound: u32) -> u32 {
        pushes * 10 + bound * self.greed_tenths
    }
}

/// Room for searches, used again and again.
#[derive(Debug, Clone)]
pub(crate) struct Search {
    found: Found,
    /// Least sum of pushes and bound first, then most pushes, then the newest.
    open: BinaryHeap<Reverse<(u32, Reverse<u32>, Reverse<Index>)>>,
    matching: Matching,
    work: Matching,
    here: Fill,
    there: Fill,
    is_taken: Vec<bool>,
    boxes: Vec<Spot>,
    after: Vec<Spot>,
    rules: Rules,
    opened: u32,
}

impl Default for Search {
    fn default() -> Self {
        Self {
            found: Found::default(),
            open: BinaryHeap::new(),
            matching: Matching::default(),
            work: Matching::default(),
            here: Fill::default(),
            there: Fill::default(),
            is_taken: Vec::new(),
            boxes: Vec::new(),
            after: Vec::new(),
            rules: Rules::plain(0),
            opened: 0,
        }
    }
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
        (boxes, player): (&[Spot], Spot),
        rules: Rules,
        go_on: &mut dyn FnMut() -> bool,
    ) -> End {
        self.rules = rules;
        self.opened = 0;
        self.found.clear(boxes.len());
        self.open.clear();
        self.is_taken.clear();
        self.is_taken.resize(task.field.len(), false);
        self.take(boxes, true);
        let Some(bound) = self.matching.start(task, boxes) else {
            return End::Unsolvable;
        };
        if frozen::is_stuck_at_all(task, boxes, &self.is_taken) {
            return End::Unsolvable;
        }
        let least = self.here.fill(&task.field, &self.is_taken, player);
        self.take(boxes, false);
        let nothing = Push { from: 0, way: 0 };
        self.found.add((boxes, least), 0, (NONE, nothing));
        let sum = rules.sum(0, bound);
        self.open.push(Reverse((sum, Reverse(0), Reverse(0))));
        while let Some(Reverse((sum, Reverse(pushes), Reverse(index)))) = self.open.pop() {
            if self.found.is_stale(index) {
                continue;
            }
            if self.found.boxes(index) == task.goals {
                let pushes = self.found.way_to(index);
                return End::Solved {
                    pushes,
                    effort: self.opened,
                };
            }
            let is_full = self.opened == rules.opened_max || self.found.len() >= rules.kept_max;
            if is_full || (self.opened.is_multiple_of(PATIENCE) && !go_on()) {
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

    fn take(&mut self, boxes: &[Spot], is_taken: bool) {
        for &spot in boxes {
            self.is_taken[usize::from(spot)] = is_taken;
        }
    }

    fn expand(&mut self, task: &Task, index: Index, pushes: u32) {
        let mut boxes = std::mem::take(&mut self.boxes);
        boxes.clear();
        boxes.extend_from_slice(self.found.boxes(index));
        self.take(&boxes, true);
        self.here
            .fill(&task.field, &self.is_taken, self.found.player(index));
        // What was found has a matching.
        self.matching.start(task, &boxes);
        for row in 0..boxes.len() {
            for way in 0..4 {
                self.push(task, &mut boxes, (row, way), (index, pushes));
            }
        }
        self.take(&boxes, false);
        self.boxes = boxes;
    }

    /// Tries one push.
    fn push(
        &mut self,
        task: &Task,
        boxes: &mut [Spot],
        (row, way): (usize, usize),
        (index, pushes): (Index, u32),
    ) {
        let from = boxes[row];
        let beside = task.field.next[usize::from(from)];
        let (ahead, behind) = (beside[way], beside[back(way)]);
        if ahead == NOWHERE || behind == NOWHERE {
            return;
        }
        let to = usize::from(ahead);
        if task.is_dead[to] || self.is_taken[to] || !self.here.has(behind) {
            return;
        }
        boxes[row] = ahead;
        self.is_taken[usize::from(from)] = false;
        self.is_taken[to] = true;
        if let Some(bound) = self.matching.moved(task, boxes, row, &mut self.work)
            && !frozen::is_stuck(task, boxes, &self.is_taken, ahead)
        {
            let player = self.there.fill(&task.field, &self.is_taken, from);
            self.after.clear();
            self.after.extend_from_slice(boxes);
            self.after.sort_unstable();
            let made = Push {
                from,
                way: way as u8,
            };
            let position = (&self.after[..], player);
            if let Some(next) = self.found.add(position, pushes + 1, (index, made)) {
                let sum = self.rules.sum(pushes + 1, bound);
                let entry = (sum, Reverse(pushes + 1), Reverse(next));
                self.open.push(Reverse(entry));
            }
        }
        boxes[row] = from;
        self.is_taken[usize::from(from)] = true;
        self.is_taken[to] = false;
    }
}
