//! How plans are found.

mod anneal;
mod beam;
mod bound;
mod endless;
mod launch;
mod proof;
mod round;
mod rounds;
mod scene;
mod watch;
mod ways;
mod worth;

use crate::plan::{Cost, Plan};
use crate::problem::{Entry, Problem};
use anytime::{Conclusion, Control, SolveError};
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
    let (least, method) = bound::bound(&scene);
    control.prove(least, method);
    Ok(match problem.intruder().entry {
        Entry::Start => watch::watch(&scene, control),
        Entry::Mission(_) | Entry::Steady => rounds::rounds(&scene, control),
    })
}
