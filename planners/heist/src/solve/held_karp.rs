//! Lower bound by a shortest tour through the rooms that have to be visited, in an order that the
//! locks allow.
//!
//! Dynamic programming of Held and Karp over the set S of stops that are left: tour(S, s) = min
//! over t in S without s of dist(s, t) + tour(S without s, t). A door whose keys are all taken at
//! stops in S cannot be passed yet. A door that could not be opened before a stop was made counts
//! as closed on the path from there. All other doors count as open.

use super::planning_task::{PlanningTask, set_bits};
use super::shortest_paths::{ShortestPaths, UNREACHABLE};

/// Maximal number of stops of a tour; more are left out of the bound.
const STOPS_MAX: usize = 8;
/// Shortest-path runs between two checks of the stop signal.
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

/// The actions that a tour counts.
#[derive(Debug, Clone, Copy)]
enum TourCost {
    /// Walking, and opening doors that cannot have been opened before.
    All,
    /// Walking only.
    Walk,
}

/// Memoised tours for all sets of stops that occur.
#[derive(Debug)]
pub(super) struct HeldKarp {
    stops: Vec<Stop>,
    end: Option<usize>,
    /// For each set of stops: what can be opened before any of them is made.
    zones: Vec<Option<Zone>>,
    /// For each set of stops and each of them: actions from it, through the rest, to the end.
    tour_table: Vec<Option<u32>>,
    /// The same without opening doors.
    walking_table: Vec<Option<u32>>,
    /// For each set of stops and each of them: actions to it from each room, where all doors are
    /// open that may be open before any of them is made.
    distance_table: Vec<Vec<u32>>,
    field: ShortestPaths,
    /// Shortest-path runs left before the next check of the stop signal.
    spreads_left: u32,
}

/// Reachable rooms and items before certain stops are made.
#[derive(Debug)]
pub(super) struct Zone {
    /// Items that an agent may have, as bits.
    items: u64,
    /// Whether each room is reachable.
    rooms: Vec<bool>,
    /// The stops of the set that are in these rooms, as bits.
    pub near: u64,
}

impl Zone {
    /// Whether an agent may have opened a door.
    pub(super) fn can_have_opened(&self, task: &PlanningTask<'_>, door: usize) -> bool {
        let [a, b] = task.input.museum.layout().doors[door].ends;
        self.rooms[a] && self.rooms[b] && task.can_pass(door, self.items)
    }
}

impl HeldKarp {
    pub(super) fn new(task: &PlanningTask<'_>) -> Self {
        Self::with_stops_max(task, STOPS_MAX)
    }

    /// Tours through at most `stops_max` stops.
    pub(super) fn with_stops_max(task: &PlanningTask<'_>, stops_max: usize) -> Self {
        let mut held_karp = Self {
            stops: stops(task),
            end: task.input.goal.room,
            zones: Vec::new(),
            tour_table: Vec::new(),
            walking_table: Vec::new(),
            distance_table: Vec::new(),
            field: ShortestPaths::default(),
            spreads_left: SPREADS_MAX,
        };
        held_karp.keep_farthest(task, stops_max);
        let count = held_karp.stops.len();
        held_karp.zones.resize_with(1 << count, || None);
        held_karp.tour_table.resize(count << count, None);
        held_karp.walking_table.resize(count << count, None);
        held_karp
            .distance_table
            .resize_with(count << count, Vec::new);
        held_karp
    }

