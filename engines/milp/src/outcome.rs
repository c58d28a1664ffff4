//! What came of a solve.

use crate::{Model, Violation};
use anytime::Stop;
use good_lp::Variable;

/// What came of a solve.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// How it ended.
    pub verdict: Verdict,
    /// The best solution found, checked. There with `Optimal`, perhaps with `Stopped` and `Failed`.
    pub solution: Option<Solution>,
    /// What no objective can beat, where one is proved.
    pub bound: Option<f64>,
    /// Prices of the rows: there with `Optimal`, if no variable had to be an integer.
    pub duals: Option<Duals>,
    /// Work done.
    pub effort: Effort,
}

/// What the rows of a linear program are worth at its optimum; in units of the objective.
///
/// Together they prove the optimum: no solution is better than the sum of every row's dual times
/// the bound it pulls at and every reduced cost times the bound it pulls at. When minimising a
/// positive one pulls at the lower bound, a negative one at the upper; when maximising it is the
/// other way round. As exact as the solver, and not unique where the optimum is degenerate.
#[derive(Debug, Clone, PartialEq)]
pub struct Duals {
    /// For each row, in the order of adding: what the objective grows by, for each unit by which
    /// the bound grows that the row is at; 0 where a row has room. Mind the sign of rows by
    /// [`Model::require`].
    pub rows: Vec<f64>,
    /// For each variable, in the order of adding: its factor in the objective less its factors in
    /// the rows times [`rows`](Self::rows). So too for a column that is not in the model yet: it
    /// can improve the objective only if its reduced cost is negative when minimising, positive
    /// when maximising.
    pub reduced_costs: Vec<f64>,
}

/// How a solve ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// Nothing is better than the solution by more than the gaps of [`Params`](crate::Params).
    Optimal,
    /// Nothing satisfies the rows.
    Infeasible,
    /// Solutions get better without end.
    Unbounded,
    /// One of the two; presolve does not say which.
    InfeasibleOrUnbounded,
    /// Stopped early: `Deadline`, `Cancelled` and `Draining` by the pulse, `Iterations` by a limit
    /// of [`Params`](crate::Params), `Target` by the listener.
    Stopped(Stop),
    /// The solver gave up, or what it claims does not hold. Neither a proof nor the lack of one.
    Failed(Failure),
}

/// Why a solve failed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// The solver ended with this status of its own: lack of memory, numerical trouble, a bug.
    #[error("the solver ended with {0}")]
    Solver(&'static str),
    /// The solver refused the model or an option.
    #[error("the solver refused {0}")]
    Refused(&'static str),
    /// Called by a listener, on the thread of the solve that it listens to: the solver cannot.
    /// Another thread can.
    #[error("a solve inside a solve on the same thread")]
    Nested,
    /// The solver's optimum breaks a row once its integers are rounded, and could not be repaired.
    #[error("the solver's optimum does not hold: {0}")]
    Unverified(Violation),
    /// The solver's optimum is not as good as its own bound.
    #[error("the solver claims the optimum {bound}, its best solution has {objective}")]
    Unproved {
        /// Objective of the best solution.
        objective: f64,
        /// What the solver claims.
        bound: f64,
    },
}

/// Work done. Reproducible wherever the outcome is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Effort {
    /// Nodes of branch and bound.
    pub nodes: u64,
    /// Iterations of the simplex method, all linear programs together.
    pub pivots: u64,
    /// Solutions of the solver that did not pass the check after rounding.
    pub rejected: u64,
}

/// A value for each variable, checked against the model.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// The objective, computed from the values.
    pub objective: f64,
    /// In the order in which variables were added. Integers are whole.
    pub values: Vec<f64>,
}

impl Solution {
    /// The value of a variable.
    ///
    /// # Panics
    /// When the variable is not of `model`, or the solution is of a smaller one.
    #[must_use]
    pub fn value(&self, model: &Model, variable: Variable) -> f64 {
        self.values[model.index(variable)]
    }

    /// The value of an integer variable.
    ///
    /// # Panics
    /// As [`Solution::value`]; in debug builds also when the value is not whole.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "whole, and at most 1e15 with bounds; beyond, the cast saturates"
    )]
    pub fn integer(&self, model: &Model, variable: Variable) -> i64 {
        let value = self.value(model, variable);
        debug_assert!(value.fract() == 0.0, "{value} is not whole");
        value as i64
    }
}
