//! Optima that are known otherwise.

use crate::instances::{Assignment, Random, weighted};
use crate::solved;
use good_lp::{ProblemVariables, Solution, SolverModel};
use milp::{Model, Verdict, constraint, variable};

#[test]
fn a_knapsack_holds_what_brute_force_puts_into_it() {
    for seed in 0..8 {
        let mut random = Random::new(seed);
        let mut items = |low, high| {
            (0..12)
                .map(|_| random.draw(low, high))
                .collect::<Vec<i32>>()
        };
        let (weights, values) = (items(1, 40), items(1, 60));
        let room = weights.iter().sum::<i32>() / 2;
        let taken = |set: u32, of: &[i32]| -> i32 {
            let bits = of.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1);
            bits.map(|(_, number)| number).sum()
        };
        let sets = (0..1_u32 << 12).filter(|set| taken(*set, &weights) <= room);
        let best = sets.map(|set| taken(set, &values)).max().unwrap();

        let mut model = Model::new();
        let takes: Vec<_> = (0..12).map(|_| model.add(variable().binary())).collect();
        model.require(constraint!(weighted(&takes, &weights) <= room));
        model.maximise(weighted(&takes, &values) + 1_000);
        let outcome = solved(&model);
        assert_eq!(outcome.verdict, Verdict::Optimal);
        let solution = outcome.solution.unwrap();
        assert_eq!(solution.objective, f64::from(best + 1_000));
        assert!((outcome.bound.unwrap() - solution.objective).abs() < 1e-6);
        let weight: i64 = (takes.iter().zip(&weights))
            .map(|(take, weight)| solution.integer(&model, *take) * i64::from(*weight))
            .sum();
        assert!(weight <= i64::from(room));
    }
}

#[test]
fn an_assignment_costs_what_brute_force_pays() {
    let mut feasible = 0;
    for seed in 0..12 {
        let mut assignment = Assignment::new(seed, 3, 7);
        // From roomy to hopeless.
        for capacity in &mut assignment.capacities {
            *capacity = *capacity * (16 - i32::try_from(seed).unwrap()) / 12;
        }
        let (model, _) = assignment.model();
        let outcome = solved(&model);
        if let Some(cost) = assignment.brute_force() {
            feasible += 1;
            assert_eq!(outcome.verdict, Verdict::Optimal);
            assert_eq!(outcome.solution.unwrap().objective, f64::from(cost));
        } else {
            assert_eq!(outcome.verdict, Verdict::Infeasible);
            assert_eq!(outcome.solution, None);
        }
    }
    assert!((4..11).contains(&feasible), "{feasible} of 12");
}

#[test]
fn a_linear_program_ends_in_its_corner() {
    let mut model = Model::new();
    let (x, y) = (model.add(variable().min(0)), model.add(variable().min(0)));
    model.require(constraint!(x + 2 * y <= 14));
    model.require(constraint!(3 * x - y >= 0));
    model.require(constraint!(x - y <= 2));
    model.maximise(3 * x + 4 * y);
    let outcome = solved(&model);
    assert_eq!(outcome.verdict, Verdict::Optimal);
    let solution = outcome.solution.unwrap();
    assert!((solution.objective - 34.0).abs() < 1e-9);
    assert!((solution.value(&model, x) - 6.0).abs() < 1e-9);
    assert_eq!(outcome.bound.map(f64::round), Some(34.0));
}

#[test]
fn a_row_may_have_two_ends() {
    let mut model = Model::new();
    let x = model.add(variable().integer().clamp(-10, 10));
    model.require_between(2 * x + 1, 4.0, 8.0);
    model.minimise(x);
    assert_eq!(solved(&model).solution.unwrap().values, [2.0]);
    model.maximise(x);
    assert_eq!(solved(&model).solution.unwrap().values, [3.0]);
}

#[test]
fn without_an_objective_any_solution_is_optimal() {
    let mut model = Model::new();
    let x = model.add(variable().integer().clamp(0, 9));
    model.require(constraint!(7 * x == 42));
    let outcome = solved(&model);
    assert_eq!(outcome.verdict, Verdict::Optimal);
    assert_eq!(outcome.solution.unwrap().values, [6.0]);
}

#[test]
fn without_variables_only_the_constants_decide() {
    let mut model = Model::new();
    model.minimise(5);
    let outcome = solved(&model);
    assert_eq!(outcome.verdict, Verdict::Optimal);
    assert_eq!(outcome.solution.unwrap().objective, 5.0);
    assert_eq!(outcome.bound, Some(5.0));
    model.require_between(1, 2.0, 3.0);
    assert_eq!(solved(&model).verdict, Verdict::Infeasible);
}

#[test]
fn the_solver_of_good_lp_itself_agrees() {
    let assignment = Assignment::new(3, 4, 12);
    let mut variables = ProblemVariables::new();
    let does: Vec<Vec<_>> = (assignment.costs.iter())
        .map(|costs| variables.add_vector(variable().binary(), costs.len()))
        .collect();
    let costs = does.iter().zip(&assignment.costs);
    let cost: milp::Expression = costs.map(|(does, costs)| weighted(does, costs)).sum();
    let problem = variables.minimise(cost.clone()).using(good_lp::highs);
    // HiGHS keeps one pool of threads for each caller, whose size is fixed by the first.
    let mut problem = problem.set_threads(1);
    for job in 0..12 {
        let all: milp::Expression = does.iter().map(|agent| agent[job]).sum();
        problem.add_constraint(constraint!(all == 1));
    }
    for (agent, capacity) in assignment.capacities.iter().enumerate() {
        let work = weighted(&does[agent], &assignment.works[agent]);
        problem.add_constraint(constraint!(work <= *capacity));
    }
    let theirs = problem.solve().unwrap().eval(&cost);
    let (model, _) = assignment.model();
    let ours = solved(&model).solution.unwrap().objective;
    assert!((ours - theirs).abs() < 1e-6, "{ours} {theirs}");
}
