//! Delta evaluation compared with evaluation from scratch.

use super::arcs::{Arcs, Computed, Layout, Matrices};
use super::genome::Genome;
use super::instance::{Instance, NIL};
use super::island::{decode, encode};
use super::local_search::LocalSearch;
use super::moves::{Segment, relocate, swap};
use super::optional::{best_insertion_overall, insertion_delta};
use super::penalties::PenaltyManager;
use super::pool::{Columns, RoutePool, assemble};
use super::route_set::{Route, RouteSet};
use super::set_partitioning::SetPartitioning;
use super::two_opt::{two_opt, two_opt_star};
use super::walk::{Delays, Walk};
use crate::generate::{Shape, generate};
use crate::plan::Terms;
use crate::problem::Problem;
use crate::solve::SearchContext;
use crate::solve::draft::Draft;
use crate::solve::model::Model;
use crate::solve::neighbourhood::Neighbourhood;
use crate::travel::Travel;
use anytime::Pulse;
use mcts::Rng;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};

fn unlimited() -> Pulse {
    Pulse::unbounded()
}

fn context(problem: &Problem) -> SearchContext<'_> {
    let model = Model::new(problem);
    let neighbourhood = Neighbourhood::new(&model, || true);
    SearchContext {
        model,
        neighbourhood,
    }
}

/// The arcs of a problem that islands support; others are not counted.
fn supported(context: &SearchContext<'_>) -> Result<Layout, TestCaseError> {
    let layout = Layout::supported(context, || true);
    layout.ok_or_else(|| TestCaseError::reject("islands do not support the problem"))
}

fn with_matrices<'a>(context: &'a SearchContext<'a>, layout: &'a Layout) -> Instance<'a, Matrices> {
    let matrices = Matrices::new(layout, &context.model, &mut || true);
    Instance::new(context, layout, matrices.expect("nothing stops it"))
}

/// The same problem without a matrix, if its arcs are straight lines.
fn without_matrix(problem: &Problem) -> Problem {
    problem.changed(|spec| {
        if let Some(lines) = spec.travel.lines.take() {
            spec.travel = Travel::along(lines);
        }
    })
}

/// A random solution that violates most constraints.
fn random_solution(instance: &Instance<'_, impl Arcs>, rng: &mut Rng) -> RouteSet {
    let mut solution = RouteSet::new(instance, PenaltyManager::new(instance).penalties());
    for task in 0..instance.tasks as u16 {
        let vehicle = rng.random_range(0..instance.vehicle_count());
        if instance.can_serve(vehicle, task) && rng.random_range(0..10) > 0 {
            solution.insert(instance, task, instance.start(vehicle));
            solution.refresh(instance, vehicle);
        }
    }
    solution
}

/// The penalised cost after all routes are refreshed.
fn refreshed_cost(instance: &Instance<'_, impl Arcs>, solution: &RouteSet) -> i64 {
    let mut again = solution.clone();
    (0..instance.vehicle_count()).for_each(|vehicle| again.refresh(instance, vehicle));
    again.penalised_cost()
}

/// The sums of every route are those of a simulation task by task.
fn assert_sums(instance: &Instance<'_, impl Arcs>, solution: &RouteSet) {
    for vehicle in 0..instance.vehicle_count() {
        let mut walk = Walk::start(instance, vehicle);
        let mut node = instance.start(vehicle);
        while node != instance.end(vehicle) {
            let rest = walk.finish(instance, solution, solution.next(node));
            let sums = &solution.routes[vehicle];
            // Lateness without a cost is not summed.
            let lateness_us = if instance.simulates_times {
                sums.lateness_us
            } else {
                0
            };
            let whole = Delays {
                lateness_us,
                ..sums.delays()
            };
            assert_eq!(rest, whole, "vehicle {vehicle} at {node}");
            assert_eq!(solution.prev(solution.next(node)), node);
            node = solution.next(node);
            walk.step(instance, node);
        }
        assert_eq!(walk.cost, solution.routes[vehicle].cost);
    }
}

