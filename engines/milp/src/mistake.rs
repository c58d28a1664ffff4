//! Validation errors of models and parameters.

use crate::{COEFFICIENTS_MAX, MAGNITUDE_MAX, MAGNITUDE_MIN, ROWS_MAX, VARIABLES_MAX};

/// A validation error of a model. Variables and rows are named by the order in which they
/// were added.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Mistake {
    /// More variables than [`VARIABLES_MAX`].
    #[error("{given} variables, at most {VARIABLES_MAX} are supported")]
    TooManyVariables {
        /// Variables in the model.
        given: usize,
    },
    /// More rows than [`ROWS_MAX`].
    #[error("{given} rows, at most {ROWS_MAX} are supported")]
    TooManyRows {
        /// Rows in the model.
        given: usize,
    },
    /// More coefficients other than zero, all rows together, than [`COEFFICIENTS_MAX`].
    #[error("{given} coefficients, at most {COEFFICIENTS_MAX} are supported")]
    TooManyCoefficients {
        /// Coefficients in the model.
        given: usize,
    },
    /// A bound is not a number, or is finite and beyond [`MAGNITUDE_MAX`], or is an infinity of the
    /// wrong sign.
    #[error("variable {variable} lies between {lower} and {upper}, which are no bounds")]
    VariableBounds {
        /// Index of the variable.
        variable: usize,
        /// Its lower bound.
        lower: f64,
        /// Its upper bound.
        upper: f64,
    },
    /// The same for a row.
    #[error("row {row} lies between {lower} and {upper}, which are no bounds")]
    RowBounds {
        /// Index of the row.
        row: usize,
        /// Its lower bound.
        lower: f64,
        /// Its upper bound.
        upper: f64,
    },
    /// A coefficient is not a number, or is beyond [`MAGNITUDE_MIN`] to [`MAGNITUDE_MAX`].
    #[error(
        "row {row} has {coefficient} times variable {variable}; \
         sizes from {MAGNITUDE_MIN:e} to {MAGNITUDE_MAX:e} are supported"
    )]
    Coefficient {
        /// Index of the row.
        row: usize,
        /// Index of the variable.
        variable: usize,
        /// Its factor.
        coefficient: f64,
    },
    /// A factor of the objective is not a number, or is beyond [`MAGNITUDE_MIN`] to
    /// [`MAGNITUDE_MAX`].
    #[error(
        "the objective has {coefficient} times variable {variable}; \
         sizes from {MAGNITUDE_MIN:e} to {MAGNITUDE_MAX:e} are supported"
    )]
    Cost {
        /// Index of the variable.
        variable: usize,
        /// Its factor.
        coefficient: f64,
    },
    /// The constant of the objective is not a finite number.
    #[error("the objective has the constant {given}")]
    CostConstant {
        /// The constant.
        given: f64,
    },
    /// An expression with a variable of another model.
    #[error("a variable of another model is in row {row:?} (none: the objective)")]
    ForeignVariable {
        /// Index of the row; none for the objective.
        row: Option<usize>,
    },
    /// A column with a row that is not there, or twice with the same one.
    #[error("the column of variable {variable} has row {row}, which is not there or named twice")]
    ColumnRow {
        /// Index of the variable.
        variable: usize,
        /// Index of the row.
        row: usize,
    },
    /// [`Params::tolerance`](crate::Params::tolerance) out of its range.
    #[error("tolerance {given}, from 1e-9 to 1e-3 are supported")]
    Tolerance {
        /// The tolerance.
        given: f64,
    },
    /// A gap that is negative or not a number.
    #[error("gap {given}, which is not a number from 0 on")]
    Gap {
        /// The gap.
        given: f64,
    },
    /// [`Params::start`](crate::Params::start) does not have one number for each variable.
    #[error("a start of {given} numbers for {variables} variables, or one that is not finite")]
    Start {
        /// Numbers given.
        given: usize,
        /// Variables in the model.
        variables: usize,
    },
}
