//! Properties of all small programs, by brute force.

use crate::{heard, instances::weighted};
use milp::{Improvement, Listener, Model, Params, Variable, Verdict, variable};
use proptest::prelude::*;
use std::ops::ControlFlow;

/// Small whole numbers, so that brute force is exact: integers from -2 to 2, one real from -3 to 3.
#[derive(Debug, Clone)]
struct Program {
    /// Factors of the integers, of the real, lower and upper end.
    rows: Vec<(Vec<i32>, i32, i32, i32)>,
    costs: Vec<i32>,
    real_cost: i32,
    maximise: bool,
}

fn programs() -> impl Strategy<Value = Program> {
    (1..=4_usize).prop_flat_map(|integers| {
        let factors = proptest::collection::vec(-5..=5_i32, integers);
        let row = (factors.clone(), -5..=5_i32, -9..=9_i32, 0..=6_i32);
        let row = row.prop_map(|(factors, real, low, width)| (factors, real, low, low + width));
        let rows = proptest::collection::vec(row, 0..=4);
        (rows, factors, -5..=5_i32, any::<bool>()).prop_map(|(rows, costs, real_cost, maximise)| {
            Program {
                rows,
                costs,
                real_cost,
                maximise,
            }
        })
    })
}

impl Program {
    fn model(&self) -> (Model, Vec<Variable>, Variable) {
        let mut model = Model::new();
        let integer = variable().integer().clamp(-2, 2);
        let whole: Vec<Variable> = (self.costs.iter())
            .map(|_| model.add(integer.clone()))
            .collect();
        let real = model.add(variable().clamp(-3, 3));
        for (factors, factor, low, high) in &self.rows {
            let left = weighted(&whole, factors) + *factor * real;
            model.require_between(left, f64::from(*low), f64::from(*high));
        }
        let objective = weighted(&whole, &self.costs) + self.real_cost * real;
        if self.maximise {
            model.maximise(objective);
        } else {
            model.minimise(objective);
        }
        (model, whole, real)
    }

    fn brute_force(&self) -> Option<f64> {
        let points = 5_i32.pow(u32::try_from(self.costs.len()).unwrap());
        let objectives = (0..points).filter_map(|point| {
            let digit = |i: usize| point / 5_i32.pow(u32::try_from(i).unwrap()) % 5 - 2;
            let whole: Vec<i32> = (0..self.costs.len()).map(digit).collect();
            let (low, high) = self.reals(&whole)?;
            let ends = [low, high].map(|real| f64::from(self.real_cost) * real);
            let best = ends.into_iter().reduce(|a, b| self.better(a, b));
            Some(f64::from(dot(&whole, &self.costs)) + best?)
        });
        objectives.reduce(|a, b| self.better(a, b))
    }

    fn better(&self, a: f64, b: f64) -> f64 {
        if self.maximise { a.max(b) } else { a.min(b) }
    }

    /// The interval that the rows leave for the real. Its ends are fractions of denominators up to
    /// 5: it is empty by a twentieth, or not at all.
    fn reals(&self, whole: &[i32]) -> Option<(f64, f64)> {
        let (mut low, mut high) = (-3.0_f64, 3.0_f64);
        for (factors, factor, from, to) in &self.rows {
            let fixed = dot(whole, factors);
            let (from, to) = (f64::from(from - fixed), f64::from(to - fixed));
            let factor = f64::from(*factor);
            if factor == 0.0 {
                if from > 0.0 || to < 0.0 {
                    return None;
                }
            } else {
                let ends = (from / factor, to / factor);
                low = low.max(ends.0.min(ends.1));
                high = high.min(ends.0.max(ends.1));
            }
        }
        (low <= high + 0.01).then_some((low, high))
    }
}

fn dot(left: &[i32], right: &[i32]) -> i32 {
    left.iter().zip(right).map(|(a, b)| a * b).sum()
}

/// Keeps objectives and bounds in the order in which they came.
#[derive(Default)]
struct Record {
    objectives: Vec<f64>,
    bounds: Vec<f64>,
}

impl Listener for Record {
    fn improved(&mut self, found: Improvement<'_>) -> ControlFlow<()> {
        self.objectives.push(found.solution.objective);
        ControlFlow::Continue(())
    }

