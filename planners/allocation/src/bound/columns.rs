//! Lower bounds by column generation.
//!
//! # Bound
//! In the relaxation (`relaxation.rs`) routes may serve a task more than once, and couplings,
//! breaks, limits on changes and all levels of the cost but one are dropped. Let `c(r)` be the cost
//! of a route, `a(i, r)` how often it serves task `i`, `p(i)` the cost of leaving out task `i`
//! (infinite where it has to be done) and `m(k)` the number of agents of class `k`. For any dual
//! values `0 <= u(i) <= p(i)` every plan costs at least
//!
//! `sum u(i) + sum m(k) min(0, min over routes r of class k of (c(r) - sum a(i, r) u(i)))`.
//!
//! Proof: a plan costs `sum c(r) + sum of p(i) over the tasks left out`, which is at least
//! `sum u(i) + sum over its routes of (c(r) - sum a(i, r) u(i))`, and it has at most `m(k)` routes
//! of class `k`. All numbers are whole, and the least reduced costs are those of exact pricing or
//! lower: neither the objective of a linear program nor a floating-point number is trusted (Held,
//! Cook, Sewell, "Maximum-weight stable sets and safe lower bounds for graph coloring",
//! Mathematical Programming Computation 4 (2012)). The bound is rounded up to a multiple of the
//! greatest common divisor of all costs.
//!
//! In a strict problem the level is the first after that of the unserved tasks, and tasks are
//! mandatory: a plan that leaves out some of them costs more than any that does not.
//!
//! # Method
//! Dual values come from a linear program over some routes, the restricted master problem
//! (`master.rs`), to which pricing (`pricing.rs`) adds routes of negative reduced cost until there
//! are none: Desaulniers, Desrosiers, Solomon (editors), "Column generation", Springer (2005).
//! Pricing looks at a point between these dual values and those of the best bound (smoothing:
//! Wentges, "Weighted Dantzig-Wolfe decomposition for linear mixed-integer programming",
//! International Transactions in Operational Research 4 (1997)). Where the optimum of the linear
//! program uses routes with cycles, routes remember more tasks, and it goes on.

mod completion;
mod labels;
mod master;
mod neighbours;
mod pricing;
mod relaxation;

use super::free;
use crate::certificate::{DualBound, PricedClass};
use crate::plan::{Cost, Plan};
use crate::problem::Problem;
use anytime::{Pulse, Stop, Ticker};
use completion::Completions;
use master::{Master, Optimum};
pub use neighbours::Memory;
use neighbours::Neighbours;
use pricing::{Column, Depth, Duals, Subproblem};
use relaxation::{AMOUNT_MAX, Relaxation};

/// Name of the method for reports.
pub const METHOD: &str = "ng_routes";

/// Arcs and comparisons of labels between two looks at the stop signal.
const PERIOD: u64 = 20_000;
/// Share of the best dual values in those that are priced.
const SMOOTHING: f64 = 0.5;
/// Rises of a bound that are reported while it still rises, and the distance to the objective of
/// the linear program at which it is solved, as shares of the bound.
const RISE_MIN: f64 = 5e-4;
const CLOSE: f64 = 1e-5;

/// How a search for bounds ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// No bound of this kind is known for the problem.
    Unsupported,
    /// The bound is that of the linear program over all routes. Where its optimum is a plan of the
    /// relaxation, it is the cost of the best plan.
    Optimal {
        /// Whether the optimum is integral and serves no task twice.
        is_plan: bool,
    },
    /// Stopped, with [`Stop::Exhausted`] where there were too many labels or the solver of the
    /// linear programs failed.
    Stopped(Stop),
}

/// Searches for lower bounds on the cost of every valid plan, and calls `found` with each that is
/// higher than those before. `start` is a plan to begin with, which need not be good.
pub fn dual_bounds(
    problem: &Problem,
    memory: Memory,
    start: &Plan,
    pulse: &Pulse,
    found: &mut dyn FnMut(DualBound),
) -> End {
    let free = free(problem);
    let Some(relaxation) = Relaxation::new(&free) else {
        return End::Unsupported;
    };
    let mut search = Search::new(&relaxation, memory, pulse, found);
    search.begin(start);
    let end = search.run();
    search.report_rest();
    match end {
        Ok(is_plan) => End::Optimal { is_plan },
        Err(stop) => End::Stopped(stop),
    }
}

struct Search<'s, 'p> {
    relaxation: &'s Relaxation<'p>,
    neighbours: Neighbours,
    master: Master,
    /// Largest cost of leaving out a task in the master problem.
    drop_max: i64,
    /// The best bound, and its dual values.
    best: Option<(i64, Vec<f64>)>,
    /// The last bound that was reported; 0 is none.
    reported: i64,
    /// The best bound, if it was not reported.
    unreported: Option<DualBound>,
    pulse: &'s Pulse,
    ticker: Ticker,
    found: &'s mut dyn FnMut(DualBound),
}

