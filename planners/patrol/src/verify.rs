//! Independent check of a plan: nothing here is used by, or taken from, the search.
//!
//! The plan may come from outside, so nothing about it is trusted. It is carried out tick by tick, and each instant at
//! which an intruder may enter is tried.

mod count;
mod form;
mod play;
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
    let broken = form::violations(problem, plan);
    if !broken.is_empty() {
        return Err(broken);
    }
    let play = play::Play::new(problem, plan).map_err(|violation| vec![violation])?;
    let broken = play.violations();
    match broken.is_empty() {
        true => Ok(count::terms(&play)),
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
