//! Greedy construction of a first plan: always to the stop with the lowest distance and remaining
//! tour, with the keys at hand.

use super::held_karp::HeldKarp;
use super::local_search::Waypoint;
use super::planning_task::{PlanningTask, set_bits};
use super::shortest_paths::{ShortestPaths, UNREACHABLE};
use super::walker::{Move, Walker};
use crate::museum::Thing;
use crate::rules::Action;
use crate::world::Place;

/// Remaining tours after a stop, computed as long as `go_on` allows.
struct RemainingTours<'a> {
    held_karp: &'a mut HeldKarp,
    go_on: &'a mut dyn FnMut() -> bool,
    is_stopped: bool,
}

impl RemainingTours<'_> {
    /// Actions from a room, if it is a stop that is left, through the other stops to the end. 0
    /// once the search was stopped.
    fn remaining_actions(&mut self, task: &PlanningTask<'_>, left: usize, room: usize) -> u32 {
        let stop = set_bits(left as u64).find(|stop| self.held_karp.stops()[*stop].room == room);
        let Some(stop) = stop else {
            return 0;
        };
        while !self.is_stopped {
            if let Some(rest) = self.held_karp.tour_actions(task, left, stop) {
                return rest;
            }
            self.is_stopped = !(self.go_on)();
            self.held_karp.renew_budget();
        }
        0
    }
}

/// Stops between two checks of the stop signal. As many are made in any case, so that small tasks
/// always have a plan.
const STOPS_BETWEEN: usize = 64;

/// A greedy plan, and the order of its stops without the end. Empty if the goal is reached at the
/// start. Worse once `go_on` returns false, and none if it takes many stops.
pub(super) fn greedy_plan(
    task: &PlanningTask<'_>,
    held_karp: &mut HeldKarp,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<(Vec<Action>, Vec<Waypoint>)> {
    let mut tours = RemainingTours {
        held_karp,
        go_on,
        is_stopped: false,
    };
    let mut order = Vec::new();
    let mut walker = Walker::new(task);
    let mut field = ShortestPaths::default();
    while !task.is_goal(walker.room, walker.items, walker.visits) {
        let opened = walker.opened.clone();
        let origin = walker.origin(&opened);
        field.run_from(task, &origin, &[]);
        let Some(next) = next(task, &mut tours, &walker, &field) else {
            debug_assert!(false, "what can be reached is reached");
            break;
        };
        order.push(next);
        if order.len().is_multiple_of(STOPS_BETWEEN) && !(tours.go_on)() {
            return None;
        }
        let room = next.room();
        for door in field.doors_to(task, &origin, room) {
            walker.go(task, Move::Through(door));
        }
        if let Waypoint::Take(item, _) = next {
            walker.go(task, Move::Take(item));
        }
    }
    if task
        .input
        .goal
        .room
        .is_some_and(|end| order.last() == Some(&Waypoint::Visit(end)))
    {
        order.pop();
    }
    Some((walker.actions, order))
}

/// The next stop: needed items and visits by distance, then the end, then spare keys.
fn next(
    task: &PlanningTask<'_>,
    tours: &mut RemainingTours<'_>,
    walker: &Walker,
    field: &ShortestPaths,
) -> Option<Waypoint> {
    let takes = |items: u64| {
        let takes = set_bits(items).filter_map(move |item| {
            let Place::In(container) = task.input.facts.items[item] else {
                return None;
            };
            let thing = Thing::Container(container);
            task.actions_to_open(thing, walker.items, &walker.opened)?;
            let room = task.input.museum.layout().containers[container].room;
            Some((field.distances[room], item, room))
        });
        takes.filter(|(far, ..)| *far < UNREACHABLE)
    };
    let left = tours.held_karp.stops_left(walker.items, walker.visits);
    let mut best: Option<(u32, Waypoint)> = None;
    let mut offer = |far: u32, next: Waypoint| {
        if best.as_ref().is_none_or(|best| far < best.0) {
            best = Some((far, next));
        }
    };
    for (far, item, room) in takes(task.needed & !walker.items) {
        let rest = tours.remaining_actions(task, left, room);
        offer(far.saturating_add(rest), Waypoint::Take(item, room));
    }
    let goal = task.input.goal;
    if goal.in_order {
        if let Some(&room) = goal.visits.get(walker.visits as usize) {
            offer(field.distances[room], Waypoint::Visit(room));
        }
    } else {
        for (_, &room) in goal
            .visits
            .iter()
            .enumerate()
            .filter(|(visit, _)| walker.visits & (1 << visit) == 0)
        {
            let rest = tours.remaining_actions(task, left, room);
            offer(
                field.distances[room].saturating_add(rest),
                Waypoint::Visit(room),
            );
        }
    }
    let best = best.filter(|(far, _)| *far < UNREACHABLE);
    let best = best.map(|(_, next)| next);
    let mut wanted = goal.items.iter();
    let has_all = wanted.all(|item| walker.items & (1 << item) != 0)
        && task.needed & !walker.items == 0
        && task.has_visited(walker.visits);
    let end = goal
        .room
        .filter(|end| has_all && field.distances[*end] < UNREACHABLE);
    best.or(end.map(Waypoint::Visit)).or_else(|| {
        let key = takes(task.spare & !walker.items).min();
        key.map(|(_, item, room)| Waypoint::Take(item, room))
    })
}
