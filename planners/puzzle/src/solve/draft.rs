//! A board in the making.

mod straight;

use crate::board::{Board, Tile};
use crate::problem::{Mask, Problem, Theme};
use mcts::Rng;
use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use search::paths::reachable;

/// A board that may be changed, and need not make sense.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Draft {
    pub(super) is_wall: Vec<bool>,
    pub(super) goals: Vec<usize>,
    pub(super) boxes: Vec<usize>,
    pub(super) player: usize,
}

/// Places of pieces at some moment of playing backwards.
#[derive(Debug, Clone)]
pub(super) struct Stage {
    pub(super) boxes: Vec<usize>,
    pub(super) player: usize,
}

/// Cells that the template fixes, and sets of cells that are alike.
#[derive(Debug, Clone)]
pub(super) struct Ground<'p> {
    pub(super) problem: &'p Problem,
    pub(super) width: usize,
    /// Sets of cells, alike under the symmetry, that may be wall or floor.
    pub(super) orbits: Vec<Vec<usize>>,
    /// For each cell its orbit, or none where it is fixed.
    pub(super) orbit_of: Vec<Option<usize>>,
    /// Cells that are walls for sure.
    solid: Vec<bool>,
    /// Cells that are floor for sure.
    pub(super) open: Vec<usize>,
    pub(super) goals: Vec<usize>,
    pub(super) boxes: Vec<usize>,
    pub(super) player: Option<usize>,
}

impl<'p> Ground<'p> {
    pub(super) fn new(problem: &'p Problem) -> Self {
        let spec = problem.spec();
        let width = spec.width;
        let cells = width * spec.height;
        let mut ground = Self {
            problem,
            width,
            orbits: Vec::new(),
            orbit_of: vec![None; cells],
            solid: vec![false; cells],
            open: Vec::new(),
            goals: Vec::new(),
            boxes: Vec::new(),
            player: None,
        };
        for cell in 0..cells {
            let images = problem.images(cell);
            let (row, column) = (cell / width, cell % width);
            let is_border =
                row == 0 || column == 0 || row + 1 == spec.height || column + 1 == width;
            let is = |kind: fn(Tile) -> bool| {
                images
                    .iter()
                    .any(|&image| matches!(spec.template[image], Mask::Is(tile) if kind(tile)))
            };
            if is_border || is(|tile| tile == Tile::Wall) {
                ground.solid[cell] = true;
            } else if is(|tile| tile != Tile::Wall) {
                ground.open.push(cell);
            } else if images[0] == cell {
                for &image in &images {
                    ground.orbit_of[image] = Some(ground.orbits.len());
                }
                ground.orbits.push(images);
            }
            ground.fix(cell, spec.template[cell]);
        }
        ground
    }

    fn fix(&mut self, cell: usize, mask: Mask) {
        let Mask::Is(tile) = mask else {
            return;
        };
        match tile {
            Tile::Wall | Tile::Floor => {}
            Tile::Goal => self.goals.push(cell),
            Tile::Box => self.boxes.push(cell),
            Tile::BoxOnGoal => {
                self.goals.push(cell);
                self.boxes.push(cell);
            }
            Tile::Player => self.player = Some(cell),
            Tile::PlayerOnGoal => {
                self.goals.push(cell);
                self.player = Some(cell);
            }
        }
    }

    /// The only draft there is, where the template leaves no choice.
    pub(super) fn only_draft(&self) -> Option<Draft> {
        let spec = self.problem.spec();
        let is_fixed = self.orbits.is_empty()
            && self.goals.len() == spec.boxes_max
            && self.boxes.len() == spec.boxes_max;
        let player = self.player.filter(|_| is_fixed)?;
        Some(Draft {
            is_wall: self.solid.clone(),
            goals: self.goals.clone(),
            boxes: self.boxes.clone(),
            player,
        })
    }

    /// The four cells next to one; the border is solid, so that they exist for all others.
    pub(super) fn neighbours(&self, cell: usize) -> [usize; 4] {
        [cell - self.width, cell + 1, cell + self.width, cell - 1]
    }

    /// A draft to begin with: random walls, goals, and boxes where random play backwards brings
    /// them.
    ///
    /// The draft, and the stages on the path to it: boxes and player after each pull, the first
    /// with all boxes on goals. No stages where the template fixes the boxes.
    pub(super) fn first(&self, rng: &mut Rng) -> Option<(Draft, Vec<Stage>)> {
        let spec = self.problem.spec();
        let mut is_wall = self.walls(spec.theme, rng);
        let room = self.room(&mut is_wall, rng)?;
        let count = rng.random_range(spec.boxes_min..=spec.boxes_max);
        let count = count.max(self.goals.len()).max(self.boxes.len());
        let goals = self.spread(&room, &self.goals, count, rng)?;
        let mut draft = Draft {
            is_wall,
            boxes: goals.clone(),
            goals,
            player: 0,
        };
        let mut stages = Vec::new();
        if self.boxes.is_empty() {
            let free = room.iter().filter(|cell| !draft.boxes.contains(cell));
            let free: Vec<usize> = free.copied().collect();
            draft.player = *free.choose(rng)?;
            let pulls = rng.random_range(5..=15) * count;
            stages = draft.pull(self, pulls, rng);
        } else {
            draft.boxes = self.spread(&room, &self.boxes, count, rng)?;
        }
        if let Some(player) = self.player {
            for stage in &mut stages {
                stage.player = player;
            }
            draft.player = player;
        } else if draft.boxes.contains(&draft.player) {
            let free = room.iter().filter(|cell| !draft.boxes.contains(cell));
            draft.player = *free.copied().collect::<Vec<_>>().choose(rng)?;
        }
        Some((draft, stages))
    }

