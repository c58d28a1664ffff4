//! Local search over the order of stops: between the first plan and a proof that takes long.
//!
//! A plan is an order of stops, each a room to be in or an item to be taken, with a shortest path from each to the next for the keys at hand. Neighbours are
//! Or-opt (up to three stops in a row go elsewhere) and 2-opt (a part is reversed). Where no neighbour is shorter, a few stops are moved at
//! random, a spare key is put in or left out, and the search goes on from there (iterated local search).

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
/// Local optima in a row that are no shorter than the best plan, after which the search ends, for each stop.
const KICKS_EACH: usize = 12;

/// What comes of trying one order.
pub(super) enum Tried {
    /// Nothing better.
    Nothing,
    /// A plan shorter than all before.
    Found(Vec<Action>),
    /// The search has come to its end.
    Ended,
}

/// The search, order by order.
pub(super) struct Improver<'c> {
    chart: &'c Chart<'c>,
    field: Field,
    rng: Xoshiro256PlusPlus,
    /// The order at hand, who has walked it before each stop, and how many actions it takes.
    order: Vec<Next>,
    walkers: Vec<Walker>,
    actions: usize,
    best: Vec<Next>,
    best_actions: usize,
    /// The neighbour to be tried next, and how many were tried since the last gain.
    at: usize,
    tried: usize,
    kicks: usize,
}

impl<'c> Improver<'c> {
    /// Begins with an order of stops that makes a plan.
    pub(super) fn new(chart: &'c Chart<'c>, order: Vec<Next>) -> Self {
        let mut improver = Self {
            chart,
            field: Field::default(),
            rng: Xoshiro256PlusPlus::seed_from_u64(0),
            order: Vec::new(),
            walkers: vec![Walker::new(chart)],
            actions: usize::MAX,
            best: order.clone(),
            best_actions: usize::MAX,
            at: 0,
            tried: 0,
            kicks: 0,
        };
        if let Some(walkers) = improver.walk(&order, 0) {
            improver.take(order, 0, walkers);
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
        if self.actions == usize::MAX || stops < 2 || self.kicks > KICKS_EACH * stops {
            return Tried::Ended;
        }
        if self.tried >= KINDS * stops * stops {
            self.kick();
            return self.outcome();
        }
        while self.tried < KINDS * stops * stops {
            let at = self.at;
            self.at = (self.at + 1) % (KINDS * stops * stops);
            self.tried += 1;
            let Some((from, order)) = self.neighbour(at) else {
                continue;
            };
            if let Some(walkers) = self.walk(&order, from)
                && walkers[walkers.len() - 1].actions.len() < self.actions
            {
                self.take(order, from, walkers);
                self.tried = 0;
            }
            return self.outcome();
        }
        Tried::Nothing
    }

    fn outcome(&mut self) -> Tried {
        if self.actions >= self.best_actions {
            return Tried::Nothing;
        }
        self.best_actions = self.actions;
        self.best.clone_from(&self.order);
        self.kicks = 0;
        Tried::Found(self.walkers[self.walkers.len() - 1].actions.clone())
    }

    /// A neighbour by its number, and the first stop that differs; none where nothing differs.
    fn neighbour(&self, number: usize) -> Option<(usize, Vec<Next>)> {
        let stops = self.order.len();
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

    /// Goes on from the best order, changed at random.
    fn kick(&mut self) {
        self.kicks += 1;
        self.tried = 0;
        let stops = self.best.len();
        let mut order = self.best.clone();
        match self.rng.random_range(0..4) {
            0 => self.exchange_spare(&mut order),
            1 if stops >= 4 => {
                // A double bridge: the two parts in the middle change places.
                let mut cuts = [0; 3].map(|_: usize| self.rng.random_range(0..=stops));
                cuts.sort_unstable();
                order[cuts[0]..cuts[2]].rotate_left(cuts[1] - cuts[0]);
            }
            _ => {
                for _ in 0..self.rng.random_range(2..=4) {
                    let stop = order.remove(self.rng.random_range(0..stops));
                    order.insert(self.rng.random_range(0..stops), stop);
                }
            }
        }
        if let Some(walkers) = self.walk(&order, 0) {
            self.take(order, 0, walkers);
        }
    }

    /// Leaves a spare key out, or puts one in that is not there.
    fn exchange_spare(&mut self, order: &mut Vec<Next>) {
        let taken = |item: usize| {
            let mut order = order.iter();
            order.position(|next| matches!(next, Next::Take(it, _) if *it == item))
        };
        let spare: Vec<usize> = ones(self.chart.spare).collect();
        if spare.is_empty() {
            return;
        }
        let item = spare[self.rng.random_range(0..spare.len())];
        if let Some(at) = taken(item) {
            order.remove(at);
        } else if let Place::In(container) = self.chart.errand.facts.items[item] {
            let room = self.chart.errand.museum.layout().containers[container].room;
            let at = self.rng.random_range(0..=order.len());
            order.insert(at, Next::Take(item, room));
        }
    }

    /// Walks an order whose stops before `from` are those at hand. Who has walked it before each stop from there on, and after the last; none where
    /// a stop cannot be reached, or the goal is not.
    fn walk(&mut self, order: &[Next], from: usize) -> Option<Vec<Walker>> {
        let mut walkers = vec![self.walkers[from].clone()];
        for &next in &order[from..] {
            let mut walker = walkers[walkers.len() - 1].clone();
            self.go(&mut walker, next)?;
            walkers.push(walker);
        }
        let mut last = walkers.pop()?;
        if let Some(end) = self.chart.errand.goal.room {
            self.go(&mut last, Next::Be(end))?;
        }
        if !self.chart.is_done(last.room, last.items, last.visits) {
            return None;
        }
        walkers.push(last);
        Some(walkers)
    }

    fn go(&mut self, walker: &mut Walker, next: Next) -> Option<()> {
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
        Some(())
    }

    fn take(&mut self, order: Vec<Next>, from: usize, walkers: Vec<Walker>) {
        self.actions = walkers[walkers.len() - 1].actions.len();
        self.order = order;
        self.walkers.truncate(from);
        self.walkers.extend(walkers);
    }
}
