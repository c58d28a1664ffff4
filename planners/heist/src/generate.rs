//! Worlds for tests, benches and demonstrations: small ones with known answers, and seeded museums.

mod known;
mod zones;

pub use known::{Sketch, line3, museum8, ring4, two_rings};
pub use zones::Zones;

use crate::museum::{Container, Door, Layout, Machine};
use crate::solve::{AgentTask, exists};
use crate::world::{Agent, BURGLAR, Facts, Goal, LockState, Place, Spec, World};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Parameters of a random museum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MuseumParams {
    /// Rooms side by side, at least 1.
    pub columns: usize,
    /// Rooms one behind the other, at least 1.
    pub rows: usize,
    /// Of the edges that no spanning tree needs, how many exist, in percent.
    pub loops_percent: u32,
    /// Share of closed doors and containers, in percent.
    pub closed_percent: u32,
    /// Share of locked ones among the closed, in percent. Without keys none is locked.
    pub locked_percent: u32,
    /// Keys, each in a container of its own; with copies at most 63.
    pub keys: usize,
    /// Copies of these keys, each in a container of its own. None without keys.
    pub copies: usize,
    /// Cameras that are on and unknown to the burglar.
    pub cameras: usize,
    /// Patrolling guards that the burglar does not know of; at most 64.
    pub guards: usize,
    /// Vending machines.
    pub machines: usize,
    /// Share of doors about which the burglar's belief is wrong, in percent.
    pub wrong_percent: u32,
}

impl Default for MuseumParams {
    fn default() -> Self {
        Self {
            columns: 4,
            rows: 3,
            loops_percent: 50,
            closed_percent: 40,
            locked_percent: 30,
            keys: 2,
            copies: 0,
            cameras: 0,
            guards: 0,
            machines: 0,
            wrong_percent: 0,
        }
    }
}

/// Seeds tried by [`solvable`].
const TRIES: u64 = 1_000;

/// A museum whose burglar believes that there is a plan, if one is found within some seeds from
/// this one on.
///
/// # Panics
/// As [`museum`].
#[must_use]
pub fn solvable(params: &MuseumParams, seed: u64) -> Option<World> {
    let mut tries = (0..TRIES).map(|index| museum(params, anytime::derive_seed(seed, index)));
    tries.find(|world| {
        let traps = world.agents()[BURGLAR].belief.traps(world.museum());
        exists(&AgentTask::of_burglar(world, &traps))
    })
}

/// A grid of rooms, connected except for locks. The burglar is in room 0, and wants one artifact
/// there.
///
/// # Panics
/// When there are more rooms, keys or guards than supported.
#[must_use]
pub fn museum(params: &MuseumParams, seed: u64) -> World {
    let mut draw = Draw {
        params: *params,
        rng: Xoshiro256PlusPlus::seed_from_u64(seed),
    };
    let rooms = params.columns * params.rows;
    let doors = draw.doors();
    // One container for each item, and one for nothing.
    let containers = draw.containers(rooms, params.keys + 2);
    let mut layout = Layout {
        rooms,
        machines: (0..params.machines).map(|_| draw.machine(rooms)).collect(),
        cameras: (0..params.cameras).map(|_| draw.elsewhere(rooms)).collect(),
        keys: params.keys,
        kinds: Vec::new(),
        artifacts: 1,
        doors,
        containers,
    };
    let mut facts = Facts {
        doors: layout
            .doors
            .iter()
            .map(|it| draw.lock_state(&it.keys))
            .collect(),
        containers: layout
            .containers
            .iter()
            .map(|it| draw.lock_state(&it.keys))
            .collect(),
        items: (0..=params.keys).map(Place::In).collect(),
        cameras: vec![true; params.cameras],
    };
    use_all_keys(&mut layout);
    draw.copy_keys(&mut layout, &mut facts);
    let agents = draw.agents(&layout, &facts);
    World::new(Spec {
        museum: layout,
        facts,
        agents,
    })
    .expect("what is generated makes sense")
}

