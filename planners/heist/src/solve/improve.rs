//! Local search over the order of stops: between the first plan and a proof that takes long.
//!
//! A plan is an order of stops, each a room to be in or an item to be taken, with a shortest path
//! from each to the next for the keys at hand. Neighbours are Or-opt (up to three stops in a row go
//! elsewhere), 2-opt (a part is reversed) and spare keys that are put in or left out. At first all
//! neighbours are tried, until none is shorter; then random ones, by threshold accepting (Dueck and
//! Scheuer 1990): round by round, each twice as long as the one before, from the best order on,
//! with a threshold that falls to 0.

use super::chart::{Chart, ones};
use super::field::{FAR, Field, Stand};
use super::walker::{Move, Walker};
use crate::museum::Thing;
use crate::rules::Action;
use crate::world::Place;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Something to be done in a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// Take an item in this room.
    Take(usize, usize),
    /// Be in this room.
    Be(usize),
}

impl Next {
    pub(super) fn room(self) -> usize {
        match self {
            Self::Take(_, room) | Self::Be(room) => room,
        }
    }
}

/// Kinds of neighbours: one, two or three stops go elsewhere, or a part is reversed.
const KINDS: usize = 4;
/// Neighbours tried in the first round, for each stop.
const TRIES_EACH: usize = 40;
/// One random neighbour in this number adds a spare key or leaves one out.
const SPARES_PART: u32 = 8;
/// Rounds after the descent.
const ROUNDS: u32 = 9;
/// The threshold at the start of a round, as a part of the actions of the best plan.
const THRESHOLD_PART: usize = 40;

/// What comes of trying one order.
pub(super) enum Tried {
    /// Nothing better.
    Nothing,
    /// A plan shorter than all before.
    Found(Vec<Action>),
    /// The search has come to its end.
    Ended,
}

/// A part of a plan, from one stop to the next.
#[derive(Clone)]
struct Leg {
    /// Where the agent is after it, and what he does in it.
    walker: Walker,
    /// Actions up to its end.
    spent: usize,
}

/// Legs of an order of stops.
struct Walk {
    /// One to each stop.
    legs: Vec<Leg>,
    /// From the last stop to the end.
    home: Leg,
}

/// The search, order by order.
pub(super) struct Improver<'c> {
    chart: &'c Chart<'c>,
    spares: Vec<usize>,
    field: Field,
    rng: Xoshiro256PlusPlus,
    /// The order at hand, its legs after one that is empty, and how many actions it takes.
    order: Vec<Next>,
    legs: Vec<Leg>,
    home: Vec<Action>,
    actions: usize,
    best: Vec<Next>,
    best_actions: usize,
    /// In the descent, the neighbour to be tried next, and how many were tried since the last gain.
    at: usize,
    tried: usize,
    /// Rounds that have begun, and neighbours left to be tried in this one.
    round: u32,
    left: usize,
}

