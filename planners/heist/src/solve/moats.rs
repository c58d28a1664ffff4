//! What it takes to open doors, at least, so that somebody can get from anywhere to anywhere among
//! some rooms.
//!
//! Each door is opened once, however often the agent passes: the doors that are opened hold the
//! rooms together, and weigh as much as a Steiner tree or more. Its bound is the dual of Goemans
//! and Williamson, "A general approximation technique for constrained forest problems", SIAM
//! Journal on Computing 24 (1995): moats grow around all rooms at the same speed, and become one
//! where they meet; a plan that visits all rooms crosses all of them.

use super::chart::Chart;
use super::field::FAR;

/// Highest price of opening a door: unlock, open.
const PRICE_MAX: usize = 2;
const BUCKETS: usize = PRICE_MAX + 1;

/// Room for the growth of moats, to be used again and again.
#[derive(Debug, Default)]
pub(super) struct Moats {
    /// Price from the nearest of the rooms to each room.
    far: Vec<u32>,
    /// Which of the rooms is the nearest.
    owner: Vec<u32>,
    /// Rooms by price, modulo the number of buckets.
    buckets: [Vec<u32>; BUCKETS],
    /// Where moats meet: the price of the way between their rooms, and which these are.
    meets: Vec<(u32, u32, u32)>,
    /// For each of the rooms, another one that is in the same moat; itself for one of each moat.
    joined: Vec<u32>,
}

impl Moats {
    /// The least that is to be paid for doors that connect these rooms. `price` is what a door
    /// costs.
    pub(super) fn least(
        &mut self,
        chart: &Chart<'_>,
        rooms: &[usize],
        price: impl Fn(usize) -> u32,
    ) -> u32 {
        self.spread(chart, rooms, &price);
        self.meets.clear();
        for (door, it) in chart.errand.museum.layout().doors.iter().enumerate() {
            let [a, b] = it.ends;
            if self.owner[a] != self.owner[b] && self.far[a] < FAR && self.far[b] < FAR {
                let length = self.far[a] + price(door) + self.far[b];
                self.meets.push((length, self.owner[a], self.owner[b]));
            }
        }
        self.meets.sort_unstable();
        self.joined.clear();
        self.joined.extend(0..rooms.len() as u32);
        // A room that is named twice has one moat.
        let own = rooms.iter().enumerate();
        let own = own.filter(|(index, room)| self.owner[**room] == *index as u32);
        let mut moats = own.count() as u32;
        // Twice the price, as each way is dug from both ends.
        let (mut twice, mut dug) = (0, 0);
        for index in 0..self.meets.len() {
            let (length, a, b) = self.meets[index];
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

    fn spread(&mut self, chart: &Chart<'_>, rooms: &[usize], price: &impl Fn(usize) -> u32) {
        let museum = chart.errand.museum;
        self.far.clear();
        self.far.resize(museum.rooms(), FAR);
        self.owner.clear();
        self.owner.resize(museum.rooms(), 0);
        for bucket in &mut self.buckets {
            bucket.clear();
        }
        for (index, &room) in rooms.iter().enumerate().rev() {
            self.far[room] = 0;
            self.owner[room] = index as u32;
            self.buckets[0].push(room as u32);
        }
        let (mut here, mut empty) = (0, 0);
        while empty < BUCKETS {
            let Some(room) = self.buckets[here as usize % BUCKETS].pop() else {
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
                let far = here + price(exit.door);
                if far < self.far[exit.to] && !chart.errand.is_trap(exit.to) {
                    self.far[exit.to] = far;
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
