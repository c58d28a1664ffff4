//! A first plan: always to the stop that seems best, with the keys at hand.

use super::chart::{Chart, ones};
use super::field::{FAR, Field, Stand};
use super::improve::Next;
use super::tour::Tours;
use super::walker::{Move, Walker};
use crate::museum::Thing;
use crate::rules::Action;
use crate::world::Place;

/// What comes after a stop, as long as `go_on` allows to work that out.
struct Rests<'a> {
    tours: &'a mut Tours,
    go_on: &'a mut dyn FnMut() -> bool,
    is_stopped: bool,
}

impl Rests<'_> {
    /// Actions from a room, if it is a stop that is left, through the other stops to the end. 0
    /// once the search was stopped.
    fn from(&mut self, chart: &Chart<'_>, left: usize, room: usize) -> u32 {
        let stop = ones(left as u64).find(|stop| self.tours.stops()[*stop].room == room);
        let Some(stop) = stop else {
            return 0;
        };
        while !self.is_stopped {
            if let Some(rest) = self.tours.rest(chart, left, stop) {
                return rest;
            }
            self.is_stopped = !(self.go_on)();
            self.tours.go_on();
        }
        0
    }
}

/// Stops between two looks at the stop signal. As many are made even after a stop, so that small
/// errands have a plan in any case.
const STOPS_BETWEEN: usize = 64;

/// A plan, not the shortest, and the order of its stops, the end apart. Empty if the goal is
/// reached at the start. Worse once `go_on` returns false, and none if it takes many stops.
pub(super) fn first_plan(
    chart: &Chart<'_>,
    tours: &mut Tours,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<(Vec<Action>, Vec<Next>)> {
    let mut rests = Rests {
        tours,
        go_on,
        is_stopped: false,
    };
    let mut order = Vec::new();
    let mut walker = Walker::new(chart);
    let mut field = Field::default();
    while !chart.is_done(walker.room, walker.items, walker.visits) {
        let opened = walker.opened.clone();
        let stand = stand(&walker, &opened);
        field.ways(chart, &stand, &[]);
        let Some(next) = next(chart, &mut rests, &walker, &field) else {
            debug_assert!(false, "what can be reached is reached");
            break;
        };
        order.push(next);
        if order.len().is_multiple_of(STOPS_BETWEEN) && !(rests.go_on)() {
            return None;
        }
        let room = next.room();
        for door in field.doors_to(chart, &stand, room) {
            walker.go(chart, Move::Through(door));
        }
        if let Next::Take(item, _) = next {
            walker.go(chart, Move::Take(item));
        }
    }
    if chart
        .errand
        .goal
        .room
        .is_some_and(|end| order.last() == Some(&Next::Be(end)))
    {
        order.pop();
    }
    Some((walker.actions, order))
}

fn stand<'a>(walker: &Walker, opened: &'a [u64]) -> Stand<'a> {
    Stand {
        room: walker.room,
        at: match walker.at {
            Some(Thing::Door(door)) => Some(door),
            _ => None,
        },
        items: walker.items,
        opened,
    }
}

/// What is needed and near, then what is to be visited, then spare keys, then the end.
fn next(chart: &Chart<'_>, rests: &mut Rests<'_>, walker: &Walker, field: &Field) -> Option<Next> {
    let takes = |items: u64| {
        let (room, far) = (chart, field);
        let takes = ones(items).filter_map(move |item| {
            let Place::In(container) = room.errand.facts.items[item] else {
                return None;
            };
            let lid = Thing::Container(container);
            room.actions_to_open(lid, walker.items, &walker.opened)?;
            let room = room.errand.museum.layout().containers[container].room;
            Some((far.far[room], item, room))
        });
        takes.filter(|(far, ..)| *far < FAR)
    };
    let left = rests.tours.left(walker.items, walker.visits);
    let mut best: Option<(u32, Next)> = None;
    let mut offer = |far: u32, next: Next| {
        if best.as_ref().is_none_or(|best| far < best.0) {
            best = Some((far, next));
        }
    };
    for (far, item, room) in takes(chart.needed & !walker.items) {
        let rest = rests.from(chart, left, room);
        offer(far.saturating_add(rest), Next::Take(item, room));
    }
    let goal = chart.errand.goal;
    if goal.in_order {
        if let Some(&room) = goal.visits.get(walker.visits as usize) {
            offer(field.far[room], Next::Be(room));
        }
    } else {
        for (_, &room) in goal
            .visits
            .iter()
            .enumerate()
            .filter(|(visit, _)| walker.visits & (1 << visit) == 0)
        {
            let rest = rests.from(chart, left, room);
            offer(field.far[room].saturating_add(rest), Next::Be(room));
        }
    }
    let best = best.filter(|(far, _)| *far < FAR);
    let best = best.map(|(_, next)| next);
    let mut wanted = goal.items.iter();
    let has_all = wanted.all(|item| walker.items & (1 << item) != 0)
        && chart.needed & !walker.items == 0
        && chart.has_visited(walker.visits);
    let end = goal.room.filter(|end| has_all && field.far[*end] < FAR);
    best.or(end.map(Next::Be)).or_else(|| {
        let key = takes(chart.spare & !walker.items).min();
        key.map(|(_, item, room)| Next::Take(item, room))
    })
}
