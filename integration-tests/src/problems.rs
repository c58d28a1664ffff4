//! Problems to send.

use crate::play::Random;
use prost_types::Duration;
use stratagem_proto::v1::{
    AllocateTasksRequest, AllocationAgent, AllocationPlace, AllocationPoint, AllocationProblem,
    AllocationTask, SolveOptions, allocation_place::At,
};

/// A duration in milliseconds.
#[must_use]
pub fn millis(ms: i64) -> Duration {
    Duration {
        seconds: ms / 1_000,
        nanos: (ms % 1_000) as i32 * 1_000_000,
    }
}

/// A place in the plane.
#[must_use]
pub fn point(x: f64, y: f64) -> AllocationPlace {
    AllocationPlace {
        at: Some(At::Point(AllocationPoint { x, y })),
    }
}

/// An agent that stands at the origin and has all the time in the world.
#[must_use]
pub fn agent(id: &str) -> AllocationAgent {
    AllocationAgent {
        id: id.into(),
        start: Some(point(0.0, 0.0)),
        ..Default::default()
    }
}

/// A task at a point that takes a second, at any time.
#[must_use]
pub fn task(id: &str, x: f64, y: f64) -> AllocationTask {
    AllocationTask {
        id: id.into(),
        place: Some(point(x, y)),
        service_duration: Some(millis(1_000)),
        ..Default::default()
    }
}

/// Two agents at the origin, three tasks in a row: small enough to be proved optimal. The best plan
/// sends one agent through all, which costs 3.
#[must_use]
pub fn row() -> AllocationProblem {
    AllocationProblem {
        title: "a row".into(),
        agents: vec![agent("ann"), agent("bob")],
        tasks: vec![
            task("near", 1.0, 0.0),
            task("middle", 2.0, 0.0),
            task("far", 3.0, 0.0),
        ],
        ..Default::default()
    }
}

/// Tasks scattered over a square of side 100, agents in its corners; all can be done, and the
/// search for the best order never ends for 20 tasks or more. The same seed gives the same problem.
#[must_use]
pub fn scattered(seed: u64, agents: usize, tasks: usize) -> AllocationProblem {
    let mut rng = Random::new(seed);
    let mut side = || (rng.number() % 101) as f64;
    let corner = |i: usize| point((i % 2 * 100) as f64, (i / 2 % 2 * 100) as f64);
    AllocationProblem {
        title: format!("scattered {seed}"),
        agents: (0..agents)
            .map(|i| AllocationAgent {
                start: Some(corner(i)),
                ..agent(&format!("agent {i}"))
            })
            .collect(),
        tasks: (0..tasks)
            .map(|i| task(&format!("task {i}"), side(), side()))
            .collect(),
        ..Default::default()
    }
}

/// [`row`], with a task that needs what nobody can do.
#[must_use]
pub fn impossible() -> AllocationProblem {
    let mut problem = row();
    problem.tasks[1].required_skills = vec!["flying".into()];
    problem
}

/// Search for a time.
#[must_use]
pub fn budget(ms: i64) -> SolveOptions {
    SolveOptions {
        time_budget: Some(millis(ms)),
        ..Default::default()
    }
}

/// Search for a number of iterations, with more than enough time.
#[must_use]
pub fn iterations(limit: i64, seed: i64) -> SolveOptions {
    SolveOptions {
        time_budget: Some(millis(60_000)),
        max_iterations: Some(limit),
        seed,
        ..Default::default()
    }
}

/// A unary request.
#[must_use]
pub fn allocate(problem: AllocationProblem, options: SolveOptions) -> AllocateTasksRequest {
    AllocateTasksRequest {
        problem: Some(problem),
        options: Some(options),
    }
}
