//! The shape of a planner.

use crate::{Conclusion, Control, Pulse, SolveError};

/// A planner, as its runner sees it.
///
/// A planner crate also has plain functions `solve` and `verify`; this trait only lets one runner
/// carry them all. Obligations of the implementer: every plan offered passes `verify` at the cost
/// claimed; `Optimal` and `Infeasible` are concluded with proof only; `solve` calls [`Control`] at
/// least every 5 ms.
pub trait Planner {
    /// A validated problem.
    type Problem: Send + Sync + 'static;
    /// How to search.
    type Params: Send + Sync + 'static;
    /// An answer, as plain data.
    type Plan: Clone + Send + 'static;
    /// What is minimised.
    type Cost: Ord + Copy + Send + std::fmt::Debug + 'static;
    /// A broken rule.
    type Violation: std::fmt::Debug;

    /// Offers better and better plans through `control`.
    ///
    /// # Errors
    /// When the strategy cannot handle the problem at all.
    fn solve(
        problem: &Self::Problem,
        params: &Self::Params,
        control: &mut Control<'_, Self::Plan, Self::Cost>,
    ) -> Result<Conclusion, SolveError>;

    /// The cost of `plan`, computed from scratch by code that shares nothing with `solve`.
    ///
    /// # Errors
    /// All broken rules.
    fn verify(
        problem: &Self::Problem,
        plan: &Self::Plan,
    ) -> Result<Self::Cost, Vec<Self::Violation>>;

    /// The same; `None`: stopped by `pulse` before it was done, so that nothing is known.
    ///
    /// For planners whose checks may take more than some milliseconds; others are not interrupted.
    fn verify_until(
        problem: &Self::Problem,
        plan: &Self::Plan,
        pulse: &Pulse,
    ) -> Option<Result<Self::Cost, Vec<Self::Violation>>> {
        let _ = pulse;
        Some(Self::verify(problem, plan))
    }

    /// The same for a plan that follows one that passed: parts that are the same need no second
    /// check. For plans of independent parts, each of which takes long to check.
    fn verify_next(
        problem: &Self::Problem,
        plan: &Self::Plan,
        passed: Option<&Self::Plan>,
        pulse: &Pulse,
    ) -> Option<Result<Self::Cost, Vec<Self::Violation>>> {
        let _ = passed;
        Self::verify_until(problem, plan, pulse)
    }
}
