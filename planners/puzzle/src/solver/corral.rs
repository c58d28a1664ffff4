//! Corrals that have to be opened first.
//!
//! A corral is a part of the floor that the player cannot walk to, with boxes around it. Consider a
//! corral where no box around it can be pushed but inwards, and the player can make every such push
//! now. The first push of a box of the corral can then move before all pushes that precede it,
//! since neither blocks the other. So only the pushes into the corral need to be tried, if the
//! corral has to be opened at all (PI-corral pruning; Damgaard, YASS). Solutions keep their number
//! of pushes.

use super::field::{Task, back};
use super::walk::Fill;
use super::{NOWHERE, Spot};

/// Room for looking at corrals.
#[derive(Debug, Clone, Default)]
pub(super) struct Corrals {
    /// For each cell whether it is in the corral, boxes included.
    is_in: Vec<bool>,
    cells: Vec<Spot>,
    seen: Vec<bool>,
    /// The pushes into a corral: row of the box, and direction.
    pushes: Vec<(u8, u8)>,
    best: Vec<(u8, u8)>,
}

/// A position, as seen when it is opened.
#[derive(Clone, Copy)]
pub(super) struct Scene<'s> {
    pub(super) task: &'s Task,
    pub(super) boxes: &'s [Spot],
    pub(super) is_taken: &'s [bool],
    pub(super) reached: &'s Fill,
}

enum Look {
    /// Not all is inwards, now.
    Open,
    /// What has to be part of the corral too.
    Grow(Spot),
    /// Pushes inwards only.
    Closed,
}

impl Corrals {
    /// The pushes of the corral with fewest of them; none if there is no corral that has to be
    /// opened first.
    pub(super) fn first(&mut self, scene: Scene<'_>) -> Option<&[(u8, u8)]> {
        let floor = scene.task.field.len();
        self.seen.clear();
        self.seen.resize(floor, false);
        let mut is_found = false;
        for start in 0..floor as Spot {
            let index = usize::from(start);
            if self.seen[index]
                || scene.is_taken[index]
                || scene.reached.contains(&scene.task.field, start)
            {
                continue;
            }
            if self.close(scene, start) && (!is_found || self.pushes.len() < self.best.len()) {
                is_found = true;
                std::mem::swap(&mut self.pushes, &mut self.best);
            }
        }
        is_found.then_some(&self.best)
    }

    /// Grows the corral around a cell until all pushes go inwards; whether that came to be, and it
    /// has to be opened.
    fn close(&mut self, scene: Scene<'_>, start: Spot) -> bool {
        self.is_in.clear();
        self.is_in.resize(scene.task.field.len(), false);
        self.cells.clear();
        self.grow(scene, start);
        loop {
            match self.look(scene) {
                Look::Open => return false,
                Look::Grow(spot) => self.grow(scene, spot),
                Look::Closed => break,
            }
        }
        self.cells.iter().any(|&spot| {
            let index = usize::from(spot);
            scene.is_taken[index] != scene.task.is_goal[index]
        })
    }

    /// Adds the connected cells out of the player's reach around a cell, and the boxes next to
    /// them.
    fn grow(&mut self, scene: Scene<'_>, start: Spot) {
        let mut at = self.cells.len();
        self.is_in[usize::from(start)] = true;
        self.cells.push(start);
        while at < self.cells.len() {
            let spot = usize::from(self.cells[at]);
            at += 1;
            if scene.is_taken[spot] {
                continue;
            }
            self.seen[spot] = true;
            for next in scene.task.field.next[spot] {
                if next != NOWHERE && !self.is_in[usize::from(next)] {
                    self.is_in[usize::from(next)] = true;
                    self.cells.push(next);
                }
            }
        }
    }

    fn look(&mut self, scene: Scene<'_>) -> Look {
        self.pushes.clear();
        for (row, &spot) in scene.boxes.iter().enumerate() {
            if !self.is_in[usize::from(spot)] {
                continue;
            }
            for direction in 0..4 {
                let neighbours = scene.task.field.next[usize::from(spot)];
                let (behind, ahead) = (neighbours[back(direction)], neighbours[direction]);
                if behind == NOWHERE || ahead == NOWHERE || self.is_in[usize::from(behind)] {
                    continue;
                }
                let to = usize::from(ahead);
                let is_inside = self.is_in[to];
                if (is_inside && scene.is_taken[to]) || scene.task.is_dead[to] {
                    continue;
                }
                // The player may get behind the box only later, or the box may go elsewhere than
                // inwards.
                if !scene.reached.contains(&scene.task.field, behind) {
                    return Look::Grow(behind);
                }
                if !is_inside {
                    let is_outside = scene.reached.contains(&scene.task.field, ahead);
                    return if is_outside {
                        Look::Open
                    } else {
                        Look::Grow(ahead)
                    };
                }
                self.pushes.push((row as u8, direction as u8));
            }
        }
        Look::Closed
    }
}
