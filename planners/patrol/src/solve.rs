//! How plans are found.

mod beam;
mod endless;
mod proof;
mod scene;
mod watch;

use crate::plan::{Cost, Plan};
use crate::problem::{Entry, Problem};
use anytime::{Conclusion, Control, SolveError, Stop};
use scene::Scene;

/// How to look for a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Params {}

/// Looks for better and better plans.
///
/// # Errors
/// None so far.
pub fn solve(
    problem: &Problem,
    _: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Result<Conclusion, SolveError> {
    let scene = Scene::new(problem);
    if problem.intruder().entry == Entry::Start {
        return Ok(watch::watch(&scene, control));
    }
    Ok(Conclusion::Stopped(
        control.stop().unwrap_or(Stop::Exhausted),
    ))
}
