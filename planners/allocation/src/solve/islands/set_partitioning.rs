//! Set partitioning: the best solution that consists of routes of a pool.

use super::arcs::Arcs;
use super::instance::{Instance, NIL};
use super::pool::Columns;
use anytime::{Pulse, Stop, Ticker};

/// Iterations of the subgradient method.
const STEPS: usize = 300;
/// Iterations without a better bound after which steps are halved.
const PATIENCE: usize = 15;
/// Node limit of the search, one for each column evaluated.
const NODES_MAX: u64 = 19_999_999;
/// Nodes between two looks at the stop signal: about a millisecond.
const PERIOD: u64 = 100_000;

/// Chooses columns such that each task is in exactly one, and of each class at most as many as it
/// has agents.
///
/// Let `u(i)` be the dual value of task `i`, and `w(k) >= 0` that of the fleet size `n(k)` of class
/// `k`. A column of class `k` has the reduced cost `cost - sum u(i) + w(k)`. Where no reduced cost
/// is negative, `sum u(i) - sum n(k) w(k)` is a lower bound. A solution costs this bound, plus the
/// reduced costs of its columns, plus `w(k)` for each unused agent. So columns whose reduced cost
/// reaches the gap are out. The rest is searched depth first, the task with the fewest columns
/// first. The bound holds for the given columns only.
///
/// Dual values by the subgradient method: Held, Wolfe, Crowder, "Validation of subgradient
/// optimization", Mathematical Programming 6 (1974).
pub(super) struct SetPartitioning<'a> {
    columns: &'a Columns,
    fleet_sizes: &'a [u16],
    tasks: usize,
    /// A solution must cost less than this. Costs of routes are those above what their vehicles
    /// cost without tasks, so that all of them may be negative.
    limit: i64,
    /// Dual values of tasks, and of the fleet size of each class; the latter are not negative.
    task_duals: Vec<f64>,
    fleet_duals: Vec<f64>,
}

/// Depth-first search over the columns that are left.
struct Search<'a> {
    columns: &'a Columns,
    reduced_costs: Vec<f64>,
    /// By task, its columns by ascending reduced cost.
    of_task: Vec<Vec<u32>>,
    /// By task: whether a chosen column has it.
    covered: Vec<bool>,
    /// By class: agents left.
    left: Vec<u16>,
    /// Dual value of the fleet size of each class.
    fleet_duals: Vec<f64>,
    chosen: Vec<u32>,
    best: Option<Vec<u32>>,
    /// Largest sum of reduced costs that still improves.
    gap: f64,
    ticker: Ticker,
}

impl<'a> SetPartitioning<'a> {
    pub(super) fn new(
        instance: &'a Instance<'_, impl Arcs>,
        columns: &'a Columns,
        limit: i64,
    ) -> Self {
        Self {
            columns,
            fleet_sizes: &instance.sizes,
            tasks: instance.tasks,
            limit,
            task_duals: vec![limit as f64 / instance.tasks as f64; instance.tasks],
            fleet_duals: vec![0.0; instance.sizes.len()],
        }
    }

    /// The columns of a solution below the limit, the cheapest unless nodes or time run out.
    pub(super) fn solve(mut self, pulse: &Pulse) -> Option<Vec<u32>> {
        self.subgradient(pulse)?;
        self.repair_duals();
        let bound: f64 = self.bound();
        // Costs are whole numbers; rounding loses half a unit at most.
        let gap = self.limit as f64 - 0.5 - bound;
        if gap <= 0.0 {
            return None;
        }
        let mut search = Search {
            columns: self.columns,
            reduced_costs: (0..self.columns.len())
                .map(|column| self.reduced_cost(column))
                .collect(),
            of_task: vec![Vec::new(); self.tasks],
            covered: vec![false; self.tasks],
            left: self.fleet_sizes.to_vec(),
            fleet_duals: self.fleet_duals.clone(),
            chosen: Vec::new(),
            best: None,
            gap,
            ticker: Ticker::new(pulse.clone(), PERIOD).with_limit(NODES_MAX),
        };
        search.list_columns();
        // Once it is stopped the best so far is the answer.
        let _ = search.branch(0.0);
        search.best
    }

