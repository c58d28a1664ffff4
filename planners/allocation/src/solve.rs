//! Search.

use crate::{Cost, Plan, Problem};
use anytime::{Conclusion, Control, SolveError, Stop};

/// How to search.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Params {
    /// The method.
    pub strategy: Strategy,
    /// Trees that search side by side, 1 to 64; 0: the strategy's own choice.
    pub width: usize,
}

/// The methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strategy {
    /// Insertion, then improvement.
    #[default]
    Auto,
    /// Monte Carlo tree search.
    Mcts,
    /// Regret insertion alone.
    Insertion,
}

/// Offers better and better plans.
///
/// # Errors
/// None yet.
pub fn solve(
    problem: &Problem,
    params: &Params,
    control: &mut Control<'_, Plan, Cost>,
) -> Result<Conclusion, SolveError> {
    let _ = (problem, params);
    control.offer(&Plan::default(), Cost::default(), "placeholder");
    Ok(Conclusion::Stopped(Stop::Exhausted))
}