    /// The walls that are there for sure.
    pub(super) fn solid(&self) -> &[bool] {
        &self.solid
    }

    /// Random walls, more or fewer as the theme asks for.
    fn walls(&self, theme: Theme, rng: &mut Rng) -> Vec<bool> {
        let share = match theme {
            Theme::Any => rng.random_range(0.05..0.45),
            Theme::Dynamic => rng.random_range(0.0..0.2),
            Theme::Static => rng.random_range(0.35..0.5),
        };
        let mut is_wall = self.solid.clone();
        for orbit in &self.orbits {
            let closed = rng.random_bool(share);
            for &cell in orbit {
                is_wall[cell] = closed;
            }
        }
        is_wall
    }

    /// The largest part of the floor, or the one with what is fixed; the rest becomes walls.
    fn room(&self, is_wall: &mut [bool], rng: &mut Rng) -> Option<Vec<usize>> {
        let mut best: Vec<usize> = Vec::new();
        let mut seen = is_wall.to_vec();
        for first in 0..is_wall.len() {
            if seen[first] {
                continue;
            }
            let mut part = vec![first];
            seen[first] = true;
            let mut at = 0;
            while at < part.len() {
                for next in self.neighbours(part[at]) {
                    if !seen[next] {
                        seen[next] = true;
                        part.push(next);
                    }
                }
                at += 1;
            }
            // The part with what is fixed is the only one that will do.
            let has_fixed = self.open.first().is_some_and(|cell| part.contains(cell));
            if has_fixed || part.len() > best.len() {
                best = part;
            }
            if has_fixed {
                break;
            }
        }
        is_wall.fill(true);
        for &cell in &best {
            is_wall[cell] = false;
        }
        if best.is_empty() || self.open.iter().any(|&cell| is_wall[cell]) {
            return None;
        }
        best.shuffle(rng);
        Some(best)
    }

    /// `count` different cells of a room, the fixed ones among them.
    fn spread(
        &self,
        room: &[usize],
        fixed: &[usize],
        count: usize,
        rng: &mut Rng,
    ) -> Option<Vec<usize>> {
        let mut cells = fixed.to_vec();
        let from = rng.random_range(0..room.len());
        let around = room.iter().cycle().skip(from).take(room.len());
        for &cell in around {
            if cells.len() == count {
                break;
            }
            if !cells.contains(&cell) {
                cells.push(cell);
            }
        }
        (cells.len() == count).then_some(cells)
    }
}

impl Draft {
    /// Plays backwards: `pulls` pulls of random boxes, as far as any is possible. All stages.
    pub(super) fn pull(&mut self, ground: &Ground<'_>, pulls: usize, rng: &mut Rng) -> Vec<Stage> {
        let mut last = None;
        let mut pulled = vec![0_u32; self.boxes.len()];
        let each = ground.problem.spec().box_pushes_min;
        let mut stages = Vec::with_capacity(pulls);
        for _ in 0..pulls {
            let reached = self.reached(ground, true);
            let mut all = Vec::new();
            for (index, &cell) in self.boxes.iter().enumerate() {
                for (direction, next) in ground.neighbours(cell).into_iter().enumerate() {
                    if !reached[next] {
                        continue;
                    }
                    let after = ground.neighbours(next)[direction];
                    if !self.is_wall[after] && !self.boxes.contains(&after) {
                        all.push((index, next, after));
                    }
                }
            }
            // Prefer the box that was pulled last, for long paths are the hard ones; then those
            // pulled least.
            let is_same = |pull: &&(usize, usize, usize)| Some(pull.0) == last;
            let same: Vec<_> = all.iter().filter(is_same).copied().collect();
            let least = all.iter().map(|pull| pulled[pull.0]).min();
            let lazy = all.iter().filter(|pull| Some(pulled[pull.0]) == least);
            let lazy: Vec<_> = lazy.copied().collect();
            let choice = match rng.random_range(0..4) {
                // At first each box as often as it has to be pushed at least: that makes a level
                // soon.
                _ if least < Some(each) => &lazy,
                0..=1 if !same.is_empty() => &same,
                2 => &lazy,
                _ => &all,
            };
            let Some(&(index, next, after)) = choice.choose(rng) else {
                break;
            };
            self.boxes[index] = next;
            self.player = after;
            pulled[index] += 1;
            last = Some(index);
            stages.push(Stage {
                boxes: self.boxes.clone(),
                player: after,
            });
        }
        stages
    }

    /// Which cells the player can walk to, past boxes or through them.
    pub(super) fn reached(&self, ground: &Ground<'_>, past_boxes: bool) -> Vec<bool> {
        let mut blocked = self.is_wall.clone();
        if past_boxes {
            for &cell in &self.boxes {
                blocked[cell] = true;
            }
        }
        let next = |cell| {
            ground
                .neighbours(cell)
                .into_iter()
                .filter(|it| !blocked[*it])
        };
        reachable(blocked.len(), self.player, next)
    }

    /// The board, if it makes one.
    pub(super) fn board(&self, width: usize) -> Option<Board> {
        let tile = |cell: usize| {
            let is_goal = self.goals.contains(&cell);
            if self.is_wall[cell] {
                Tile::Wall
            } else if self.boxes.contains(&cell) {
                [Tile::Box, Tile::BoxOnGoal][usize::from(is_goal)]
            } else if self.player == cell {
                [Tile::Player, Tile::PlayerOnGoal][usize::from(is_goal)]
            } else {
                [Tile::Floor, Tile::Goal][usize::from(is_goal)]
            }
        };
        let tiles = (0..self.is_wall.len()).map(tile).collect();
        Board::new(width, tiles).ok()
    }
}