    /// Reduced cost of a column.
    fn reduced_cost(&self, column: usize) -> f64 {
        let tasks = self.columns.tasks(column);
        let task_duals: f64 = tasks
            .iter()
            .map(|task| self.task_duals[*task as usize])
            .sum();
        let class = self.columns.classes[column];
        let fleet_dual = self.fleet_duals.get(class as usize).copied().unwrap_or(0.0);
        self.columns.costs[column] as f64 - task_duals + fleet_dual
    }

    /// The Lagrangian lower bound, valid where no reduced cost is negative.
    fn bound(&self) -> f64 {
        let fleet_duals = self
            .fleet_duals
            .iter()
            .zip(self.fleet_sizes)
            .map(|(fleet_dual, size)| fleet_dual * f64::from(*size));
        self.task_duals.iter().sum::<f64>() - fleet_duals.sum::<f64>()
    }

    /// Maximises the bound. `None` if it was stopped.
    fn subgradient(&mut self, pulse: &Pulse) -> Option<()> {
        let (mut best, mut best_duals) = (f64::NEG_INFINITY, None);
        let (mut scale, mut stale) = (1.0, 0);
        let mut slack = vec![0.0; self.tasks];
        let mut room = vec![0.0; self.fleet_sizes.len()];
        for _ in 0..STEPS {
            if !pulse.beats() {
                return None;
            }
            slack.fill(1.0);
            room.iter_mut()
                .zip(self.fleet_sizes)
                .for_each(|(room, size)| *room = f64::from(*size));
            let mut bound = self.bound();
            for column in 0..self.columns.len() {
                let reduced_cost = self.reduced_cost(column);
                if reduced_cost < 0.0 {
                    bound += reduced_cost;
                    for &task in self.columns.tasks(column) {
                        slack[task as usize] -= 1.0;
                    }
                    if let Some(room) = room.get_mut(self.columns.classes[column] as usize) {
                        *room -= 1.0;
                    }
                }
            }
            if bound > best {
                (best, best_duals) = (
                    bound,
                    Some((self.task_duals.clone(), self.fleet_duals.clone())),
                );
                stale = 0;
            } else {
                stale += 1;
                if stale >= PATIENCE {
                    (scale, stale) = (scale / 2.0, 0);
                }
            }
            let norm: f64 = slack.iter().map(|s| s * s).sum::<f64>()
                + room
                    .iter()
                    .zip(&self.fleet_duals)
                    .filter(|(room, fleet_dual)| **room < 0.0 || **fleet_dual > 0.0)
                    .map(|(room, _)| room * room)
                    .sum::<f64>();
            if norm == 0.0 {
                break;
            }
            let limit = self.limit as f64;
            let step = scale * (limit + 0.01 * limit.abs() - bound).max(1.0) / norm;
            for (dual, slack) in self.task_duals.iter_mut().zip(&slack) {
                *dual += step * slack;
            }
            for (fleet_dual, room) in self.fleet_duals.iter_mut().zip(&room) {
                *fleet_dual = (*fleet_dual - step * room).max(0.0);
            }
        }
        (self.task_duals, self.fleet_duals) = best_duals?;
        Some(())
    }

