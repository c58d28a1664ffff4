//! Routes that may break rules, at a price, and what is needed to judge a change of them at once.

use super::ground::{Ground, NIL};
use super::walk::Walk;
use crate::problem::Micros;

/// Prices of what is not allowed, in energy.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prices {
    /// A microsecond by which starts are later than the latest.
    pub(super) time: f64,
    /// A unit of load above a capacity.
    pub(super) load: f64,
    /// A route more than there are agents of a class.
    pub(super) spare: f64,
}

/// Largest fine: the fines of all lanes together still fit 64 bits, and no plan is worth one.
const FINE_MAX: f64 = 4e15;

/// What an amount costs at a price.
#[inline]
fn priced(amount: i64, price: f64) -> i64 {
    (amount as f64 * price).min(FINE_MAX) as i64
}

/// A node, and its route up to there and from there on.
///
/// Whoever comes after the latest start goes back in time to it, at a price. So the time at which
/// a node is left depends on the nodes before it through one number, and what lies ahead through
/// two: Nagata, Bräysy, Dullaert, "A penalty-based edge assembly memetic algorithm for the vehicle
/// routing problem with time windows", Computers & Operations Research 37 (2010), section 4; the
/// segments of Vidal et al. 2013 with one end fixed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) next: u16,
    pub(super) prev: u16,
    /// Its lane, [`NIL`] for absent tasks.
    pub(super) lane: u16,
    /// Its position; the start of a lane is 0.
    pub(super) rank: u16,
    /// When it is left.
    pub(super) leave_us: Micros,
    /// Time gone back up to here.
    pub(super) warp_us: Micros,
    /// Latest arrival here without more time to go back from here on. Means nothing where times are
    /// gone through task by task.
    pub(super) due_us: Micros,
    /// Time gone back after this node by whoever comes in time.
    pub(super) warp_after_us: Micros,
    /// Lateness up to here.
    pub(super) late_us: Micros,
    /// Cost of the ways up to here.
    pub(super) run: i64,
}

/// What a lane adds up to.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Lane {
    pub(super) tasks: u16,
    pub(super) cost: i64,
    pub(super) warp_us: Micros,
    pub(super) late_us: Micros,
    pub(super) excess: i64,
    /// Energy of all but the cost.
    pub(super) fine: i64,
    /// Number of the last change.
    pub(super) stamp: u32,
}

/// Routes as doubly linked lists in fixed arrays; nothing is allocated by changes.
#[derive(Debug, Clone)]
pub(super) struct Tours {
    pub(super) nodes: Vec<Node>,
    pub(super) lanes: Vec<Lane>,
    /// Load up to each node, by node and dimension.
    pub(super) loads: Vec<i64>,
    /// Skills needed from each node on.
    pub(super) needs: Vec<u64>,
    pub(super) prices: Prices,
    /// Changes so far.
    pub(super) clock: u32,
    /// What absent tasks cost.
    pub(super) lost: i64,
}

impl Tours {
    /// Nobody does anything.
    pub(super) fn new(ground: &Ground<'_>, prices: Prices) -> Self {
        let node = Node {
            next: NIL,
            prev: NIL,
            lane: NIL,
            rank: 0,
            leave_us: 0,
            warp_us: 0,
            due_us: 0,
            warp_after_us: 0,
            late_us: 0,
            run: 0,
        };
        let count = ground.spots.len();
        let mut tours = Self {
            nodes: vec![node; count],
            lanes: vec![Lane::default(); ground.lanes()],
            loads: vec![0; count * ground.dimensions],
            needs: vec![0; count],
            prices,
            clock: 0,
            lost: 0,
        };
        tours.clear(ground);
        tours
    }

    /// Makes all tasks absent.
    pub(super) fn clear(&mut self, ground: &Ground<'_>) {
        self.lost = 0;
        for task in 0..ground.tasks as u16 {
            self.nodes[task as usize].lane = NIL;
            self.lost += ground.losses[task as usize].unwrap_or(ground.missing);
        }
        for lane in 0..ground.lanes() {
            self.link(ground.start(lane), ground.end(lane));
            self.refresh(ground, lane);
        }
    }

    /// Counts changes from the beginning, with all lanes changed.
    pub(super) fn reset_clock(&mut self) {
        self.clock = 1;
        self.lanes.iter_mut().for_each(|lane| lane.stamp = 1);
    }

    #[inline]
    pub(super) fn link(&mut self, from: u16, to: u16) {
        self.nodes[from as usize].next = to;
        self.nodes[to as usize].prev = from;
    }

    #[inline]
    pub(super) fn next(&self, node: u16) -> u16 {
        self.nodes[node as usize].next
    }

    #[inline]
    pub(super) fn prev(&self, node: u16) -> u16 {
        self.nodes[node as usize].prev
    }

    #[inline]
    pub(super) fn lane(&self, node: u16) -> usize {
        self.nodes[node as usize].lane as usize
    }

    #[inline]
    pub(super) fn is_done(&self, task: u16) -> bool {
        self.nodes[task as usize].lane != NIL
    }

