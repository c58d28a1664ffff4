//! Local search over the order of stops: Or-opt, 2-opt and spare keys, with threshold accepting.
//!
//! A solution is an order of stops, each a room to visit or an item to take, with a shortest path
//! between neighbours for the keys at hand. Moves are Or-opt (up to three stops in a row go
//! elsewhere), 2-opt (a part is reversed), and insertion or removal of spare keys. A descent tries
//! all moves until none improves. Then random moves are accepted by threshold accepting (Dueck and
//! Scheuer 1990), in rounds: each is twice as long as the one before, starts from the best order,
//! and lowers the threshold to 0.

use super::planning_task::{PlanningTask, set_bits};
use super::shortest_paths::{ShortestPaths, UNREACHABLE};
use super::walker::{Move, Walker};
use crate::museum::Thing;
use crate::rules::Action;
use crate::world::Place;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A stop of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Waypoint {
    /// Take an item in this room.
    Take(usize, usize),
    /// Visit this room.
    Visit(usize),
}

impl Waypoint {
    pub(super) fn room(self) -> usize {
        match self {
            Self::Take(_, room) | Self::Visit(room) => room,
        }
    }
}

/// Kinds of moves: Or-opt with one, two or three stops, and 2-opt.
const KINDS: usize = 4;
/// Moves tried in the first round, for each stop.
const TRIES_EACH: usize = 40;
/// One random move in this number inserts or removes a spare key.
const SPARES_PART: u32 = 8;
/// Rounds after the descent.
const ROUNDS: u32 = 9;
/// The threshold at the start of a round, as a part of the actions of the best plan.
const THRESHOLD_PART: usize = 40;

/// The result of one step.
pub(super) enum StepResult {
    /// Nothing better.
    Nothing,
    /// A plan shorter than all before.
    Found(Vec<Action>),
    /// The search has come to its end.
    SearchEnd,
}

/// A part of a plan, from one stop to the next.
#[derive(Clone)]
struct Leg {
    /// The agent after it, and its actions.
    walker: Walker,
    /// Actions up to its end.
    spent: usize,
}

/// A route: the legs of an order of stops.
struct Route {
    /// One to each stop.
    legs: Vec<Leg>,
    /// From the last stop to the end.
    home: Leg,
}

/// The state of the search.
pub(super) struct LocalSearch<'c> {
    task: &'c PlanningTask<'c>,
    spares: Vec<usize>,
    field: ShortestPaths,
    rng: Xoshiro256PlusPlus,
    /// The current order, its legs after an empty one, and its number of actions.
    order: Vec<Waypoint>,
    legs: Vec<Leg>,
    home: Vec<Action>,
    actions: usize,
    best: Vec<Waypoint>,
    best_actions: usize,
    /// In the descent, the next move, and the number of moves since the last improvement.
    at: usize,
    tried: usize,
    /// Rounds begun, and moves left in this one.
    round: u32,
    left: usize,
}

impl<'c> LocalSearch<'c> {
    /// Starts from an order of stops that makes a plan.
    pub(super) fn new(task: &'c PlanningTask<'c>, order: Vec<Waypoint>) -> Self {
        let mut local_search = Self {
            task,
            spares: set_bits(task.spare).collect(),
            field: ShortestPaths::default(),
            rng: Xoshiro256PlusPlus::seed_from_u64(0),
            order: Vec::new(),
            legs: vec![Leg {
                walker: Walker::new(task),
                spent: 0,
            }],
            home: Vec::new(),
            actions: usize::MAX,
            best: order.clone(),
            best_actions: usize::MAX,
            at: 0,
            tried: 0,
            round: 0,
            left: 0,
        };
        if let Some(route_of) = local_search.route_of(&order, 0, usize::MAX) {
            local_search.accept(order, 0, route_of);
            local_search.best_actions = local_search.actions;
        }
        local_search
    }

    /// Lowers the upper bound.
    pub(super) fn tighten(&mut self, upper_bound: u32) {
        self.best_actions = self.best_actions.min(upper_bound as usize);
    }

    /// Tries one more order.
    pub(super) fn step(&mut self) -> StepResult {
        let stops = self.order.len();
        if self.actions == usize::MAX || stops < 2 {
            return StepResult::SearchEnd;
        }
        let all = self.moves(stops) + self.spares.len() * (stops + 1);
        while self.round == 0 && self.tried < all {
            // There may be fewer stops than before.
            let at = self.at % all;
            self.at = at + 1;
            self.tried += 1;
            if let Some((from, order)) = self.neighbour(at) {
                return self.try_order(from, order, 0);
            }
        }
        if self.left == 0 {
            if self.round == ROUNDS {
                return StepResult::SearchEnd;
            }
            self.left = (TRIES_EACH * stops) << self.round;
            self.round += 1;
            let best = self.best.clone();
            if let Some(route_of) = self.route_of(&best, 0, usize::MAX) {
                self.accept(best, 0, route_of);
            }
        }
        let whole = (TRIES_EACH * stops) << (self.round - 1);
        self.left -= 1;
        let upper_bound = (self.best_actions / THRESHOLD_PART).max(2) * self.left / whole.max(1);
        let threshold = self.rng.random_range(0..=upper_bound);
        match self.random_neighbour() {
            Some((from, order)) => self.try_order(from, order, threshold),
            None => StepResult::Nothing,
        }
    }

