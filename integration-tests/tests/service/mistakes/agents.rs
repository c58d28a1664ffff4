//! Mistakes about who can work, and what they were doing before.

use super::{Case, check};
use stratagem_integration_tests::problems::{agent, millis, previous};
use stratagem_proto::v1::AllocationPlace;

fn place_nowhere() -> Option<AllocationPlace> {
    Some(AllocationPlace { at: None })
}

const AGENTS: [Case; 15] = [
    (
        "nobody",
        |p, _| p.agents.clear(),
        &[("problem.agents", "REQUIRED")],
    ),
    (
        "too many",
        |p, _| p.agents = (0..201).map(|i| agent(&i.to_string())).collect(),
        &[("problem.agents", "TOO_MANY")],
    ),
    (
        "no id",
        |p, _| p.agents[1].id.clear(),
        &[("problem.agents[1].id", "REQUIRED")],
    ),
    (
        "a long id",
        |p, _| p.agents[1].id = "x".repeat(101),
        &[("problem.agents[1].id", "TOO_LONG")],
    ),
    (
        "the same id twice",
        |p, _| p.agents[1].id = "ann".into(),
        &[("problem.agents[1].id", "DUPLICATE")],
    ),
    (
        "no start",
        |p, _| p.agents[0].start = None,
        &[("problem.agents[0].start", "REQUIRED")],
    ),
    (
        "an end that is nowhere",
        |p, _| p.agents[0].end = place_nowhere(),
        &[("problem.agents[0].end", "REQUIRED")],
    ),
    (
        "a shift that ends before it starts",
        |p, _| {
            p.agents[0].shift_start_offset = Some(millis(2_000));
            p.agents[0].shift_end_offset = Some(millis(1_000));
        },
        &[("problem.agents[0].shift_end_offset", "REVERSED")],
    ),
    (
        "a negative shift",
        |p, _| p.agents[0].shift_start_offset = Some(millis(-1_000)),
        &[("problem.agents[0].shift_start_offset", "OUT_OF_RANGE")],
    ),
    (
        "a negative capacity",
        |p, _| p.agents[1].capacities = vec![1, -1],
        &[("problem.agents[1].capacities[1]", "OUT_OF_RANGE")],
    ),
    (
        "nine dimensions",
        |p, _| p.agents[1].capacities = vec![1; 9],
        &[("problem.agents[1].capacities", "TOO_MANY")],
    ),
    (
        "a skill without a name",
        |p, _| p.agents[1].skills = vec!["a".into(), String::new()],
        &[("problem.agents[1].skills[1]", "REQUIRED")],
    ),
    (
        "no speed",
        |p, _| p.agents[0].speed = Some(0.0),
        &[("problem.agents[0].speed", "OUT_OF_RANGE")],
    ),
    (
        "speed NaN",
        |p, _| p.agents[0].speed = Some(f64::NAN),
        &[("problem.agents[0].speed", "NOT_FINITE")],
    ),
    (
        "infinite speed",
        |p, _| p.agents[0].speed = Some(f64::INFINITY),
        &[("problem.agents[0].speed", "NOT_FINITE")],
    ),
];

#[tokio::test]
async fn agents() {
    check(&AGENTS).await;
}

const PREVIOUS_PLANS: [Case; 5] = [
    (
        "of nobody",
        |p, _| p.previous_plan = previous(&[("", &["near"], 0)]),
        &[("problem.previous_plan.routes[0].agent_id", "REQUIRED")],
    ),
    (
        "two routes of one agent",
        // One of an agent that is gone does not shift the others.
        |p, _| {
            let routes = [
                ("eve", &[][..], 0),
                ("ann", &["near"], 0),
                ("ann", &["far"], 0),
            ];
            p.previous_plan = previous(&routes);
        },
        &[("problem.previous_plan.routes[2].agent_id", "DUPLICATE")],
    ),
    (
        "a task done twice",
        |p, _| p.previous_plan = previous(&[("ann", &["near"], 0), ("bob", &["near"], 0)]),
        &[("problem.previous_plan.routes[1].task_ids[0]", "DUPLICATE")],
    ),
    (
        "more started than there are",
        |p, _| p.previous_plan = previous(&[("ann", &["near"], 2)]),
        &[(
            "problem.previous_plan.routes[0].started_count",
            "OUT_OF_RANGE",
        )],
    ),
    (
        "less than no changes",
        |p, _| {
            p.previous_plan = previous(&[]);
            p.previous_plan.as_mut().unwrap().max_changes = Some(-1);
        },
        &[("problem.previous_plan.max_changes", "OUT_OF_RANGE")],
    ),
];

#[tokio::test]
async fn previous_plans() {
    check(&PREVIOUS_PLANS).await;
}
