//! A bound from below: a shortest tour through the rooms that have to be visited, in an order that the locks allow.
//!
//! Held and Karp's recursion over the stops that are left. All doors that can be opened at all count as open, and a door whose keys are all
//! to be taken at stops that are left cannot be passed yet.

use super::chart::{Chart, ones};
use super::field::{FAR, Field, Stand};

/// Most stops of a tour; more are left out of the bound.
const STOPS_MAX: usize = 8;

/// A room that has to be visited.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stop {
    /// The room.
    pub room: usize,
    /// Items to take there, as bits.
    pub items: u64,
    /// Visits that are made by being there, as bits.
    pub visits: u64,
}

/// Distances and tours for all sets of stops that turn up.
#[derive(Debug)]
pub(super) struct Tours {
    stops: Vec<Stop>,
    end: Option<usize>,
    /// For each set of stops and each of them: distances from it to all rooms before any of the set is made.
    ways: Vec<Option<Box<[u32]>>>,
    /// For each set of stops and each of them: actions from it, through the rest, to the end.
    rests: Vec<Option<u32>>,
    home: Option<Box<[u32]>>,
    field: Field,
}

impl Tours {
    pub(super) fn new(chart: &Chart<'_>) -> Self {
        let goal = chart.errand.goal;
        let layout = chart.errand.museum.layout();
        let mut stops: Vec<Stop> = Vec::new();
        let mut stop = |room, items, visits| {
            let there = stops.iter_mut().find(|stop| stop.room == room);
            match there {
                Some(there) => {
                    there.items |= items;
                    there.visits |= visits;
                }
                None => stops.push(Stop {
                    room,
                    items,
                    visits,
                }),
            }
        };
        for (container, items) in chart.contents.iter().enumerate() {
            let items = items & chart.needed;
            if items != 0 {
                stop(layout.containers[container].room, items, 0);
            }
        }
        if !goal.in_order {
            for (visit, room) in goal.visits.iter().enumerate() {
                stop(*room, 0, 1 << visit);
            }
        }
        let mut tours = Self {
            stops,
            end: goal.room,
            ways: Vec::new(),
            rests: Vec::new(),
            home: None,
            field: Field::default(),
        };
        tours.choose(chart);
        let sets = tours.stops.len() << tours.stops.len();
        tours.ways.resize(sets, None);
        tours.rests.resize(sets, None);
        tours
    }

    /// Keeps the stops that are farthest from each other.
    fn choose(&mut self, chart: &Chart<'_>) {
        if self.stops.len() <= STOPS_MAX {
            return;
        }
        let everything = u64::MAX;
        let mut far = vec![FAR; chart.errand.museum.rooms()];
        let mut chosen = Vec::new();
        let mut from = chart.errand.body.room;
        while chosen.len() < STOPS_MAX {
            self.field.passes(chart, &stand(from, everything));
            for (far, now) in far.iter_mut().zip(&self.field.far) {
                *far = (*far).min(*now);
            }
            let left = self.stops.iter().enumerate();
            let next = left.rev().max_by_key(|(_, stop)| far[stop.room]);
            let Some((index, stop)) = next.map(|(index, stop)| (index, *stop)) else {
                break;
            };
            self.stops.remove(index);
            from = stop.room;
            chosen.push(stop);
        }
        self.stops = chosen;
    }

    /// The stops.
    pub(super) fn stops(&self) -> &[Stop] {
        &self.stops
    }

    /// The stops that are left for somebody with these items and visits, as bits.
    pub(super) fn left(&self, items: u64, visits: u64) -> usize {
        let left = self.stops.iter().enumerate();
        left.filter(|(_, stop)| stop.items & !items != 0 || stop.visits & !visits != 0)
            .fold(0, |left, (index, _)| left | 1 << index)
    }

    /// Actions on a shortest tour from a room through the stops that are left to the end; `entry` gives the actions to a stop or the end from there, beside what
    /// the tables say. At least [`FAR`] when there is none.
    pub(super) fn from(
        &mut self,
        chart: &Chart<'_>,
        left: usize,
        entry: impl Fn(usize, &[u32]) -> u32,
    ) -> u32 {
        if left == 0 {
            let Some(end) = self.end else { return 0 };
            return entry(end, self.home(chart));
        }
        let mut least = FAR;
        for stop in ones(left as u64) {
            let rest = self.rest(chart, left, stop);
            let room = self.stops[stop].room;
            least = least.min(entry(room, self.ways(chart, left, stop)) + rest);
        }
        least
    }

    /// Actions from a stop, of those that are left, through the others to the end.
    pub(super) fn rest(&mut self, chart: &Chart<'_>, left: usize, stop: usize) -> u32 {
        let place = left * self.stops.len() + stop;
        if let Some(rest) = self.rests[place] {
            return rest;
        }
        let Stop { room, items, .. } = self.stops[stop];
        // Who comes only to visit can go back through the door at hand.
        let at_hand = u32::from(items == 0);
        let mut least = FAR;
        let others = left & !(1 << stop);
        if others == 0 {
            least = match self.end {
                Some(end) => {
                    self.home(chart)[room].saturating_sub(u32::from(end != room) * at_hand)
                }
                None => 0,
            };
        }
        for next in ones(others as u64) {
            let way = self.ways(chart, others, next)[room];
            if way < FAR {
                let way = way.saturating_sub(at_hand);
                least = least.min(way + self.rest(chart, others, next));
            }
        }
        let least = least.min(FAR);
        self.rests[place] = Some(least);
        least
    }

    /// Distances from a stop to every room, before any of the stops that are left is made.
    fn ways(&mut self, chart: &Chart<'_>, left: usize, stop: usize) -> &[u32] {
        let place = left * self.stops.len() + stop;
        if self.ways[place].is_none() {
            let items =
                ones(left as u64).fold(u64::MAX, |items, stop| items & !self.stops[stop].items);
            self.field
                .passes(chart, &stand(self.stops[stop].room, items));
            self.ways[place] = Some(self.field.far.as_slice().into());
        }
        self.ways[place].as_deref().unwrap_or_default()
    }

    /// Distances from the end to every room, with everything at hand.
    fn home(&mut self, chart: &Chart<'_>) -> &[u32] {
        if self.home.is_none() {
            if let Some(end) = self.end {
                self.field.passes(chart, &stand(end, u64::MAX));
            }
            self.home = Some(self.field.far.as_slice().into());
        }
        self.home.as_deref().unwrap_or_default()
    }
}

fn stand(room: usize, items: u64) -> Stand<'static> {
    Stand {
        room,
        at: None,
        items,
        opened: &[],
    }
}