    /// Accepts an order that is shorter, or longer by less than the threshold.
    fn try_order(&mut self, from: usize, order: Vec<Waypoint>, threshold: usize) -> StepResult {
        let actions_below = self.actions + threshold;
        let Some(route_of) = self.route_of(&order, from, actions_below) else {
            return StepResult::Nothing;
        };
        self.accept(order, from, route_of);
        self.tried = 0;
        if self.actions >= self.best_actions {
            return StepResult::Nothing;
        }
        self.best_actions = self.actions;
        self.best.clone_from(&self.order);
        let legs = self.legs.iter().flat_map(|leg| &leg.walker.actions);
        StepResult::Found(legs.chain(&self.home).copied().collect())
    }

    /// Number of moves with the same stops.
    fn moves(&self, stops: usize) -> usize {
        KINDS * stops * stops
    }

    fn random_neighbour(&mut self) -> Option<(usize, Vec<Waypoint>)> {
        let stops = self.order.len();
        let moves = self.moves(stops);
        let all = moves + self.spares.len() * (stops + 1);
        let spare = all > moves && self.rng.random_range(0..SPARES_PART) == 0;
        let number = if spare {
            self.rng.random_range(moves..all)
        } else {
            self.rng.random_range(0..moves)
        };
        self.neighbour(number)
    }

    /// The neighbour of a move by its number, and the first stop that differs; `None`: nothing
    /// differs.
    fn neighbour(&self, number: usize) -> Option<(usize, Vec<Waypoint>)> {
        let stops = self.order.len();
        if let Some(number) = number.checked_sub(self.moves(stops)) {
            return self.exchange_spare(number);
        }
        let (kind, rest) = (number % KINDS, number / KINDS);
        let (from, to) = (rest % stops, rest / stops);
        let mut order = self.order.clone();
        if kind == KINDS - 1 {
            if from + 2 > to {
                return None;
            }
            order[from..=to].reverse();
            return Some((from, order));
        }
        let end = from + kind + 1;
        if end > stops || to == from || to + kind + 1 > stops {
            return None;
        }
        let part: Vec<Waypoint> = order.drain(from..end).collect();
        order.splice(to..to, part);
        Some((from.min(to), order))
    }

    /// Removes a spare key, or inserts one.
    fn exchange_spare(&self, number: usize) -> Option<(usize, Vec<Waypoint>)> {
        let places = self.order.len() + 1;
        let (item, at) = (self.spares[number / places], number % places);
        let mut order = self.order.clone();
        let is_taken = |next: &Waypoint| matches!(next, Waypoint::Take(it, _) if *it == item);
        if let Some(there) = order.iter().position(is_taken) {
            // There is one neighbour without it.
            return (at == 0).then(|| {
                order.remove(there);
                (there, order)
            });
        }
        let Place::In(container) = self.task.input.facts.items[item] else {
            return None;
        };
        let room = self.task.input.museum.layout().containers[container].room;
        order.insert(at, Waypoint::Take(item, room));
        Some((at, order))
    }

    /// The route of an order whose stops before `from` are the current ones. `None`: a stop or the
    /// goal is not reached, or it does not take fewer actions than `actions_below`.
    fn route_of(&mut self, order: &[Waypoint], from: usize, actions_below: usize) -> Option<Route> {
        let mut legs: Vec<Leg> = Vec::with_capacity(order.len() - from);
        for &next in &order[from..] {
            let before = legs.last().unwrap_or(&self.legs[from]);
            let leg = Leg {
                walker: before.walker.rested(),
                spent: before.spent,
            };
            legs.push(
                self.leg_to(leg, next)
                    .filter(|leg| leg.spent < actions_below)?,
            );
        }
        let last = legs.last().unwrap_or(&self.legs[from]);
        let mut home = Leg {
            walker: last.walker.rested(),
            spent: last.spent,
        };
        if let Some(end) = self.task.input.goal.room {
            home = self.leg_to(home, Waypoint::Visit(end))?;
        }
        let Walker {
            room,
            items,
            visits,
            ..
        } = home.walker;
        let holds = home.spent < actions_below && self.task.is_goal(room, items, visits);
        holds.then_some(Route { legs, home })
    }

    /// Extends a leg to a stop.
    fn leg_to(&mut self, leg: Leg, next: Waypoint) -> Option<Leg> {
        let Leg { mut walker, spent } = leg;
        let task = self.task;
        let room = next.room();
        if room != walker.room {
            let opened = walker.opened.clone();
            let origin = walker.origin(&opened);
            self.field.run_from(task, &origin, &[room]);
            if self.field.distances[room] >= UNREACHABLE {
                return None;
            }
            for door in self.field.doors_to(task, &origin, room) {
                walker.go(task, Move::Through(door));
            }
        }
        if let Waypoint::Take(item, _) = next {
            let Place::In(container) = task.input.facts.items[item] else {
                return None;
            };
            let thing = Thing::Container(container);
            task.actions_to_open(thing, walker.items, &walker.opened)?;
            walker.go(task, Move::Take(item));
        }
        let spent = spent + walker.actions.len();
        Some(Leg { walker, spent })
    }

    fn accept(&mut self, order: Vec<Waypoint>, from: usize, route_of: Route) {
        self.actions = route_of.home.spent;
        self.order = order;
        self.legs.truncate(from + 1);
        self.legs.extend(route_of.legs);
        self.home = route_of.home.walker.actions;
    }
}
