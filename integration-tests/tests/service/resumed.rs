//! Plans that are being carried out, while the problem changes under them.

use crate::asking::{ask, solved, verify};
use std::collections::BTreeMap;
use stratagem_integration_tests::Server;
use stratagem_integration_tests::problems::{iterations, previous, row, window};
use stratagem_proto::v1::{
    AllocationOrder, AllocationProblem, ExplanationReason, SolveReport, SolveStatus, StopReason,
};

/// Plans a problem, checks the plan by the service, and returns who does what, and the report.
async fn planned(
    server: &Server,
    problem: &AllocationProblem,
) -> (BTreeMap<String, Vec<String>>, SolveReport) {
    let answer = ask(server, problem.clone(), iterations(2_000, 0)).await;
    let (plan, report) = solved(answer.unwrap());
    let verdict = verify(server, problem, &plan).await.unwrap();
    assert!(verdict.valid, "{verdict:?}");
    assert_eq!(verdict.objective, report.objective);
    let routes = plan.routes.into_iter().map(|route| {
        let tasks = route.stops.into_iter().map(|stop| stop.task_id);
        (route.agent_id, tasks.collect())
    });
    (routes.collect(), report)
}

fn reasons(report: &SolveReport) -> &[ExplanationReason] {
    report.explanation.as_ref().map_or(&[], |one| &one.reasons)
}

#[tokio::test]
async fn an_agent_that_cannot_keep_what_it_has_begun_is_released_and_all_are_planned() {
    let server = Server::start(&[]).await;
    let mut problem = row();
    problem.tasks[2].windows = vec![window(0, 2_500)];
    problem.previous_plan = previous(&[("ann", &["near", "middle"], 1), ("bob", &["far"], 1)]);
    let (routes, report) = planned(&server, &problem).await;
    assert_eq!(routes.values().flatten().count(), 2, "far is too far");
    assert_eq!(routes["ann"][0], "near");
    assert_eq!(report.status(), SolveStatus::Infeasible, "{report:?}");
    assert_eq!(report.stop_reason(), StopReason::Proved);
    let reasons = reasons(&report);
    let released = reasons.iter().find(|one| one.code == "STARTED_RELEASED");
    let released = released.expect("bob is released");
    assert_eq!(
        (&*released.subject_id, &*released.blocker_id),
        ("far", "bob")
    );
    assert!(
        released.proved && released.message.contains("nothing"),
        "{released:?}"
    );
    assert_eq!((released.shortfall, &*released.unit), (Some(0.5), "s"));
    assert_eq!(released.field, "tasks[2].windows");
    assert!(report.notes.is_empty());
}

/// What two agents have begun is possible for each, but not for both: see the order.
#[tokio::test]
async fn agents_that_cannot_keep_what_they_have_together_are_not_called_complete() {
    let server = Server::start(&[]).await;
    let mut problem = row();
    problem.tasks[2].windows = vec![window(0, 3_500)];
    problem.previous_plan = previous(&[("ann", &["middle"], 1), ("bob", &["far"], 1)]);
    problem.couplings = Some(stratagem_proto::v1::AllocationCouplings {
        orders: vec![AllocationOrder {
            first_task_id: "middle".into(),
            second_task_id: "far".into(),
            min_gap_duration: Some(stratagem_integration_tests::problems::millis(1_000)),
            ..AllocationOrder::default()
        }],
        ..Default::default()
    });
    let (routes, report) = planned(&server, &problem).await;
    assert!(routes["ann"].contains(&"middle".to_owned()), "{routes:?}");
    assert_eq!(report.status(), SolveStatus::Infeasible, "{report:?}");
    let codes: Vec<_> = reasons(&report).iter().map(|one| &*one.code).collect();
    assert_eq!(codes[0], "STARTED_RELEASED");
    assert!(
        reasons(&report)[0].message.contains("together"),
        "{report:?}"
    );
}

#[tokio::test]
async fn tasks_and_agents_that_are_gone_are_passed_over_with_a_note() {
    let server = Server::start(&[]).await;
    let mut problem = row();
    problem.previous_plan = previous(&[
        ("eve", &["far"], 1),
        ("ann", &["done", "near", "gone", "middle"], 2),
    ]);
    problem.previous_plan.as_mut().unwrap().max_changes = Some(0);
    let (routes, report) = planned(&server, &problem).await;
    assert_eq!(routes["ann"][0], "near", "the second of two under way");
    assert_eq!(routes.values().flatten().count(), 3, "{routes:?}");
    assert_eq!(report.status(), SolveStatus::Optimal, "{report:?}");
    assert_eq!(report.explanation, None);
    let notes = report.notes.iter();
    let found: Vec<_> = notes
        .map(|n| [&*n.code, &*n.subject_id, &*n.field])
        .collect();
    let wanted = [
        [
            "PREVIOUS_AGENT_GONE",
            "eve",
            "previous_plan.routes[0].agent_id",
        ],
        [
            "PREVIOUS_TASK_GONE",
            "done",
            "previous_plan.routes[1].task_ids[0]",
        ],
        [
            "PREVIOUS_TASK_GONE",
            "gone",
            "previous_plan.routes[1].task_ids[2]",
        ],
    ];
    assert_eq!(found, wanted);
}
