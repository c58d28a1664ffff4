//! Independent check of a plan: nothing here is used by, or taken from, the search.
//!
//! The plan may come from outside, so nothing about it is trusted. It is carried out tick by tick, and each instant at
//! which an intruder may enter is tried.

mod captures;
mod count;
mod form;
mod play;
mod spending;
mod violation;

pub use violation::{At, Violation};

use crate::plan::{Cost, Plan, Terms};
use crate::problem::{CERTAIN, Objective, Problem};

/// Cost of a plan.
///
/// # Errors
/// All broken rules: first route by route, and when every route is sound those about all together.
pub fn verify(problem: &Problem, plan: &Plan) -> Result<Cost, Vec<Violation>> {
    terms(problem, plan).map(|terms| cost(&problem.objective(), &terms))
}

/// Terms of a plan's cost.
///
/// # Errors
/// All broken rules, as [`verify`].
pub fn terms(problem: &Problem, plan: &Plan) -> Result<Terms, Vec<Violation>> {
    stage(problem, plan).map(|play| count::terms(&play))
}

/// For each vertex, the probability, of [`CERTAIN`] and rounded down, that an intruder is caught who enters there at a moment as the
/// problem says, whatever its weight.
///
/// Walkers are followed backwards in time, so that all vertices cost no more than one.
///
/// # Errors
/// All broken rules, as [`verify`].
pub fn captures(problem: &Problem, plan: &Plan) -> Result<Vec<u64>, Vec<Violation>> {
    stage(problem, plan).map(|play| captures::captures(&play))
}

/// How guards spend their time: shares of [`CERTAIN`], by rising step.
///
/// # Errors
/// All broken rules, as [`verify`].
pub(crate) fn spending(problem: &Problem, plan: &Plan) -> Result<Vec<Spent>, Vec<Violation>> {
    stage(problem, plan).map(|play| spending::spending(&play))
}

/// A step between two vertices, or on the spot, and the share of time for it.
pub(crate) type Spent = ((usize, usize), u64);

/// The plan on stage, if it breaks no rule.
fn stage<'p>(problem: &'p Problem, plan: &Plan) -> Result<play::Play<'p>, Vec<Violation>> {
    let broken = form::violations(problem, plan);
    if !broken.is_empty() {
        return Err(broken);
    }
    let play = play::Play::new(problem, plan).map_err(|violation| vec![violation])?;
    let broken = play.violations();
    match broken.is_empty() {
        true => Ok(play),
        false => Err(broken),
    }
}

/// Cost of terms: their sum, weighted by the objective.
#[must_use]
pub fn cost(objective: &Objective, terms: &Terms) -> Cost {
    let worst = u128::from(terms.worst_idleness) * u128::from(CERTAIN);
    let part = |weight: u32, value: u128| u128::from(weight) * value;
    Cost(
        part(objective.escape, terms.escape.into())
            + part(objective.worst_idleness, worst)
            + part(objective.mean_idleness, terms.mean_idleness),
    )
}
