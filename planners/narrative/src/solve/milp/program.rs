//! A mixed-integer program over whole bounds, from which it takes its big M, pair by pair.

use anytime::Pulse;
use milp::{Expression, Mistake, Model, Outcome, Params, Solution, Variable, solve, variable};
use std::ops::{Add, Neg, Sub};

/// A variable of a [`Program`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Id(usize);

/// A linear expression with whole coefficients.
#[derive(Debug, Clone, Default)]
pub(super) struct Sum {
    terms: Vec<(Id, i64)>,
    constant: i64,
}

impl From<i64> for Sum {
    fn from(constant: i64) -> Self {
        Self {
            terms: Vec::new(),
            constant,
        }
    }
}

impl From<Id> for Sum {
    fn from(id: Id) -> Self {
        Self {
            terms: vec![(id, 1)],
            constant: 0,
        }
    }
}

impl<S: Into<Sum>> Add<S> for Sum {
    type Output = Sum;

    fn add(mut self, other: S) -> Sum {
        let other = other.into();
        self.terms.extend(other.terms);
        self.constant += other.constant;
        self
    }
}

impl<S: Into<Sum>> Sub<S> for Sum {
    type Output = Sum;

    fn sub(self, other: S) -> Sum {
        self + -other.into()
    }
}

impl Neg for Sum {
    type Output = Sum;

    fn neg(self) -> Sum {
        self.times(-1)
    }
}

impl Sum {
    /// The sum times a factor.
    pub(super) fn times(mut self, factor: i64) -> Sum {
        self.terms.iter_mut().for_each(|(_, one)| *one *= factor);
        self.constant *= factor;
        self
    }

    /// Each variable once.
    fn merged(mut self) -> Sum {
        self.terms.sort_unstable_by_key(|(id, _)| *id);
        let mut terms: Vec<(Id, i64)> = Vec::new();
        for (id, factor) in self.terms {
            match terms.last_mut() {
                Some(last) if last.0 == id => last.1 += factor,
                _ => terms.push((id, factor)),
            }
        }
        terms.retain(|(_, factor)| *factor != 0);
        Sum { terms, ..self }
    }
}

/// What a binary variable has to be for a row to count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    /// One.
    Is(Id),
    /// Zero.
    Not(Id),
}

/// Variables with whole bounds, and rows.
#[derive(Default)]
pub(super) struct Program {
    model: Model,
    variables: Vec<Variable>,
    bounds: Vec<(i64, i64)>,
}

impl Program {
    /// A variable between two bounds, ends included.
    pub(super) fn add(&mut self, bounds: (i64, i64)) -> Id {
        self.push(bounds.0, bounds.1, false)
    }

    /// A number between two bounds, ends included, perhaps a whole one.
    pub(super) fn number(&mut self, bounds: (i64, i64), whole: bool) -> Id {
        self.push(bounds.0, bounds.1, whole)
    }

    /// Zero or one.
    pub(super) fn binary(&mut self) -> Id {
        self.push(0, 1, true)
    }

    fn push(&mut self, lower: i64, upper: i64, whole: bool) -> Id {
        let definition = variable().min(float(lower)).max(float(upper));
        let definition = if whole {
            definition.integer()
        } else {
            definition
        };
        self.variables.push(self.model.add(definition));
        self.bounds.push((lower, upper));
        Id(self.variables.len() - 1)
    }

    /// The bounds of a variable.
    pub(super) fn bounds(&self, id: Id) -> (i64, i64) {
        self.bounds[id.0]
    }

    /// The largest value that the bounds leave to a sum without duplicates.
    fn largest(&self, sum: &Sum) -> i64 {
        let terms = sum.terms.iter().map(|(id, factor)| {
            let (lower, upper) = self.bounds(*id);
            factor * if *factor > 0 { upper } else { lower }
        });
        sum.constant + terms.sum::<i64>()
    }

    /// Adds the row `sum <= 0`, for when all of `when` are so. A row that the bounds imply is left
    /// out; the M of the others is the largest value of their sum.
    pub(super) fn require(&mut self, when: &[When], sum: impl Into<Sum>) {
        let mut sum = sum.into().merged();
        let most = self.largest(&sum);
        if most <= 0 {
            return;
        }
        for one in when {
            sum = match one {
                When::Is(id) => sum + Sum::from(*id).times(most) - most,
                When::Not(id) => sum - Sum::from(*id).times(most),
            };
        }
        let sum = sum.merged();
        let mut expression = Expression::default();
        for (id, factor) in &sum.terms {
            expression += float(*factor) * self.variables[id.0];
        }
        self.model
            .require_between(expression, f64::NEG_INFINITY, -float(sum.constant));
    }

    /// Requires that all of `one` or all of `other` are at most 0, for when all of `when` are so.
    pub(super) fn either(&mut self, when: &[When], one: Vec<Sum>, other: Vec<Sum>) {
        let [one, other] = [one, other].map(|rows| {
            let rows = rows.into_iter().map(Sum::merged);
            let open = rows.filter(|row| self.largest(row) > 0);
            open.collect::<Vec<Sum>>()
        });
        if one.is_empty() || other.is_empty() {
            return;
        }
        let can = |rows: &[Sum]| rows.iter().all(|row| -self.largest(&-row.clone()) <= 0);
        let ways = match (can(&one), can(&other)) {
            (true, false) => vec![(None, one)],
            (false, _) => vec![(None, other)],
            (true, true) => {
                let pick = self.binary();
                vec![(Some(When::Is(pick)), one), (Some(When::Not(pick)), other)]
            }
        };
        for (pick, rows) in ways {
            let when: Vec<When> = when.iter().copied().chain(pick).collect();
            for row in rows {
                self.require(&when, row);
            }
        }
    }

    /// Sets what is minimised.
    pub(super) fn minimise(&mut self, sum: Sum) {
        let sum = sum.merged();
        let mut expression = Expression::from(float(sum.constant));
        for (id, factor) in &sum.terms {
            expression += float(*factor) * self.variables[id.0];
        }
        self.model.minimise(expression);
    }

    /// How many rows there are.
    pub(super) fn rows(&self) -> usize {
        self.model.rows()
    }

    /// Solves it.
    pub(super) fn solve(
        &self,
        params: &Params,
        pulse: &Pulse,
        heard: &mut dyn FnMut(&Solution),
    ) -> Result<Outcome, Vec<Mistake>> {
        let mut listener = |found: milp::Improvement<'_>| {
            heard(found.solution);
            std::ops::ControlFlow::Continue(())
        };
        solve(&self.model, params, pulse, &mut listener)
    }

    /// The value of a variable.
    pub(super) fn value(&self, solution: &Solution, id: Id) -> f64 {
        solution.value(&self.model, self.variables[id.0])
    }

    /// Whether a binary variable is one.
    pub(super) fn is_one(&self, solution: &Solution, id: Id) -> bool {
        self.value(solution, id) > 0.5
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "times are below `UNITS_MAX` units, far below 2^53"
)]
pub(super) fn float(whole: i64) -> f64 {
    whole as f64
}
