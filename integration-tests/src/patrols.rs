//! Patrols to have generated.

use crate::problems::millis;
use stratagem_proto::v1::{
    EvaluatePatrolRequest, GeneratePatrolRequest, MixPatrolsRequest, PatrolEdge, PatrolGuard,
    PatrolIntruder, PatrolMixture, PatrolMixturePart, PatrolMotion, PatrolPlan, PatrolProblem,
    PatrolRoute, PatrolStop, PatrolVertex, SolveOptions, VaryPatrolsRequest,
};

/// A place to watch.
#[must_use]
pub fn vertex(id: &str) -> PatrolVertex {
    PatrolVertex {
        id: id.into(),
        ..Default::default()
    }
}

/// A way that takes a tick.
#[must_use]
pub fn edge(from: &str, to: &str) -> PatrolEdge {
    PatrolEdge {
        from_vertex_id: from.into(),
        to_vertex_id: to.into(),
        ..Default::default()
    }
}

/// A guard of speed 1.
#[must_use]
pub fn guard(id: &str, start: &str) -> PatrolGuard {
    PatrolGuard {
        id: id.into(),
        start_vertex_id: start.into(),
        ..Default::default()
    }
}

/// An intruder that needs this number of seconds.
#[must_use]
pub fn intruder(motion: PatrolMotion, seconds: i64) -> PatrolIntruder {
    PatrolIntruder {
        motion: motion.into(),
        penetration_duration: Some(millis(1_000 * seconds)),
        ..Default::default()
    }
}

/// Posts in a ring, all guards at the first, ticks of a second, and an intruder that needs this
/// number of seconds to get through.
#[must_use]
pub fn fence(posts: usize, guards: usize, seconds: i64) -> PatrolProblem {
    let id = |post: usize| format!("p{}", post % posts);
    PatrolProblem {
        title: format!("a fence of {posts} posts"),
        vertices: (0..posts).map(|post| vertex(&id(post))).collect(),
        edges: (0..posts).map(|i| edge(&id(i), &id(i + 1))).collect(),
        guards: (0..guards)
            .map(|one| guard(&format!("g{one}"), &id(0)))
            .collect(),
        intruder: Some(intruder(PatrolMotion::Stationary, seconds)),
        ..Default::default()
    }
}

/// Rooms in a row, one guard in the first, and an intruder that needs this number of seconds: the
/// guard cannot be at both ends in time, but by chance at either.
#[must_use]
pub fn corridor(rooms: usize, seconds: i64) -> PatrolProblem {
    let mut problem = fence(rooms, 1, seconds);
    problem.title = format!("a corridor of {rooms} rooms");
    // From the last there is no way back to the first.
    problem.edges.pop();
    problem
}

/// Crossings, row by row, two guards at the first, and a thief that walks for this number of
/// seconds. For 5 times 5 and more, the search for better patrols never ends.
#[must_use]
pub fn chase(side: usize, seconds: i64) -> PatrolProblem {
    let id = |column: usize, row: usize| format!("c{column}r{row}");
    let all = || (0..side).flat_map(|row| (0..side).map(move |column| (column, row)));
    let right = all().filter(|(column, _)| column + 1 < side);
    let right = right.map(|(column, row)| edge(&id(column, row), &id(column + 1, row)));
    let down = all().filter(|(_, row)| row + 1 < side);
    let down = down.map(|(column, row)| edge(&id(column, row), &id(column, row + 1)));
    PatrolProblem {
        title: format!("a chase on {side} times {side} crossings"),
        vertices: all()
            .map(|(column, row)| vertex(&id(column, row)))
            .collect(),
        edges: right.chain(down).collect(),
        guards: vec![guard("g0", &id(0, 0)), guard("g1", &id(0, 0))],
        intruder: Some(intruder(PatrolMotion::Lazy, seconds)),
        ..Default::default()
    }
}

/// A stop at a vertex for this number of seconds.
#[must_use]
pub fn stop(vertex: &str, seconds: i64) -> PatrolStop {
    PatrolStop {
        vertex_id: vertex.into(),
        stay_duration: Some(millis(1_000 * seconds)),
        ..Default::default()
    }
}

/// A route without a prefix: once round these vertices, without a stay.
#[must_use]
pub fn round(guard: &str, vertices: &[&str]) -> PatrolRoute {
    PatrolRoute {
        guard_id: guard.into(),
        prefix: Vec::new(),
        cycle: vertices.iter().map(|id| stop(id, 0)).collect(),
    }
}

/// A plan of routes.
#[must_use]
pub fn patrol(routes: Vec<PatrolRoute>) -> PatrolPlan {
    PatrolPlan {
        routes,
        ..Default::default()
    }
}

/// A unary request.
#[must_use]
pub fn generate(problem: PatrolProblem, options: SolveOptions) -> GeneratePatrolRequest {
    GeneratePatrolRequest {
        problem: Some(problem),
        options: Some(options),
        previous_plan: None,
    }
}

/// A request to judge a plan.
#[must_use]
pub fn judge(problem: &PatrolProblem, plan: &PatrolPlan) -> EvaluatePatrolRequest {
    EvaluatePatrolRequest {
        problem: Some(problem.clone()),
        plan: Some(plan.clone()),
        mixture: None,
    }
}

/// A request for a mixture of as many plans as by default.
#[must_use]
pub fn mix(problem: PatrolProblem, options: SolveOptions) -> MixPatrolsRequest {
    MixPatrolsRequest {
        problem: Some(problem),
        options: Some(options),
        max_plans: None,
        max_plan_iterations: None,
    }
}

/// A request for as many plans that differ as by default.
#[must_use]
pub fn vary(problem: PatrolProblem, options: SolveOptions) -> VaryPatrolsRequest {
    VaryPatrolsRequest {
        problem: Some(problem),
        options: Some(options),
        plan_count: None,
        min_distance: None,
    }
}

/// A mixture of plans with their probabilities.
#[must_use]
pub fn mixture(parts: Vec<(f64, PatrolPlan)>) -> PatrolMixture {
    let part = |(probability, plan)| PatrolMixturePart {
        probability,
        plan: Some(plan),
    };
    PatrolMixture {
        parts: parts.into_iter().map(part).collect(),
    }
}

/// A request to judge a mixture.
#[must_use]
pub fn judge_mixture(problem: &PatrolProblem, mixture: &PatrolMixture) -> EvaluatePatrolRequest {
    EvaluatePatrolRequest {
        problem: Some(problem.clone()),
        plan: None,
        mixture: Some(mixture.clone()),
    }
}
