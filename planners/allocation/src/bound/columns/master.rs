//! The restricted master problem: a linear program over the routes that are known.
//!
//! Minimise the cost of the routes chosen and of the tasks left out, such that each task is served
//! at least once or left out, and no class has more routes than agents.

use super::pricing::Column;
use super::relaxation::Relaxation;
use anytime::Pulse;
use milp::{Model, Params, Verdict, solve, variable};

/// Routes above which those of large reduced cost are dropped, and the share that stays, in
/// percent.
const ROUTES_MAX: usize = 2_000;
const STAY: usize = 50;
/// A value below this is 0.
const TINY: f64 = 1e-6;

/// The linear program and its columns.
pub(super) struct Master {
    columns: Vec<Column>,
    program: Model,
    /// By task, the cost of leaving it out in the program, which may be lower than the true one.
    drop_costs: Vec<i64>,
    fleets: Vec<usize>,
    /// Cost of one unit of the objective, so that numbers are neither large nor small.
    unit: f64,
}

/// An optimum of the linear program, in cost.
pub(super) struct Optimum {
    pub(super) objective: f64,
    /// By task, then by class: dual values, at least 0.
    pub(super) duals: Vec<f64>,
    /// The routes that it uses.
    pub(super) used: Vec<Column>,
    /// Whether each route is used or not, none in part.
    pub(super) is_integral: bool,
    /// Tasks that are left out, at least in part.
    pub(super) dropped: Vec<usize>,
}

impl Master {
    /// A program without routes, in which leaving out a task costs at most `drop_max`.
    pub(super) fn new(relaxation: &Relaxation<'_>, drop_max: i64) -> Self {
        let fleets = relaxation.classes.iter().map(|class| class.agents.len());
        let mut master = Self {
            columns: Vec::new(),
            program: Model::new(),
            drop_costs: Vec::new(),
            fleets: fleets.collect(),
            unit: (drop_max as f64 / 1e3).max(1.0),
        };
        master.limit_drop_costs(relaxation, drop_max);
        master
    }

    /// Sets the largest cost of leaving out a task.
    pub(super) fn limit_drop_costs(&mut self, relaxation: &Relaxation<'_>, drop_max: i64) {
        let costs = (0..relaxation.tasks()).map(|task| relaxation.dual_max(task).min(drop_max));
        self.drop_costs = costs.collect();
        self.rebuild();
    }

    /// Writes the program again.
    fn rebuild(&mut self) {
        let mut program = Model::new();
        let mut objective = milp::Expression::default();
        let drops: Vec<_> = (self.drop_costs.iter())
            .map(|cost| {
                let drop = program.add(variable().min(0));
                objective += (*cost as f64 / self.unit) * drop;
                drop
            })
            .collect();
        for drop in drops {
            program.require_between(drop, 1.0, f64::INFINITY);
        }
        for fleet in &self.fleets {
            let none = milp::Expression::default();
            program.require_between(none, f64::NEG_INFINITY, *fleet as f64);
        }
        program.minimise(objective);
        self.program = program;
        for column in std::mem::take(&mut self.columns) {
            self.push(column);
        }
    }

    fn push(&mut self, column: Column) {
        let mut tasks = column.tasks.clone();
        tasks.sort_unstable();
        let visits = tasks.chunk_by(|a, b| a == b);
        let visits = visits.map(|same| (same[0], same.len() as f64));
        let fleet = (self.drop_costs.len() + column.class, 1.0);
        let rows: Vec<(usize, f64)> = visits.chain([fleet]).collect();
        let cost = column.cost as f64 / self.unit;
        self.program.add_column(variable().min(0), cost, &rows);
        self.columns.push(column);
    }

    /// Adds a route unless it is there; returns whether it was added.
    pub(super) fn add(&mut self, column: Column) -> bool {
        let is_new = !self.columns.contains(&column);
        if is_new {
            self.push(column);
        }
        is_new
    }

    /// Solves the program; `None`: it was stopped, or the solver failed.
    pub(super) fn solve(&mut self, pulse: &Pulse) -> Option<Optimum> {
        let outcome = solve(&self.program, &Params::default(), pulse, &mut ()).ok()?;
        let (solution, duals) = outcome.solution.zip(outcome.duals)?;
        if outcome.verdict != Verdict::Optimal {
            return None;
        }
        let tasks = self.drop_costs.len();
        let rows = duals.rows.iter().enumerate();
        // A row that limits from above has a dual value of at most 0.
        let rows = rows.map(|(row, dual)| if row < tasks { *dual } else { -dual });
        let (dropped, values) = solution.values.split_at(tasks);
        let used = self.columns.iter().zip(values);
        let used = used.filter(|(_, value)| **value > TINY);
        let optimum = Optimum {
            objective: solution.objective * self.unit,
            duals: rows.map(|dual| dual.max(0.0) * self.unit).collect(),
            used: used.map(|(column, _)| column.clone()).collect(),
            is_integral: (solution.values.iter()).all(|v| (v - v.round()).abs() < TINY),
            dropped: (0..tasks).filter(|task| dropped[*task] > TINY).collect(),
        };
        if self.columns.len() > ROUTES_MAX {
            self.drop_routes(values, &duals.reduced_costs[tasks..]);
        }
        Some(optimum)
    }

    /// Drops the routes of the largest reduced costs.
    fn drop_routes(&mut self, values: &[f64], reduced_costs: &[f64]) {
        let mut order: Vec<usize> = (0..self.columns.len()).collect();
        order.sort_by(|a, b| {
            let is_unused = |column: usize| values[column] < TINY;
            let by_use = is_unused(*a).cmp(&is_unused(*b));
            by_use.then(reduced_costs[*a].total_cmp(&reduced_costs[*b]))
        });
        let mut stays = vec![false; self.columns.len()];
        let first = &order[..ROUTES_MAX * STAY / 100];
        first.iter().for_each(|column| stays[*column] = true);
        let mut index = 0;
        self.retain(&mut |_| {
            index += 1;
            stays[index - 1]
        });
    }

    /// Retains routes.
    pub(super) fn retain(&mut self, stays: &mut dyn FnMut(&Column) -> bool) {
        let before = self.columns.len();
        self.columns.retain(|column| stays(column));
        if self.columns.len() < before {
            self.rebuild();
        }
    }
}
