//! Rollouts that prefer pushes.

use super::neighbour;
use super::world::{Action, Phase, State, World};
use mcts::{Guide, Rng};
use rand::RngExt;

/// Carves at random, and then goes to the nearest box that still has to be pushed.
#[derive(Debug, Clone, Default)]
pub(super) struct Eager {
    /// First direction from the player to each cell, of the last look.
    first: Vec<u8>,
    queue: Vec<usize>,
}

const NOT_YET: u8 = u8::MAX;
/// Floor cells for each box before the board is frozen, on average.
const ROOM_PER_BOX: usize = 3;

impl Eager {
    fn carve(world: &World<'_>, state: &State, actions: &[Action], rng: &mut Rng) -> usize {
        let is_full = state.boxes.len() == world.boxes_max;
        let can_delete = matches!(actions[0], Action::Delete(_))
            || actions
                .iter()
                .any(|action| matches!(action, Action::Delete(_)));
        let room = state.floor > ROOM_PER_BOX * (state.boxes.len() + 1);
        if !state.boxes.is_empty() && (is_full || !can_delete || rng.random_bool(0.02)) {
            return actions.len() - 1;
        }
        for _ in 0..12 {
            let index = rng.random_range(0..actions.len());
            match actions[index] {
                Action::Delete(_) if !room || rng.random_bool(0.5) => return index,
                Action::Place(cell) if room && pushable(world, state, usize::from(cell)) => {
                    return index;
                }
                _ => {}
            }
        }
        rng.random_range(0..actions.len())
    }

    fn play(
        &mut self,
        world: &World<'_>,
        state: &State,
        actions: &[Action],
        rng: &mut Rng,
    ) -> usize {
        let last = actions.len() - 1;
        if last == 0 {
            return 0;
        }
        if rng.random_bool(0.1) {
            return rng.random_range(0..last);
        }
        let is_done = |pushes: &u32| *pushes >= world.pushes_min.max(1);
        if state.pushes.iter().all(is_done) && rng.random_bool(0.5) {
            return last;
        }
        match self.toward_push(world, state, rng) {
            None => last,
            Some(direction) => actions
                .iter()
                .position(|action| *action == Action::Move(direction))
                .unwrap_or(last),
        }
    }

    /// The first step of a path to a push of a box that still has to be pushed, usually the
    /// nearest; none if no such push exists.
    fn toward_push(&mut self, world: &World<'_>, state: &State, rng: &mut Rng) -> Option<u8> {
        self.first.clear();
        self.first.resize(state.is_wall.len(), NOT_YET);
        self.queue.clear();
        self.queue.push(state.player);
        self.first[state.player] = 4;
        let mut any = None;
        let mut at = 0;
        while at < self.queue.len() {
            let cell = self.queue[at];
            at += 1;
            for direction in 0..4 {
                let to = neighbour(world.width, cell, direction);
                if state.is_wall[to] {
                    continue;
                }
                let first = if cell == state.player {
                    direction
                } else {
                    self.first[cell]
                };
                let number = usize::from(state.box_on[to]);
                if number == 0 {
                    if self.first[to] == NOT_YET {
                        self.first[to] = first;
                        self.queue.push(to);
                    }
                    continue;
                }
                let beyond = neighbour(world.width, to, direction);
                if state.is_wall[beyond] || state.box_on[beyond] > 0 {
                    continue;
                }
                if state.pushes[number - 1] < world.pushes_min.max(1) {
                    if rng.random_bool(0.8) {
                        return Some(first);
                    }
                    any = any.or(Some(first));
                } else if any.is_none() && rng.random_bool(0.1) {
                    any = Some(first);
                }
            }
        }
        any
    }
}

/// Whether a box on a cell could be pushed along some line.
fn pushable(world: &World<'_>, state: &State, cell: usize) -> bool {
    let open = |direction| {
        let side = neighbour(world.width, cell, direction);
        !state.is_wall[side] && state.box_on[side] == 0
    };
    (open(0) && open(2)) || (open(1) && open(3))
}

impl Guide<World<'_>> for Eager {
    fn rollout(
        &mut self,
        world: &World<'_>,
        state: &State,
        actions: &[Action],
        rng: &mut Rng,
    ) -> usize {
        match state.phase {
            Phase::Carve => Self::carve(world, state, actions, rng),
            Phase::Play => self.play(world, state, actions, rng),
            Phase::Over => 0,
        }
    }
}
