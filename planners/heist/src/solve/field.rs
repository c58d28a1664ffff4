//! How far everything is from where an agent is.

use super::chart::Chart;
use crate::museum::Thing;

/// Too far: there is no way.
pub(super) const FAR: u32 = u32::MAX / 4;

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
    buckets: [Vec<u32>; 5],
}

impl Field {
    /// Fewest actions to every room: approach, unlock, open, enter.
    pub(super) fn ways(&mut self, chart: &Chart<'_>, stand: &Stand<'_>) {
        self.spread(chart, stand, |door, room| step(chart, stand, door, room));
    }

    /// The doors of a shortest way to a room, of those that begin with the lowest door; after [`Field::ways`] with the same chart and stand.
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

    /// Fewest actions of opening on a way to every room, by whoever has all keys.
    pub(super) fn openings(&mut self, chart: &Chart<'_>, stand: &Stand<'_>) {
        self.spread(chart, stand, |door, _| {
            chart.actions_at_least(door, stand.opened)
        });
    }

    /// Fewest actions to every room where all that can be opened is open: two for each door.
    pub(super) fn passes(&mut self, chart: &Chart<'_>, stand: &Stand<'_>) {
        self.spread(chart, stand, |door, _| {
            chart.passes(door, stand.items).then_some(2)
        });
    }

    /// Dijkstra's algorithm with buckets; `step` tells what a door costs, at most 4, from a room.
    fn spread(
        &mut self,
        chart: &Chart<'_>,
        stand: &Stand<'_>,
        step: impl Fn(usize, usize) -> Option<u32>,
    ) {
        let museum = chart.errand.museum;
        self.far.clear();
        self.far.resize(museum.rooms(), FAR);
        self.far[stand.room] = 0;
        self.buckets[0].push(stand.room as u32);
        let (mut here, mut empty) = (0, 0);
        while empty < self.buckets.len() {
            let bucket = here as usize % self.buckets.len();
            let Some(room) = self.buckets[bucket].pop() else {
                here += 1;
                empty += 1;
                continue;
            };
            empty = 0;
            let room = room as usize;
            if self.far[room] != here {
                continue;
            }
            for exit in museum.exits(room) {
                if chart.errand.is_trap(exit.to) {
                    continue;
                }
                let Some(actions) = step(exit.door, room) else {
                    continue;
                };
                let far = here + actions;
                if far < self.far[exit.to] {
                    self.far[exit.to] = far;
                    self.buckets[far as usize % 5].push(exit.to as u32);
                }
            }
        }
    }
}

/// Actions to go through a door of a room; none when it cannot be opened.
fn step(chart: &Chart<'_>, stand: &Stand<'_>, door: usize, room: usize) -> Option<u32> {
    let open = chart.actions_to_open(Thing::Door(door), stand.items, stand.opened)?;
    // Whoever has come through a door stands at it, too, but nobody is better off going back at once.
    let approach = u32::from(room != stand.room || stand.at != Some(door));
    Some(approach + open + 1)
}
