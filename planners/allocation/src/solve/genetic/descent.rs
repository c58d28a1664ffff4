//! Local search over routes that may break rules at a price.

use super::ends::{reverse, tails};
use super::exchange::Exchange;
use super::genome::Genome;
use super::ground::{Ground, NIL};
use super::moves::{PIECE_MAX, Piece, relocate, swap};
use super::optional;
use super::tours::Tours;
use anytime::Pulse;
use mcts::Rng;
use rand::seq::SliceRandom;

/// How many of the nearest tasks are tried as neighbours.
const NEAR: usize = 30;
/// Tasks between two looks at the clock.
const LOOK: usize = 16;

/// Local search with its scratch space: relocate pieces of one to three tasks, exchange two tasks,
/// exchange tails (2-opt*), reverse (2-opt), open a route, do or leave out what is optional. Every
/// change brings two tasks side by side of which one is near the other. First improvement, in
/// random order; a pair is looked at again only when one of its routes has changed.
///
/// Granular neighbourhoods with wait and time warp: Vidal et al. 2013, section 4.4.
#[derive(Debug, Clone)]
pub(super) struct Descent {
    order: Vec<u16>,
    /// By task, the change after which it was looked at last.
    tested: Vec<u32>,
    /// Tasks to look at.
    wanted: Vec<bool>,
    /// An idle lane of each class, the agents before the spare ones.
    idle: Vec<u16>,
    exchange: Exchange,
    pulse: Pulse,
}

impl Descent {
    pub(super) fn new(ground: &Ground<'_>, pulse: Pulse) -> Self {
        Self {
            order: (0..ground.tasks as u16).collect(),
            tested: vec![0; ground.tasks],
            wanted: vec![true; ground.tasks],
            idle: Vec::with_capacity(ground.lanes()),
            exchange: Exchange::default(),
            pulse,
        }
    }

    /// Looks at a task in the next [`Descent::some`].
    pub(super) fn want(&mut self, task: u16) {
        if let Some(wanted) = self.wanted.get_mut(task as usize) {
            *wanted = true;
        }
    }

    /// Looks at the tasks with a way that neither parent has, and no others.
    pub(super) fn want_seams(&mut self, tours: &Tours, (a, b): (&Genome, &Genome)) {
        let tasks = self.wanted.len();
        let inner = |node: u16| if (node as usize) < tasks { node } else { NIL };
        for task in 0..tasks {
            let node = &tours.nodes[task];
            let (next, prev) = (inner(node.next), inner(node.prev));
            let ways = next == a.next[task] && prev == a.prev[task]
                || next == b.next[task] && prev == b.prev[task];
            self.wanted[task] = node.lane == NIL || !ways;
        }
    }

    /// Improves until nothing is left to improve. False if it was stopped before.
    pub(super) fn all(&mut self, ground: &Ground<'_>, tours: &mut Tours, rng: &mut Rng) -> bool {
        self.wanted.fill(true);
        self.some(ground, tours, rng)
    }

    /// After [`Descent::all`]: improves by exchanges between whole routes too. False if it was
    /// stopped before.
    pub(super) fn more(&mut self, ground: &Ground<'_>, tours: &mut Tours) -> bool {
        self.exchange.reset(ground);
        while let Some(tasks) = self.exchange.any(ground, tours, &self.pulse) {
            self.touched(ground, tours, tasks);
            if !self.settle(ground, tours) {
                return false;
            }
        }
        true
    }

    /// The same around the wanted tasks only, and those that changes touch; without exchanges
    /// between whole routes.
    pub(super) fn some(&mut self, ground: &Ground<'_>, tours: &mut Tours, rng: &mut Rng) -> bool {
        self.begin(ground, tours, rng);
        self.settle(ground, tours)
    }

    fn begin(&mut self, ground: &Ground<'_>, tours: &mut Tours, rng: &mut Rng) {
        self.order.shuffle(rng);
        self.tested.fill(0);
        tours.reset_clock();
        self.note_idle(ground, tours);
    }

    /// Goes through all tasks until no change is left.
    fn settle(&mut self, ground: &Ground<'_>, tours: &mut Tours) -> bool {
        let mut before = 0;
        while before != tours.clock {
            before = tours.clock;
            for index in 0..self.order.len() {
                let task = self.order[index];
                if index % LOOK == 0 && !self.pulse.beats() {
                    return false;
                }
                if self.wanted[task as usize] {
                    self.around(ground, tours, task);
                }
            }
        }
        true
    }

    /// All changes around a task.
    fn around(&mut self, ground: &Ground<'_>, tours: &mut Tours, task: u16) {
        let tested = std::mem::replace(&mut self.tested[task as usize], tours.clock + 1);
        if !tours.is_done(task) {
            if optional::include(ground, tours, task, &self.idle) {
                self.touched(ground, tours, [task, tours.next(task)]);
            }
            return;
        }
        for &near in ground.near.of(u32::from(task)).iter().take(NEAR) {
            let near = near as u16;
            if !tours.is_done(near) {
                continue;
            }
            let stamp = |node: u16| tours.lanes[tours.lane(node)].stamp;
            if stamp(task).max(stamp(near)) < tested {
                continue;
            }
            while pair(ground, tours, task, near) {
                self.touched(ground, tours, [task, near]);
            }
        }
        if tours.lanes[tours.lane(task)].stamp >= tested {
            while tours.is_done(task) {
                let beside = tours.prev(task);
                if !self.apart(ground, tours, task) {
                    return;
                }
                self.touched(ground, tours, [task, beside]);
            }
        }
    }

    /// After a change next to these nodes: what is beside them is worth a look.
    fn touched(&mut self, ground: &Ground<'_>, tours: &Tours, nodes: [u16; 2]) {
        self.note_idle(ground, tours);
        for node in nodes {
            self.want(node);
            self.want(tours.prev(node));
            self.want(tours.next(node));
        }
    }

    /// To an idle lane, alone or with what follows, or out of all routes.
    fn apart(&self, ground: &Ground<'_>, tours: &mut Tours, task: u16) -> bool {
        for &lane in &self.idle {
            let start = ground.start(lane as usize);
            for count in 1..=PIECE_MAX {
                let piece = Piece::from(ground, tours, task, count);
                if piece.is_some_and(|piece| relocate(ground, tours, &piece, start)) {
                    return true;
                }
            }
            if tails(ground, tours, tours.prev(task), start) {
                return true;
            }
        }
        optional::exclude(ground, tours, task)
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

/// The first change that brings two tasks side by side and lowers the energy. True if there was
/// one. Exchanges of longer pieces than one task are hardly ever worth the time they take.
fn pair(ground: &Ground<'_>, tours: &mut Tours, u: u16, v: u16) -> bool {
    let before = tours.prev(v);
    for count in 1..=PIECE_MAX {
        let Some(piece) = Piece::from(ground, tours, u, count) else {
            break;
        };
        // Behind v.
        if relocate(ground, tours, &piece, v) {
            return true;
        }
        if count > 1 {
            continue;
        }
        if relocate(ground, tours, &piece, before) {
            return true;
        }
        // In place of what follows v, and of v itself.
        for other in [tours.next(v), v] {
            let other = Piece::from(ground, tours, other, 1);
            if other.is_some_and(|other| swap(ground, tours, &piece, &other)) {
                return true;
            }
        }
    }
    tails(ground, tours, u, before)
        || tails(ground, tours, v, tours.prev(u))
        || reverse(ground, tours, u, v)
        || reverse(ground, tours, v, u)
}