/// Makes random moves. Returns which of them improved the solution, and its cost in the end.
fn check_moves(
    instance: &Instance<'_, impl Arcs>,
    seed: u64,
) -> Result<(Vec<bool>, i64), TestCaseError> {
    let mut rng = Rng::seed_from_u64(seed);
    let mut solution = random_solution(instance, &mut rng);
    let mut improved = Vec::new();
    for _ in 0..200 {
        let [u, v] = [(); 2].map(|()| rng.random_range(0..instance.tasks) as u16);
        if u == v || !solution.is_assigned(u) || !solution.is_assigned(v) {
            continue;
        }
        let before = refreshed_cost(instance, &solution);
        let counts = [(); 2].map(|()| rng.random_range(1..=3));
        let a = Segment::starting_at(instance, &solution, u, counts[0]);
        let b = Segment::starting_at(instance, &solution, v, counts[1]);
        let changed = match (rng.random_range(0..4), a, b) {
            (0, Some(a), _) => relocate(instance, &mut solution, &a, v),
            (1, Some(a), Some(b)) => swap(instance, &mut solution, &a, &b),
            (2, ..) => two_opt_star(instance, &mut solution, u, v),
            _ => two_opt(instance, &mut solution, u, v),
        };
        let after = refreshed_cost(instance, &solution);
        prop_assert_eq!(solution.penalised_cost(), after);
        prop_assert_eq!(after < before, changed);
        improved.push(changed);
    }
    let cost = solution.penalised_cost();
    Ok((improved, cost))
}

/// What all tasks add to the cost of routes is the same in a genome and in its draft, also behind
/// committed prefixes.
fn assert_cost_of_tasks(
    instance: &Instance<'_, impl Arcs>,
    context: &SearchContext<'_>,
    unit: f64,
    genome: &Genome,
    draft: &Draft,
) {
    let model = &context.model;
    let routes_cost = |genome: &Genome| {
        let mut unassigned: Vec<bool> = vec![true; instance.tasks];
        let assigned = (0..model.workers.len()).flat_map(|agent| genome.route(agent));
        assigned.for_each(|task| unassigned[task as usize] = false);
        let left = (0..).zip(unassigned).filter(|(_, left)| *left);
        genome.totals.cost
            - left
                .map(|(task, _)| instance.unserved_cost(task))
                .sum::<i64>()
    };
    let penalised_cost = |draft: &Draft| {
        let terms = Terms {
            unserved_micro: 0,
            drop_penalty_micro: 0,
            ..*draft.terms()
        };
        model.scale.penalised_cost(&terms) / unit
    };
    let nothing = RouteSet::new(instance, PenaltyManager::new(instance).penalties());
    let nothing = Genome::from_solution(instance, &nothing);
    let mut begun = Draft::new(model);
    assert!(decode(instance, context, &nothing, &mut begun));
    let in_genome = (routes_cost(genome) - routes_cost(&nothing)) as f64;
    let in_draft = penalised_cost(draft) - penalised_cost(&begun);
    let arcs = (instance.tasks + 2 * model.workers.len()) as f64;
    assert!(
        (in_genome - in_draft).abs() <= arcs,
        "{in_genome} {in_draft}"
    );
}

/// A solution of feasible routes costs as much as its columns, vehicles without tasks and tasks
/// that are unassigned, and is assembled from them.
fn assert_columns(instance: &Instance<'_, impl Arcs>, solution: &RouteSet) {
    let mut pool = RoutePool::default();
    pool.add_feasible(instance, solution, 0..instance.vehicle_count());
    let columns = pool.columns(instance);
    let routes = 0..columns.len() as u32;
    let routes = routes.filter(|column| columns.classes[*column as usize] != NIL);
    let routes: Vec<u32> = routes.collect();
    let is_used = |route: &&Route| route.tasks > 0;
    if routes.len() < solution.routes.iter().filter(is_used).count() {
        return;
    }
    let assembled = assemble(instance, &columns, &routes, solution.penalties);
    assert_eq!(assembled.totals, solution.totals);
    let costs = routes.iter().map(|column| columns.costs[*column as usize]);
    let left = (0..instance.tasks as u16).filter(|task| !solution.is_assigned(*task));
    let left_cost: i64 = left.map(|task| instance.unserved_cost(task)).sum();
    let cost = costs.sum::<i64>() + instance.idle_cost + left_cost;
    assert_eq!(cost, solution.totals.cost);
}

