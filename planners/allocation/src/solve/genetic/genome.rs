//! A plan at rest: what a population keeps.

use super::ground::{Ground, NIL};
use super::tours::{Prices, Tours};

/// Routes as links between tasks, and what they add up to apart from prices.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Genome {
    /// By task; [`NIL`] at the end of a route. An absent task follows itself.
    pub(super) next: Vec<u16>,
    pub(super) prev: Vec<u16>,
    /// First task of each lane, [`NIL`] where it is idle.
    pub(super) first: Vec<u16>,
    /// Ways, lateness and absent tasks.
    pub(super) cost: i64,
    pub(super) warp_us: i64,
    pub(super) excess: i64,
    /// Routes more than agents.
    pub(super) spares: u16,
}

impl Genome {
    pub(super) fn of(ground: &Ground<'_>, tours: &Tours) -> Self {
        let mut genome = Self::default();
        genome.copy(ground, tours);
        genome
    }

    /// Takes over the routes; among lanes of a class the agents come before the spare ones.
    pub(super) fn copy(&mut self, ground: &Ground<'_>, tours: &Tours) {
        let tasks = ground.tasks;
        self.next.clear();
        self.prev.clear();
        for task in 0..tasks as u16 {
            let node = &tours.nodes[task as usize];
            let inner = |other: u16| if (other as usize) < tasks { other } else { NIL };
            let is_done = node.lane != NIL;
            self.next
                .push(if is_done { inner(node.next) } else { task });
            self.prev
                .push(if is_done { inner(node.prev) } else { task });
        }
        self.first.clear();
        self.cost = tours.lost;
        (self.warp_us, self.excess, self.spares) = (0, 0, 0);
        for (lane, sums) in tours.lanes.iter().enumerate() {
            let first = tours.next(ground.start(lane));
            self.first.push(if sums.tasks > 0 { first } else { NIL });
            self.cost += sums.cost + tours.time_fine(ground, (0, sums.late_us));
            self.warp_us += sums.warp_us;
            self.excess += sums.excess;
        }
        for lane in 0..ground.lanes() {
            let berth = &ground.berths[lane];
            if !berth.is_spare || self.first[lane] == NIL {
                continue;
            }
            let free = |other: &usize| {
                let other_berth = &ground.berths[*other];
                let same = other_berth.class == berth.class && !other_berth.is_spare;
                same && self.first[*other] == NIL
            };
            match (0..ground.lanes()).find(free) {
                Some(free) => self.first.swap(free, lane),
                None => self.spares += 1,
            }
        }
    }

    /// Lays the routes out.
    pub(super) fn unfold(&self, ground: &Ground<'_>, tours: &mut Tours) {
        tours.lost = 0;
        for task in 0..ground.tasks {
            if self.next[task] == task as u16 {
                tours.nodes[task].lane = NIL;
                tours.lost += ground.losses[task].unwrap_or(ground.missing);
            }
        }
        for lane in 0..ground.lanes() {
            let mut last = ground.start(lane);
            let mut task = self.first[lane];
            while task != NIL {
                tours.link(last, task);
                (last, task) = (task, self.next[task as usize]);
            }
            tours.link(last, ground.end(lane));
            tours.refresh(ground, lane);
        }
    }

    /// The tasks of a lane, in order.
    pub(super) fn route(&self, lane: usize) -> impl Iterator<Item = u16> {
        let some = |task: u16| (task != NIL).then_some(task);
        std::iter::successors(some(self.first[lane]), move |task| {
            some(self.next[*task as usize])
        })
    }

    /// Whether it keeps all rules.
    pub(super) fn is_legal(&self, ground: &Ground<'_>) -> bool {
        self.cost < ground.missing && self.warp_us == 0 && self.excess == 0 && self.spares == 0
    }

    /// Energy at these prices.
    pub(super) fn energy(&self, prices: &Prices) -> i64 {
        let fines = self.warp_us as f64 * prices.time
            + self.excess as f64 * prices.load
            + f64::from(self.spares) * prices.spare;
        self.cost.saturating_add(fines as i64)
    }

    /// Ways of one that the other does not have, 0 to 2 for each task: Prins, "Two memetic
    /// algorithms for heterogeneous fleet vehicle routing problems", Engineering Applications of
    /// Artificial Intelligence 22 (2009), broken pairs.
    pub(super) fn distance(&self, other: &Self) -> u32 {
        let differ = |a: &[u16], b: &[u16]| a.iter().zip(b).filter(|(a, b)| a != b).count();
        (differ(&self.next, &other.next) + differ(&self.prev, &other.prev)) as u32
    }
}
