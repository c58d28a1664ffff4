//! Distance between runs that differ in their seed only, where the objective counts balance or
//! makespan.

use allocation::generate::{Shape, spec};
use allocation::problem::{Level, MICRO, Preference, Spec, Term};
use allocation::{Allocation, Cost, Params, Plan, Problem, verify};
use anytime::{Control, Limits, Planner as _};

/// Runs of each problem.
const RUNS: usize = 5;
/// Longest route difference that counts as none, as a share of the work of an agent on average.
const FINE_SHARE: f64 = 1e-3;

/// A kind of problem.
struct Kind {
    name: &'static str,
    shape: Shape,
    change: fn(&mut Spec),
}

/// An objective behind the tasks not done.
struct Objective {
    name: &'static str,
    levels: &'static [&'static [(Term, i64)]],
}

const OBJECTIVES: &[Objective] = &[
    Objective {
        name: "balance",
        levels: &[&[(Term::Balance, 1)]],
    },
    Objective {
        name: "balance, travel",
        levels: &[&[(Term::Balance, 1)], &[(Term::TravelCost, 1)]],
    },
    Objective {
        name: "balance + travel",
        levels: &[&[(Term::Balance, 1), (Term::TravelCost, 1)]],
    },
    Objective {
        name: "makespan, balance",
        levels: &[&[(Term::Makespan, 1)], &[(Term::Balance, 1)]],
    },
    Objective {
        name: "makespan, travel",
        levels: &[&[(Term::Makespan, 1)], &[(Term::TravelCost, 1)]],
    },
];

fn kinds() -> Vec<Kind> {
    let kind = |name, shape, change| Kind {
        name,
        shape,
        change,
    };
    vec![
        kind("no windows", Shape::depot(10, 2), no_windows),
        kind("no windows", Shape::depot(20, 4), no_windows),
        kind("no windows", Shape::depot(40, 6), no_windows),
        kind("no windows", Shape::depot(60, 8), no_windows),
        kind("windows", Shape::depot(15, 3), |_| ()),
        kind("windows", Shape::depot(30, 5), |_| ()),
        kind("windows", Shape::depot(60, 8), |_| ()),
        kind("speeds", Shape::depot(12, 3), speeds),
        kind("speeds", Shape::depot(30, 4), speeds),
        kind("speeds", Shape::depot(50, 8), speeds),
        kind("pairs", Shape::deliveries(12, 3), |_| ()),
        kind("pairs", Shape::deliveries(30, 6), |_| ()),
        kind("preferences", Shape::depot(24, 4), preferences),
        kind("any kind", Shape::varied(12, 3), |_| ()),
        kind("any kind", Shape::varied(25, 4), |_| ()),
        kind("any kind, coupled", Shape::coupled(12, 3), |_| ()),
        kind("any kind, coupled", Shape::coupled(24, 4), |_| ()),
    ]
}

fn no_windows(spec: &mut Spec) {
    spec.tasks.iter_mut().for_each(|task| task.windows.clear());
}

fn speeds(spec: &mut Spec) {
    no_windows(spec);
    for (agent, one) in (0_i64..).zip(&mut spec.agents) {
        one.speed_micro = MICRO * (2 + agent % 4) / 3;
    }
}

/// Late starts cost something, which couples the problem.
fn preferences(spec: &mut Spec) {
    for task in (0..spec.tasks.len()).step_by(3) {
        spec.couplings.preferences.push(Preference {
            task,
            from_us: 0,
            until_us: 200 * MICRO,
            early_micro: 0,
            late_micro: MICRO / 10,
        });
    }
}

/// The five runs, best first, and what an agent works on average in the best.
struct Runs {
    costs: Vec<Cost>,
    work_us: f64,
}

