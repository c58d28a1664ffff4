//! Diverse patrols: several plans that differ, such as one for each night, each as good as
//! possible.
//!
//! The *distance* of two plans is the total variation distance of their occupancies: the share of
//! the time of guards that is spent on other arcs (standing at a vertex counts as an arc). The
//! start of a round has no effect, its direction has. With [`Entry::Steady`] the cycles count, else
//! the ticks at which an intruder may be present.
//!
//! Plans are searched one after the other; a plan too similar to the others counts as one that
//! breaks a rule. Then each in turn is searched again, the costliest first. A plan with less than
//! four fifths of the capture of the best one is rejected: fewer plans are better than a guard that
//! stands still.

mod check;
mod occupancy;

pub use check::{distance, nearest_distances_until, verify};
pub(crate) use occupancy::DistanceLimit;

use crate::context::Context;
use crate::plan::{Cost, Plan};
use crate::problem::Problem;
use crate::solve::{Incumbent, Params, TOLERANCE, solve_in};
use anytime::{Conclusion, Control, Fault, Path, SolveError, Stop, fault, millionths};
use occupancy::Occupancy;

#[cfg(doc)]
use crate::problem::Entry;

/// Maximum number of plans.
pub const PLANS_MAX: usize = 16;
/// Distance of plans without a common arc, in millionths.
pub const DISTANCE_MAX_MICRO: u32 = 1_000_000;

/// Problem, number of plans, and least distance between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiverseProblem {
    problem: Problem,
    plans: usize,
    distance_micro: u32,
}

/// Diverse plans, in the order in which they were found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DiversePlans {
    /// At least one, at most as many as requested.
    pub plans: Vec<Plan>,
}

/// Cost of diverse plans, lexicographic: missing plans, the costliest plan, the sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct DiverseCost {
    /// Number of missing plans.
    pub missing: usize,
    /// Cost of the costliest plan.
    pub worst: Cost,
    /// Sum of the costs.
    pub sum: Cost,
}

impl DiverseCost {
    /// As [`Cost::is_visibly_below`], level by level.
    fn is_visibly_below(self, other: Self) -> bool {
        let is_equal =
            |one: Cost, other: Cost| !one.is_visibly_below(other) && !other.is_visibly_below(one);
        match self.missing.cmp(&other.missing) {
            std::cmp::Ordering::Equal if is_equal(self.worst, other.worst) => {
                // Lexicographic.
                self < other && self.sum.is_visibly_below(other.sum)
            }
            std::cmp::Ordering::Equal => self.worst < other.worst,
            missing => missing.is_lt(),
        }
    }
}

/// Parameters of the search for diverse plans.
#[derive(Debug, Clone, PartialEq)]
pub struct DiverseParams {
    /// Iterations of the planner for each plan, at first; doubled after each round without success.
    pub iterations: u64,
    /// Parameters of the planner.
    pub params: Params,
}

impl Default for DiverseParams {
    fn default() -> Self {
        Self {
            iterations: 20_000,
            params: Params::default(),
        }
    }
}

impl DiverseProblem {
    /// Request for `plans` plans with at least this distance between each two, in millionths.
    ///
    /// # Errors
    /// All faults, with paths in the contract's `VaryPatrolsRequest`.
    pub fn new(problem: Problem, plans: usize, distance_micro: u32) -> Result<Self, Vec<Fault>> {
        let mut faults = Vec::new();
        if !(1..=PLANS_MAX).contains(&plans) {
            let (at, max) = (Path::root("plan_count"), PLANS_MAX);
            faults.push(fault!(
                "OUT_OF_RANGE",
                at,
                "is {}, outside of 1 to {}",
                plans,
                max
            ));
        }
        if distance_micro > DISTANCE_MAX_MICRO {
            let at = Path::root("min_distance");
            let given = millionths(distance_micro);
            faults.push(fault!(
                "OUT_OF_RANGE",
                at,
                "is {}, at most 1 is allowed",
                given
            ));
        }
        if faults.is_empty() {
            Ok(Self {
                problem,
                plans,
                distance_micro,
            })
        } else {
            Err(faults)
        }
    }

    /// Problem of each plan.
    #[must_use]
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Number of plans.
    #[must_use]
    pub fn plans(&self) -> usize {
        self.plans
    }

    /// Least distance between two plans, in millionths.
    #[must_use]
    pub(crate) fn distance_micro(&self) -> u32 {
        self.distance_micro
    }
}

/// Plan of the set.
struct Found {
    plan: Plan,
    cost: Cost,
    occupancy: Occupancy,
}

/// Search for diverse plans.
struct Search<'v> {
    problem: &'v DiverseProblem,
    params: DiverseParams,
    found: Vec<Found>,
    /// Lower bound on the cost of one plan.
    bound: Cost,
    /// Number of searches so far: each has its own random stream.
    stream: u64,
}