    /// Lowers dual values until no reduced cost is negative, then raises them by what is left.
    fn repair_duals(&mut self) {
        for column in 0..self.columns.len() {
            let reduced_cost = self.reduced_cost(column);
            if reduced_cost < 0.0 {
                let tasks = self.columns.tasks(column);
                let share = reduced_cost / tasks.len() as f64;
                for &task in tasks {
                    self.task_duals[task as usize] += share;
                }
            }
        }
        let mut room = vec![f64::INFINITY; self.tasks];
        for _ in 0..3 {
            room.fill(f64::INFINITY);
            for column in 0..self.columns.len() {
                let tasks = self.columns.tasks(column);
                let share = self.reduced_cost(column).max(0.0) / tasks.len() as f64;
                for &task in tasks {
                    room[task as usize] = room[task as usize].min(share);
                }
            }
            for (dual, room) in self.task_duals.iter_mut().zip(&room) {
                *dual += if room.is_finite() { *room } else { 0.0 };
            }
        }
    }
}

impl Search<'_> {
    /// Lists the columns within the gap by task.
    fn list_columns(&mut self) {
        for column in 0..self.columns.len() {
            if self.reduced_costs[column] < self.gap {
                for &task in self.columns.tasks(column) {
                    self.of_task[task as usize].push(column as u32);
                }
            }
        }
        for list in &mut self.of_task {
            let reduced_costs = &self.reduced_costs;
            list.sort_by(|a, b| reduced_costs[*a as usize].total_cmp(&reduced_costs[*b as usize]));
        }
    }

    fn fits(&self, column: u32, spent: f64) -> bool {
        let class = self.columns.classes[column as usize];
        let tasks = self.columns.tasks(column as usize);
        (class == NIL || self.left[class as usize] > 0)
            && spent + self.reduced_costs[column as usize] < self.gap
            && tasks.iter().all(|task| !self.covered[*task as usize])
    }

    /// The uncovered task with the fewest columns that fit.
    fn branching_task(&self, spent: f64) -> Result<Option<u16>, Stop> {
        let (mut branching_task, mut least) = (None, usize::MAX);
        for task in 0..self.covered.len() {
            if self.covered[task] {
                continue;
            }
            let fitting = self.of_task[task]
                .iter()
                .filter(|column| self.fits(**column, spent));
            let count = fitting.take(least).count();
            self.ticker.step(self.of_task[task].len() as u64)?;
            if count < least {
                (branching_task, least) = (Some(task as u16), count);
            }
        }
        Ok(branching_task)
    }

    /// Searches all completions of the chosen columns, whose reduced costs sum to `spent`.
    fn branch(&mut self, spent: f64) -> Result<(), Stop> {
        let Some(task) = self.branching_task(spent)? else {
            // The bound counts the dual values of all agents; unused agents do not pay theirs.
            let unspent = self.fleet_duals.iter().zip(&self.left);
            let spent = spent
                + unspent
                    .map(|(fleet_dual, left)| fleet_dual * f64::from(*left))
                    .sum::<f64>();
            if spent < self.gap {
                // The next solution has to beat this one.
                self.gap = spent - 1e-6;
                self.best = Some(self.chosen.clone());
            }
            return Ok(());
        };
        for index in 0..self.of_task[task as usize].len() {
            self.ticker.step(1)?;
            let column = self.of_task[task as usize][index];
            if spent + self.reduced_costs[column as usize] >= self.gap {
                break;
            }
            if !self.fits(column, spent) {
                continue;
            }
            self.choose(column);
            self.branch(spent + self.reduced_costs[column as usize])?;
            self.unchoose(column);
        }
        Ok(())
    }

    fn choose(&mut self, column: u32) {
        for &task in self.columns.tasks(column as usize) {
            self.covered[task as usize] = true;
        }
        if let Some(left) = self.left_of(column) {
            *left -= 1;
        }
        self.chosen.push(column);
    }

    fn unchoose(&mut self, column: u32) {
        for &task in self.columns.tasks(column as usize) {
            self.covered[task as usize] = false;
        }
        if let Some(left) = self.left_of(column) {
            *left += 1;
        }
        self.chosen.pop();
    }

    /// Agents left of the class of a column; `None` for a task left unassigned.
    fn left_of(&mut self, column: u32) -> Option<&mut u16> {
        let class = self.columns.classes[column as usize];
        self.left.get_mut(class as usize)
    }
}
