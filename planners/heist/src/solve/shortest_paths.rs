//! Single-source shortest paths by Dial's algorithm: Dijkstra with a bucket queue.

use super::planning_task::PlanningTask;
use crate::museum::Thing;

/// The distance of unreachable rooms.
pub(super) const UNREACHABLE: u32 = u32::MAX / 4;

/// Maximal actions to go through a door: approach, unlock, open, enter.
const STEP_MAX: usize = 4;
const BUCKETS: usize = STEP_MAX + 1;

/// The source of shortest paths: an agent in a room.
#[derive(Debug, Clone, Copy)]
pub(super) struct Origin<'a> {
    /// The room.
    pub room: usize,
    /// The door that the agent stands at.
    pub at: Option<usize>,
    /// Items that open doors, as bits.
    pub items: u64,
    /// What has been opened.
    pub opened: &'a [u64],
}

/// Distances from one room, in reused buffers.
#[derive(Debug, Default)]
pub(super) struct ShortestPaths {
    /// Actions to each room.
    pub distances: Vec<u32>,
    /// Rooms by distance, modulo the number of buckets.
    buckets: [Vec<u32>; BUCKETS],
}

impl ShortestPaths {
    /// Fewest actions to every room, or to those of `ends` if there are any: approach, unlock,
    /// open, enter.
    pub(super) fn run_from(
        &mut self,
        task: &PlanningTask<'_>,
        origin: &Origin<'_>,
        ends: &[usize],
    ) {
        self.run_with(task, origin.room, ends, |door, room| {
            step(task, origin, door, room)
        });
    }

    /// The doors of a shortest path to a room, by the lowest doors first; after
    /// [`ShortestPaths::run_from`] with the same task and origin.
    pub(super) fn doors_to(
        &self,
        task: &PlanningTask<'_>,
        origin: &Origin<'_>,
        end: usize,
    ) -> Vec<usize> {
        let museum = task.input.museum;
        let leads = |room: usize, door: usize, to: usize| {
            let step = step(task, origin, door, room);
            step.is_some_and(|step| self.distances[room] + step == self.distances[to])
        };
        let mut on_path = vec![false; museum.rooms()];
        on_path[end] = true;
        let mut open = vec![end];
        while let Some(to) = open.pop() {
            for exit in museum.exits(to) {
                let room = exit.to;
                if !on_path[room] && leads(room, exit.door, to) {
                    on_path[room] = true;
                    open.push(room);
                }
            }
        }
        let mut doors = Vec::new();
        let mut room = origin.room;
        while room != end {
            let mut exits = museum.exits(room).iter();
            let next = exits.find(|exit| on_path[exit.to] && leads(room, exit.door, exit.to));
            let Some(next) = next else { break };
            doors.push(next.door);
            room = next.to;
        }
        doors
    }

    /// As `run_from`, for any cost of a door, at most [`STEP_MAX`]; `None`: it cannot be passed.
    pub(super) fn run_with(
        &mut self,
        task: &PlanningTask<'_>,
        start: usize,
        ends: &[usize],
        cost: impl Fn(usize, usize) -> Option<u32>,
    ) {
        let museum = task.input.museum;
        self.distances.clear();
        self.distances.resize(museum.rooms(), UNREACHABLE);
        self.distances[start] = 0;
        for bucket in &mut self.buckets {
            bucket.clear();
        }
        self.buckets[0].push(start as u32);
        let mut ends_left = ends.len();
        let (mut distance, mut empty_buckets) = (0, 0);
        while empty_buckets < BUCKETS {
            let bucket = distance as usize % BUCKETS;
            let Some(room) = self.buckets[bucket].pop() else {
                distance += 1;
                empty_buckets += 1;
                continue;
            };
            empty_buckets = 0;
            let room = room as usize;
            // A stale entry: the room has been settled at a lower distance.
            if self.distances[room] != distance {
                continue;
            }
            ends_left -= ends.iter().filter(|end| **end == room).count();
            if ends_left == 0 && !ends.is_empty() {
                return;
            }
            for exit in museum.exits(room) {
                if task.input.is_trap(exit.to) || self.distances[exit.to] <= distance {
                    continue;
                }
                let Some(cost) = cost(exit.door, room) else {
                    continue;
                };
                let tentative = distance + cost;
                if tentative < self.distances[exit.to] {
                    self.distances[exit.to] = tentative;
                    self.buckets[tentative as usize % BUCKETS].push(exit.to as u32);
                }
            }
        }
    }
}

/// Actions to go through a door of a room; none when it cannot be opened.
fn step(task: &PlanningTask<'_>, origin: &Origin<'_>, door: usize, room: usize) -> Option<u32> {
    let open = task.actions_to_open(Thing::Door(door), origin.items, origin.opened)?;
    // An agent that has come through a door stands at it, too, but going back immediately never
    // pays.
    let approach = u32::from(room != origin.room || origin.at != Some(door));
    Some(approach + open + 1)
}
