//! Mistakes about what is to be done, and about the ways between.

use super::{Case, check};
use stratagem_integration_tests::problems::{millis, point, task, window};
use stratagem_proto::v1::{
    AllocationEuclideanTravel, AllocationMatrixTravel, AllocationPlace, AllocationProblem,
    AllocationTravel, allocation_place::At, allocation_travel::Kind,
};

fn named(id: &str) -> Option<AllocationPlace> {
    Some(AllocationPlace {
        at: Some(At::LocationId(id.into())),
    })
}

const TASKS: [Case; 15] = [
    (
        "too many",
        |p, _| p.tasks = (0..1_001).map(|i| task(&i.to_string(), 0.0, 0.0)).collect(),
        &[("problem.tasks", "TOO_MANY")],
    ),
    (
        "the same id twice",
        |p, _| p.tasks[2].id = "near".into(),
        &[("problem.tasks[2].id", "DUPLICATE")],
    ),
    (
        "no place",
        |p, _| p.tasks[0].place = None,
        &[("problem.tasks[0].place", "REQUIRED")],
    ),
    (
        "x NaN",
        |p, _| p.tasks[0].place = Some(point(f64::NAN, 0.0)),
        &[("problem.tasks[0].place.point.x", "NOT_FINITE")],
    ),
    (
        "both infinite",
        |p, _| p.tasks[0].place = Some(point(f64::INFINITY, f64::NEG_INFINITY)),
        &[
            ("problem.tasks[0].place.point.x", "NOT_FINITE"),
            ("problem.tasks[0].place.point.y", "NOT_FINITE"),
        ],
    ),
    (
        "far out",
        |p, _| p.tasks[0].place = Some(point(1.0, 1_000_001.0)),
        &[("problem.tasks[0].place.point.y", "OUT_OF_RANGE")],
    ),
    (
        "a name where a point is needed",
        |p, _| p.tasks[0].place = named("tavern"),
        &[("problem.tasks[0].place", "PLACE_KIND")],
    ),
    (
        "a window that closes before it opens",
        |p, _| p.tasks[1].windows = vec![window(2_000, 1_000)],
        &[("problem.tasks[1].windows[0].close_offset", "REVERSED")],
    ),
    (
        "a window that never closes",
        |p, _| {
            p.tasks[1].windows = vec![window(0, 0)];
            p.tasks[1].windows[0].close_offset = None;
        },
        &[("problem.tasks[1].windows[0].close_offset", "REQUIRED")],
    ),
    (
        "windows that touch",
        |p, _| p.tasks[1].windows = vec![window(0, 1_000), window(1_000, 2_000)],
        &[("problem.tasks[1].windows[1].open_offset", "OVERLAP")],
    ),
    (
        "seventeen windows",
        |p, _| p.tasks[1].windows = (0..17).map(|i| window(i * 10, i * 10 + 5)).collect(),
        &[("problem.tasks[1].windows", "TOO_MANY")],
    ),
    (
        "a negative demand",
        |p, _| p.tasks[1].demands = vec![-5],
        &[("problem.tasks[1].demands[0]", "OUT_OF_RANGE")],
    ),
    (
        "a negative penalty",
        |p, _| p.tasks[1].drop_penalty = Some(-0.5),
        &[("problem.tasks[1].drop_penalty", "OUT_OF_RANGE")],
    ),
    (
        "penalty NaN",
        |p, _| p.tasks[1].drop_penalty = Some(f64::NAN),
        &[("problem.tasks[1].drop_penalty", "NOT_FINITE")],
    ),
    (
        "more than ten years late",
        |p, _| p.tasks[1].max_lateness_duration = Some(millis(i64::from(u32::MAX) * 1_000)),
        &[("problem.tasks[1].max_lateness_duration", "OUT_OF_RANGE")],
    ),
];

#[tokio::test]
async fn tasks() {
    check(&TASKS).await;
}

fn matrix(size: usize) -> AllocationMatrixTravel {
    AllocationMatrixTravel {
        location_ids: (0..size).map(|i| format!("l{i}")).collect(),
        durations_us: vec![1_000_000; size * size],
        costs_micro: Vec::new(),
    }
}

/// [`row`] on a matrix of two places, spoilt.
fn on_matrix(problem: &mut AllocationProblem, spoil: impl FnOnce(&mut AllocationMatrixTravel)) {
    for agent in &mut problem.agents {
        agent.start = named("l0");
    }
    for task in &mut problem.tasks {
        task.place = named("l1");
    }
    let mut table = matrix(2);
    spoil(&mut table);
    problem.travel = Some(AllocationTravel {
        kind: Some(Kind::Matrix(table)),
    });
}

const TRAVEL: [Case; 7] = [
    (
        "a rounding that does not exist",
        |p, _| {
            p.travel = Some(AllocationTravel {
                kind: Some(Kind::Euclidean(AllocationEuclideanTravel { rounding: 77 })),
            });
        },
        &[("problem.travel.euclidean.rounding", "ENUM_UNKNOWN")],
    ),
    (
        "an element too few",
        |p, _| on_matrix(p, |m| _ = m.durations_us.pop()),
        &[("problem.travel.matrix.durations_us", "WRONG_SIZE")],
    ),
    (
        "a cost too many",
        |p, _| on_matrix(p, |m| m.costs_micro = vec![1; 5]),
        &[("problem.travel.matrix.costs_micro", "WRONG_SIZE")],
    ),
    (
        "a way that takes less than nothing",
        |p, _| on_matrix(p, |m| m.durations_us[2] = -2),
        &[("problem.travel.matrix.durations_us[2]", "OUT_OF_RANGE")],
    ),
    (
        "the same name twice",
        |p, _| {
            on_matrix(p, |m| {
                m.location_ids = vec!["l0".into(), "l1".into(), "l1".into()];
            });
        },
        &[
            ("problem.travel.matrix.location_ids[2]", "DUPLICATE"),
            ("problem.travel.matrix.durations_us", "WRONG_SIZE"),
        ],
    ),
    (
        "a place that is not on the map",
        |p, _| {
            on_matrix(p, |_| {});
            p.tasks[2].place = named("elsewhere");
        },
        &[("problem.tasks[2].place.location_id", "UNKNOWN")],
    ),
    (
        "a point where a name is needed",
        |p, _| {
            on_matrix(p, |_| {});
            p.agents[1].end = Some(point(0.0, 0.0));
        },
        &[("problem.agents[1].end", "PLACE_KIND")],
    ),
];

#[tokio::test]
async fn travel() {
    check(&TRAVEL).await;
}
