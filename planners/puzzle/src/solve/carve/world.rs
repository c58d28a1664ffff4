//! The planning domain of the thesis: actions, and the value of the end.

use super::super::draft::Ground;
use super::super::shape::{Place, Shape};
use super::neighbour;
use crate::board::{Board, Direction, Step};
use crate::plan::{Features, STEPS_MAX, miss_micro};
use mcts::{Domain, Outcome};
use search::paths::reachable;
use std::cell::RefCell;

/// Boards that can be carved with the player starting at one cell.
pub(super) struct World<'g> {
    ground: &'g Ground<'g>,
    pub(super) width: usize,
    start: usize,
    /// Which of the wanted levels the tree is after.
    rung: usize,
    /// Most steps of simulated play.
    steps_max: usize,
    pub(super) boxes_min: usize,
    pub(super) boxes_max: usize,
    pub(super) pushes_min: u32,
    /// Boards of the last iteration.
    made: RefCell<Vec<Made>>,
}

/// A level that came of simulated play.
#[derive(Debug, Clone)]
pub(super) struct Made {
    pub(super) is_wall: Vec<bool>,
    pub(super) boxes: Vec<usize>,
    pub(super) goals: Vec<usize>,
    pub(super) player: usize,
    /// Indices in [`Direction::ALL`].
    pub(super) walked: Vec<u8>,
    pub(super) value_micro: i64,
}

/// One action of section 6.4.1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    /// A wall next to floor becomes floor.
    Delete(u16),
    /// A box is placed on floor.
    Place(u16),
    /// The board is the start of the level.
    Freeze,
    /// The player goes in a direction, index in [`Direction::ALL`].
    Move(u8),
    /// Boxes are where goals shall be.
    Evaluate,
}

/// Phase of the construction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Carve,
    Play,
    Over,
}

/// A board in the making.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct State {
    pub(super) phase: Phase,
    pub(super) is_wall: Vec<bool>,
    pub(super) floor: usize,
    /// Number of the box on each cell, from 1.
    pub(super) box_on: Vec<u8>,
    pub(super) starts: Vec<usize>,
    pub(super) boxes: Vec<usize>,
    pub(super) pushes: Vec<u32>,
    pub(super) player: usize,
    pub(super) walked: Vec<u8>,
}

impl Clone for State {
    fn clone(&self) -> Self {
        Self {
            phase: self.phase,
            is_wall: self.is_wall.clone(),
            floor: self.floor,
            box_on: self.box_on.clone(),
            starts: self.starts.clone(),
            boxes: self.boxes.clone(),
            pushes: self.pushes.clone(),
            player: self.player,
            walked: self.walked.clone(),
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.phase = other.phase;
        self.is_wall.clone_from(&other.is_wall);
        self.floor = other.floor;
        self.box_on.clone_from(&other.box_on);
        self.starts.clone_from(&other.starts);
        self.boxes.clone_from(&other.boxes);
        self.pushes.clone_from(&other.pushes);
        self.player = other.player;
        self.walked.clone_from(&other.walked);
    }
}

impl<'g> World<'g> {
    pub(super) fn new(ground: &'g Ground<'g>, start: usize, rung: usize) -> Self {
        let spec = ground.problem.spec();
        Self {
            ground,
            width: ground.width,
            start,
            rung,
            steps_max: (8 * spec.width * spec.height).min(STEPS_MAX),
            boxes_min: spec.boxes_min,
            boxes_max: spec.boxes_max,
            pushes_min: spec.box_pushes_min,
            made: RefCell::new(Vec::new()),
        }
    }

    /// More actions than any level takes.
    pub(super) fn depth_max(&self) -> usize {
        let spec = self.ground.problem.spec();
        spec.width * spec.height + self.boxes_max + self.steps_max + 2
    }

    /// Takes the boards of the last iterations.
    pub(super) fn made(&self) -> Vec<Made> {
        self.made.take()
    }

    /// Whether a step in a direction pushes a box. None: the step is impossible.
    pub(super) fn moves(&self, state: &State, direction: u8) -> Option<bool> {
        let to = neighbour(self.width, state.player, direction);
        if state.is_wall[to] {
            return None;
        }
        if state.box_on[to] == 0 {
            return Some(false);
        }
        let beyond = neighbour(self.width, to, direction);
        (!state.is_wall[beyond] && state.box_on[beyond] == 0).then_some(true)
    }

    fn carve_actions(&self, state: &State, out: &mut Vec<Action>) {
        for orbit in &self.ground.orbits {
            let cell = orbit[0];
            if state.is_wall[cell] {
                if (0..4).any(|direction| !state.is_wall[neighbour(self.width, cell, direction)]) {
                    out.push(Action::Delete(cell as u16));
                }
            } else if state.box_on[cell] == 0
                && cell != state.player
                && state.boxes.len() < self.boxes_max
            {
                out.push(Action::Place(cell as u16));
            }
        }
        if !state.boxes.is_empty() {
            out.push(Action::Freeze);
        }
    }

