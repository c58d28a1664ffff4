//! Where the player can walk, and how.

use super::field::{Field, back};
use super::{NOWHERE, Push, Spot};
use crate::board::{Step, Way};

/// Marks of what was reached, without clearing between two fills.
#[derive(Debug, Clone, Default)]
pub(super) struct Fill {
    marks: Vec<u32>,
    mark: u32,
    queue: Vec<Spot>,
}

impl Fill {
    /// Marks all cells that can be walked to from `start` past the boxes, and tells the least of them.
    pub(super) fn fill(&mut self, field: &Field, is_taken: &[bool], start: Spot) -> Spot {
        if self.marks.len() != field.len() || self.mark == u32::MAX {
            self.marks.clear();
            self.marks.resize(field.len(), 0);
            self.mark = 0;
        }
        self.mark += 1;
        let mark = self.mark;
        let mut least = start;
        self.queue.clear();
        self.queue.push(start);
        self.marks[usize::from(start)] = mark;
        while let Some(spot) = self.queue.pop() {
            least = least.min(spot);
            for next in field.next[usize::from(spot)] {
                if next == NOWHERE {
                    continue;
                }
                let index = usize::from(next);
                if self.marks[index] != mark && !is_taken[index] {
                    self.marks[index] = mark;
                    self.queue.push(next);
                }
            }
        }
        least
    }

    /// Whether the last fill reached a cell.
    pub(super) fn has(&self, spot: Spot) -> bool {
        self.marks[usize::from(spot)] == self.mark
    }
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
        let way = usize::from(push.way);
        let behind = field.next[usize::from(push.from)][back(way)];
        walk(field, &is_taken, [player, behind], &mut steps);
        steps.push(Step {
            way: Way::ALL[way],
            pushes: true,
        });
        is_taken[usize::from(push.from)] = false;
        is_taken[usize::from(field.next[usize::from(push.from)][way])] = true;
        player = push.from;
    }
    steps
}

/// Appends a shortest walk. Searches backwards, so that the ways can be followed forwards.
fn walk(field: &Field, is_taken: &[bool], [from, to]: [Spot; 2], steps: &mut Vec<Step>) {
    let mut ways = vec![u8::MAX; field.len()];
    let mut queue = std::collections::VecDeque::from([to]);
    ways[usize::from(to)] = 0;
    while let Some(spot) = queue.pop_front() {
        if spot == from {
            break;
        }
        for (way, &next) in field.next[usize::from(spot)].iter().enumerate() {
            if next != NOWHERE && !is_taken[usize::from(next)] && ways[usize::from(next)] == u8::MAX
            {
                ways[usize::from(next)] = back(way) as u8;
                queue.push_back(next);
            }
        }
    }
    let mut spot = from;
    while spot != to {
        let way = usize::from(ways[usize::from(spot)]);
        steps.push(Step {
            way: Way::ALL[way],
            pushes: false,
        });
        spot = field.next[usize::from(spot)][way];
    }
}