    /// Keeps the stops that are farthest from each other.
    fn keep_farthest(&mut self, task: &PlanningTask<'_>, stops_max: usize) {
        if self.stops.len() <= stops_max {
            return;
        }
        let mut far = vec![UNREACHABLE; task.input.museum.rooms()];
        let mut chosen = Vec::new();
        let mut from = task.input.position.room;
        while chosen.len() < stops_max {
            self.field.run_with(task, from, &[], |_, _| Some(1));
            for (far, now) in far.iter_mut().zip(&self.field.distances) {
                *far = (*far).min(*now);
            }
            let stops_left = self.stops.iter().enumerate();
            let next = stops_left.rev().max_by_key(|(_, stop)| far[stop.room]);
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

    /// The stops that are left for an agent with these items and visits, as bits.
    pub(super) fn stops_left(&self, items: u64, visits: u64) -> usize {
        let stops_left = self.stops.iter().enumerate();
        stops_left
            .filter(|(_, stop)| stop.items & !items != 0 || stop.visits & !visits != 0)
            .fold(0, |stops_left, (index, _)| stops_left | 1 << index)
    }

    /// Actions from a stop through the other stops that are left to the end. `None`: check the stop
    /// signal, call [`HeldKarp::renew_budget`], and ask again; the table is retained.
    pub(super) fn tour_actions(
        &mut self,
        task: &PlanningTask<'_>,
        stops_left: usize,
        stop: usize,
    ) -> Option<u32> {
        self.tour(task, stops_left, stop, TourCost::All)
    }

    /// The same without opening doors.
    pub(super) fn walking_actions(
        &mut self,
        task: &PlanningTask<'_>,
        stops_left: usize,
        stop: usize,
    ) -> Option<u32> {
        self.tour(task, stops_left, stop, TourCost::Walk)
    }

    /// Allows more work, after a check of the stop signal.
    pub(super) fn renew_budget(&mut self) {
        self.spreads_left = SPREADS_MAX;
    }

    fn tour(
        &mut self,
        task: &PlanningTask<'_>,
        stops_left: usize,
        stop: usize,
        cost: TourCost,
    ) -> Option<u32> {
        let place = stops_left * self.stops.len() + stop;
        let known = match cost {
            TourCost::All => self.tour_table[place],
            TourCost::Walk => self.walking_table[place],
        };
        if known.is_some() {
            return known;
        }
        self.spreads_left = self.spreads_left.checked_sub(1)?;
        let Stop { room, items, .. } = self.stops[stop];
        let others = stops_left & !(1 << stop);
        let legs = self.legs(task, stops_left, stop, cost);
        // After a mere visit the agent can go back through the door at hand.
        let at_hand = u32::from(items == 0);
        let mut least = UNREACHABLE;
        if others == 0 {
            least = match self.end {
                Some(end) if end != room => legs[end].saturating_sub(at_hand),
                _ => 0,
            };
        }
        for next in set_bits(others as u64) {
            let leg = legs[self.stops[next].room];
            if leg < UNREACHABLE {
                let leg = leg.saturating_sub(at_hand);
                least = least.min(leg + self.tour(task, others, next, cost)?);
            }
        }
        let least = least.min(UNREACHABLE);
        match cost {
            TourCost::All => self.tour_table[place] = Some(least),
            TourCost::Walk => self.walking_table[place] = Some(least),
        }
        Some(least)
    }

    /// Actions to a stop, of those that are left, from each room, without opening doors.
    pub(super) fn walking_distances(
        &mut self,
        task: &PlanningTask<'_>,
        stops_left: usize,
        stop: usize,
    ) -> &[u32] {
        let place = stops_left * self.stops.len() + stop;
        if self.distance_table[place].is_empty() {
            let items = self.zone(task, stops_left).items;
            let room = self.stops[stop].room;
            self.field.run_with(task, room, &[], |door, _| {
                task.can_pass(door, items).then_some(2)
            });
            self.distance_table[place] = self.field.distances.clone();
        }
        &self.distance_table[place]
    }

    /// Actions from a stop, of those that are left, to every room, once it is made.
    fn legs(
        &mut self,
        task: &PlanningTask<'_>,
        stops_left: usize,
        stop: usize,
        cost: TourCost,
    ) -> Vec<u32> {
        let others = stops_left & !(1 << stop);
        let items = self.zone(task, others).items;
        let mut field = std::mem::take(&mut self.field);
        let start = self.stops[stop].room;
        let before = self.zone(task, stops_left);
        field.run_with(task, start, &[], |door, _| {
            let open = match cost {
                TourCost::All if !before.can_have_opened(task, door) => {
                    task.initial_opening_actions(door)
                }
                TourCost::All | TourCost::Walk => 0,
            };
            task.can_pass(door, items).then_some(2 + open)
        });
        let far = field.distances.clone();
        self.field = field;
        far
    }

    /// The zone before any of these stops is made.
    pub(super) fn zone(&mut self, task: &PlanningTask<'_>, stops_left: usize) -> &Zone {
        if self.zones[stops_left].is_none() {
            self.zones[stops_left] = Some(self.flood(task, stops_left));
        }
        self.zones[stops_left]
            .as_ref()
            .expect("it has just been made")
    }

    fn flood(&mut self, task: &PlanningTask<'_>, stops_left: usize) -> Zone {
        let stops = set_bits(stops_left as u64).map(|stop| self.stops[stop].items);
        let items = stops.fold(u64::MAX, |items, there| items & !there);
        self.field
            .run_with(task, task.input.position.room, &[], |door, _| {
                task.can_pass(door, items).then_some(1)
            });
        let rooms: Vec<bool> = self
            .field
            .distances
            .iter()
            .map(|far| *far < UNREACHABLE)
            .collect();
        let near = set_bits(stops_left as u64).filter(|stop| rooms[self.stops[*stop].room]);
        Zone {
            items,
            near: near.fold(0, |near, stop| near | 1 << stop),
            rooms,
        }
    }
}

fn stops(task: &PlanningTask<'_>) -> Vec<Stop> {
    let goal = task.input.goal;
    let layout = task.input.museum.layout();
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
        let contents = task.contents.iter().enumerate();
        let items = contents.map(|(container, items)| (container, items & task.needed));
        items.filter(|(_, items)| *items != 0)
    };
    let locked = |container: usize| task.input.facts.containers[container].locked;
    for (container, items) in wanted().filter(|it| !locked(it.0)) {
        stop(layout.containers[container].room, items, 0);
    }
    if !goal.in_order {
        for (visit, room) in goal.visits.iter().enumerate() {
            stop(*room, 0, 1 << visit);
        }
    }
    // A locked container may need a key from elsewhere that an open container of the same room does
    // not: two stops.
    for (container, items) in wanted().filter(|it| locked(it.0)) {
        stops.push(Stop {
            room: layout.containers[container].room,
            items,
            visits: 0,
        });
    }
    stops
}
