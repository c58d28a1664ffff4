//! Selective route exchange: some routes of one parent give way to routes of the other that do
//! much the same.

use super::genome::Genome;
use super::ground::{Ground, NIL};
use super::optional::{best_place, insertion};
use super::tours::Tours;
use mcts::Rng;
use rand::RngExt;
use rand::seq::SliceRandom;

/// Selective route exchange (SREX) with its scratch space: Nagata, Bräysy, Dullaert 2010; Kool et
/// al., "Hybrid genetic search for the vehicle routing problem with time windows: a
/// high-performance implementation", DIMACS 2022. Difference: the routes that give way are near
/// each other by the neighbours of their tasks, not by angle, as there need not be coordinates.
#[derive(Debug, Clone)]
pub(super) struct Cross {
    /// By task: whether it is on a route of the first parent that gives way.
    goes: Vec<bool>,
    /// The same for the second parent.
    comes: Vec<bool>,
    lanes_out: Vec<u16>,
    lanes_in: Vec<u16>,
    lane_of: Vec<u16>,
    absent: Vec<u16>,
    idle: Vec<u16>,
}

impl Cross {
    pub(super) fn new(ground: &Ground<'_>) -> Self {
        let (tasks, lanes) = (ground.tasks, ground.lanes());
        Self {
            goes: vec![false; tasks],
            comes: vec![false; tasks],
            lanes_out: Vec::with_capacity(lanes),
            lanes_in: Vec::with_capacity(lanes),
            lane_of: vec![NIL; tasks],
            absent: Vec::with_capacity(tasks),
            idle: Vec::with_capacity(lanes),
        }
    }

    /// Makes `tours` a child of two parents.
    pub(super) fn breed(
        &mut self,
        ground: &Ground<'_>,
        (a, b): (&Genome, &Genome),
        (tours, rng): (&mut Tours, &mut Rng),
    ) {
        self.choose_out(ground, a, rng);
        self.choose_in(ground, b);
        // Which tasks of the routes that come stay with the first parent is tried both ways; the
        // cheaper child lives.
        self.compose(ground, (a, b), (tours, true));
        let first = tours.energy();
        let kept = Genome::of(ground, tours);
        self.compose(ground, (a, b), (tours, false));
        let second = tours.energy();
        if first < second {
            kept.unfold(ground, tours);
        }
        self.fill(ground, tours, rng);
    }

    /// Routes of `a` near a task, up to about half of them.
    fn choose_out(&mut self, ground: &Ground<'_>, a: &Genome, rng: &mut Rng) {
        self.lane_of.fill(NIL);
        let mut used = 0;
        for lane in 0..ground.lanes() {
            used += usize::from(a.first[lane] != NIL);
            a.route(lane)
                .for_each(|task| self.lane_of[task as usize] = lane as u16);
        }
        self.lanes_out.clear();
        self.goes.fill(false);
        if used == 0 {
            return;
        }
        let count = rng.random_range(1..=used.div_ceil(2));
        let seed = rng.random_range(0..ground.tasks) as u32;
        let mut near = std::iter::once(&seed).chain(ground.near.of(seed));
        while self.lanes_out.len() < count
            && let Some(task) = near.next()
        {
            let lane = self.lane_of[*task as usize];
            if lane != NIL && !self.lanes_out.contains(&lane) {
                self.lanes_out.push(lane);
                a.route(lane as usize)
                    .for_each(|task| self.goes[task as usize] = true);
            }
        }
    }

    /// As many routes of `b`, those that do most of the same tasks.
    fn choose_in(&mut self, ground: &Ground<'_>, b: &Genome) {
        self.lanes_in.clear();
        self.comes.fill(false);
        let score = |lane: usize| {
            let (mut same, mut other) = (0_i64, 0_i64);
            for task in b.route(lane) {
                if self.goes[task as usize] {
                    same += 1;
                } else {
                    other += 1;
                }
            }
            same * 2 - other
        };
        let mut ranked: Vec<(i64, usize)> = (0..ground.lanes())
            .filter(|lane| b.first[*lane] != NIL)
            .map(|lane| (-score(lane), lane))
            .collect();
        ranked.sort_unstable();
        for &(_, lane) in ranked.iter().take(self.lanes_out.len()) {
            self.lanes_in.push(lane as u16);
            b.route(lane)
                .for_each(|task| self.comes[task as usize] = true);
        }
    }

    /// Routes of `a` that stay and of `b` that come; a task of both stays where `keeps`, else
    /// comes.
    fn compose(
        &mut self,
        ground: &Ground<'_>,
        (a, b): (&Genome, &Genome),
        (tours, keeps): (&mut Tours, bool),
    ) {
        tours.clear(ground);
        for lane in 0..ground.lanes() {
            if self.lanes_out.contains(&(lane as u16)) {
                continue;
            }
            let mut last = ground.start(lane);
            for task in a.route(lane) {
                if keeps || !self.comes[task as usize] {
                    tours.join(ground, task, last);
                    last = task;
                }
            }
            tours.refresh(ground, lane);
        }
        for index in 0..self.lanes_in.len() {
            let lane = self.lanes_in[index] as usize;
            let Some(to) = self.room(ground, tours, ground.berths[lane].class) else {
                continue;
            };
            let mut last = ground.start(to);
            for task in b.route(lane) {
                if !tours.is_done(task) && (!keeps || self.goes[task as usize]) {
                    tours.join(ground, task, last);
                    last = task;
                }
            }
            tours.refresh(ground, to);
        }
    }

    /// An idle lane of a class, agents first.
    fn room(&self, ground: &Ground<'_>, tours: &Tours, class: u16) -> Option<usize> {
        (0..ground.lanes())
            .find(|lane| tours.lanes[*lane].tasks == 0 && ground.berths[*lane].class == class)
    }

    /// Puts absent tasks where they add least, in any order; those that may be left out only where
    /// that pays.
    pub(super) fn fill(&mut self, ground: &Ground<'_>, tours: &mut Tours, rng: &mut Rng) {
        self.absent.clear();
        self.absent
            .extend((0..ground.tasks as u16).filter(|task| !tours.is_done(*task)));
        self.absent.shuffle(rng);
        for index in 0..self.absent.len() {
            let task = self.absent[index];
            self.note_idle(ground, tours);
            let most = ground.losses[task as usize].unwrap_or(i64::MAX);
            let place = best_place(ground, tours, (task, most), &self.idle);
            let place = place.or_else(|| anywhere(ground, tours, (task, most)));
            if let Some(after) = place {
                tours.join(ground, task, after);
                tours.refresh(ground, tours.lane(after));
            }
        }
    }

    fn note_idle(&mut self, ground: &Ground<'_>, tours: &Tours) {
        self.idle.clear();
        for lane in 0..ground.lanes() {
            let class = ground.berths[lane].class;
            let same = |other: &u16| ground.berths[*other as usize].class == class;
            if tours.lanes[lane].tasks == 0 && !self.idle.iter().any(same) {
                self.idle.push(lane as u16);
            }
        }
    }
}

/// The best place on all routes.
fn anywhere(ground: &Ground<'_>, tours: &Tours, (task, mut most): (u16, i64)) -> Option<u16> {
    let mut best = None;
    for lane in 0..ground.lanes() {
        let mut node = ground.start(lane);
        while node != ground.end(lane) {
            if let Some(change) = insertion(ground, tours, task, (node, most)) {
                (most, best) = (change, Some(node));
            }
            node = tours.next(node);
        }
    }
    best
}
