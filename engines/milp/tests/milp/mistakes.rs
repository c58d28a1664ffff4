//! Invalid numbers are refused, all of them together.

use crate::calm;
use milp::{MAGNITUDE_MAX, Mistake, Model, Params, constraint, solve, variable};

fn mistakes(model: &Model, params: &Params) -> Vec<Mistake> {
    solve(model, params, &calm(), &mut ()).expect_err("mistakes")
}

#[test]
fn what_is_not_a_finite_number_is_refused_everywhere_and_at_once() {
    let mut model = Model::new();
    let x = model.add(variable().min(f64::NAN));
    let y = model.add(variable().min(f64::INFINITY));
    let z = model.add(variable());
    model.require(constraint!(f64::NAN * x <= 1));
    model.require(constraint!(f64::INFINITY * y <= 1));
    model.require(constraint!(z <= f64::NAN));
    model.require_between(z, f64::NEG_INFINITY, f64::NEG_INFINITY);
    model.minimise(f64::NAN * z + f64::INFINITY);
    let found = mistakes(&model, &Params::default());
    let kinds: Vec<String> = found.iter().map(ToString::to_string).collect();
    let wanted = [
        "variable 0 lies between NaN",
        "variable 1 lies between inf",
        "row 0 has NaN times variable 0",
        "row 1 has inf times variable 1",
        "row 2 lies between",
        "row 3 lies between",
        "the objective has the constant inf",
        "the objective has NaN times variable 2",
    ];
    assert_eq!(kinds.len(), wanted.len(), "{kinds:#?}");
    for (kind, wanted) in kinds.iter().zip(wanted) {
        assert!(kind.starts_with(wanted), "{kind} is not {wanted}");
    }
}

#[test]
fn factors_that_the_solver_would_drop_or_refuse_are_refused() {
    for factor in [1e-10, -1e-10, 1e16, -1e16] {
        let mut model = Model::new();
        let x = model.add(variable().clamp(0, 1));
        model.require(constraint!(factor * x <= 1));
        model.minimise(factor * x);
        let found = mistakes(&model, &Params::default());
        assert!(matches!(
            found[..],
            [
                Mistake::Coefficient {
                    row: 0,
                    variable: 0,
                    ..
                },
                Mistake::Cost { variable: 0, .. }
            ]
        ));
    }
    let mut model = Model::new();
    model.add(variable().max(10.0 * MAGNITUDE_MAX));
    assert_eq!(mistakes(&model, &Params::default()).len(), 1);
}

#[test]
fn a_factor_of_zero_is_no_factor() {
    let mut model = Model::new();
    let x = model.add(variable().clamp(0, 1));
    model.require(constraint!(x - x <= 1));
    model.minimise(0 * x);
    assert!(solve(&model, &Params::default(), &calm(), &mut ()).is_ok());
}

#[test]
fn variables_of_a_larger_model_are_refused() {
    let mut large = Model::new();
    large.add(variable());
    let second = large.add(variable());
    let mut small = Model::new();
    small.add(variable());
    small.require(constraint!(second <= 1));
    small.minimise(second);
    let foreign = |row| Mistake::ForeignVariable { row };
    let found = mistakes(&small, &Params::default());
    assert_eq!(found, [foreign(Some(0)), foreign(None)]);
}

#[test]
fn columns_of_rows_that_are_not_there_are_refused() {
    let mut model = Model::new();
    let first = model.add(variable().clamp(0, 1));
    let row = model.require(constraint!(first <= 1));
    let whole = variable().integer().clamp(0, 1);
    model.add_column(
        whole,
        f64::NAN,
        &[(row, f64::INFINITY), (7, 1.0), (row, 1.0)],
    );
    let kinds: Vec<String> = (mistakes(&model, &Params::default()).iter())
        .map(ToString::to_string)
        .collect();
    let wanted = [
        "the objective has NaN times variable 1",
        "row 0 has inf times variable 1",
        "the column of variable 1 has row 7",
        "the column of variable 1 has row 0",
    ];
    assert_eq!(kinds.len(), wanted.len(), "{kinds:#?}");
    for (kind, wanted) in kinds.iter().zip(wanted) {
        assert!(kind.starts_with(wanted), "{kind} is not {wanted}");
    }
}

#[test]
fn parameters_out_of_range_are_refused() {
    let mut model = Model::new();
    model.add(variable().clamp(0, 1));
    let params = Params {
        tolerance: 0.1,
        gap: -1.0,
        start: Some(vec![1.0, 2.0]),
        ..Params::default()
    };
    let found = mistakes(&model, &params);
    assert!(matches!(
        found[..],
        [
            Mistake::Tolerance { .. },
            Mistake::Gap { .. },
            Mistake::Start { given: 2, .. }
        ]
    ));
    let params = Params {
        gap: f64::NAN,
        ..Params::default()
    };
    assert!(matches!(
        mistakes(&model, &params)[..],
        [Mistake::Gap { .. }]
    ));
}

#[test]
fn thousands_of_mistakes_are_a_hundred() {
    let mut model = Model::new();
    for _ in 0..5_000 {
        model.add(variable().min(f64::NAN));
    }
    assert_eq!(mistakes(&model, &Params::default()).len(), 100);
}
