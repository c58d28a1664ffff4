//! Quality over time of the coupled search: on generated pickups and deliveries, and compared with
//! the uncoupled search on problems that both can solve.
//!
//! `cargo bench -p stratagem-allocation --bench coupled`. Limits are by the clock, with one thread.
//!
//! With `STRATAGEM_PARTS=seeds` only the part that counts iterations instead: the spread of runs
//! with different seeds (`STRATAGEM_ITERATIONS` each, default 2000).

mod seeds;

use allocation::generate::{Shape, generate, spec};
use allocation::problem::Preference;
use allocation::{Allocation, Cost, Params, Plan, Problem};
use anytime::{Control, Limits, Planner as _};
use std::time::{Duration, Instant};

/// Seconds of the limits.
const SECONDS: [u64; 2] = [1, 10];
const SEED: u64 = 1;

#[expect(clippy::disallowed_methods, reason = "a bench measures time")]
fn now() -> Instant {
    Instant::now()
}

/// Result of a search.
struct Seen {
    best: Option<Cost>,
    first: Option<Duration>,
    iterations: u64,
}

fn search(problem: &Problem, seconds: u64) -> Seen {
    let begin = now();
    let mut seen = Seen {
        best: None,
        first: None,
        iterations: 0,
    };
    let mut sink = |plan: &Plan, cost: Cost| {
        assert_eq!(Allocation::verify(problem, plan), Ok(cost));
        if cost.0[0] == 0 {
            seen.first.get_or_insert(now().duration_since(begin));
        }
        seen.best = Some(cost);
    };
    let limits = Limits::until(begin + Duration::from_secs(seconds));
    let mut control = Control::new(limits, SEED, &mut sink);
    Allocation::solve(problem, &Params::default(), &mut control).expect("auto supports all");
    let iterations = control.iterations();
    Seen { iterations, ..seen }
}

/// Unserved tasks and the rest of the cost, in units.
fn served_and_cost(cost: Option<Cost>) -> (i64, f64) {
    cost.map_or((i64::MAX, f64::INFINITY), |cost| {
        (cost.0[0] / 1_000_000, cost.0[1] as f64 / 1e6)
    })
}

fn row(name: &str, problem: &Problem) {
    let seen = SECONDS.map(|seconds| search(problem, seconds));
    let first = seen[1].first.map_or("none".into(), |first| {
        format!("{:.1}", first.as_secs_f64() * 1e3)
    });
    let cells = seen.iter().map(|one| {
        let (left_out, cost) = served_and_cost(one.best);
        format!("{left_out} / {cost:.1}")
    });
    let cells: Vec<String> = cells.collect();
    let rate = seen[1].iterations / SECONDS[1];
    println!("| {name} | {first} | {} | {rate} |", cells.join(" | "));
}

#[expect(clippy::disallowed_methods, reason = "a bench is set from outside")]
fn setting(name: &str, default: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| default.to_owned())
}

fn main() {
    let parts = setting("STRATAGEM_PARTS", "quality,seeds");
    if parts.contains("quality") {
        quality();
    }
    if parts.contains("seeds") {
        let iterations = setting("STRATAGEM_ITERATIONS", "2000").parse();
        seeds::rows(iterations.expect("a number of iterations"));
    }
}

fn quality() {
    println!("| problem | first complete ms | 1 s | 10 s | iterations a second |");
    println!("|---|---|---|---|---|");
    for (tasks, agents) in [(50, 8), (100, 16), (200, 32), (400, 60)] {
        let problem = generate(SEED, &Shape::deliveries(tasks, agents));
        row(
            &format!("{tasks} tasks in pairs, {agents} agents"),
            &problem,
        );
    }
    for (tasks, agents) in [(50, 8), (100, 16)] {
        let free = spec(SEED, &Shape::depot(tasks, agents));
        let mut tied = free.clone();
        // A preference without a cost: the same problem, but searched as a coupled one.
        tied.couplings.preferences.push(Preference {
            task: 0,
            from_us: 0,
            until_us: 0,
            early_micro: 0,
            late_micro: 0,
        });
        for (name, spec) in [("uncoupled", free), ("the same, as if coupled", tied)] {
            let problem = Problem::new(spec).expect("generated problems are valid");
            row(&format!("{tasks} tasks, {agents} agents, {name}"), &problem);
        }
    }
}