    fn bound(&mut self, bound: f64) {
        self.bounds.push(bound);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn verdict_and_optimum_are_those_of_brute_force(program in programs(), seed: u64) {
        let (model, whole, real) = program.model();
        let mut record = Record::default();
        let params = Params { seed, ..Params::default() };
        let outcome = heard(&model, &params, &mut record);
        prop_assert_eq!(outcome.effort.rejected, 0);
        let Some(best) = program.brute_force() else {
            prop_assert_eq!(outcome.verdict, Verdict::Infeasible);
            prop_assert_eq!(outcome.solution, None);
            prop_assert_eq!(record.objectives, Vec::<f64>::new());
            return Ok(());
        };
        prop_assert_eq!(outcome.verdict, Verdict::Optimal);
        let solution = outcome.solution.unwrap();
        prop_assert!((solution.objective - best).abs() < 1e-5, "{} {best}", solution.objective);

        // The solution by the rows of the program, not of the model.
        let values: Vec<i32> = (whole.iter())
            .map(|v| i32::try_from(solution.integer(&model, *v)).unwrap())
            .collect();
        prop_assert!(values.iter().all(|value| (-2..=2).contains(value)));
        let (low, high) = program.reals(&values).expect("a feasible point");
        let real = solution.value(&model, real);
        prop_assert!((low - 1e-5..=high + 1e-5).contains(&real), "{low} {real} {high}");

        let maximise = program.maximise;
        let worse = |a: &f64, b: &f64| if maximise { a < b } else { a > b };
        prop_assert!(record.objectives.is_sorted_by(worse), "{:?}", record.objectives);
        prop_assert_eq!(record.objectives.last(), Some(&solution.objective));
        prop_assert!(record.bounds.is_sorted_by(|a, b| worse(b, a)), "{:?}", record.bounds);
        prop_assert_eq!(record.bounds.last().copied(), outcome.bound);
        let beaten = |bound: &f64| {
            if maximise { *bound < best - 1e-5 } else { *bound > best + 1e-5 }
        };
        prop_assert!(!record.bounds.iter().any(beaten), "{:?} beyond {best}", record.bounds);
    }

    #[test]
    fn duals_prove_the_optimum_of_every_relaxation(program in programs(), seed: u64) {
        let (model, whole, real) = program.model();
        let relaxed = model.relaxed();
        let params = Params { seed, ..Params::default() };
        let outcome = heard(&relaxed, &params, &mut ());
        if outcome.verdict == Verdict::Infeasible {
            prop_assert_eq!(program.brute_force(), None);
            prop_assert_eq!(outcome.duals, None);
            return Ok(());
        }
        let (duals, optimum) = (outcome.duals.unwrap(), outcome.solution.unwrap().objective);
        // What no objective can beat, by the numbers of the program and the duals alone.
        let end = |price: f64, low: i32, high: i32| {
            price * f64::from(if (price > 0.0) == program.maximise { high } else { low })
        };
        let rows = program.rows.iter().zip(&duals.rows);
        let ends = rows.clone().map(|((_, _, low, high), dual)| end(*dual, *low, *high));
        let mut proved: f64 = ends.sum();
        for (i, variable) in whole.iter().chain([&real]).enumerate() {
            let is_real = i == whole.len();
            let cost = if is_real { program.real_cost } else { program.costs[i] };
            let factor = |row: &(Vec<i32>, i32, i32, i32)| if is_real { row.1 } else { row.0[i] };
            let priced: f64 = rows.clone().map(|(row, dual)| f64::from(factor(row)) * dual).sum();
            let reduced = duals.reduced_costs[relaxed.index(*variable)];
            prop_assert!((f64::from(cost) - priced - reduced).abs() < 1e-9);
            let width = if is_real { 3 } else { 2 };
            proved += end(reduced, -width, width);
        }
        prop_assert!((proved - optimum).abs() < 1e-4, "{proved} {optimum}");
        if let Some(best) = program.brute_force() {
            let relaxed = program.better(best, optimum);
            prop_assert!((relaxed - optimum).abs() < 1e-5, "{best} beats {optimum}");
        }
    }
}

/// Programs that HiGHS 1.15 fails to solve where it presolves them.
#[test]
fn programs_that_failed_with_presolve_are_solved() {
    let programs = [
        Program {
            rows: vec![(vec![0], -5, -7, -2), (vec![-4], -4, 0, 3)],
            costs: vec![4],
            real_cost: 4,
            maximise: false,
        },
        Program {
            rows: vec![(vec![1, 0, 3, -2], 0, 3, 7), (vec![-4, 5, 2, 5], -4, 4, 6)],
            costs: vec![3, 0, 2, -5],
            real_cost: 3,
            maximise: true,
        },
        Program {
            rows: vec![
                (vec![2, -3, 0], -1, 4, 7),
                (vec![5, -1, -2], -4, -4, 2),
                (vec![0, -1, 3], 3, 2, 6),
                (vec![-2, -2, 4], -3, 3, 9),
            ],
            costs: vec![-3, -1, 0],
            real_cost: 3,
            maximise: false,
        },
    ];
    for program in programs {
        for seed in [0, 1_472_375_323_558_493_604, 1_348_525_116_252_399_548] {
            let (model, ..) = program.model();
            let params = Params {
                seed,
                ..Params::default()
            };
            let mut record = Record::default();
            let outcome = heard(&model, &params, &mut record);
            assert_eq!(outcome.verdict, Verdict::Optimal);
            let rises = |a: &f64, b: &f64| if program.maximise { a > b } else { a < b };
            assert!(record.bounds.is_sorted_by(rises), "{:?}", record.bounds);
            let found = outcome.solution.expect("it is optimal").objective;
            let best = program.brute_force().expect("it is feasible");
            assert!((found - best).abs() < 1e-5, "{found} {best}");
        }
    }
}
