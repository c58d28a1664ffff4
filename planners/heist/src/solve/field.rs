//! How far everything is from where an agent is.

use super::chart::Chart;
use crate::museum::Thing;

/// Too far: there is no way.
pub(super) const FAR: u32 = u32::MAX / 4;

/// Highest price of going through a door: approach, unlock, open, enter.
const PRICE_MAX: usize = 4;
const BUCKETS: usize = PRICE_MAX + 1;

/// Where an agent is, as far as ways are concerned.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stand<'a> {
    /// The room.
    pub room: usize,
    /// The door that he stands at.
    pub at: Option<usize>,
    /// Items that open doors, as bits.
    pub items: u64,
    /// What has been opened.
    pub opened: &'a [u64],
}

/// Distances from one room, to be used again and again.
#[derive(Debug, Default)]
pub(super) struct Field {
    /// Actions to each room.
    pub far: Vec<u32>,
    /// Rooms by distance, modulo the number of buckets.
    buckets: [Vec<u32>; BUCKETS],
}

impl Field {
    /// Fewest actions to every room, or to those of `ends` if there are any: approach, unlock,
    /// open, enter.
    pub(super) fn ways(&mut self, chart: &Chart<'_>, stand: &Stand<'_>, ends: &[usize]) {
        self.spread(chart, (stand.room, ends), |door, room| {
            step(chart, stand, door, room)
        });
    }

    /// The doors of a shortest path to a room, the one that begins with the lowest door; after
    /// [`Field::ways`] with the same chart and stand.
    pub(super) fn doors_to(&self, chart: &Chart<'_>, stand: &Stand<'_>, end: usize) -> Vec<usize> {
        let museum = chart.errand.museum;
        let leads = |room: usize, door: usize, to: usize| {
            let step = step(chart, stand, door, room);
            step.is_some_and(|step| self.far[room] + step == self.far[to])
        };
        let mut on_way = vec![false; museum.rooms()];
        on_way[end] = true;
        let mut open = vec![end];
        while let Some(to) = open.pop() {
            for exit in museum.exits(to) {
                let room = exit.to;
                if !on_way[room] && leads(room, exit.door, to) {
                    on_way[room] = true;
                    open.push(room);
                }
            }
        }
        let mut doors = Vec::new();
        let mut room = stand.room;
        while room != end {
            let mut exits = museum.exits(room).iter();
            let next = exits.find(|exit| on_way[exit.to] && leads(room, exit.door, exit.to));
            let Some(next) = next else { break };
            doors.push(next.door);
            room = next.to;
        }
        doors
    }

    /// As `ways`, for any price of a door, at most [`PRICE_MAX`]; `None`: it cannot be passed.
    pub(super) fn spread(
        &mut self,
        chart: &Chart<'_>,
        (start, ends): (usize, &[usize]),
        price: impl Fn(usize, usize) -> Option<u32>,
    ) {
        let museum = chart.errand.museum;
        self.far.clear();
        self.far.resize(museum.rooms(), FAR);
        self.far[start] = 0;
        for bucket in &mut self.buckets {
            bucket.clear();
        }
        self.buckets[0].push(start as u32);
        let mut ends_left = ends.len();
        let (mut here, mut empty) = (0, 0);
        while empty < BUCKETS {
            let bucket = here as usize % BUCKETS;
            let Some(room) = self.buckets[bucket].pop() else {
                here += 1;
                empty += 1;
                continue;
            };
            empty = 0;
            let room = room as usize;
            // What was pushed before a shorter way was found has been settled.
            if self.far[room] != here {
                continue;
            }
            ends_left -= ends.iter().filter(|end| **end == room).count();
            if ends_left == 0 && !ends.is_empty() {
                return;
            }
            for exit in museum.exits(room) {
                if chart.errand.is_trap(exit.to) || self.far[exit.to] <= here {
                    continue;
                }
                let Some(price) = price(exit.door, room) else {
                    continue;
                };
                let far = here + price;
                if far < self.far[exit.to] {
                    self.far[exit.to] = far;
                    self.buckets[far as usize % BUCKETS].push(exit.to as u32);
                }
            }
        }
    }
}

/// Actions to go through a door of a room; none when it cannot be opened.
fn step(chart: &Chart<'_>, stand: &Stand<'_>, door: usize, room: usize) -> Option<u32> {
    let open = chart.actions_to_open(Thing::Door(door), stand.items, stand.opened)?;
    // An agent that has come through a door stands at it, too, but going back immediately never
    // pays.
    let approach = u32::from(room != stand.room || stand.at != Some(door));
    Some(approach + open + 1)
}