/// Searches for diverse plans: first for more of them, then for better ones. The iterations are
/// those of the planner.
///
/// `Optimal` is concluded when every plan is at the lower bound of one, `Infeasible` when there is
/// no plan at all.
///
/// # Errors
/// Those of [`crate::solve()`].
pub fn find_diverse_plans(
    problem: &DiverseProblem,
    params: &DiverseParams,
    control: &mut Control<'_, DiversePlans, DiverseCost>,
) -> Result<Conclusion, SolveError> {
    let mut search = Search {
        problem,
        params: params.clone(),
        found: Vec::new(),
        bound: Cost(0),
        stream: 0,
    };
    let mut failed = 0;
    while control.go_on() && control.remaining() > 0 {
        let count = search.found.len();
        // Another plan; or after a failure, or with all plans, one of them again.
        let is_replacement = count == problem.plans || (failed % 2 == 1 && count > 0);
        let index = if is_replacement {
            search.costliest(failed / 2)
        } else {
            count
        };
        let (conclusion, is_better) = search.find(index, control)?;
        if is_better {
            search.offer(control);
        }
        failed = if is_better { 0 } else { failed + 1 };
        if search.found.is_empty() && conclusion == Conclusion::Infeasible {
            return Ok(Conclusion::Infeasible);
        }
        if search.is_optimal() {
            return Ok(Conclusion::Optimal);
        }
        if failed > 0 && failed % (2 * problem.plans) == 0 {
            search.params.iterations = search.params.iterations.saturating_mul(2);
        }
    }
    Ok(Conclusion::Stopped(
        control.stop().unwrap_or(Stop::Iterations),
    ))
}

impl Search<'_> {
    /// Index of the costliest plan, or after failures of the next ones.
    fn costliest(&self, failed: usize) -> usize {
        let mut order: Vec<usize> = (0..self.found.len()).collect();
        order.sort_by_key(|index| std::cmp::Reverse(self.found[*index].cost));
        order[failed % order.len()]
    }

    /// Searches a plan that differs from all but the one with this index, and replaces that one if
    /// the new one costs less; returns whether it does.
    fn find(
        &mut self,
        index: usize,
        control: &mut Control<'_, DiversePlans, DiverseCost>,
    ) -> Result<(Conclusion, bool), SolveError> {
        let problem = &self.problem.problem;
        let others = self.found.iter().enumerate();
        let others = others.filter(|(other, _)| *other != index);
        let limit = DistanceLimit {
            others: others.map(|(_, found)| found.occupancy.clone()).collect(),
            min_micro: self.problem.distance_micro,
        };
        let context = Context::new(problem)
            .with_distance_limit(limit)
            .with_pulse(control.fork());
        let params = &self.params;
        let (incumbent, conclusion) =
            Incumbent::search(control, params.iterations, self.stream, |inner| {
                solve_in(&context, &params.params, inner)
            })?;
        self.stream += 1;
        self.bound = self.bound.max(incumbent.bound);
        control.prove(
            DiverseCost {
                missing: 0,
                worst: self.bound,
                sum: Cost(self.bound.0 * self.problem.plans as u128),
            },
            "each plan",
        );
        let Some((plan, cost)) = incumbent.best else {
            return Ok((conclusion, false));
        };
        let occupancy = Occupancy::new(problem, &plan);
        let found = Found {
            plan,
            cost,
            occupancy,
        };
        let best = self.found.iter().map(|found| found.cost).min();
        let limit = check::cost_limit(problem, best.map_or(cost, |best| best.min(cost)));
        if cost > limit {
            return Ok((conclusion, false));
        }
        match self.found.get_mut(index) {
            None => self.found.push(found),
            Some(old) if found.cost < old.cost => *old = found,
            Some(_) => return Ok((conclusion, false)),
        }
        // Earlier plans may be far worse than this one.
        self.found.retain(|found| found.cost <= limit);
        Ok((conclusion, true))
    }

    /// Whether each plan is optimal within the tolerance.
    fn is_optimal(&self) -> bool {
        let weight = u128::from(self.problem.problem.objective().escape);
        let limit = Cost(self.bound.0 + weight * u128::from(TOLERANCE));
        self.found.len() == self.problem.plans && self.found.iter().all(|found| found.cost <= limit)
    }

    fn offer(&self, control: &mut Control<'_, DiversePlans, DiverseCost>) {
        let plans = self.found.iter().map(|found| found.plan.clone());
        let costs: Vec<Cost> = self.found.iter().map(|found| found.cost).collect();
        let plans = DiversePlans {
            plans: plans.collect(),
        };
        let cost = check::cost(self.problem, &costs);
        if control
            .best()
            .is_none_or(|best| cost.is_visibly_below(best))
        {
            control.offer(&plans, cost, "one by one");
        }
    }
}

anytime::planner! {
    /// The planner of diverse plans.
    pub struct DiversePlanner {
        problem: DiverseProblem,
        params: DiverseParams,
        plan: DiversePlans,
        cost: DiverseCost,
        solve: find_diverse_plans,
        verify: verify,
        verify_until: check::verify_until,
    }
}
