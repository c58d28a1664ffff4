//! A bound from below: a shortest tour through the rooms that have to be visited, in an order that
//! the locks allow.
//!
//! Held and Karp's recursion over the stops that are left. A door whose keys are all to be taken at
//! stops that are left cannot be passed yet. What could not be opened before a stop was made counts
//! as shut on the path from there: behind a door that only its key opens everything is as it was at
//! first. All other doors count as open.

use super::chart::{Chart, ones};
use super::field::{FAR, Field};

/// Most stops of a tour; more are left out of the bound.
const STOPS_MAX: usize = 8;
/// Distances from one room that are worked out between two looks at the stop signal.
const SPREADS_MAX: u32 = 64;

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

/// What counts in a tour.
#[derive(Debug, Clone, Copy)]
enum Count {
    /// Walking, and opening what nobody could have opened before.
    All,
    /// Walking only.
    Walk,
}

/// Distances and tours for all sets of stops that turn up.
#[derive(Debug)]
pub(super) struct Tours {
    stops: Vec<Stop>,
    end: Option<usize>,
    /// For each set of stops: what can be opened before any of them is made.
    zones: Vec<Option<Zone>>,
    /// For each set of stops and each of them: actions from it, through the rest, to the end.
    rests: Vec<Option<u32>>,
    /// The same but for opening doors.
    strides: Vec<Option<u32>>,
    /// For each set of stops and each of them: actions to it from each room, where all doors are
    /// open that may be open before any of them is made.
    walks: Vec<Vec<u32>>,
    field: Field,
    /// Distances from one room that may be worked out before the next look at the stop signal.
    spreads_left: u32,
}

/// Where somebody can be, and what he can have opened, before certain stops are made.
#[derive(Debug)]
pub(super) struct Zone {
    /// Items that he may have, as bits.
    items: u64,
    /// Whether he can be in each room.
    rooms: Vec<bool>,
    /// The stops of the set that are in these rooms, as bits.
    pub near: u64,
}

impl Zone {
    /// Whether somebody may have opened a door.
    pub(super) fn holds(&self, chart: &Chart<'_>, door: usize) -> bool {
        let [a, b] = chart.errand.museum.layout().doors[door].ends;
        self.rooms[a] && self.rooms[b] && chart.passes(door, self.items)
    }
}

impl Tours {
    pub(super) fn new(chart: &Chart<'_>) -> Self {
        Self::of(chart, STOPS_MAX)
    }

    /// Tours through at most so many stops.
    pub(super) fn of(chart: &Chart<'_>, stops_max: usize) -> Self {
        let mut tours = Self {
            stops: stops(chart),
            end: chart.errand.goal.room,
            zones: Vec::new(),
            rests: Vec::new(),
            strides: Vec::new(),
            walks: Vec::new(),
            field: Field::default(),
            spreads_left: SPREADS_MAX,
        };
        tours.choose(chart, stops_max);
        let count = tours.stops.len();
        tours.zones.resize_with(1 << count, || None);
        tours.rests.resize(count << count, None);
        tours.strides.resize(count << count, None);
        tours.walks.resize_with(count << count, Vec::new);
        tours
    }