/// Keys that fit nothing are not allowed: each of them fits the spare container.
fn use_all_keys(layout: &mut Layout) {
    let spare = layout.containers.len() - 1;
    for key in 0..layout.keys {
        let doors = layout.doors.iter().map(|it| &it.keys);
        let mut locks = doors.chain(layout.containers.iter().map(|it| &it.keys));
        if !locks.any(|keys| keys.contains(&key)) {
            // Keys are asked for one at a time: a door holds those that found no other.
            let door = key % layout.doors.len().max(1);
            match layout.doors.get_mut(door) {
                Some(it) => it.keys.push(key),
                None => layout.containers[spare].keys.push(key),
            }
        }
    }
}

struct Draw {
    params: MuseumParams,
    rng: Xoshiro256PlusPlus,
}

impl Draw {
    /// Adds copies of keys: they come after the keys, and before the artifact.
    fn copy_keys(&mut self, layout: &mut Layout, facts: &mut Facts) {
        let keys = layout.keys;
        let copies = if keys == 0 { 0 } else { self.params.copies };
        layout.kinds = (0..keys).collect();
        for _ in 0..copies {
            let container = self.containers(layout.rooms, 1);
            facts.containers.push(self.lock_state(&container[0].keys));
            facts
                .items
                .insert(layout.keys, Place::In(layout.containers.len()));
            layout.containers.extend(container);
            layout.kinds.push(self.rng.random_range(0..keys));
            layout.keys += 1;
        }
        if copies == 0 {
            layout.kinds.clear();
        }
    }

    fn percent(&mut self, percent: u32) -> bool {
        self.rng.random_range(0..100) < percent
    }

    /// A tree of doors through all rooms, and some more.
    fn doors(&mut self) -> Vec<Door> {
        let (columns, rows) = (self.params.columns, self.params.rows);
        let mut doors = Vec::new();
        for room in 1..columns * rows {
            let left = (!room.is_multiple_of(columns)).then(|| room - 1);
            let above = room.checked_sub(columns);
            let mut near: Vec<_> = left.into_iter().chain(above).collect();
            if near.len() == 2 && self.percent(50) {
                near.reverse();
            }
            for (index, other) in near.into_iter().enumerate() {
                if index == 0 || self.percent(self.params.loops_percent) {
                    let ends = [other, room];
                    let keys = self.lock();
                    doors.push(Door { ends, keys });
                }
            }
        }
        doors
    }

    fn lock(&mut self) -> Vec<usize> {
        let keys: Vec<_> = (0..self.params.keys).collect();
        keys.choose(&mut self.rng).copied().into_iter().collect()
    }

    fn containers(&mut self, rooms: usize, count: usize) -> Vec<Container> {
        let mut containers = Vec::new();
        for _ in 0..count {
            let room = self.elsewhere(rooms);
            let keys = self.lock();
            containers.push(Container { room, keys });
        }
        containers
    }

    /// A room, if possible not the first one.
    fn elsewhere(&mut self, rooms: usize) -> usize {
        self.rng.random_range(1.min(rooms - 1)..rooms)
    }

    fn machine(&mut self, rooms: usize) -> Machine {
        Machine {
            room: self.rng.random_range(0..rooms),
            delay: self.rng.random_range(1..=3),
        }
    }

    fn lock_state(&mut self, keys: &[usize]) -> LockState {
        let closed = self.percent(self.params.closed_percent);
        let locked = self.percent(self.params.locked_percent);
        match (closed, locked && !keys.is_empty()) {
            (false, _) => LockState::OPEN,
            (true, false) => LockState::CLOSED,
            (true, true) => LockState::LOCKED,
        }
    }

    fn agents(&mut self, layout: &Layout, facts: &Facts) -> Vec<Agent> {
        let agents = 1 + self.params.guards;
        let mut wrong = facts.clone();
        wrong.cameras.fill(false);
        for (door, state) in wrong.doors.iter_mut().enumerate() {
            if self.percent(self.params.wrong_percent) {
                *state = self.lock_state(&layout.doors[door].keys);
            }
        }
        let mut all = vec![Agent::new(0, Goal::bring(layout.keys, 0), &wrong, agents)];
        for _ in 0..self.params.guards {
            let room = self.elsewhere(layout.rooms);
            let doors = layout.doors.iter().filter(|it| it.ends.contains(&room));
            let near: Vec<_> = doors.map(|it| it.ends[0] + it.ends[1] - room).collect();
            let mut visits = vec![room];
            visits.extend(near.choose(&mut self.rng));
            all.push(Agent::new(room, Goal::walk(&visits), facts, agents));
        }
        all
    }
}