/// Result of looking for routes.
enum Separation {
    Added,
    /// No route has a negative reduced cost.
    Closed,
}

impl<'s, 'p> Search<'s, 'p> {
    fn new(
        relaxation: &'s Relaxation<'p>,
        memory: Memory,
        pulse: &'s Pulse,
        found: &'s mut dyn FnMut(DualBound),
    ) -> Self {
        let inner = relaxation.classes.iter().flat_map(|class| {
            let inner = class.arcs.iter().flatten();
            class
                .first
                .iter()
                .chain(inner)
                .chain(class.last.iter().flatten())
        });
        let dearest = inner.map(|arc| arc.cost).max().unwrap_or(0);
        let drop_max = dearest.saturating_mul(4).clamp(1, AMOUNT_MAX);
        Self {
            relaxation,
            neighbours: Neighbours::new(relaxation, memory),
            master: Master::new(relaxation, drop_max),
            drop_max,
            best: None,
            reported: 0,
            unreported: None,
            pulse,
            ticker: Ticker::new(pulse.clone(), PERIOD),
            found,
        }
    }

    /// Adds the routes of a plan, and of each task alone.
    fn begin(&mut self, start: &Plan) {
        let classes = self.relaxation.classes.iter().enumerate();
        for (index, class) in classes {
            let routes = start.routes.iter();
            let own = routes.filter(|route| class.agents.contains(&route.agent));
            let own = own.map(|route| route.stops.iter().map(|stop| stop.task).collect());
            let alone = (0..self.relaxation.tasks()).map(|task| vec![task]);
            for tasks in own.chain(alone) {
                if let Some(cost) = self.relaxation.route_cost(index, &tasks) {
                    self.master.add(Column {
                        class: index,
                        tasks,
                        cost,
                    });
                }
            }
        }
    }

    /// Solves the linear program over all routes; returns whether its optimum is a plan.
    fn run(&mut self) -> Result<bool, Stop> {
        loop {
            let optimum = self.master.solve(self.pulse);
            let Some(optimum) = optimum else {
                return Err(self.pulse.stop().unwrap_or(Stop::Exhausted));
            };
            if !self.is_closed(&optimum) && matches!(self.separate(&optimum)?, Separation::Added) {
                continue;
            }
            if self.raise_drop_costs(&optimum) || self.remember_more(&optimum) {
                continue;
            }
            let served = optimum.used.iter().flat_map(|column| &column.tasks);
            let mut served: Vec<usize> = served.copied().collect();
            served.sort_unstable();
            let is_once = served.is_sorted_by(|a, b| a < b);
            return Ok(is_once && optimum.is_integral && !self.drops_dear_task(&optimum));
        }
    }

    /// Whether the bound is the objective of the linear program, but for rounding.
    fn is_closed(&self, optimum: &Optimum) -> bool {
        let objective = optimum.objective;
        let Some((best, _)) = &self.best else {
            return false;
        };
        let rounded = self.rounded_up(*best) as f64;
        rounded.max(*best as f64) >= objective - CLOSE * objective.abs()
    }

    /// Adds routes of negative reduced cost.
    fn separate(&mut self, optimum: &Optimum) -> Result<Separation, Stop> {
        let outer = &optimum.duals;
        let mut share = if self.best.is_some() { SMOOTHING } else { 0.0 };
        loop {
            let inner = self.best.as_ref().map_or(outer, |best| &best.1);
            let mixed = inner.iter().zip(outer);
            let mixed = mixed.map(|(inner, outer)| share * inner + (1.0 - share) * outer);
            let mixed: Vec<f64> = mixed.collect();
            if self.price(&mixed, &self.whole(outer))? {
                return Ok(Separation::Added);
            }
            if share == 0.0 {
                return Ok(Separation::Closed);
            }
            share = if share > SMOOTHING / 2.0 {
                SMOOTHING / 4.0
            } else {
                0.0
            };
        }
    }