impl<'c> Improver<'c> {
    /// Begins with an order of stops that makes a plan.
    pub(super) fn new(chart: &'c Chart<'c>, order: Vec<Next>) -> Self {
        let mut improver = Self {
            chart,
            spares: ones(chart.spare).collect(),
            field: Field::default(),
            rng: Xoshiro256PlusPlus::seed_from_u64(0),
            order: Vec::new(),
            legs: vec![Leg {
                walker: Walker::new(chart),
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
        if let Some(walk) = improver.walk((&order, 0), usize::MAX) {
            improver.take(order, 0, walk);
            improver.best_actions = improver.actions;
        }
        improver
    }

    /// Only plans of fewer actions are of use from now on.
    pub(super) fn lower(&mut self, most: u32) {
        self.best_actions = self.best_actions.min(most as usize);
    }

    /// Tries one more order.
    pub(super) fn step(&mut self) -> Tried {
        let stops = self.order.len();
        if self.actions == usize::MAX || stops < 2 {
            return Tried::Ended;
        }
        let all = self.moves(stops) + self.spares.len() * (stops + 1);
        while self.round == 0 && self.tried < all {
            // There may be fewer stops than before.
            let at = self.at % all;
            self.at = at + 1;
            self.tried += 1;
            if let Some(neighbour) = self.neighbour(at) {
                return self.consider(neighbour, 0);
            }
        }
        if self.left == 0 {
            if self.round == ROUNDS {
                return Tried::Ended;
            }
            self.left = (TRIES_EACH * stops) << self.round;
            self.round += 1;
            let best = self.best.clone();
            if let Some(walk) = self.walk((&best, 0), usize::MAX) {
                self.take(best, 0, walk);
            }
        }
        let whole = (TRIES_EACH * stops) << (self.round - 1);
        self.left -= 1;
        let most = (self.best_actions / THRESHOLD_PART).max(2) * self.left / whole.max(1);
        let threshold = self.rng.random_range(0..=most);
        match self.random_neighbour() {
            Some(neighbour) => self.consider(neighbour, threshold),
            None => Tried::Nothing,
        }
    }

    /// Goes on with an order that is longer by less than the threshold, or shorter.
    fn consider(&mut self, (from, order): (usize, Vec<Next>), threshold: usize) -> Tried {
        let below = self.actions + threshold;
        let Some(walk) = self.walk((&order, from), below) else {
            return Tried::Nothing;
        };
        self.take(order, from, walk);
        self.tried = 0;
        if self.actions >= self.best_actions {
            return Tried::Nothing;
        }
        self.best_actions = self.actions;
        self.best.clone_from(&self.order);
        let legs = self.legs.iter().flat_map(|leg| &leg.walker.actions);
        Tried::Found(legs.chain(&self.home).copied().collect())
    }

    /// Neighbours with the same stops.
    fn moves(&self, stops: usize) -> usize {
        KINDS * stops * stops
    }

    fn random_neighbour(&mut self) -> Option<(usize, Vec<Next>)> {
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

    /// A neighbour by its number, and the first stop that differs; none where nothing differs.
    fn neighbour(&self, number: usize) -> Option<(usize, Vec<Next>)> {
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
        let part: Vec<Next> = order.drain(from..end).collect();
        order.splice(to..to, part);
        Some((from.min(to), order))
    }

    /// Leaves a spare key out, or puts one in that is not there.
    fn exchange_spare(&self, number: usize) -> Option<(usize, Vec<Next>)> {
        let places = self.order.len() + 1;
        let (item, at) = (self.spares[number / places], number % places);
        let mut order = self.order.clone();
        let is_taken = |next: &Next| matches!(next, Next::Take(it, _) if *it == item);
        if let Some(there) = order.iter().position(is_taken) {
            // There is one neighbour without it.
            return (at == 0).then(|| {
                order.remove(there);
                (there, order)
            });
        }
        let Place::In(container) = self.chart.errand.facts.items[item] else {
            return None;
        };
        let room = self.chart.errand.museum.layout().containers[container].room;
        order.insert(at, Next::Take(item, room));
        Some((at, order))
    }

    /// Walks an order whose stops before `from` are those at hand; none where a stop cannot be
    /// reached, or the goal is not, and where it takes as many actions or more.
    fn walk(&mut self, (order, from): (&[Next], usize), below: usize) -> Option<Walk> {
        let mut legs: Vec<Leg> = Vec::with_capacity(order.len() - from);
        for &next in &order[from..] {
            let before = legs.last().unwrap_or(&self.legs[from]);
            let leg = Leg {
                walker: before.walker.rested(),
                spent: before.spent,
            };
            legs.push(self.go(leg, next).filter(|leg| leg.spent < below)?);
        }
        let last = legs.last().unwrap_or(&self.legs[from]);
        let mut home = Leg {
            walker: last.walker.rested(),
            spent: last.spent,
        };
        if let Some(end) = self.chart.errand.goal.room {
            home = self.go(home, Next::Be(end))?;
        }
        let Walker {
            room,
            items,
            visits,
            ..
        } = home.walker;
        let holds = home.spent < below && self.chart.is_done(room, items, visits);
        holds.then_some(Walk { legs, home })
    }

    /// Goes on to a stop.
    fn go(&mut self, leg: Leg, next: Next) -> Option<Leg> {
        let Leg { mut walker, spent } = leg;
        let chart = self.chart;
        let room = next.room();
        if room != walker.room {
            let opened = walker.opened.clone();
            let stand = Stand {
                room: walker.room,
                at: match walker.at {
                    Some(Thing::Door(door)) => Some(door),
                    _ => None,
                },
                items: walker.items,
                opened: &opened,
            };
            self.field.ways(chart, &stand, &[room]);
            if self.field.far[room] >= FAR {
                return None;
            }
            for door in self.field.doors_to(chart, &stand, room) {
                walker.go(chart, Move::Through(door));
            }
        }
        if let Next::Take(item, _) = next {
            let Place::In(container) = chart.errand.facts.items[item] else {
                return None;
            };
            let lid = Thing::Container(container);
            chart.actions_to_open(lid, walker.items, &walker.opened)?;
            walker.go(chart, Move::Take(item));
        }
        let spent = spent + walker.actions.len();
        Some(Leg { walker, spent })
    }

    fn take(&mut self, order: Vec<Next>, from: usize, walk: Walk) {
        self.actions = walk.home.spent;
        self.order = order;
        self.legs.truncate(from + 1);
        self.legs.extend(walk.legs);
        self.home = walk.home.walker.actions;
    }
}
