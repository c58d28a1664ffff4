//! A model: variables, rows, objective.

use crate::{Mistake, Violation, verify};
use good_lp::{Constraint, IntoAffineExpression, ProblemVariables, Variable, VariableDefinition};
use std::hash::BuildHasherDefault;

/// Most variables of a model.
pub const VARIABLES_MAX: usize = 1_000_000;
/// Most rows of a model.
pub const ROWS_MAX: usize = 1_000_000;
/// Most coefficients other than zero, all rows together.
pub const COEFFICIENTS_MAX: usize = 10_000_000;
/// Smallest size of a coefficient or cost other than zero. HiGHS takes smaller coefficients for
/// zero.
pub const MAGNITUDE_MIN: f64 = 1e-9;
/// Largest size of a coefficient, cost or finite bound. HiGHS refuses larger coefficients.
pub const MAGNITUDE_MAX: f64 = 1e15;
/// Mistakes that are kept; a model with more of them has these.
const MISTAKES_MAX: usize = 100;

/// Which objective is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sense {
    /// The smaller.
    #[default]
    Minimise,
    /// The larger.
    Maximise,
}

impl Sense {
    /// Whether `one` is strictly better than `other`.
    #[must_use]
    pub fn prefers(self, one: f64, other: f64) -> bool {
        match self {
            Self::Minimise => one < other,
            Self::Maximise => one > other,
        }
    }
}

/// A variable as the solver sees it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Column {
    pub(crate) lower: f64,
    pub(crate) upper: f64,
    pub(crate) cost: f64,
    pub(crate) integer: bool,
}

/// A row as the solver sees it.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) lower: f64,
    pub(crate) upper: f64,
    /// Factors other than zero, in the order of the variables, each of which is there at most once.
    pub(crate) coefficients: Vec<(usize, f64)>,
}

/// Looked up while a model is written and when values are asked for; its order reaches nothing.
#[expect(
    clippy::disallowed_types,
    reason = "good_lp's variables have a hash and no order; the map is never iterated"
)]
type Places =
    std::collections::HashMap<Variable, usize, BuildHasherDefault<std::hash::DefaultHasher>>;

/// Variables with bounds, rows and an objective; without one, any solution is as good as another.
///
/// Mistakes are collected while it is written and come back from [`solve`](crate::solve), all at
/// once.
#[derive(Clone, Default)]
pub struct Model {
    /// Makes the variables, which nobody else can.
    variables: ProblemVariables,
    places: Places,
    columns: Vec<Column>,
    rows: Vec<Row>,
    constant: f64,
    sense: Sense,
    mistakes: Vec<Mistake>,
}

impl Model {
    /// A model without variables.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a variable: `variable().integer().min(0).max(5)`. Without bounds it is free. Its name
    /// and its initial value in good_lp are not used; see [`Params::start`](crate::Params::start).
    ///
    /// Bounds that cross are no mistake: nothing satisfies them, and the model is infeasible.
    pub fn add(&mut self, definition: VariableDefinition) -> Variable {
        let index = self.columns.len();
        let column = Column {
            lower: definition.get_min(),
            upper: definition.get_max(),
            cost: 0.0,
            integer: definition.is_integer(),
        };
        if !are_bounds(column.lower, column.upper) {
            self.note(Mistake::VariableBounds {
                variable: index,
                lower: column.lower,
                upper: column.upper,
            });
        }
        self.columns.push(column);
        let variable = self.variables.add(definition);
        self.places.insert(variable, index);
        variable
    }

    /// Adds a variable to the objective, with the factor `cost`, and to rows that are there
    /// already, each with its factor: a column, as of a set or a route that was found after the
    /// rows were written. Rows are named by the indices that
    /// [`require_between`](Self::require_between) returned.
    ///
    /// [`minimise`](Self::minimise) and [`maximise`](Self::maximise) replace the whole objective:
    /// call them before.
    pub fn add_column(
        &mut self,
        definition: VariableDefinition,
        cost: f64,
        coefficients: &[(usize, f64)],
    ) -> Variable {
        let index = self.columns.len();
        let variable = self.add(definition);
        self.set_cost(index, cost);
        for &(row, factor) in coefficients {
            let place = self.rows.get_mut(row).map(|row| &mut row.coefficients);
            // The variable is the last of all, so that it may only be the last of a row.
            let place = place.filter(|row| row.last().is_none_or(|last| last.0 != index));
            let Some(place) = place else {
                self.note(Mistake::ColumnRow {
                    variable: index,
                    row,
                });
                continue;
            };
            if factor != 0.0 {
                place.push((index, factor));
                self.check_factor(row, index, factor);
            }
        }
        variable
    }