    /// Prices all classes at dual values, ever more exactly until a route is found whose reduced
    /// cost at `outer` is negative; returns whether there is one. Notes the bounds.
    fn price(&mut self, duals: &[f64], outer: &Duals) -> Result<bool, Stop> {
        let whole = self.whole(duals);
        // Where columns are added, what routes remember stays.
        let neighbours = self.neighbours.of_task.clone();
        let classes = self.relaxation.classes.iter().enumerate();
        let subproblems = classes.map(|(index, class)| Subproblem {
            relaxation: self.relaxation,
            class,
            index,
            duals: &whole,
            neighbours: &neighbours,
        });
        let subproblems: Vec<Subproblem<'_, '_>> = subproblems.collect();
        let completions = subproblems.iter();
        let completions = completions.map(|sub| Completions::new(sub, &self.ticker));
        let completions = completions.collect::<Result<Vec<_>, _>>()?;
        for depth in [Depth::Quick, Depth::Middle, Depth::Exact] {
            let (mut added, mut least) = (false, Vec::new());
            for (sub, completions) in subproblems.iter().zip(&completions) {
                let priced = sub.price(completions, depth, &self.ticker)?;
                // Without the dual value of the fleet.
                least.extend(priced.least.map(|least| least - whole.fleets[sub.index]));
                for column in priced.columns {
                    let is_negative = column.reduced_cost(outer) < 0;
                    added |= is_negative && self.master.add(column);
                }
            }
            if least.len() == subproblems.len() {
                self.note(duals, &whole, &least, depth);
            }
            if added {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Notes a bound if it is the best. Reports it unless it is one of many that are little better.
    fn note(&mut self, duals: &[f64], whole: &Duals, least: &[i64], depth: Depth) {
        let classes = self.relaxation.classes.iter().zip(least);
        let classes: i128 = classes
            .map(|(class, least)| class.agents.len() as i128 * i128::from(*least))
            .sum();
        let tasks: i128 = whole.tasks.iter().map(|dual| i128::from(*dual)).sum();
        let Ok(bound) = i64::try_from(tasks + classes) else {
            return;
        };
        if self.best.as_ref().is_none_or(|best| bound > best.0) {
            self.best = Some((bound, duals.to_vec()));
        }
        let rounded = self.rounded_up(bound);
        let known = self.unreported.as_ref().map(|proof| self.amount(proof));
        if rounded <= self.reported.max(known.unwrap_or(0)) {
            return;
        }
        self.unreported = Some(self.certificate(whole, least, rounded));
        let rise = (self.reported as f64 * RISE_MIN) as i64;
        if depth == Depth::Exact || rounded > self.reported.saturating_add(rise) {
            self.report_rest();
        }
    }

    /// Reports the best bound, if that was not reported.
    fn report_rest(&mut self) {
        if let Some(proof) = self.unreported.take() {
            self.reported = self.amount(&proof);
            (self.found)(proof);
        }
    }

    fn amount(&self, proof: &DualBound) -> i64 {
        proof.bound.0[self.relaxation.level]
    }

    fn certificate(&self, duals: &Duals, least: &[i64], rounded: i64) -> DualBound {
        let classes = self.relaxation.classes.iter().zip(least);
        let classes = classes.map(|(class, least)| PricedClass {
            agents: class.agents.clone(),
            least: *least,
        });
        let mut bound = Cost::default();
        bound.0[self.relaxation.level] = rounded;
        DualBound {
            duals: duals.tasks.clone(),
            neighbours: self.neighbours.lists(),
            classes: classes.collect(),
            bound,
        }
    }

    fn rounded_up(&self, bound: i64) -> i64 {
        let step = self.relaxation.step;
        bound.saturating_add(step - 1).div_euclid(step) * step
    }

    /// Whole dual values that are allowed.
    fn whole(&self, duals: &[f64]) -> Duals {
        let (tasks, fleets) = duals.split_at(self.relaxation.tasks());
        let whole = |dual: &f64, most: i64| (dual.floor() as i64).clamp(0, most);
        let tasks = tasks.iter().enumerate();
        Duals {
            tasks: tasks
                .map(|(task, dual)| whole(dual, self.relaxation.dual_max(task)))
                .collect(),
            fleets: fleets.iter().map(|dual| whole(dual, AMOUNT_MAX)).collect(),
        }
    }

    /// Whether a task is left out only because of the limit on what that costs.
    fn drops_dear_task(&self, optimum: &Optimum) -> bool {
        let mut dropped = optimum.dropped.iter();
        dropped.any(|task| self.relaxation.dual_max(*task) > self.drop_max)
    }

    /// Raises the limit on the costs of leaving out if such a task is left out.
    fn raise_drop_costs(&mut self, optimum: &Optimum) -> bool {
        let raises = self.drops_dear_task(optimum);
        if raises {
            self.drop_max = self.drop_max.saturating_mul(8).min(AMOUNT_MAX);
            self.master.limit_drop_costs(self.relaxation, self.drop_max);
        }
        raises
    }

    /// Has routes remember the tasks of cycles that the optimum uses; false: there is none, or
    /// they remember enough.
    fn remember_more(&mut self, optimum: &Optimum) -> bool {
        let grows = self.neighbours.grow(&optimum.used);
        if grows {
            let neighbours = &self.neighbours;
            self.master.retain(&mut |column| neighbours.allow(column));
        }
        grows
    }
}