    /// Puts an absent task behind `node`. Sums are wrong until the lane is refreshed.
    pub(super) fn join(&mut self, ground: &Ground<'_>, task: u16, node: u16) {
        let next = self.next(node);
        self.link(node, task);
        self.link(task, next);
        self.nodes[task as usize].lane = self.nodes[node as usize].lane;
        self.lost -= ground.losses[task as usize].unwrap_or(ground.missing);
    }

    /// Takes a task out. Sums are wrong until the lane is refreshed.
    pub(super) fn leave(&mut self, ground: &Ground<'_>, task: u16) {
        let Node { prev, next, .. } = self.nodes[task as usize];
        self.link(prev, next);
        self.nodes[task as usize].lane = NIL;
        self.lost += ground.losses[task as usize].unwrap_or(ground.missing);
    }

    /// Computes everything about a lane anew.
    pub(super) fn refresh(&mut self, ground: &Ground<'_>, lane: usize) {
        let (start, end) = (ground.start(lane), ground.end(lane));
        let dimensions = ground.dimensions;
        self.clock += 1;
        let mut walk = Walk::start(ground, lane);
        let (mut node, mut rank) = (start, 0);
        loop {
            if node != start {
                walk.step(ground, node);
                for d in 0..dimensions {
                    let before = self.loads[self.prev(node) as usize * dimensions + d];
                    let at = node as usize * dimensions + d;
                    self.loads[at] = before + ground.demands[at];
                }
            }
            let here = &mut self.nodes[node as usize];
            (here.lane, here.rank) = (lane as u16, rank);
            (here.leave_us, here.warp_us) = (walk.leave_us, walk.warp_us);
            (here.late_us, here.run) = (walk.late_us, walk.cost);
            if node == end {
                break;
            }
            (node, rank) = (here.next, rank + 1);
        }
        let excess = |d: usize| {
            let load = self.loads[end as usize * dimensions + d];
            (load - ground.capacities[lane * dimensions + d]).max(0)
        };
        let excess = (0..dimensions).map(excess).sum();
        let tasks = rank - 1;
        let fine = self.fine(ground, lane, (tasks > 0, excess))
            + self.time_fine(ground, (walk.warp_us, walk.late_us));
        self.lanes[lane] = Lane {
            tasks,
            cost: walk.cost,
            warp_us: walk.warp_us,
            late_us: walk.late_us,
            excess,
            fine,
            stamp: self.clock,
        };
        self.look_back(ground, lane);
    }

    /// From the end to the start: latest arrivals and what lies ahead.
    fn look_back(&mut self, ground: &Ground<'_>, lane: usize) {
        let table = ground.berths[lane].table;
        let end = ground.end(lane);
        let spot = &ground.spots[end as usize];
        let (mut due_us, mut warp_us, mut place) = (spot.latest_us, 0, spot.place);
        self.nodes[end as usize].due_us = due_us;
        self.nodes[end as usize].warp_after_us = 0;
        self.needs[end as usize] = 0;
        let mut node = self.prev(end);
        loop {
            let spot = &ground.spots[node as usize];
            let way = ground.way(table, spot.place, place);
            // Latest start here with which the next is reached in time.
            let start_us = due_us - way.time_us - spot.service_us;
            // Even whoever starts as early as possible goes back from the next.
            warp_us += (spot.open_us - start_us).max(0);
            due_us = start_us.min(spot.latest_us).max(spot.open_us);
            let needs = self.needs[self.next(node) as usize];
            let own = ground.skills.get(node as usize).copied().unwrap_or(0);
            self.needs[node as usize] = needs | own;
            let here = &mut self.nodes[node as usize];
            (here.due_us, here.warp_after_us) = (due_us, warp_us);
            if here.rank == 0 {
                return;
            }
            (node, place) = (here.prev, spot.place);
        }
    }

    /// Energy of an excess and of a route too many.
    #[inline]
    pub(super) fn fine(
        &self,
        ground: &Ground<'_>,
        lane: usize,
        (is_used, excess): (bool, i64),
    ) -> i64 {
        let mut fine = 0;
        if excess > 0 {
            fine += priced(excess, self.prices.load);
        }
        if is_used && ground.berths[lane].is_spare {
            fine += priced(1, self.prices.spare);
        }
        fine
    }

    /// Energy of time gone back and of lateness.
    #[inline]
    pub(super) fn time_fine(
        &self,
        ground: &Ground<'_>,
        (warp_us, late_us): (Micros, Micros),
    ) -> i64 {
        let mut fine = 0;
        if warp_us > 0 {
            fine += priced(warp_us, self.prices.time);
        }
        if late_us > 0 {
            fine += priced(late_us, ground.late_rate);
        }
        fine
    }

    /// Changes the prices.
    pub(super) fn set_prices(&mut self, ground: &Ground<'_>, prices: Prices) {
        self.prices = prices;
        for lane in 0..ground.lanes() {
            let Lane {
                tasks,
                warp_us,
                late_us,
                excess,
                ..
            } = self.lanes[lane];
            self.lanes[lane].fine = self.fine(ground, lane, (tasks > 0, excess))
                + self.time_fine(ground, (warp_us, late_us));
        }
    }

    /// Energy of it all, fines included.
    pub(super) fn energy(&self) -> i64 {
        self.lost
            + self
                .lanes
                .iter()
                .map(|lane| lane.cost + lane.fine)
                .sum::<i64>()
    }
}
