//! Cost of one iteration at three sizes, of the first plan at two, and of all places for one task more. Budgets are iterations, not
//! seconds, so that a faster computer does the same work sooner. Quality over time is another
//! program with its own protocol.

use allocation::generate::{Shape, generate};
use allocation::insert::{INSERTIONS_MAX, insertions};
use allocation::solve::{Params, Strategy};
use allocation::{Cost, Plan, Problem, solve};
use anytime::{Control, Limits};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

const ITERATIONS: u64 = 32;
const SEED: u64 = 1;

/// Searches with a limit on the iterations.
fn search(problem: &Problem, strategy: Strategy, iterations: u64) {
    let params = Params {
        strategy,
        ..Params::default()
    };
    let mut ignore = |_: &Plan, _: Cost| {};
    let mut control = Control::new(Limits::iterations(iterations), SEED, &mut ignore);
    let _ = black_box(solve(black_box(problem), &params, &mut control));
}

fn iterations(c: &mut Criterion) {
    let mut group = c.benchmark_group("allocation/iterations");
    group
        .sample_size(10)
        .throughput(Throughput::Elements(ITERATIONS));
    for (tasks, agents) in [(8, 2), (20, 4), (100, 12)] {
        let problem = generate(SEED, &Shape::depot(tasks, agents));
        for strategy in [Strategy::Auto, Strategy::Mcts, Strategy::MctsUniform] {
            group.bench_function(format!("{} {tasks}x{agents}", strategy.name()), |b| {
                b.iter(|| search(&problem, strategy, ITERATIONS));
            });
        }
    }
    group.finish();
}

/// The strategy `insertion` offers one plan and ends.
fn first_plan(c: &mut Criterion) {
    let mut group = c.benchmark_group("allocation/first plan");
    group.sample_size(20);
    for (tasks, agents) in [(100, 25), (1_000, 100)] {
        let problem = generate(SEED, &Shape::depot(tasks, agents));
        group.bench_function(format!("{tasks}x{agents}"), |b| {
            b.iter(|| search(&problem, Strategy::Insertion, 0));
        });
    }
    group.finish();
}

/// All places of a task in the plan of all others.
fn one_more(c: &mut Criterion) {
    let mut group = c.benchmark_group("allocation/one more");
    for (tasks, agents) in [(100, 25), (1_000, 100)] {
        let problem = generate(SEED, &Shape::depot(tasks, agents));
        let mut plan = Plan::default();
        let mut keep = |better: &Plan, _: Cost| plan.clone_from(better);
        let params = Params {
            strategy: Strategy::Insertion,
            ..Params::default()
        };
        let mut control = Control::new(Limits::iterations(0), SEED, &mut keep);
        solve(&problem, &params, &mut control).expect("all problems are supported");
        let task = plan.routes[0].stops.remove(0).task;
        group.bench_function(format!("{tasks}x{agents}"), |b| {
            b.iter(|| insertions(&problem, black_box(&plan), (task, INSERTIONS_MAX)));
        });
    }
    group.finish();
}

criterion_group!(benches, iterations, first_plan, one_more);
criterion_main!(benches);