proptest! {
    /// The parts of a route joined at any node have the delays of the whole.
    #[test]
    fn a_route_cut_anywhere_takes_as_long_as_whole(
        seed: u64, tasks in 2_usize..14, agents in 1_usize..5,
    ) {
        let problem = generate(seed, &Shape::varied(tasks, agents));
        let context = context(&problem);
        let layout = supported(&context)?;
        let instance = with_matrices(&context, &layout);
        let mut rng = Rng::seed_from_u64(seed);
        let solution = random_solution(&instance, &mut rng);
        assert_sums(&instance, &solution);
    }

    /// A move is applied if and only if it lowers the penalised cost.
    #[test]
    fn moves_lower_the_penalised_cost(seed: u64, tasks in 2_usize..14, agents in 1_usize..5) {
        let problem = generate(seed, &Shape::varied(tasks, agents));
        for problem in [&problem, &without_matrix(&problem)] {
            let context = context(problem);
            let layout = supported(&context)?;
            let looked_up = with_matrices(&context, &layout);
            let computed = Computed { layout: &layout, model: &context.model };
            let computed = Instance::new(&context, &layout, computed);
            prop_assert_eq!(check_moves(&looked_up, seed)?, check_moves(&computed, seed)?);
        }
    }

    /// Totals are the sums over all routes and unassigned tasks; what is undone leaves no trace,
    /// and what is taken over is the same as a copy.
    #[test]
    fn changes_are_undone_or_taken_over(seed: u64, tasks in 2_usize..30, agents in 1_usize..6) {
        let problem = generate(seed, &Shape::varied(tasks, agents));
        let context = context(&problem);
        let layout = supported(&context)?;
        let instance = with_matrices(&context, &layout);
        let mut rng = Rng::seed_from_u64(seed);
        let mut current = random_solution(&instance, &mut rng);
        current.forget_touched();
        let mut trial = current.clone();
        for _ in 0..10 {
            for _ in 0..rng.random_range(0..9) {
                let task = rng.random_range(0..instance.tasks) as u16;
                let vehicle = rng.random_range(0..instance.vehicle_count());
                if trial.is_assigned(task) {
                    let vehicle = trial.vehicle(task);
                    trial.remove(&instance, task);
                    trial.refresh(&instance, vehicle);
                } else if instance.can_serve(vehicle, task) {
                    let mut after = instance.start(vehicle);
                    for _ in 0..rng.random_range(0..=trial.routes[vehicle].tasks) {
                        after = trial.next(after);
                    }
                    trial.insert(&instance, task, after);
                    trial.refresh(&instance, vehicle);
                }
            }
            if rng.random_range(0..4) == 0 {
                let penalties = trial.penalties.scaled(1.5);
                trial.set_penalties(&instance, penalties);
                current.set_penalties(&instance, penalties);
            }
            let copy = trial.clone();
            let kept = if rng.random() {
                current.apply_changes(&instance, &mut trial);
                copy
            } else {
                trial.revert(&instance, &current);
                current.clone()
            };
            for solution in [&current, &trial] {
                let genome = Genome::from_solution(&instance, solution);
                prop_assert_eq!(genome, Genome::from_solution(&instance, &kept));
                prop_assert_eq!(refreshed_cost(&instance, solution), solution.penalised_cost());
                assert_sums(&instance, solution);
                let mut again = solution.clone();
                again.clear(&instance);
                Genome::from_solution(&instance, solution).decode(&instance, &mut again);
                prop_assert_eq!(again.totals, solution.totals);
            }
        }
    }

    /// The delta of an insertion is the change of the penalised cost.
    #[test]
    fn insertion_deltas_are_exact(seed: u64, tasks in 2_usize..12, agents in 1_usize..4) {
        let problem = generate(seed, &Shape::varied(tasks, agents));
        let context = context(&problem);
        let layout = supported(&context)?;
        let instance = with_matrices(&context, &layout);
        let mut rng = Rng::seed_from_u64(seed);
        let solution = random_solution(&instance, &mut rng);
        for task in (0..instance.tasks as u16).filter(|task| !solution.is_assigned(*task)) {
            for after in (0..instance.tasks as u16).filter(|after| solution.is_assigned(*after)) {
                let change = insertion_delta(&instance, &solution, task, after, i64::MAX);
                let Some(change) = change else {
                    continue;
                };
                let mut more = solution.clone();
                more.insert(&instance, task, after);
                more.refresh(&instance, more.vehicle(after));
                let saved = instance.unserved_penalties[task as usize];
                let saved = saved.unwrap_or(instance.forbidden_cost());
                let real = more.penalised_cost() - solution.penalised_cost() + saved;
                prop_assert_eq!(change, real);
            }
        }
    }

    /// Set partitioning finds the cheapest columns that cover each task once, with enough agents.
    #[test]
    fn set_partitioning_is_optimal(
        seed: u64, tasks in 2_usize..8, agents in 1_usize..4, routes in 0_usize..9,
    ) {
        let problem = generate(seed, &Shape::depot(tasks, agents));
        let context = context(&problem);
        let layout = supported(&context)?;
        let instance = with_matrices(&context, &layout);
        let mut rng = Rng::seed_from_u64(seed);
        let mut columns = Columns::default();
        for task in 0..tasks as u16 {
            columns.push(rng.random_range(-20..100), 0, &[task]);
        }
        for _ in 0..routes {
            let chosen: Vec<u16> = (0..tasks as u16).filter(|_| rng.random()).collect();
            if !chosen.is_empty() {
                columns.push(rng.random_range(-90..200), 0, &chosen);
            }
        }
        let limit = rng.random_range(-200..500);
        let found = SetPartitioning::new(&instance, &columns, limit).solve(&unlimited());
        let cost = |chosen: &[u32]| chosen.iter().map(|c| columns.costs[*c as usize]).sum::<i64>();
        let best = (0..1_u32 << columns.len()).filter_map(|set| {
            let chosen: Vec<u32> = (0..32).filter(|column| set >> column & 1 == 1).collect();
            let mut counts = vec![0; tasks];
            for &column in &chosen {
                columns.tasks(column as usize).iter().for_each(|task| counts[*task as usize] += 1);
            }
            let is_plan = counts.iter().all(|count| *count == 1) && chosen.len() <= agents;
            is_plan.then(|| cost(&chosen))
        });
        let best = best.min().filter(|best| *best < limit);
        prop_assert_eq!(found.map(|chosen| cost(&chosen)), best);
    }

    /// Genomes decode to the solution they encode, and feasible genomes to valid plans.
    #[test]
    fn feasible_genomes_are_valid_plans(seed: u64, tasks in 2_usize..20, agents in 1_usize..6) {
        let problem = generate(seed, &Shape::varied(tasks, agents));
        let context = context(&problem);
        let layout = supported(&context)?;
        let instance = with_matrices(&context, &layout);
        let mut rng = Rng::seed_from_u64(seed);
        let penalties = PenaltyManager::new(&instance).penalties();
        let mut solution = RouteSet::new(&instance, penalties.scaled(10.0));
        for task in 0..instance.tasks as u16 {
            if let Some(after) = best_insertion_overall(&instance, &solution, task, i64::MAX) {
                solution.insert(&instance, task, after);
                solution.refresh(&instance, solution.vehicle(after));
            }
        }
        let mut local_search = LocalSearch::new(&instance, unlimited());
        (0..instance.tasks as u16).for_each(|task| local_search.mark(task));
        let ended = local_search.run_promising(&instance, &mut solution, &mut rng);
        prop_assert_eq!(ended, Ok(()));
        assert_columns(&instance, &solution);
        let genome = Genome::from_solution(&instance, &solution);
        let mut again = solution.clone();
        genome.decode(&instance, &mut again);
        prop_assert_eq!(&Genome::from_solution(&instance, &again), &genome);
        let mut draft = Draft::new(&context.model);
        let is_feasible = decode(&instance, &context, &genome, &mut draft);
        prop_assert!(is_feasible || !genome.is_feasible(&instance));
        if is_feasible && genome.is_feasible(&instance) {
            prop_assert_eq!(encode(&instance, &draft), genome.clone());
            assert_cost_of_tasks(&instance, &context, layout.unit, &genome, &draft);
            prop_assert_eq!(crate::verify(&problem, &draft.plan()), Ok(draft.cost(&context.model)));
        }
    }
}
