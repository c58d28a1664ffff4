//! Independent check of a plan: nothing here is used by, or taken from, the search.
//!
//! The plan may come from outside, so nothing about it is trusted. It is carried out tick by tick,
//! and each instant at which an intruder may enter is tried.

mod captures;
mod occupancy;
mod routes;
mod simulation;
mod stop_check;
mod terms;
mod violation;

pub use routes::VIOLATIONS_MAX;
pub use violation::{At, Violation};

use crate::plan::{Cost, Plan, Terms};
use crate::problem::{Objective, PROBABILITY_ONE, Problem};
use anytime::Pulse;
use simulation::Simulation;
use stop_check::StopCheck;

/// What comes of a check; `None`: told to stop before it was done.
pub type Checked<T> = Option<Result<T, Vec<Violation>>>;

/// Cost of a plan.
///
/// # Errors
/// All broken rules, up to [`VIOLATIONS_MAX`]: first route by route, and when every route is sound
/// those about all together.
pub fn verify(problem: &Problem, plan: &Plan) -> Result<Cost, Vec<Violation>> {
    terms(problem, plan).map(|terms| cost(&problem.objective(), &terms))
}

/// Terms of a plan's cost.
///
/// # Errors
/// All broken rules, as [`verify`].
pub fn terms(problem: &Problem, plan: &Plan) -> Result<Terms, Vec<Violation>> {
    whole(|pulse| terms_until(problem, plan, pulse))
}

/// The same, unless told to stop.
pub fn terms_until(problem: &Problem, plan: &Plan, pulse: &Pulse) -> Checked<Terms> {
    check((problem, plan, pulse), terms::terms)
}

/// What is done with nobody there who says stop.
pub(crate) fn whole<T>(work: impl FnOnce(&Pulse) -> Option<T>) -> T {
    let nobody = Pulse::endless();
    work(&nobody).expect("nobody tells it to stop")
}

/// For each vertex, whatever its weight, the capture probability of an intruder who enters there at
/// a moment drawn by the problem; of [`PROBABILITY_ONE`] and rounded down.
///
/// Walkers are followed backwards in time, so that all vertices cost no more than one.
///
/// # Errors
/// All broken rules, as [`verify`].
pub fn captures(problem: &Problem, plan: &Plan) -> Result<Vec<u64>, Vec<Violation>> {
    whole(|pulse| captures_until(problem, plan, pulse))
}

/// The same, unless told to stop.
pub fn captures_until(problem: &Problem, plan: &Plan, pulse: &Pulse) -> Checked<Vec<u64>> {
    check((problem, plan, pulse), captures::captures)
}

/// How guards spend their time: shares of [`PROBABILITY_ONE`], by rising step; unless told to stop.
pub(crate) fn occupancy(problem: &Problem, plan: &Plan, pulse: &Pulse) -> Checked<Vec<Spent>> {
    check((problem, plan, pulse), occupancy::occupancy)
}

/// A step between two vertices, or on the spot, and the share of time for it.
pub(crate) type Spent = ((usize, usize), u64);

/// What `judge` says of the plan on stage, if it breaks no rule.
fn check<T>(
    (problem, plan, pulse): (&Problem, &Plan, &Pulse),
    judge: impl FnOnce(&Simulation<'_>) -> Option<T>,
) -> Checked<T> {
    let stop_check = StopCheck::new(pulse);
    let broken = routes::violations(problem, plan, &stop_check)?;
    if !broken.is_empty() {
        return Some(Err(broken));
    }
    let simulation = match Simulation::new(problem, plan, stop_check)? {
        Ok(simulation) => simulation,
        Err(violation) => return Some(Err(vec![violation])),
    };
    let broken = simulation.violations()?;
    if broken.is_empty() {
        judge(&simulation).map(Ok)
    } else {
        Some(Err(broken))
    }
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
