//! Time of one iteration at three sizes, of the first plan at two, of all places for one more task,
//! and of certificates. Budgets are iterations, not seconds, so that the work is the same on every
//! computer. The quality over time is measured by another program.

use allocation::generate::{Shape, generate, spec};
use allocation::insert::{INSERTIONS_MAX, insertions};
use allocation::problem::Window;
use allocation::solve::{Params, Strategy};
use allocation::verify::CertificateCheck;
use allocation::{Certificate, Cost, Plan, Problem, certificates, solve};
use anytime::{Control, Limits, Pulse};
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
            b.iter(|| insertions(&problem, black_box(&plan), task, INSERTIONS_MAX));
        });
    }
    group.finish();
}

/// All certificates of 1,000 tasks for 100 agents: where there is too much load; where every agent
/// differs; where a task too many is due at a time; where there is too much work; of deliveries
/// that are too late.
fn certified(c: &mut Criterion) {
    let mut group = c.benchmark_group("allocation/certificates");
    group.sample_size(10);
    let depot = || spec(SEED, &Shape::depot(1_000, 100));
    let mut differ = depot();
    let mut due = depot();
    let mut long = depot();
    let mut late = spec(SEED, &Shape::deliveries(1_000, 100));
    let wanted = Pulse::unbounded();
    for (index, agent) in differ.agents.iter_mut().enumerate() {
        (agent.start, agent.speed_micro) = (index, agent.speed_micro + index as i64);
        agent.skills = 1 << (index % 8);
    }
    for (index, task) in differ.tasks.iter_mut().enumerate() {
        task.skills = 1 << (index % 8);
    }
    for task in due.tasks.iter_mut().take(101) {
        task.windows = vec![Window::new(500_000_000, 505_000_000)];
    }
    for task in &mut long.tasks {
        (task.windows, task.service_us) = (Vec::new(), 100_000_000);
    }
    for pair in &late.couplings.pairs {
        late.tasks[pair.delivery].windows = vec![Window::new(0, 60_000_000)];
    }
    let cases = [
        ("too much load", depot()),
        ("agents that differ", differ),
        ("101 tasks at a time", due),
        ("too much work", long),
        ("late deliveries", late),
    ];
    for (name, spec) in cases {
        let problem = Problem::new(spec).expect("what was changed is within the limits");
        let found = certificates(&problem);
        println!("{name}: {}", summary(&found));
        group.bench_function(name, |b| b.iter(|| certificates(black_box(&problem))));
        group.bench_function(format!("{name}, checked"), |b| {
            b.iter(|| {
                let mut check = CertificateCheck::new(black_box(&problem), &wanted);
                assert!(found.iter().all(|one| check.certificate(one) == Ok(())));
            });
        });
    }
    group.finish();
}

/// Number of certificates, and number of tasks of the last one.
fn summary(found: &[Certificate]) -> String {
    let tasks = found.last().map_or(0, |last| last.tasks.len());
    format!("{} certificates, the last of {tasks} tasks", found.len())
}

criterion_group!(benches, iterations, first_plan, one_more, certified);
criterion_main!(benches);
