//! Mistakes about what counts, and about how to search.

use super::{Case, check};
use stratagem_proto::v1::{
    AllocationObjective, AllocationObjectiveLevel, AllocationObjectiveTerm, AllocationTermKind,
    ObjectiveTarget, SolveEngineOptions, SolveOptions,
};

fn objective(levels: &[&[(i32, i64)]]) -> Option<AllocationObjective> {
    let term = |&(kind, weight): &(i32, i64)| AllocationObjectiveTerm {
        kind,
        weight: Some(weight),
    };
    let level = |terms: &&[(i32, i64)]| AllocationObjectiveLevel {
        terms: terms.iter().map(term).collect(),
    };
    Some(AllocationObjective {
        levels: levels.iter().map(level).collect(),
    })
}

const TRAVEL: i32 = AllocationTermKind::TravelCost as i32;

const OBJECTIVES: [Case; 5] = [
    (
        "an empty level",
        |p, _| p.objective = objective(&[&[(TRAVEL, 1)], &[]]),
        &[("problem.objective.levels[1].terms", "REQUIRED")],
    ),
    (
        "a term of no kind",
        |p, _| p.objective = objective(&[&[(0, 1)]]),
        &[("problem.objective.levels[0].terms[0].kind", "REQUIRED")],
    ),
    (
        "a kind that does not exist",
        |p, _| p.objective = objective(&[&[(99, 1)]]),
        &[("problem.objective.levels[0].terms[0].kind", "ENUM_UNKNOWN")],
    ),
    (
        "the same term twice",
        |p, _| p.objective = objective(&[&[(TRAVEL, 1)], &[(TRAVEL, 2)]]),
        &[("problem.objective.levels[1].terms[0].kind", "DUPLICATE")],
    ),
    (
        "a negative weight",
        |p, _| p.objective = objective(&[&[(TRAVEL, -1)]]),
        &[(
            "problem.objective.levels[0].terms[0].weight",
            "OUT_OF_RANGE",
        )],
    ),
];

#[tokio::test]
async fn objectives() {
    check(&OBJECTIVES).await;
}

fn engine(options: &mut SolveOptions) -> &mut SolveEngineOptions {
    options.engine.get_or_insert_default()
}

const OPTIONS: [Case; 8] = [
    (
        "negative iterations",
        |_, o| o.max_iterations = Some(-1),
        &[("options.max_iterations", "OUT_OF_RANGE")],
    ),
    (
        "too many iterations",
        |_, o| o.max_iterations = Some(1_000_000_000_001),
        &[("options.max_iterations", "OUT_OF_RANGE")],
    ),
    (
        "65 threads",
        |_, o| engine(o).threads = Some(65),
        &[("options.engine.threads", "OUT_OF_RANGE")],
    ),
    (
        "a negative width",
        |_, o| engine(o).parallel_width = Some(-1),
        &[("options.engine.parallel_width", "OUT_OF_RANGE")],
    ),
    (
        "a strategy that does not exist",
        |_, o| o.strategy = "magic".into(),
        &[("options.strategy", "UNKNOWN")],
    ),
    (
        "a priority that does not exist",
        |_, o| o.priority = 4,
        &[("options.priority", "ENUM_UNKNOWN")],
    ),
    (
        "a target of nothing",
        |_, o| o.target = Some(ObjectiveTarget { levels: Vec::new() }),
        &[("options.target.levels", "REQUIRED")],
    ),
    (
        "a target NaN",
        |_, o| {
            o.target = Some(ObjectiveTarget {
                levels: vec![0.0, f64::NAN],
            });
        },
        &[("options.target.levels[1]", "NOT_FINITE")],
    ),
];

#[tokio::test]
async fn options() {
    check(&OPTIONS).await;
}
