//! Search for levels.

mod anneal;
mod archive;
mod carve;
mod change;
mod draft;
mod evaluator;
mod params;
mod reason;
mod retrograde;
mod shape;

use crate::plan::{Cost, Plan};
use crate::problem::Problem;
use anytime::{Conclusion, Control, SolveError};

pub use params::{Params, STRATEGIES, Strategy};
pub use reason::impossible;
pub(crate) use reason::least_miss_micro;

/// Looks for better and better levels.
///
/// # Errors
/// When the strategy cannot do something that the problem asks for.
pub fn solve(
    problem: &Problem,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Result<Conclusion, SolveError> {
    if impossible(problem).is_some() {
        return Ok(Conclusion::Infeasible);
    }
    if let Some(least) = reason::bound(problem) {
        control.prove(least, "features");
    }
    match params.strategy {
        // Where a level need not be solved to know what it is worth, play makes levels faster than
        // solving does.
        Strategy::Auto
            if !problem.spec().weights.needs_solving() && carve::supported(problem).is_ok() =>
        {
            carve::carve(problem, params, control)
        }
        Strategy::Auto => Ok(anneal::anneal(problem, control)),
        Strategy::Mcts => carve::carve(problem, params, control),
    }
}
