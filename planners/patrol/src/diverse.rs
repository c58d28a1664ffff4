//! Diverse patrols: several plans that differ, such as one for each night, each as good as
//! possible.
//!
//! The difference of two plans is measured by how guards spend their time: standing at which
//! vertex, walking on which arc. The *distance* is the share of that time that differs (total
//! variation distance). The start of a round does not count, its direction does. With
//! [`Entry::Steady`] the cycles count, else the ticks at which an intruder may be present.
//!
//! Plans are searched one after the other; a plan too near to the others counts as one that breaks
//! a rule. Then each in turn is searched again, the costliest first. A plan that catches less than
//! four fifths of what the best one catches is rejected: fewer plans are better than a guard that
//! stands still.

mod check;
mod occupancy;

pub use check::{DiverseViolation, distance, nearest_distances_until, verify};
pub(crate) use occupancy::DistanceLimit;

use crate::context::Context;
use crate::plan::{Cost, Plan};
use crate::problem::Problem;
use crate::solve::{Params, TOLERANCE, solve_in};
use anytime::{Conclusion, Control, Limits, Offer, Pulse, Sink, SolveError, Stop};
use occupancy::Occupancy;

#[cfg(doc)]
use crate::problem::Entry;

/// Most plans.
pub const PLANS_MAX: usize = 16;
/// Plans that differ in everything: the unit of distances is a millionth of that.
pub const DISTANCE_MAX_MICRO: u32 = 1_000_000;

/// A problem, and how many plans are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiverseProblem {
    problem: Problem,
    plans: usize,
    distance_micro: u32,
}

/// Why several plans cannot be asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DiverseError {
    /// None, or too many.
    #[error("{given} plans, outside of 1 to {PLANS_MAX}")]
    PlansOutOfRange {
        /// Plans asked for.
        given: usize,
    },
    /// More than everything.
    #[error("a distance of {given} millionths, more than {DISTANCE_MAX_MICRO}")]
    DistanceOutOfRange {
        /// Millionths asked for.
        given: u32,
    },
}

/// Several plans, in the order in which they were found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DiversePlans {
    /// At least one, at most as many as are asked for.
    pub plans: Vec<Plan>,
}

/// What several plans cost; lower is better: first plans that are missing, then the costliest plan,
/// then all together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct DiverseCost {
    /// Plans fewer than asked for.
    pub missing: usize,
    /// What the costliest costs.
    pub worst: Cost,
    /// What all cost, added up.
    pub sum: Cost,
}

impl DiverseCost {
    /// As [`Cost::is_visibly_below`], level by level.
    fn is_visibly_below(self, other: Self) -> bool {
        let is_equal =
            |one: Cost, other: Cost| !one.is_visibly_below(other) && !other.is_visibly_below(one);
        match self.missing.cmp(&other.missing) {
            std::cmp::Ordering::Equal if is_equal(self.worst, other.worst) => {
                // The levels are compared in their order.
                self < other && self.sum.is_visibly_below(other.sum)
            }
            std::cmp::Ordering::Equal => self.worst < other.worst,
            missing => missing.is_lt(),
        }
    }
}

/// How to search for several plans.
#[derive(Debug, Clone, PartialEq)]
pub struct DiverseParams {
    /// Iterations of the planner for each plan, at first; each time round twice as many.
    pub iterations: u64,
    /// How the planner searches.
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
    /// Asks for so many plans, each two at least so many millionths apart.
    ///
    /// # Errors
    /// All mistakes.
    pub fn new(
        problem: Problem,
        plans: usize,
        distance_micro: u32,
    ) -> Result<Self, Vec<DiverseError>> {
        let mut errors = Vec::new();
        if !(1..=PLANS_MAX).contains(&plans) {
            errors.push(DiverseError::PlansOutOfRange { given: plans });
        }
        if distance_micro > DISTANCE_MAX_MICRO {
            let given = distance_micro;
            errors.push(DiverseError::DistanceOutOfRange { given });
        }
        if errors.is_empty() {
            Ok(Self {
                problem,
                plans,
                distance_micro,
            })
        } else {
            Err(errors)
        }
    }

    /// What each plan is for.
    #[must_use]
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Plans asked for.
    #[must_use]
    pub fn plans(&self) -> usize {
        self.plans
    }

    /// How far any two have to be apart, in millionths.
    #[must_use]
    pub fn distance_micro(&self) -> u32 {
        self.distance_micro
    }
}

/// The best plan and bound of one search.
struct Incumbent {
    best: Option<(Plan, Cost)>,
    bound: Cost,
}

impl Sink<Plan, Cost> for Incumbent {
    fn offer(&mut self, offer: Offer<'_, Plan, Cost>) {
        self.best = Some((offer.plan.clone(), offer.cost));
    }

    fn bound(&mut self, bound: Cost, _: &'static str) {
        self.bound = bound;
    }
}

/// A plan that was found.
struct Found {
    plan: Plan,
    cost: Cost,
    usage: Occupancy,
}

/// The search.
struct Search<'v> {
    variety: &'v DiverseProblem,
    params: DiverseParams,
    found: Vec<Found>,
    /// No plan costs less.
    bound: Cost,
    /// Searches so far: each has its own luck.
    stream: u64,
}

