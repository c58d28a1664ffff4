//! The check of a solution against its model: shares nothing with the solver.

use crate::Model;

/// Where a solution fails. Indices are in the order of adding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Element {
    /// The bounds of a variable.
    Bounds(usize),
    /// The integrality of a variable.
    Integer(usize),
    /// A row.
    Row(usize),
}

/// By how much a solution fails, where it does so most.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("{element:?} is missed by {by:e}")]
pub struct Violation {
    /// What is broken.
    pub element: Element,
    /// Distance from what is allowed; infinite where the value is not a number.
    pub by: f64,
}

/// Rounds the integers of `values` and moves the others into their bounds, then checks everything.
///
/// # Errors
/// The largest violation: before rounding for integers, after it for rows.
pub(crate) fn rounded(
    model: &Model,
    values: &[f64],
    tolerance: f64,
) -> Result<(f64, Vec<f64>), Violation> {
    let mut whole = values.to_vec();
    for (i, (value, column)) in whole.iter_mut().zip(model.columns()).enumerate() {
        let near = if column.integer {
            value.round()
        } else if column.lower <= column.upper {
            value.clamp(column.lower, column.upper)
        } else {
            *value
        };
        let by = distance(*value, near, near);
        if by > tolerance {
            let element = if column.integer {
                Element::Integer(i)
            } else {
                Element::Bounds(i)
            };
            return Err(Violation { element, by });
        }
        // Adding zero makes zero of minus zero.
        *value = near + 0.0;
    }
    let objective = check(model, &whole, tolerance)?;
    Ok((objective, whole))
}

/// See [`Model::check`].
pub(crate) fn check(model: &Model, values: &[f64], tolerance: f64) -> Result<f64, Violation> {
    assert_eq!(values.len(), model.variables(), "one value a variable");
    let columns = model.columns().iter().zip(values).enumerate();
    let bounds = columns.clone().map(|(i, (column, &value))| Violation {
        element: Element::Bounds(i),
        by: distance(value, column.lower, column.upper),
    });
    let integers = columns.filter(|(_, (column, _))| column.integer);
    let integers = integers.map(|(i, (_, &value))| Violation {
        element: Element::Integer(i),
        by: distance(value, value.round(), value.round()),
    });
    let rows = model.all_rows().iter().enumerate().map(|(i, row)| {
        let terms = row.coefficients.iter();
        let terms = terms.map(|&(column, factor)| factor * values[column]);
        Violation {
            element: Element::Row(i),
            by: distance(sum(terms), row.lower, row.upper),
        }
    });
    let worst = bounds.chain(integers).chain(rows);
    let worst = worst.reduce(|worst, next| if next.by > worst.by { next } else { worst });
    if let Some(worst) = worst.filter(|worst| worst.by > tolerance) {
        return Err(worst);
    }
    let costs = model.columns().iter().zip(values);
    let costs = costs.map(|(column, value)| column.cost * value);
    Ok(sum(costs.chain([model.constant()])))
}

/// How far a value is from an interval; infinite for what is not a number.
fn distance(value: f64, lower: f64, upper: f64) -> f64 {
    if value.is_finite() {
        (lower - value).max(value - upper).max(0.0)
    } else {
        f64::INFINITY
    }
}

/// A sum whose error does not grow with the number of terms: Neumaier, "Rundungsfehleranalyse
/// einiger Verfahren zur Summation endlicher Summen", ZAMM 54 (1974), algorithm IV.
fn sum(terms: impl Iterator<Item = f64>) -> f64 {
    let (mut total, mut lost) = (0.0_f64, 0.0_f64);
    for term in terms {
        let next = total + term;
        lost += if total.abs() >= term.abs() {
            (total - next) + term
        } else {
            (term - next) + total
        };
        total = next;
    }
    total + lost
}

#[cfg(test)]
mod tests {
    use super::*;
    use good_lp::{constraint, variable};

    #[test]
    fn a_sum_keeps_what_a_naive_one_loses() {
        assert_eq!(sum([1e16, 1.0, -1e16, 1.0].into_iter()), 2.0);
    }

    #[test]
    fn integers_are_rounded_when_near_and_refused_when_not() {
        let mut model = Model::new();
        let x = model.add(variable().integer().clamp(0, 5));
        model.minimise(2 * x + 1);
        assert_eq!(rounded(&model, &[2.999_999_9], 1e-6), Ok((7.0, vec![3.0])));
        let far = rounded(&model, &[2.9], 1e-6).unwrap_err();
        assert_eq!(far.element, Element::Integer(0));
    }

    #[test]
    fn a_row_that_rounding_breaks_is_found() {
        let mut model = Model::new();
        let open = model.add(variable().binary());
        let flow = model.add(variable().min(0));
        model.require(constraint!(flow <= 1_000_000 * open));
        // Within every tolerance as it is, and off by 0.5 once the switch is rounded down.
        let broken = rounded(&model, &[5e-7, 0.5], 1e-6).unwrap_err();
        let (element, by) = (Element::Row(0), 0.5);
        assert_eq!(broken, Violation { element, by });
    }

    #[test]
    fn what_is_not_a_number_is_infinitely_wrong() {
        let mut model = Model::new();
        model.add(variable());
        let violation = check(&model, &[f64::NAN], 1e-3).unwrap_err();
        assert_eq!(violation.by, f64::INFINITY);
        assert!(rounded(&model, &[f64::INFINITY], 1e-3).is_err());
    }
}
