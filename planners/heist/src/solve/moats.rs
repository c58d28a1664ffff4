//! Lower bound on the actions that open doors, so that some rooms are connected: a Steiner tree
//! bound.
//!
//! Each door is opened once, however often the agent passes. The opened doors connect the rooms,
//! and cost at least a Steiner tree. Its bound is the dual of Goemans and Williamson, "A general
//! approximation technique for constrained forest problems", SIAM Journal on Computing 24 (1995):
//! moats grow around all rooms at the same speed, and merge where they meet; a plan that visits all
//! rooms crosses all of them.

use super::planning_task::PlanningTask;
use super::shortest_paths::UNREACHABLE;

/// Maximal cost of opening a door: unlock, open.
const COST_MAX: usize = 2;
const BUCKETS: usize = COST_MAX + 1;

/// Buffers of the dual ascent, reused.
#[derive(Debug, Default)]
pub(super) struct Moats {
    /// Distance from the nearest of the rooms to each room.
    distances: Vec<u32>,
    /// Which of the rooms is the nearest.
    owner: Vec<u32>,
    /// Rooms by distance, modulo the number of buckets.
    buckets: [Vec<u32>; BUCKETS],
    /// Where moats meet: the distance between their rooms, and the two rooms.
    meetings: Vec<(u32, u32, u32)>,
    /// Union-find: for each of the rooms another one in the same moat; itself for one of each moat.
    joined: Vec<u32>,
}

impl Moats {
    /// Lower bound on the cost of doors that connect these rooms. `cost` is the cost of a door.
    pub(super) fn lower_bound(
        &mut self,
        task: &PlanningTask<'_>,
        rooms: &[usize],
        cost: impl Fn(usize) -> u32,
    ) -> u32 {
        self.grow(task, rooms, &cost);
        self.meetings.clear();
        for (door, it) in task.input.museum.layout().doors.iter().enumerate() {
            let [a, b] = it.ends;
            if self.owner[a] != self.owner[b]
                && self.distances[a] < UNREACHABLE
                && self.distances[b] < UNREACHABLE
            {
                let length = self.distances[a] + cost(door) + self.distances[b];
                self.meetings.push((length, self.owner[a], self.owner[b]));
            }
        }
        self.meetings.sort_unstable();
        self.joined.clear();
        self.joined.extend(0..rooms.len() as u32);
        // A room that is named twice has one moat.
        let own = rooms.iter().enumerate();
        let own = own.filter(|(index, room)| self.owner[**room] == *index as u32);
        let mut moats = own.count() as u32;
        // Twice the cost, as each path is covered from both ends.
        let (mut twice, mut dug) = (0, 0);
        for index in 0..self.meetings.len() {
            let (length, a, b) = self.meetings[index];
            let (a, b) = (self.moat(a), self.moat(b));
            if a != b {
                twice += (length - dug) * moats;
                dug = length;
                moats -= 1;
                self.joined[a as usize] = b;
            }
        }
        twice.div_ceil(2)
    }

    fn grow(&mut self, task: &PlanningTask<'_>, rooms: &[usize], cost: &impl Fn(usize) -> u32) {
        let museum = task.input.museum;
        self.distances.clear();
        self.distances.resize(museum.rooms(), UNREACHABLE);
        self.owner.clear();
        self.owner.resize(museum.rooms(), 0);
        for bucket in &mut self.buckets {
            bucket.clear();
        }
        for (index, &room) in rooms.iter().enumerate().rev() {
            self.distances[room] = 0;
            self.owner[room] = index as u32;
            self.buckets[0].push(room as u32);
        }
        let (mut cost_so_far, mut empty) = (0, 0);
        while empty < BUCKETS {
            let Some(room) = self.buckets[cost_so_far as usize % BUCKETS].pop() else {
                cost_so_far += 1;
                empty += 1;
                continue;
            };
            empty = 0;
            let room = room as usize;
            if self.distances[room] != cost_so_far {
                continue;
            }
            for exit in museum.exits(room) {
                let far = cost_so_far + cost(exit.door);
                if far < self.distances[exit.to] && !task.input.is_trap(exit.to) {
                    self.distances[exit.to] = far;
                    self.owner[exit.to] = self.owner[room];
                    self.buckets[far as usize % BUCKETS].push(exit.to as u32);
                }
            }
        }
    }

    fn moat(&self, room: u32) -> u32 {
        let mut room = room;
        while self.joined[room as usize] != room {
            room = self.joined[room as usize];
        }
        room
    }
}