    /// The level without its uninteresting parts: boxes that were never pushed become walls, and
    /// those that were pushed too rarely vanish, with their goals. The play stays possible, step by
    /// step: the player never entered the cell of a box that was not pushed, and where a box
    /// vanished the player walks instead of pushing.
    fn post_process(&self, state: &State) -> Option<Made> {
        let mut is_wall = state.is_wall.clone();
        let (mut boxes, mut goals) = (Vec::new(), Vec::new());
        let pieces = state.starts.iter().zip(&state.boxes).zip(&state.pushes);
        for ((&start, &end), &pushes) in pieces {
            if pushes == 0 && self.pushes_min > 0 {
                is_wall[start] = true;
            } else if pushes >= self.pushes_min {
                boxes.push(start);
                goals.push(end);
            }
        }
        if state.pushes.contains(&0) && self.pushes_min > 0 {
            self.wall_off(&mut is_wall);
        }
        let is_wanted = (self.boxes_min..=self.boxes_max).contains(&boxes.len());
        let is_unsolved = boxes.iter().any(|start| !goals.contains(start));
        (is_wanted && is_unsolved).then(|| Made {
            is_wall,
            boxes,
            goals,
            player: self.start,
            walked: state.walked.clone(),
            value_micro: 0,
        })
    }

    /// Floor that new walls cut off from the player is wall as well.
    fn wall_off(&self, is_wall: &mut [bool]) {
        let next = |cell| (0..4).map(move |direction| neighbour(self.width, cell, direction));
        let next = |cell| next(cell).filter(|next| !is_wall[*next]);
        let reached = reachable(is_wall.len(), self.start, next);
        for (is_wall, is_reached) in is_wall.iter_mut().zip(reached) {
            *is_wall |= !is_reached;
        }
    }

    /// Value by features that need no solving; those of play are counted on the simulated play.
    fn value_micro(&self, made: &Made) -> i64 {
        let floor: Vec<usize> = (0..made.is_wall.len())
            .filter(|&cell| !made.is_wall[cell])
            .collect();
        let place = |cell: &usize| -> Place { (cell / self.width, cell % self.width) };
        let ends: Vec<(Place, Place)> = made
            .boxes
            .iter()
            .zip(&made.goals)
            .map(|(start, end)| (place(start), place(end)))
            .collect();
        let mut features = Features::default();
        Shape::new(self.width, &floor, &made.boxes, &made.goals).measure(&ends, &mut features);
        features.value_micro(&self.ground.problem.spec().weights)
    }
}

impl Domain for World<'_> {
    type State = State;
    type Action = Action;
    type Cost = i64;

    fn root(&self) -> State {
        let cells = self.width * self.ground.problem.spec().height;
        let mut is_wall = vec![true; cells];
        is_wall[self.start] = false;
        State {
            phase: Phase::Carve,
            is_wall,
            floor: 1,
            box_on: vec![0; cells],
            starts: Vec::new(),
            boxes: Vec::new(),
            pushes: Vec::new(),
            player: self.start,
            walked: Vec::new(),
        }
    }

    fn actions(&self, state: &State, out: &mut Vec<Action>) {
        match state.phase {
            Phase::Carve => self.carve_actions(state, out),
            Phase::Play => {
                if state.walked.len() < self.steps_max {
                    let directions =
                        (0..4).filter(|&direction| self.moves(state, direction).is_some());
                    out.extend(directions.map(Action::Move));
                }
                out.push(Action::Evaluate);
            }
            Phase::Over => {}
        }
    }

    fn apply(&self, state: &mut State, action: Action) {
        match action {
            Action::Delete(cell) => {
                state.is_wall[usize::from(cell)] = false;
                state.floor += 1;
            }
            Action::Place(cell) => {
                let cell = usize::from(cell);
                state.boxes.push(cell);
                // At most 32 boxes.
                state.box_on[cell] = state.boxes.len() as u8;
            }
            Action::Freeze => {
                state.phase = Phase::Play;
                state.starts.clone_from(&state.boxes);
                state.pushes.clear();
                state.pushes.resize(state.boxes.len(), 0);
            }
            Action::Move(direction) => {
                let to = neighbour(self.width, state.player, direction);
                let number = std::mem::take(&mut state.box_on[to]);
                if number > 0 {
                    let beyond = neighbour(self.width, to, direction);
                    state.box_on[beyond] = number;
                    state.boxes[usize::from(number) - 1] = beyond;
                    state.pushes[usize::from(number) - 1] += 1;
                }
                state.player = to;
                state.walked.push(direction);
            }
            Action::Evaluate => state.phase = Phase::Over,
        }
    }

    fn outcome(&self, terminal: &State) -> Outcome<i64> {
        let nothing = Outcome {
            cost: i64::MAX,
            reward: 0.0,
        };
        let Some(mut made) = self.post_process(terminal) else {
            return nothing;
        };
        made.value_micro = self.value_micro(&made);
        let cost = miss_micro(self.ground.problem, self.rung, made.value_micro);
        // Falls as the cost rises, and separates values around 1: 1/2 at cost 0.
        let whole = cost as f64 / 1e6;
        let reward = 0.5 * (1.0 - whole / (1.0 + whole.abs()));
        self.made.borrow_mut().push(made);
        Outcome { cost, reward }
    }
}

/// The steps of directions, with pushes where a box is in the way.
pub(super) fn steps(board: &Board, walked: &[u8]) -> Vec<Step> {
    let mut boxes = board.boxes().to_vec();
    let mut player = board.player();
    let mut steps = Vec::with_capacity(walked.len());
    for &direction in walked {
        player = neighbour(board.width(), player, direction);
        let hit = boxes.iter().position(|&cell| cell == player);
        if let Some(hit) = hit {
            boxes[hit] = neighbour(board.width(), player, direction);
        }
        steps.push(Step {
            direction: Direction::ALL[usize::from(direction)],
            pushes: hit.is_some(),
        });
    }
    steps
}
