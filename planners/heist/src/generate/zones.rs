//! Mazes in zones, each behind the locks of the one before: hard instances, as the order of stops
//! matters.

use crate::museum::{Container, Door, Layout};
use crate::world::{Agent, Facts, Goal, LockState, Place, Spec, World};
use petgraph::unionfind::UnionFind;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Parameters of a maze in zones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Zones {
    /// Rooms side by side, and one behind the other, at least 2.
    pub side: usize,
    /// Zones from left to right, at least 1, at most `side` and 64.
    pub zones: usize,
    /// How many of the edges within a zone that are not needed to connect it exist, in percent.
    pub loops_percent: u32,
}

/// Share of existing edges between zones, in percent; at least one.
const BORDER_PERCENT: u32 = 30;
/// Share of closed doors within zones, in percent.
const CLOSED_PERCENT: u32 = 80;
/// Share of doors within later zones that are locked with a key of an earlier one, in percent.
const LOCKED_PERCENT: u32 = 10;

impl Zones {
    /// A square of rooms. All doors into a zone are locked, and their key lies somewhere before
    /// them, in a container that needs, at random, the key before. The burglar is in room 0, on the
    /// left, and wants the artifact in the last zone there.
    ///
    /// # Panics
    /// When there are more rooms or zones than supported.
    #[must_use]
    pub fn world(&self, seed: u64) -> World {
        let mut maker = Maker {
            zones: *self,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
        };
        let (doors, states) = maker.doors();
        let (containers, shut) = maker.containers();
        let keys = self.zones - 1;
        let facts = Facts {
            doors: states,
            containers: shut,
            items: (0..=keys).map(Place::In).collect(),
            cameras: Vec::new(),
        };
        let burglar = Agent::new(0, Goal::bring(keys, 0), &facts, 1);
        let museum = Layout {
            rooms: self.side * self.side,
            doors,
            containers,
            keys,
            artifacts: 1,
            ..Layout::default()
        };
        World::new(Spec {
            museum,
            facts,
            agents: vec![burglar],
        })
        .expect("zones make sense")
    }

    /// The zone of a room.
    fn zone_of(&self, room: usize) -> usize {
        room % self.side * self.zones / self.side
    }
}

struct Maker {
    zones: Zones,
    rng: Xoshiro256PlusPlus,
}

impl Maker {
    fn percent(&mut self, percent: u32) -> bool {
        self.rng.random_range(0..100) < percent
    }

    /// Doors with their states: a tree through each zone and some more, and locked ones at the
    /// borders.
    fn doors(&mut self) -> (Vec<Door>, Vec<LockState>) {
        let mut edges = Vec::new();
        for room in 0..self.zones.side * self.zones.side {
            let right = (room + 1) % self.zones.side != 0;
            edges.extend(right.then_some([room, room + 1]));
            let below = room + self.zones.side;
            edges.extend((below < self.zones.side * self.zones.side).then_some([room, below]));
        }
        edges.shuffle(&mut self.rng);
        let mut joined = UnionFind::new(self.zones.side * self.zones.side);
        let mut entered = vec![false; self.zones.zones];
        let mut chosen: Vec<_> = edges
            .into_iter()
            .filter(|ends| self.exists(*ends, &mut joined, &mut entered))
            .collect();
        chosen.sort_unstable();
        chosen.into_iter().map(|ends| self.door(ends)).unzip()
    }

    fn exists(
        &mut self,
        ends: [usize; 2],
        joined: &mut UnionFind<usize>,
        entered: &mut [bool],
    ) -> bool {
        let [from, to] = ends.map(|room| self.zones.zone_of(room));
        if from != to {
            let first = !std::mem::replace(&mut entered[to], true);
            return first || self.percent(BORDER_PERCENT);
        }
        joined.union(ends[0], ends[1]) || self.percent(self.zones.loops_percent)
    }

    fn door(&mut self, ends: [usize; 2]) -> (Door, LockState) {
        let [from, to] = ends.map(|room| self.zones.zone_of(room));
        let lock = if from != to {
            // Zones are numbered from left to right, and so are rooms.
            Some(from)
        } else if from > 0 && self.percent(LOCKED_PERCENT) {
            Some(self.rng.random_range(0..from))
        } else {
            None
        };
        let keys = lock.into_iter().collect();
        let state = match lock {
            Some(_) => LockState::LOCKED,
            None if self.percent(CLOSED_PERCENT) => LockState::CLOSED,
            None => LockState::OPEN,
        };
        (Door { ends, keys }, state)
    }

    /// One container for each key, and one for the artifact, with their states.
    fn containers(&mut self) -> (Vec<Container>, Vec<LockState>) {
        let keys = self.zones.zones - 1;
        let mut all: Vec<_> = (0..keys)
            .map(|key| {
                let zone = self.rng.random_range(0..=key);
                let lock = key.checked_sub(1).filter(|_| self.percent(50));
                self.container(zone, lock)
            })
            .collect();
        all.push(self.container(keys, keys.checked_sub(1)));
        all.into_iter().unzip()
    }

    /// A container in some room of a zone.
    fn container(&mut self, zone: usize, lock: Option<usize>) -> (Container, LockState) {
        let rooms = 0..self.zones.side * self.zones.side;
        let rooms: Vec<_> = rooms
            .filter(|room| self.zones.zone_of(*room) == zone)
            .collect();
        let room = rooms[self.rng.random_range(0..rooms.len())];
        let state = if lock.is_some() {
            LockState::LOCKED
        } else {
            LockState::OPEN
        };
        let keys = lock.into_iter().collect();
        (Container { room, keys }, state)
    }
}
