//! The shape of a planner.

use crate::{Conclusion, Control, Fault, Pulse, SolveError};

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
    fn verify(problem: &Self::Problem, plan: &Self::Plan) -> Result<Self::Cost, Vec<Fault>>;

    /// The same; `None`: stopped by `pulse` before it was done, so that nothing is known.
    ///
    /// For planners whose checks may take more than some milliseconds; others are not interrupted.
    fn verify_until(
        problem: &Self::Problem,
        plan: &Self::Plan,
        pulse: &Pulse,
    ) -> Option<Result<Self::Cost, Vec<Fault>>> {
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
    ) -> Option<Result<Self::Cost, Vec<Fault>>> {
        let _ = passed;
        Self::verify_until(problem, plan, pulse)
    }
}

/// Declares a planner whose functions stand on their own: a type without fields that carries them
/// to a runner. `verify_until` is for checks that may take more than some milliseconds. Without a
/// list, `pub struct Seven;`, the parts are `Problem`, `Params`, `Plan`, `Cost`, `solve`
/// and `verify`.
///
/// ```
/// use anytime::{Conclusion, Control, Fault, SolveError};
/// fn solve(
///     _: &u32,
///     _: &(),
///     control: &mut Control<'_, u32, u32>,
/// ) -> Result<Conclusion, SolveError> {
///     control.offer(&7, 7, "the only one");
///     Ok(Conclusion::Optimal)
/// }
/// fn verify(_: &u32, plan: &u32) -> Result<u32, Vec<Fault>> {
///     Ok(*plan)
/// }
/// anytime::planner! {
///     /// Plans 7.
///     pub struct Seven {
///         problem: u32,
///         params: (),
///         plan: u32,
///         cost: u32,
///         solve: solve,
///         verify: verify,
///     }
/// }
/// ```
#[macro_export]
macro_rules! planner {
    // A crate with one planner, whose parts have the usual names.
    ($(#[$attribute:meta])* $visibility:vis struct $planner:ident;) => {
        $crate::planner! {
            $(#[$attribute])*
            $visibility struct $planner {
                problem: Problem,
                params: Params,
                plan: Plan,
                cost: Cost,
                solve: solve,
                verify: verify,
            }
        }
    };
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $planner:ident {
            problem: $problem:ty,
            params: $params:ty,
            plan: $plan:ty,
            cost: $cost:ty,
            solve: $solve:expr,
            verify: $verify:expr,
            $(verify_until: $verify_until:expr,)?
        }
    ) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $visibility struct $planner;

        impl $crate::Planner for $planner {
            type Problem = $problem;
            type Params = $params;
            type Plan = $plan;
            type Cost = $cost;

            fn solve(
                problem: &$problem,
                params: &$params,
                control: &mut $crate::Control<'_, $plan, $cost>,
            ) -> Result<$crate::Conclusion, $crate::SolveError> {
                $solve(problem, params, control)
            }

            fn verify(problem: &$problem, plan: &$plan) -> Result<$cost, Vec<$crate::Fault>> {
                $verify(problem, plan)
            }

            $(fn verify_until(
                problem: &$problem,
                plan: &$plan,
                pulse: &$crate::Pulse,
            ) -> Option<Result<$cost, Vec<$crate::Fault>>> {
                $verify_until(problem, plan, pulse)
            })?
        }
    };
}
