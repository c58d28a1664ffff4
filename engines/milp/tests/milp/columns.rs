//! Column generation: columns found by the duals of a program that is solved repeatedly.

use crate::{calm, heard, solved};
use milp::{Expression, Improvement, Model, Params, Verdict, constraint, solve, variable};
use std::ops::ControlFlow;

/// Stock of length 100 is cut into pieces: lengths, and how many are wanted.
const PIECES: [(i32, i32); 4] = [(45, 97), (36, 610), (31, 395), (14, 211)];
const STOCK: i32 = 100;

/// Every way to cut one stock.
fn patterns() -> Vec<[i32; 4]> {
    let mut all = vec![[0; 4]];
    for (piece, (length, _)) in PIECES.iter().enumerate() {
        let longer = |pattern: &[i32; 4]| {
            let used: i32 = (pattern.iter().zip(PIECES))
                .map(|(many, (length, _))| many * length)
                .sum();
            (0..=(STOCK - used) / length)
                .map(|many| {
                    let mut pattern = *pattern;
                    pattern[piece] = many;
                    pattern
                })
                .collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// As few stocks as possible; stocks are whole, and those of `patterns`.
fn master(patterns: &[[i32; 4]]) -> Model {
    let mut model = Model::new();
    let cuts: Vec<_> = (patterns.iter())
        .map(|_| model.add(variable().integer().min(0)))
        .collect();
    for (piece, (_, wanted)) in PIECES.iter().enumerate() {
        let terms = cuts.iter().zip(patterns);
        let cut: Expression = terms.map(|(cut, pattern)| pattern[piece] * *cut).sum();
        model.require_between(cut, f64::from(*wanted), f64::INFINITY);
    }
    model.minimise(cuts.iter().sum::<Expression>());
    model
}

/// One pattern for each piece, as often as it fits.
fn simple() -> Vec<[i32; 4]> {
    let of_one = |piece: usize| {
        let mut pattern = [0; 4];
        pattern[piece] = STOCK / PIECES[piece].0;
        pattern
    };
    (0..4).map(of_one).collect()
}

/// Gilmore, Gomory, "A linear programming approach to the cutting-stock problem", Operations
/// Research 9 (1961).
#[test]
fn columns_found_by_their_reduced_costs_reach_the_optimum_of_all_columns() {
    let all = patterns();
    let least = solved(&master(&all).relaxed()).solution.unwrap().objective;
    let mut model = master(&simple());
    let mut added = 0;
    loop {
        let outcome = solved(&model.relaxed());
        assert_eq!(outcome.verdict, Verdict::Optimal);
        let prices = outcome.duals.unwrap().rows;
        let worth = |pattern: &[i32; 4]| -> f64 {
            let terms = pattern.iter().zip(&prices);
            terms.map(|(many, price)| f64::from(*many) * price).sum()
        };
        let best = all.iter().max_by(|a, b| worth(a).total_cmp(&worth(b)));
        let best = best.unwrap();
        if worth(best) <= 1.0 + 1e-9 {
            let found = outcome.solution.unwrap().objective;
            assert!((found - least).abs() < 1e-6, "{found} {least}");
            break;
        }
        let rows = best.iter().enumerate();
        let rows: Vec<_> = rows.map(|(row, many)| (row, f64::from(*many))).collect();
        model.add_column(variable().integer().min(0), 1.0, &rows);
        added += 1;
        assert!(added < 20, "each column improves on those before");
    }
    assert!(added > 0, "the simple patterns are not the best ones");
    // Rounded up, which these sizes allow.
    let whole = solved(&model).solution.unwrap().objective;
    assert_eq!(whole, least.ceil());
}

#[test]
fn a_known_solution_is_there_after_columns_were_added() {
    let mut model = master(&simple());
    let known = solved(&model).solution.unwrap();
    model.add_column(variable().integer().min(0), 1.0, &[(0, 2.0)]);
    let mut start = known.values;
    start.resize(model.variables(), 0.0);
    let params = Params {
        start: Some(start),
        ..Params::default()
    };
    let mut objectives = Vec::new();
    let mut listener = |found: Improvement<'_>| {
        objectives.push(found.solution.objective);
        ControlFlow::Continue(())
    };
    let outcome = solve(&model, &params, &calm(), &mut listener).unwrap();
    assert_eq!(outcome.verdict, Verdict::Optimal);
    assert_eq!(objectives[0], known.objective);
}

#[test]
fn a_column_is_the_variable_written_into_its_rows() {
    let patterns = patterns();
    let all = master(&patterns);
    let mut model = master(&patterns[..1]);
    for pattern in &patterns[1..] {
        let rows = pattern.iter().enumerate();
        let rows: Vec<_> = rows.map(|(row, many)| (row, f64::from(*many))).collect();
        model.add_column(variable().integer().min(0), 1.0, &rows);
    }
    assert_eq!(solved(&model), solved(&all));
}

#[test]
fn a_dual_is_what_one_more_unit_is_worth() {
    let optimum = |room: f64| {
        let mut model = Model::new();
        let (x, y) = (model.add(variable().min(0)), model.add(variable().min(0)));
        model.require(constraint!(x + 2 * y <= room));
        model.require(constraint!(3 * x - y >= 0));
        model.require(constraint!(x - y <= 2));
        model.maximise(3 * x + 4 * y + 5);
        let outcome = solved(&model);
        (outcome.solution.unwrap().objective, outcome.duals.unwrap())
    };
    let (before, duals) = optimum(14.0);
    let wanted = [7.0 / 3.0, 0.0, 2.0 / 3.0];
    for (dual, wanted) in duals.rows.iter().zip(wanted) {
        assert!((dual - wanted).abs() < 1e-9, "{duals:?}");
    }
    assert!(duals.reduced_costs.iter().all(|cost| cost.abs() < 1e-9));
    // `a >= b` is the row `b - a <= 0`.
    let mut model = Model::new();
    let x = model.add(variable());
    model.require(constraint!(x >= 3));
    model.minimise(2 * x);
    assert_eq!(solved(&model).duals.unwrap().rows, [-2.0]);

    let (after, _) = optimum(15.0);
    assert!((after - before - duals.rows[0]).abs() < 1e-9);
}

#[test]
fn only_linear_programs_at_their_optimum_have_duals() {
    let integer = master(&simple());
    assert_eq!(solved(&integer).duals, None);
    let relaxed = integer.relaxed();
    assert!(integer.has_integers() && !relaxed.has_integers());
    assert_eq!(
        solved(&relaxed).duals.map(|duals| duals.rows.len()),
        Some(4)
    );
    let none = Params {
        pivots_max: Some(0),
        ..Params::default()
    };
    let stopped = heard(&master(&patterns()).relaxed(), &none, &mut ());
    assert!(matches!(stopped.verdict, Verdict::Stopped(_)));
    assert_eq!(stopped.duals, None);
    assert_eq!(solved(&Model::new()).duals.map(|d| d.rows), Some(vec![]));
}

#[test]
fn a_start_does_not_change_the_optimum_of_a_linear_program() {
    let model = master(&patterns()).relaxed();
    let optimum = solved(&model).solution.unwrap().objective;
    let params = Params {
        start: Some(vec![1e3; model.variables()]),
        ..Params::default()
    };
    let outcome = heard(&model, &params, &mut ());
    assert_eq!(outcome.verdict, Verdict::Optimal);
    assert!((outcome.solution.unwrap().objective - optimum).abs() < 1e-6);
}
