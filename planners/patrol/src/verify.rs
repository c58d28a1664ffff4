//! Verification: an independent simulation of a plan, tick by tick. It shares no code with the
//! search.
//!
//! A plan may come from outside, so nothing about it is trusted:
//!
//! 1. Each route alone (`routes`): guards start where they are, move along edges, and pause.
//! 2. The simulation (`simulation`): positions at all ticks up to the end of one joint period. The
//!    rules about all guards together: passing on edges, and gaps.
//! 3. The terms of the cost (`terms`), with an intruder at each distinct tick of entry. A
//!    stationary intruder escapes if no guard sees its vertex in its window; the belief about a
//!    dynamic one is propagated step by step.
//!
//! Functions `.._until` have a stop condition.

mod captures;
mod occupancy;
mod routes;
mod simulation;
mod terms;

pub(crate) use occupancy::ArcShare;
pub use routes::VIOLATIONS_MAX;

use crate::plan::{Cost, Plan, Terms};
use crate::problem::{Objective, PROBABILITY_ONE, Problem};
use anytime::{Fault, Path, Pulse, Ticker};
use simulation::Simulation;

/// Steps between two looks at the stop signal: less than a millisecond.
const PERIOD: u64 = 200_000;

/// Result of a verification, or all broken rules; `None`: stopped.
pub type Checked<T> = Option<Result<T, Vec<Fault>>>;

/// Cost of a plan.
///
/// # Errors
/// Broken rules, up to [`VIOLATIONS_MAX`], with paths in the contract's `PatrolPlan`: of each
/// route, or if there are none, of all routes together.
pub fn verify(problem: &Problem, plan: &Plan) -> Result<Cost, Vec<Fault>> {
    terms(problem, plan).map(|terms| cost(&problem.objective(), &terms))
}

/// Terms of the cost of a plan.
///
/// # Errors
/// As [`verify`].
pub fn terms(problem: &Problem, plan: &Plan) -> Result<Terms, Vec<Fault>> {
    unstopped(|pulse| terms_until(problem, plan, pulse))
}

/// The same with a stop condition.
pub fn terms_until(problem: &Problem, plan: &Plan, pulse: &Pulse) -> Checked<Terms> {
    check(problem, plan, pulse, terms::terms)
}

/// Result of a computation without a stop condition.
pub(crate) fn unstopped<T>(compute: impl FnOnce(&Pulse) -> Option<T>) -> T {
    compute(&Pulse::unbounded()).expect("it is never stopped")
}

/// Capture probability by vertex of entry, whatever its weight, at a tick drawn by the problem; in
/// units of 2^-60, rounded down.
///
/// A dynamic intruder is followed backwards in time, for all vertices at the cost of one.
///
/// # Errors
/// As [`verify`].
pub fn captures(problem: &Problem, plan: &Plan) -> Result<Vec<u64>, Vec<Fault>> {
    unstopped(|pulse| captures_until(problem, plan, pulse))
}

/// The same with a stop condition.
pub(crate) fn captures_until(problem: &Problem, plan: &Plan, pulse: &Pulse) -> Checked<Vec<u64>> {
    check(problem, plan, pulse, captures::captures)
}

/// Shares of the time of all guards by arc.
pub(crate) fn occupancy(problem: &Problem, plan: &Plan, pulse: &Pulse) -> Checked<Vec<ArcShare>> {
    check(problem, plan, pulse, occupancy::occupancy)
}

/// Result of `compute` for the simulation of a plan, if it breaks no rule.
fn check<T>(
    problem: &Problem,
    plan: &Plan,
    pulse: &Pulse,
    compute: impl FnOnce(&Simulation<'_>) -> Option<T>,
) -> Checked<T> {
    let ticker = Ticker::new(pulse.clone(), PERIOD);
    let faults = routes::faults(problem, plan, &ticker)?;
    if !faults.is_empty() {
        return Some(Err(faults));
    }
    let simulation = match Simulation::new(problem, plan, ticker)? {
        Ok(simulation) => simulation,
        Err(fault) => return Some(Err(vec![fault])),
    };
    let faults = simulation.faults()?;
    if faults.is_empty() {
        compute(&simulation).map(Ok)
    } else {
        Some(Err(faults))
    }
}

/// Faults of a plan that is part of a message, with paths in that message; the plan is at `at`.
pub(crate) fn inside(at: &Path<'_>, faults: Vec<Fault>) -> impl Iterator<Item = Fault> + use<> {
    let at = at.steps();
    faults.into_iter().map(move |mut fault| {
        fault.at.splice(0..0, at.iter().copied());
        fault
    })
}

/// Cost of terms: their sum, weighted by the objective.
#[must_use]
pub fn cost(objective: &Objective, terms: &Terms) -> Cost {
    let worst = u128::from(terms.worst_idleness) * u128::from(PROBABILITY_ONE);
    let part = |weight: u32, value: u128| u128::from(weight) * value;
    Cost(
        part(objective.escape, terms.escape.into())
            + part(objective.worst_idleness, worst)
            + part(objective.mean_idleness, terms.mean_idleness),
    )
}
