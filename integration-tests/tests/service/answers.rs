//! A client that behaves gets good answers.

use crate::asking::{ask, solved, unbounded, verify};
use stratagem_integration_tests::problems::{
    budget, impossible, iterations, row, scattered, task, window,
};
use stratagem_integration_tests::{Server, server::WITHOUT_CACHE};
use stratagem_proto::v1::{
    AllocationPlan, AllocationStop, ObjectiveTarget, SolveEngineOptions, SolveOptions, SolveStatus,
    StopReason,
};
use tonic::Code;

#[tokio::test]
async fn a_small_problem_is_solved_and_proved() {
    let server = Server::start(&[]).await;
    for strategy in ["auto", "mcts"] {
        let options = SolveOptions {
            strategy: strategy.into(),
            ..iterations(1_000_000, 0)
        };
        let (plan, report) = solved(ask(&server, row(), options).await.unwrap());
        assert_eq!(
            report.status(),
            SolveStatus::Optimal,
            "{strategy}: {report:?}"
        );
        assert_eq!(report.stop_reason(), StopReason::Proved);
        assert_eq!(report.objective.unwrap().levels, [0.0, 3.0]);
        assert_eq!(report.bound.unwrap().levels, [0.0, 3.0]);
        assert_eq!(report.gap, Some(0.0));
        assert!(report.reproducible);
        let tasks: Vec<_> = plan.routes[0].stops.iter().map(|s| &s.task_id).collect();
        assert_eq!(tasks, ["near", "middle", "far"]);
        assert_eq!(plan.routes.len(), 1);
        assert!(plan.unserved_task_ids.is_empty());
    }
}

#[tokio::test]
async fn answers_pass_the_services_own_check_at_the_cost_claimed() {
    let server = Server::start(&[]).await;
    for strategy in ["auto", "mcts", "insertion"] {
        let problem = scattered(7, 3, 25);
        let options = SolveOptions {
            strategy: strategy.into(),
            ..iterations(200, 1)
        };
        let (plan, report) = solved(ask(&server, problem.clone(), options).await.unwrap());
        assert_eq!(report.status(), SolveStatus::Feasible, "{strategy}");
        let verdict = verify(&server, &problem, &plan).await.unwrap();
        assert_eq!(
            (verdict.valid, verdict.partial),
            (true, false),
            "{verdict:?}"
        );
        assert_eq!(verdict.objective, report.objective, "{strategy}");
    }
}

#[tokio::test]
async fn what_nobody_can_do_is_proved_infeasible_and_explained() {
    let server = Server::start(&[]).await;
    let answer = ask(&server, impossible(), iterations(10_000, 0)).await;
    let report = answer.unwrap().report.unwrap();
    assert_eq!(report.status(), SolveStatus::Infeasible, "{report:?}");
    let reasons = report.explanation.unwrap().reasons;
    assert!(!reasons.is_empty());
    for reason in reasons {
        assert_eq!(reason.subject_id, "middle", "{reason:?}");
        assert!(
            reason.proved,
            "nobody can fly, whatever the plan: {reason:?}"
        );
        assert!(reason.message.contains("flying"), "{reason:?}");
    }
}

#[tokio::test]
async fn without_tasks_the_plan_is_empty_and_optimal() {
    let server = Server::start(&[]).await;
    let mut problem = row();
    problem.tasks.clear();
    let (plan, report) = solved(ask(&server, problem, iterations(10, 0)).await.unwrap());
    assert_eq!(plan, AllocationPlan::default());
    assert_eq!(report.status(), SolveStatus::Optimal);
}

#[tokio::test]
async fn validation_only_searches_nothing() {
    let server = Server::start(&[]).await;
    let options = SolveOptions {
        validate_only: true,
        ..Default::default()
    };
    let answer = ask(&server, unbounded(), options).await.unwrap();
    let report = answer.report.unwrap();
    assert_eq!(answer.plan, None);
    assert_eq!(report.stop_reason(), StopReason::Validated);
    assert_eq!(report.iterations, 0);
}