fn runs(problem: &Problem, iterations: u64) -> Runs {
    let mut best: Vec<(Cost, Plan)> = (1..=RUNS as u64)
        .filter_map(|seed| last(problem, iterations, seed))
        .collect();
    best.sort_by_key(|(cost, _)| *cost);
    let work_us = best.first().map_or(0.0, |(_, plan)| work_us(problem, plan));
    Runs {
        costs: best.into_iter().map(|(cost, _)| cost).collect(),
        work_us,
    }
}

fn last(problem: &Problem, iterations: u64, seed: u64) -> Option<(Cost, Plan)> {
    let mut last = None;
    let mut sink = |plan: &Plan, cost: Cost| last = Some((cost, plan.clone()));
    let mut control = Control::new(Limits::iterations(iterations), seed, &mut sink);
    Allocation::solve(problem, &Params::default(), &mut control).expect("auto supports all");
    let (cost, plan) = last?;
    assert_eq!(verify(problem, &plan), Ok(cost));
    Some((cost, plan))
}

/// What an agent works and travels on average, waiting not counted.
fn work_us(problem: &Problem, plan: &Plan) -> f64 {
    let tasks = plan.routes.iter().flat_map(|route| &route.stops);
    let service_us: i64 = tasks.map(|s| problem.tasks()[s.task].service_us).sum();
    let terms = verify::terms(problem, plan).expect("it was checked");
    (service_us + terms.travel_cost_micro) as f64 / problem.agents().len() as f64
}

/// How far the median run is above the best, in percent of the level in which they first differ,
/// and which level that is. Differences below [`FINE_SHARE`] count as none.
fn gap(runs: &Runs) -> (f64, usize) {
    let (best, median) = (runs.costs[0].0, runs.costs[RUNS / 2].0);
    for level in 0..best.len() {
        let above = (median[level] - best[level]) as f64;
        if level == 0 && above > 0.0 {
            return (f64::INFINITY, level);
        }
        if above > FINE_SHARE * runs.work_us {
            return (100.0 * above / best[level].max(1) as f64, level);
        }
        if above != 0.0 {
            break;
        }
    }
    (0.0, 0)
}

/// Levels of a cost, in ones.
fn shown(problem: &Problem, cost: &Cost) -> String {
    let levels = cost.0[..problem.levels().len()].iter();
    let ones: Vec<String> = levels
        .map(|level| format!("{:.4}", *level as f64 / 1e6))
        .collect();
    ones.join(" / ")
}

/// The problem number `seed` of a kind, with an objective.
fn problem(seed: u64, kind: &Kind, objective: &Objective) -> Problem {
    let mut spec = spec(seed, &kind.shape);
    (kind.change)(&mut spec);
    let level = |terms: &&[(Term, i64)]| Level {
        terms: terms.to_vec(),
    };
    spec.objective = objective.levels.iter().map(level).collect();
    Problem::new(spec).expect("generated problems are valid")
}

/// Prints a row for each kind and objective.
pub(crate) fn rows(iterations: u64) {
    println!(
        "| problem | objective | work of an agent | best | median | worst | median above best % |"
    );
    println!("|---|---|---|---|---|---|---|");
    let (mut count, mut within) = (0, 0);
    for objective in OBJECTIVES {
        for (seed, kind) in (1..).zip(kinds()) {
            let problem = problem(seed, &kind, objective);
            let runs = runs(&problem, iterations);
            assert_eq!(runs.costs.len(), RUNS, "each run finds a plan");
            let (gap, level) = gap(&runs);
            count += 1;
            within += usize::from(gap <= 1.0);
            let [best, median, worst] =
                [0, RUNS / 2, RUNS - 1].map(|run| shown(&problem, &runs.costs[run]));
            let Shape { tasks, agents, .. } = kind.shape;
            let work = runs.work_us / 1e6;
            print!("| {}, {tasks} tasks, {agents} agents ", kind.name);
            print!(
                "| {} | {work:.0} | {best} | {median} | {worst} ",
                objective.name
            );
            println!("| {gap:.2} (level {level}) |");
        }
    }
    println!("{within} of {count} within 1 %");
}