    /// Keeps the stops that are farthest from each other.
    fn choose(&mut self, chart: &Chart<'_>, stops_max: usize) {
        if self.stops.len() <= stops_max {
            return;
        }
        let mut far = vec![FAR; chart.errand.museum.rooms()];
        let mut chosen = Vec::new();
        let mut from = chart.errand.body.room;
        while chosen.len() < stops_max {
            self.field.spread(chart, (from, &[]), |_, _| Some(1));
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

    /// Where the tour ends.
    pub(super) fn end(&self) -> Option<usize> {
        self.end
    }

    /// The stops that are left for somebody with these items and visits, as bits.
    pub(super) fn left(&self, items: u64, visits: u64) -> usize {
        let left = self.stops.iter().enumerate();
        left.filter(|(_, stop)| stop.items & !items != 0 || stop.visits & !visits != 0)
            .fold(0, |left, (index, _)| left | 1 << index)
    }

    /// Actions from a stop through the other stops that are left to the end. `None`: look at the
    /// stop signal, call [`Tours::go_on`], and ask again; what was worked out is retained.
    pub(super) fn rest(&mut self, chart: &Chart<'_>, left: usize, stop: usize) -> Option<u32> {
        self.tour(chart, (left, stop), Count::All)
    }

    /// The same but for opening doors.
    pub(super) fn stride(&mut self, chart: &Chart<'_>, left: usize, stop: usize) -> Option<u32> {
        self.tour(chart, (left, stop), Count::Walk)
    }

    /// After a look at the stop signal.
    pub(super) fn go_on(&mut self) {
        self.spreads_left = SPREADS_MAX;
    }

    fn tour(
        &mut self,
        chart: &Chart<'_>,
        (left, stop): (usize, usize),
        count: Count,
    ) -> Option<u32> {
        let place = left * self.stops.len() + stop;
        let known = match count {
            Count::All => self.rests[place],
            Count::Walk => self.strides[place],
        };
        if known.is_some() {
            return known;
        }
        self.spreads_left = self.spreads_left.checked_sub(1)?;
        let Stop { room, items, .. } = self.stops[stop];
        let others = left & !(1 << stop);
        let legs = self.legs(chart, (left, stop), count);
        // Who comes only to visit can go back through the door at hand.
        let at_hand = u32::from(items == 0);
        let mut least = FAR;
        if others == 0 {
            least = match self.end {
                Some(end) if end != room => legs[end].saturating_sub(at_hand),
                _ => 0,
            };
        }
        for next in ones(others as u64) {
            let leg = legs[self.stops[next].room];
            if leg < FAR {
                let leg = leg.saturating_sub(at_hand);
                least = least.min(leg + self.tour(chart, (others, next), count)?);
            }
        }
        let least = least.min(FAR);
        match count {
            Count::All => self.rests[place] = Some(least),
            Count::Walk => self.strides[place] = Some(least),
        }
        Some(least)
    }

    /// Actions to a stop, of those that are left, from each room, but for opening doors.
    pub(super) fn walk(&mut self, chart: &Chart<'_>, left: usize, stop: usize) -> &[u32] {
        let place = left * self.stops.len() + stop;
        if self.walks[place].is_empty() {
            let items = self.zone(chart, left).items;
            let room = self.stops[stop].room;
            self.field.spread(chart, (room, &[]), |door, _| {
                chart.passes(door, items).then_some(2)
            });
            self.walks[place] = self.field.far.clone();
        }
        &self.walks[place]
    }

    /// Actions from a stop, of those that are left, to every room, once it is made.
    fn legs(&mut self, chart: &Chart<'_>, (left, stop): (usize, usize), count: Count) -> Vec<u32> {
        let others = left & !(1 << stop);
        let items = self.zone(chart, others).items;
        let mut field = std::mem::take(&mut self.field);
        let start = self.stops[stop].room;
        let before = self.zone(chart, left);
        field.spread(chart, (start, &[]), |door, _| {
            let open = match count {
                Count::All if !before.holds(chart, door) => chart.actions_at_first(door),
                Count::All | Count::Walk => 0,
            };
            chart.passes(door, items).then_some(2 + open)
        });
        let far = field.far.clone();
        self.field = field;
        far
    }

    /// What can be done before any of these stops is made.
    pub(super) fn zone(&mut self, chart: &Chart<'_>, left: usize) -> &Zone {
        if self.zones[left].is_none() {
            self.zones[left] = Some(self.flood(chart, left));
        }
        self.zones[left].as_ref().expect("it has just been made")
    }

    fn flood(&mut self, chart: &Chart<'_>, left: usize) -> Zone {
        let stops = ones(left as u64).map(|stop| self.stops[stop].items);
        let items = stops.fold(u64::MAX, |items, there| items & !there);
        self.field
            .spread(chart, (chart.errand.body.room, &[]), |door, _| {
                chart.passes(door, items).then_some(1)
            });
        let rooms: Vec<bool> = self.field.far.iter().map(|far| *far < FAR).collect();
        let near = ones(left as u64).filter(|stop| rooms[self.stops[*stop].room]);
        Zone {
            items,
            near: near.fold(0, |near, stop| near | 1 << stop),
            rooms,
        }
    }
}

fn stops(chart: &Chart<'_>) -> Vec<Stop> {
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
    let wanted = || {
        let contents = chart.contents.iter().enumerate();
        let items = contents.map(|(container, items)| (container, items & chart.needed));
        items.filter(|(_, items)| *items != 0)
    };
    let locked = |container: usize| chart.errand.facts.containers[container].locked;
    for (container, items) in wanted().filter(|it| !locked(it.0)) {
        stop(layout.containers[container].room, items, 0);
    }
    if !goal.in_order {
        for (visit, room) in goal.visits.iter().enumerate() {
            stop(*room, 0, 1 << visit);
        }
    }
    // What is locked in may have to wait for a key from elsewhere that takes what lies open in the
    // same room: two stops.
    for (container, items) in wanted().filter(|it| locked(it.0)) {
        stops.push(Stop {
            room: layout.containers[container].room,
            items,
            visits: 0,
        });
    }
    stops
}
