//! The best plan that is made of given routes: set partitioning.

use super::ground::{Ground, NIL};
use super::pool::Columns;
use anytime::Pulse;

/// Steps of the subgradient method.
const STEPS: usize = 300;
/// Steps without a better bound after which steps get shorter.
const PATIENCE: usize = 15;
/// Most columns that the search looks at, one counted each time.
const LOOKS_MAX: u64 = 20_000_000;
/// Looks between two looks at the clock: about a millisecond.
const PERIOD: u64 = 100_000;

/// Chooses routes such that every task is in one, at most as many of a class as it has agents.
///
/// A price for each task and one for each agent of a class, such that no route costs less than its
/// prices: what a plan costs is what all prices come to and what its routes cost more than theirs.
/// So routes that cost as much more as the best plan does are out, and the rest is searched depth
/// first, the task with the fewest routes first. Prices by the subgradient method: Held, Wolfe,
/// Crowder, "Validation of subgradient optimization", Mathematical Programming 6 (1974). The routes
/// given are not all there are: the bound is no bound on plans.
pub(super) struct Cover<'a> {
    columns: &'a Columns,
    sizes: &'a [u16],
    tasks: usize,
    /// Cost that a plan must be below.
    limit: i64,
    /// Price of each task, and of an agent of each class, the latter not negative.
    prices: Vec<f64>,
    fares: Vec<f64>,
}

/// What is left of the columns, and a search through them.
struct Search<'a> {
    columns: &'a Columns,
    /// What each column costs more than its prices.
    extra: Vec<f64>,
    /// By task, its columns, the cheapest first.
    of_task: Vec<Vec<u32>>,
    /// By task: how many chosen columns it is in, 0 or 1.
    covered: Vec<bool>,
    /// Agents left of each class.
    left: Vec<u16>,
    /// Price of an agent of each class.
    fares: Vec<f64>,
    chosen: Vec<u32>,
    best: Option<Vec<u32>>,
    /// What may still be paid beyond all prices.
    gap: f64,
    looks: u64,
    clock_at: u64,
    pulse: Pulse,
}

impl<'a> Cover<'a> {
    pub(super) fn new(ground: &'a Ground<'_>, columns: &'a Columns, limit: i64) -> Self {
        Self {
            columns,
            sizes: &ground.sizes,
            tasks: ground.tasks,
            limit,
            prices: vec![limit as f64 / ground.tasks as f64; ground.tasks],
            fares: vec![0.0; ground.sizes.len()],
        }
    }

    /// The columns of a plan below the limit, the cheapest unless nodes or time run out.
    pub(super) fn solve(mut self, pulse: &Pulse) -> Option<Vec<u32>> {
        self.ascend(pulse)?;
        self.repair();
        let bound: f64 = self.bound();
        // Costs are whole numbers; half a unit is lost to rounding at most.
        let gap = self.limit as f64 - 0.5 - bound;
        if gap <= 0.0 {
            return None;
        }
        let mut search = Search {
            columns: self.columns,
            extra: (0..self.columns.len())
                .map(|column| self.extra(column))
                .collect(),
            of_task: vec![Vec::new(); self.tasks],
            covered: vec![false; self.tasks],
            left: self.sizes.to_vec(),
            fares: self.fares.clone(),
            chosen: Vec::new(),
            best: None,
            gap,
            looks: 0,
            clock_at: PERIOD,
            pulse: pulse.clone(),
        };
        search.list();
        search.go(0.0);
        search.best
    }

    fn extra(&self, column: usize) -> f64 {
        let tasks = self.columns.tasks(column);
        let prices: f64 = tasks.iter().map(|task| self.prices[*task as usize]).sum();
        let class = self.columns.classes[column];
        let fare = self.fares.get(class as usize).copied().unwrap_or(0.0);
        self.columns.costs[column] as f64 - prices + fare
    }

    /// What every plan costs at least, as long as no column costs less than its prices.
    fn bound(&self) -> f64 {
        let fares = self
            .fares
            .iter()
            .zip(self.sizes)
            .map(|(fare, size)| fare * f64::from(*size));
        self.prices.iter().sum::<f64>() - fares.sum::<f64>()
    }