/// Looks for several plans, first more of them, then better ones. An iteration is one of the
/// planner's.
///
/// `Optimal` is concluded when every plan is at the bound that was proved for one, `Infeasible`
/// when there is not even one.
///
/// # Errors
/// Those of [`crate::solve()`].
pub fn find_diverse_plans(
    variety: &DiverseProblem,
    params: &DiverseParams,
    control: &mut Control<'_, DiversePlans, DiverseCost>,
) -> Result<Conclusion, SolveError> {
    let mut search = Search {
        variety,
        params: params.clone(),
        found: Vec::new(),
        bound: Cost(0),
        stream: 0,
    };
    let mut failed = 0;
    while control.go_on() && control.remaining() > 0 {
        let count = search.found.len();
        // Another one; or if that was in vain, or all are there, one of them anew.
        let anew = count == variety.plans || (failed % 2 == 1 && count > 0);
        let index = if anew {
            search.costliest(failed / 2)
        } else {
            count
        };
        let (conclusion, better) = search.find(index, control)?;
        if better {
            search.offer(control);
        }
        failed = if better { 0 } else { failed + 1 };
        if search.found.is_empty() && conclusion == Conclusion::Infeasible {
            return Ok(Conclusion::Infeasible);
        }
        if search.is_best() {
            return Ok(Conclusion::Optimal);
        }
        if failed > 0 && failed % (2 * variety.plans) == 0 {
            search.params.iterations = search.params.iterations.saturating_mul(2);
        }
    }
    let why = control.stop().unwrap_or(Stop::Iterations);
    Ok(Conclusion::Stopped(why))
}

impl Search<'_> {
    /// The plan that costs most; the next after so many tries in vain.
    fn costliest(&self, failed: usize) -> usize {
        let mut order: Vec<usize> = (0..self.found.len()).collect();
        order.sort_by_key(|index| std::cmp::Reverse(self.found[*index].cost));
        order[failed % order.len()]
    }

    /// Searches a plan unlike all but the one with this index, and replaces that one if it costs
    /// less; returns whether it does.
    fn find(
        &mut self,
        index: usize,
        control: &mut Control<'_, DiversePlans, DiverseCost>,
    ) -> Result<(Conclusion, bool), SolveError> {
        let problem = &self.variety.problem;
        let others = self.found.iter().enumerate();
        let others = others.filter(|(other, _)| *other != index);
        let unlike = DistanceLimit {
            others: others.map(|(_, found)| found.usage.clone()).collect(),
            least_micro: self.variety.distance_micro,
        };
        let context = Context::new(problem)
            .with_distance_limit(unlike)
            .with_pulse(control.fork());
        let limits = Limits {
            iterations_max: Some(self.params.iterations.min(control.remaining())),
            ..control.limits().clone()
        };
        let mut incumbent = Incumbent {
            best: None,
            bound: Cost(0),
        };
        let mut inner = Control::new(limits, control.seed(self.stream), &mut incumbent);
        let conclusion = solve_in(&context, &self.params.params, &mut inner)?;
        let iterations = inner.iterations();
        control.count(iterations.max(1).min(control.remaining()));
        self.stream += 1;
        self.bound = self.bound.max(incumbent.bound);
        control.prove(
            DiverseCost {
                missing: 0,
                worst: self.bound,
                sum: Cost(self.bound.0 * self.variety.plans as u128),
            },
            "each plan",
        );
        let Some((plan, cost)) = incumbent.best else {
            return Ok((conclusion, false));
        };
        let usage = Occupancy::new(problem, &plan);
        let found = Found { plan, cost, usage };
        let least = self.found.iter().map(|found| found.cost).min();
        let most = check::most(problem, least.map_or(cost, |least| least.min(cost)));
        if cost > most {
            return Ok((conclusion, false));
        }
        match self.found.get_mut(index) {
            None => self.found.push(found),
            Some(old) if found.cost < old.cost => *old = found,
            Some(_) => return Ok((conclusion, false)),
        }
        // What was good until now may be far worse than this one.
        self.found.retain(|found| found.cost <= most);
        Ok((conclusion, true))
    }

    /// Whether each plan is at the bound, but for what bounds by doubles give away.
    fn is_best(&self) -> bool {
        let weight = u128::from(self.variety.problem.objective().escape);
        let most = Cost(self.bound.0 + weight * u128::from(TOLERANCE));
        self.found.len() == self.variety.plans && self.found.iter().all(|found| found.cost <= most)
    }

    fn offer(&self, control: &mut Control<'_, DiversePlans, DiverseCost>) {
        let plans = self.found.iter().map(|found| found.plan.clone());
        let costs: Vec<Cost> = self.found.iter().map(|found| found.cost).collect();
        let plans = DiversePlans {
            plans: plans.collect(),
        };
        let cost = check::cost(self.variety, &costs);
        if control
            .best()
            .is_none_or(|best| cost.is_visibly_below(best))
        {
            control.offer(&plans, cost, "one by one");
        }
    }
}

/// The planner for several plans, as its runner sees it.
#[derive(Debug, Clone, Copy)]
pub struct DiversePlanner;

impl anytime::Planner for DiversePlanner {
    type Problem = DiverseProblem;
    type Params = DiverseParams;
    type Plan = DiversePlans;
    type Cost = DiverseCost;
    type Violation = DiverseViolation;

    fn solve(
        problem: &DiverseProblem,
        params: &DiverseParams,
        control: &mut Control<'_, DiversePlans, DiverseCost>,
    ) -> Result<Conclusion, SolveError> {
        find_diverse_plans(problem, params, control)
    }

    fn verify(
        problem: &DiverseProblem,
        plan: &DiversePlans,
    ) -> Result<DiverseCost, Vec<DiverseViolation>> {
        verify(problem, plan)
    }

    fn verify_until(
        problem: &DiverseProblem,
        plan: &DiversePlans,
        pulse: &Pulse,
    ) -> Option<Result<DiverseCost, Vec<DiverseViolation>>> {
        check::verify_until(problem, plan, pulse)
    }
}
