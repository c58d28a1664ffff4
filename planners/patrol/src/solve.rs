//! How plans are found.

mod anneal;
mod beam;
mod bound;
mod endless;
mod launch;
mod params;
mod proof;
mod round;
mod rounds;
mod tree;
mod watch;
mod ways;

use crate::plan::{Cost, Plan};
use crate::problem::{Entry, Problem};
use crate::scene::Scene;
use anytime::{Conclusion, Control, SolveError};

pub use params::{COMMIT_AFTER, HORIZON_MAX, Params, STRATEGIES, Strategy, StrategyInfo};

/// Looks for better and better plans.
///
/// # Errors
/// None so far.
pub fn solve(
    problem: &Problem,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Result<Conclusion, SolveError> {
    let scene = Scene::new(problem);
    let (least, method) = bound::bound(&scene);
    control.prove(least, method);
    if params.strategy != Strategy::Auto {
        return Ok(tree::grow(&scene, params, control));
    }
    Ok(match problem.intruder().entry {
        Entry::Start => watch::watch(&scene, control),
        Entry::Mission(_) | Entry::Steady => rounds::rounds(&scene, control),
    })
}