    /// Adds a row, as in `constraint!(2 * x + y <= 7)`; returns its index.
    ///
    /// good_lp knows no "at least": `a >= b` is `b <= a`, which is the row `b - a <= 0`. Where the
    /// sign of a row matters, as for [`add_column`](Self::add_column) and [`Duals`](crate::Duals),
    /// write it with [`require_between`](Self::require_between).
    #[expect(
        clippy::needless_pass_by_value,
        reason = "`constraint!` makes one, for here"
    )]
    pub fn require(&mut self, constraint: Constraint) -> usize {
        let equal = constraint.is_equality();
        // good_lp brings everything to the left: expression <= 0, or = 0.
        let lower = if equal { 0.0 } else { f64::NEG_INFINITY };
        self.require_between(constraint.expression().clone(), lower, 0.0)
    }

    /// Adds the row `lower <= expression <= upper`, either of which may be infinite; returns its
    /// index.
    pub fn require_between(
        &mut self,
        expression: impl IntoAffineExpression,
        lower: f64,
        upper: f64,
    ) -> usize {
        let row = self.rows.len();
        let constant = expression.constant();
        let (lower, upper) = (lower - constant, upper - constant);
        if !are_bounds(lower, upper) {
            self.note(Mistake::RowBounds { row, lower, upper });
        }
        let mut coefficients = Vec::new();
        for (variable, factor) in expression.linear_coefficients() {
            match self.places.get(&variable) {
                None => self.note(Mistake::ForeignVariable { row: Some(row) }),
                Some(_) if factor == 0.0 => {}
                Some(&variable) => {
                    coefficients.push((variable, factor));
                    self.check_factor(row, variable, factor);
                }
            }
        }
        // The order of good_lp's expressions is that of their hashes.
        coefficients.sort_unstable_by_key(|&(variable, _)| variable);
        self.rows.push(Row {
            lower,
            upper,
            coefficients,
        });
        row
    }

    fn check_factor(&mut self, row: usize, variable: usize, coefficient: f64) {
        if !is_factor(coefficient) {
            self.note(Mistake::Coefficient {
                row,
                variable,
                coefficient,
            });
        }
    }

    /// Sets the objective, to be as small as possible.
    pub fn minimise(&mut self, objective: impl IntoAffineExpression) {
        self.set_objective(objective, Sense::Minimise);
    }

    /// Sets the objective, to be as large as possible.
    pub fn maximise(&mut self, objective: impl IntoAffineExpression) {
        self.set_objective(objective, Sense::Maximise);
    }

    fn set_objective(&mut self, objective: impl IntoAffineExpression, sense: Sense) {
        self.sense = sense;
        self.constant = objective.constant();
        for column in &mut self.columns {
            column.cost = 0.0;
        }
        if !self.constant.is_finite() {
            self.note(Mistake::CostConstant {
                given: self.constant,
            });
        }
        for (variable, coefficient) in objective.linear_coefficients() {
            let Some(&variable) = self.places.get(&variable) else {
                self.note(Mistake::ForeignVariable { row: None });
                continue;
            };
            self.set_cost(variable, coefficient);
        }
    }

    fn set_cost(&mut self, variable: usize, coefficient: f64) {
        self.columns[variable].cost = coefficient;
        if coefficient != 0.0 && !is_factor(coefficient) {
            self.note(Mistake::Cost {
                variable,
                coefficient,
            });
        }
    }

    /// The same model, in which no variable needs to be an integer: its linear relaxation.
    /// Variables and rows keep their names, so that those of one model are those of the other.
    #[must_use]
    pub fn relaxed(&self) -> Self {
        let mut relaxed = self.clone();
        for column in &mut relaxed.columns {
            column.integer = false;
        }
        relaxed
    }

    /// Which objective is better.
    #[must_use]
    pub fn sense(&self) -> Sense {
        self.sense
    }

    /// How many variables there are.
    #[must_use]
    pub fn variables(&self) -> usize {
        self.columns.len()
    }

    /// How many rows there are.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// Whether some variable must be an integer.
    #[must_use]
    pub fn has_integers(&self) -> bool {
        self.columns.iter().any(|column| column.integer)
    }

    /// The index of a variable, in the order of adding.
    ///
    /// # Panics
    /// When it is of another model.
    #[must_use]
    pub fn index(&self, variable: Variable) -> usize {
        self.places[&variable]
    }

    /// The objective of `values`, one for each variable in the order of adding, if they keep every
    /// bound, every row and integrality within `tolerance`.
    ///
    /// # Errors
    /// The largest violation.
    ///
    /// # Panics
    /// When the number of values is another.
    pub fn check(&self, values: &[f64], tolerance: f64) -> Result<f64, Violation> {
        verify::check(self, values, tolerance)
    }

    /// All mistakes, at most 100.
    pub(crate) fn mistakes(&self) -> Vec<Mistake> {
        let mut mistakes = self.mistakes.clone();
        let (variables, rows) = (self.variables(), self.rows());
        if variables > VARIABLES_MAX {
            mistakes.push(Mistake::TooManyVariables { given: variables });
        }
        if rows > ROWS_MAX {
            mistakes.push(Mistake::TooManyRows { given: rows });
        }
        let given = self.rows.iter().map(|row| row.coefficients.len()).sum();
        if given > COEFFICIENTS_MAX {
            mistakes.push(Mistake::TooManyCoefficients { given });
        }
        mistakes
    }

    pub(crate) fn columns(&self) -> &[Column] {
        &self.columns
    }

    pub(crate) fn all_rows(&self) -> &[Row] {
        &self.rows
    }

    pub(crate) fn constant(&self) -> f64 {
        self.constant
    }

    fn note(&mut self, mistake: Mistake) {
        if self.mistakes.len() < MISTAKES_MAX {
            self.mistakes.push(mistake);
        }
    }
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (variables, rows) = (self.variables(), self.rows());
        write!(f, "Model({variables} variables, {rows} rows)")
    }
}

/// Bounds may be infinite, but not so that nothing finite fits.
fn are_bounds(lower: f64, upper: f64) -> bool {
    let fits = |bound: f64, open: f64| bound == open || bound.abs() <= MAGNITUDE_MAX;
    fits(lower, f64::NEG_INFINITY) && fits(upper, f64::INFINITY)
}

fn is_factor(coefficient: f64) -> bool {
    (MAGNITUDE_MIN..=MAGNITUDE_MAX).contains(&coefficient.abs())
}
