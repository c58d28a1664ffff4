//! Easy boards, made without play.

use super::{Draft, Ground};
use crate::problem::Theme;
use mcts::Rng;
use rand::seq::{IndexedRandom, SliceRandom};

impl Ground<'_> {
    /// A draft in which each box is to be pushed straight to its goal, as often as each box has to
    /// be pushed, over cells that no other box needs, and which become floor. It has the fewest
    /// boxes allowed.
    ///
    /// None where the template fixes boxes, or where this try finds no room for it.
    pub(in super::super) fn straight(&self, theme: Theme, rng: &mut Rng) -> Option<Draft> {
        if !self.boxes.is_empty() {
            return None;
        }
        let spec = self.problem.spec();
        let mut is_wall = self.walls(theme, rng);
        let room = self.room(&mut is_wall, rng)?;
        let count = spec.boxes_min.max(self.goals.len());
        let mut draft = Draft {
            is_wall,
            goals: Vec::with_capacity(count),
            boxes: Vec::with_capacity(count),
            player: 0,
        };
        let mut is_taken = self.solid.clone();
        let mut goals = self.goals.clone();
        goals.extend(&room);
        let mut at = 0;
        while at < goals.len() && draft.boxes.len() < count {
            let goal = goals[at];
            at += 1;
            let Some(line) = self.line(goal, &is_taken, rng) else {
                continue;
            };
            for &cell in &line {
                self.make_floor(&mut draft.is_wall, cell);
            }
            // The player's place behind the box may be another box's way.
            let start = line[line.len() - 2];
            for &cell in &line[..line.len() - 1] {
                is_taken[cell] = true;
            }
            goals.extend(&line);
            draft.goals.push(goal);
            draft.boxes.push(start);
        }
        let are_goals_kept = self.goals.iter().all(|goal| draft.goals.contains(goal));
        if draft.boxes.len() < count || !are_goals_kept {
            return None;
        }
        draft.player = match self.player {
            Some(player) => player,
            None => {
                let free = room.iter().filter(|cell| !draft.boxes.contains(cell));
                *free.copied().collect::<Vec<_>>().choose(rng)?
            }
        };
        Some(draft)
    }

    /// A straight line of cells from a goal to where the player stands behind the box.
    fn line(&self, goal: usize, is_taken: &[bool], rng: &mut Rng) -> Option<Vec<usize>> {
        if is_taken[goal] {
            return None;
        }
        let pushes = self.problem.spec().box_pushes_min.max(1) as usize;
        let mut directions = [0, 1, 2, 3];
        directions.shuffle(rng);
        directions.into_iter().find_map(|direction| {
            let mut line = vec![goal];
            let mut cell = goal;
            // The border is solid.
            while line.len() < pushes + 2 && !is_taken[self.neighbours(cell)[direction]] {
                cell = self.neighbours(cell)[direction];
                line.push(cell);
            }
            (line.len() == pushes + 2).then_some(line)
        })
    }

    /// Makes a cell floor, and those that are alike.
    fn make_floor(&self, is_wall: &mut [bool], cell: usize) {
        is_wall[cell] = false;
        if let Some(orbit) = self.orbit_of[cell] {
            for &alike in &self.orbits[orbit] {
                is_wall[alike] = false;
            }
        }
    }
}