#[tokio::test]
async fn a_target_ends_the_search() {
    let server = Server::start(&[]).await;
    let options = SolveOptions {
        target: Some(ObjectiveTarget { levels: vec![0.0] }),
        ..budget(60_000)
    };
    let (_, report) = solved(ask(&server, unbounded(), options).await.unwrap());
    assert_eq!(report.stop_reason(), StopReason::Target);
    assert_eq!(report.objective.unwrap().levels[0], 0.0);
}

#[tokio::test]
async fn the_iteration_limit_is_kept() {
    let server = Server::start(&[]).await;
    for strategy in ["auto", "mcts"] {
        let options = SolveOptions {
            strategy: strategy.into(),
            ..iterations(300, 5)
        };
        let (_, report) = solved(ask(&server, unbounded(), options).await.unwrap());
        assert_eq!(
            report.stop_reason(),
            StopReason::IterationLimit,
            "{strategy}"
        );
        assert_eq!((report.iterations, report.seed), (300, 5));
        assert!(report.reproducible);
    }
}

#[tokio::test]
async fn threads_and_repetition_do_not_change_the_answer() {
    // Nothing is remembered: each of these is a search of its own.
    let server = Server::start(WITHOUT_CACHE).await;
    for strategy in ["auto", "mcts"] {
        let mut plans = Vec::new();
        for threads in [1, 2, 1] {
            let options = SolveOptions {
                engine: Some(SolveEngineOptions {
                    threads: Some(threads),
                    parallel_width: Some(4),
                }),
                strategy: strategy.into(),
                ..iterations(300, 3)
            };
            let (plan, report) = solved(ask(&server, unbounded(), options).await.unwrap());
            assert!(report.reproducible && !report.shared, "{report:?}");
            assert_eq!(report.threads, threads);
            plans.push(prost::Message::encode_to_vec(&plan));
        }
        assert_eq!(plans[0], plans[1], "{strategy}: one thread, two threads");
        assert_eq!(plans[0], plans[2], "{strategy}: the same again");
    }
}

#[tokio::test]
async fn a_broken_plan_is_an_answer_with_violations() {
    let server = Server::start(&[]).await;
    let mut problem = row();
    problem.tasks[2].windows = vec![window(0, 100_000)];
    let (mut plan, _) = solved(
        ask(&server, problem.clone(), iterations(1_000, 0))
            .await
            .unwrap(),
    );
    let late = AllocationStop {
        start_offset: Some(stratagem_integration_tests::problems::millis(200_000)),
        ..plan.routes[0].stops[2].clone()
    };
    plan.routes[0].stops[2] = late;
    let verdict = verify(&server, &problem, &plan).await.unwrap();
    assert!(!verdict.valid);
    assert_eq!(verdict.objective, None);
    let fields: Vec<_> = verdict
        .violations
        .iter()
        .map(|v| v.field.as_str())
        .collect();
    assert_eq!(fields, ["routes[0].stops[2]"], "{verdict:?}");
}

#[tokio::test]
async fn a_plan_that_leaves_something_out_is_valid_but_partial() {
    let server = Server::start(&[]).await;
    let verdict = verify(&server, &row(), &AllocationPlan::default()).await;
    let verdict = verdict.unwrap();
    assert!(verdict.valid && verdict.partial, "{verdict:?}");
    assert_eq!(verdict.objective.unwrap().levels, [3.0, 0.0]);
}

#[tokio::test]
async fn a_plan_of_tasks_that_do_not_exist_is_a_mistake() {
    let server = Server::start(&[]).await;
    let (plan, _) = solved(ask(&server, row(), iterations(1_000, 0)).await.unwrap());
    let mut other = row();
    other.tasks[2] = task("elsewhere", 9.0, 9.0);
    let status = verify(&server, &other, &plan).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
}