    /// Better and better prices. `None` where it was stopped.
    fn ascend(&mut self, pulse: &Pulse) -> Option<()> {
        let (mut best, mut best_prices) = (f64::NEG_INFINITY, None);
        let (mut scale, mut stale) = (1.0, 0);
        let mut slack = vec![0.0; self.tasks];
        let mut room = vec![0.0; self.sizes.len()];
        for _ in 0..STEPS {
            if !pulse.beats() {
                return None;
            }
            slack.fill(1.0);
            room.iter_mut()
                .zip(self.sizes)
                .for_each(|(room, size)| *room = f64::from(*size));
            let mut bound = self.bound();
            for column in 0..self.columns.len() {
                let extra = self.extra(column);
                if extra < 0.0 {
                    bound += extra;
                    for &task in self.columns.tasks(column) {
                        slack[task as usize] -= 1.0;
                    }
                    if let Some(room) = room.get_mut(self.columns.classes[column] as usize) {
                        *room -= 1.0;
                    }
                }
            }
            if bound > best {
                (best, best_prices) = (bound, Some((self.prices.clone(), self.fares.clone())));
                stale = 0;
            } else {
                stale += 1;
                if stale >= PATIENCE {
                    (scale, stale) = (scale / 2.0, 0);
                }
            }
            let tight = |(room, fare): (&f64, &f64)| *room < 0.0 || *fare > 0.0;
            let norm: f64 = slack.iter().map(|s| s * s).sum::<f64>()
                + room
                    .iter()
                    .zip(&self.fares)
                    .filter(|p| tight(*p))
                    .map(|p| p.0 * p.0)
                    .sum::<f64>();
            if norm == 0.0 {
                break;
            }
            let step = scale * (self.limit as f64 * 1.01 - bound).max(1.0) / norm;
            for (price, slack) in self.prices.iter_mut().zip(&slack) {
                *price += step * slack;
            }
            for (fare, room) in self.fares.iter_mut().zip(&room) {
                *fare = (*fare - step * room).max(0.0);
            }
        }
        (self.prices, self.fares) = best_prices?;
        Some(())
    }

    /// Lowers prices until no column costs less than its own, then raises them while there is room.
    fn repair(&mut self) {
        for column in 0..self.columns.len() {
            let extra = self.extra(column);
            if extra < 0.0 {
                let tasks = self.columns.tasks(column);
                let share = extra / tasks.len() as f64;
                for &task in tasks {
                    self.prices[task as usize] += share;
                }
            }
        }
        let mut room = vec![f64::INFINITY; self.tasks];
        for _ in 0..3 {
            room.fill(f64::INFINITY);
            for column in 0..self.columns.len() {
                let tasks = self.columns.tasks(column);
                let share = self.extra(column).max(0.0) / tasks.len() as f64;
                for &task in tasks {
                    room[task as usize] = room[task as usize].min(share);
                }
            }
            for (price, room) in self.prices.iter_mut().zip(&room) {
                *price += if room.is_finite() { *room } else { 0.0 };
            }
        }
    }
}

impl Search<'_> {
    /// Lists the columns that are not too dear by task.
    fn list(&mut self) {
        for column in 0..self.columns.len() {
            if self.extra[column] < self.gap {
                for &task in self.columns.tasks(column) {
                    self.of_task[task as usize].push(column as u32);
                }
            }
        }
        for list in &mut self.of_task {
            let extra = &self.extra;
            list.sort_by(|a, b| extra[*a as usize].total_cmp(&extra[*b as usize]));
        }
    }

    fn fits(&self, column: u32, paid: f64) -> bool {
        let class = self.columns.classes[column as usize];
        let tasks = self.columns.tasks(column as usize);
        (class == NIL || self.left[class as usize] > 0)
            && paid + self.extra[column as usize] < self.gap
            && tasks.iter().all(|task| !self.covered[*task as usize])
    }

    /// The task in no chosen column that is in the fewest that fit.
    fn hardest(&mut self, paid: f64) -> Option<u16> {
        let (mut hardest, mut least) = (None, usize::MAX);
        for task in 0..self.covered.len() {
            if self.covered[task] {
                continue;
            }
            let fitting = self.of_task[task]
                .iter()
                .filter(|column| self.fits(**column, paid));
            let count = fitting.take(least).count();
            self.looks += self.of_task[task].len() as u64;
            if count < least {
                (hardest, least) = (Some(task as u16), count);
            }
        }
        hardest
    }

    fn go(&mut self, paid: f64) {
        let Some(task) = self.hardest(paid) else {
            // The bound counts on the fares of all agents: those who stay behind pay none.
            let unpaid = self.fares.iter().zip(&self.left);
            let paid = paid
                + unpaid
                    .map(|(fare, left)| fare * f64::from(*left))
                    .sum::<f64>();
            if paid < self.gap {
                // What is left below the limit is what the next plan has to beat.
                self.gap = paid - 1e-6;
                self.best = Some(self.chosen.clone());
            }
            return;
        };
        for index in 0..self.of_task[task as usize].len() {
            self.looks += 1;
            if self.looks >= self.clock_at {
                self.clock_at = self.looks + PERIOD;
                if !self.pulse.beats() {
                    self.looks = LOOKS_MAX;
                }
            }
            if self.looks >= LOOKS_MAX {
                return;
            }
            let column = self.of_task[task as usize][index];
            if paid + self.extra[column as usize] >= self.gap {
                return;
            }
            if !self.fits(column, paid) {
                continue;
            }
            self.take(column, true);
            self.go(paid + self.extra[column as usize]);
            self.take(column, false);
        }
    }

    fn take(&mut self, column: u32, is_taken: bool) {
        for &task in self.columns.tasks(column as usize) {
            self.covered[task as usize] = is_taken;
        }
        if let Some(left) = self
            .left
            .get_mut(self.columns.classes[column as usize] as usize)
        {
            *left = if is_taken { *left - 1 } else { *left + 1 };
        }
        if is_taken {
            self.chosen.push(column);
        } else {
            self.chosen.pop();
        }
    }
}
