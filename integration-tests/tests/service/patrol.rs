//! Patrols: plans that catch who can be caught, exactly judged.

mod judging;
mod mistakes;
mod mixing;
mod resuming;
mod streaming;
mod varying;

use stratagem_integration_tests::patience::wait_for;
use stratagem_integration_tests::patrols::{chase, fence, generate, judge};
use stratagem_integration_tests::problems::{budget, iterations};
use stratagem_integration_tests::{Server, server::WITHOUT_CACHE};
use stratagem_proto::v1::{
    AnyPlan, AnyProblem, EvaluatePatrolResponse, GeneratePatrolResponse, GetExampleRequest,
    PatrolObjective, PatrolPlan, PatrolProblem, SolveOptions, SolveReport, SolveStatus, StopReason,
    VerifyPlanRequest, VerifyPlanResponse, any_plan, any_problem,
};
use tonic::Status;

async fn ask(
    server: &Server,
    problem: PatrolProblem,
    options: SolveOptions,
) -> GeneratePatrolResponse {
    let mut client = server.patrol().await;
    let call = client.generate_patrol(generate(problem, options));
    wait_for("an answer", call).await.unwrap().into_inner()
}

async fn steps(
    server: &Server,
    problem: PatrolProblem,
    options: SolveOptions,
) -> Vec<GeneratePatrolResponse> {
    let mut client = server.patrol().await;
    let call = client.stream_generate_patrol(generate(problem, options));
    let mut stream = call.await.unwrap().into_inner();
    let mut all = Vec::new();
    while let Some(step) = wait_for("a step", stream.message()).await.unwrap() {
        all.push(step);
    }
    all
}

async fn evaluate(
    server: &Server,
    problem: &PatrolProblem,
    plan: &PatrolPlan,
) -> Result<EvaluatePatrolResponse, Status> {
    let mut client = server.patrol().await;
    let call = client.evaluate_patrol(judge(problem, plan));
    wait_for("an evaluation", call)
        .await
        .map(tonic::Response::into_inner)
}

async fn verify(server: &Server, problem: &PatrolProblem, plan: &PatrolPlan) -> VerifyPlanResponse {
    let checked = check(server, problem, any_plan::Kind::Patrol(plan.clone())).await;
    checked.unwrap()
}

/// A verdict about a plan or a mixture.
async fn check(
    server: &Server,
    problem: &PatrolProblem,
    plan: any_plan::Kind,
) -> Result<VerifyPlanResponse, Status> {
    let request = VerifyPlanRequest {
        problem: Some(AnyProblem {
            kind: Some(any_problem::Kind::Patrol(problem.clone())),
        }),
        plan: Some(AnyPlan { kind: Some(plan) }),
    };
    let mut client = server.planning().await;
    let answer = wait_for("a verdict", client.verify_plan(request)).await;
    answer.map(tonic::Response::into_inner)
}

async fn example(server: &Server, name: &str) -> PatrolProblem {
    let request = GetExampleRequest { name: name.into() };
    let example = server.about().await.get_example(request).await.unwrap();
    match example.into_inner().problem.unwrap().kind.unwrap() {
        any_problem::Kind::Patrol(problem) => problem,
        other => panic!("{name} is of another planner: {other:?}"),
    }
}

fn report(answer: &GeneratePatrolResponse) -> &SolveReport {
    answer.report.as_ref().expect("reports are always there")
}

fn in_seconds(time: Option<&prost_types::Duration>) -> i64 {
    let time = time.expect("it is set");
    assert_eq!(time.nanos, 0);
    time.seconds
}

#[tokio::test]
async fn three_guards_on_fifteen_posts_catch_everybody_which_is_proved() {
    let server = Server::start(&[]).await;
    let problem = example(&server, "patrol/fence").await;
    let answer = ask(&server, problem.clone(), budget(20_000)).await;
    let report = report(&answer);
    assert_eq!(report.status(), SolveStatus::Optimal, "{report:?}");
    assert_eq!(report.stop_reason(), StopReason::Proved);
    assert_eq!(report.gap, Some(0.0));
    let method = &report.bound.as_ref().unwrap().method;
    let in_snake_case = |c: char| c.is_ascii_lowercase() || c == '_';
    assert!(method.chars().all(in_snake_case), "{method:?}");
    let objective = report.objective.as_ref().unwrap();
    assert_eq!(objective.levels, [0.0]);
    let terms: Vec<_> = objective
        .terms
        .iter()
        .map(|t| (&*t.name, &*t.unit))
        .collect();
    let wanted = [
        ("escape", "probability"),
        ("worst_idleness", "s"),
        ("mean_idleness", "s"),
    ];
    assert_eq!(terms, wanted);
    let evaluation = answer.evaluation.as_ref().expect("there was time");
    assert_eq!(evaluation.capture_probability, 1.0);
    assert_eq!(evaluation.vertices.len(), 15);
    assert!(in_seconds(evaluation.worst_idleness_duration.as_ref()) <= 4);
    let plan = answer.plan.as_ref().unwrap();
    let verdict = verify(&server, &problem, plan).await;
    assert!(verdict.valid, "{verdict:?}");
    assert_eq!(verdict.objective.as_ref(), Some(objective));
    let judged = evaluate(&server, &problem, plan).await.unwrap();
    assert_eq!(judged.evaluation, answer.evaluation);
}

#[tokio::test]
async fn stops_say_when_their_guards_are_there() {
    let server = Server::start(&[]).await;
    let problem = example(&server, "patrol/museum").await;
    let answer = ask(&server, problem.clone(), iterations(2_000, 1)).await;
    let plan = answer.plan.as_ref().expect("there are patrols");
    let travel = |from: &str, to: &str| {
        let joins = |one: &&stratagem_proto::v1::PatrolEdge| {
            let ends = (&*one.from_vertex_id, &*one.to_vertex_id);
            ends == (from, to) || ends == (to, from)
        };
        let edge = problem.edges.iter().find(joins).expect("it is a way");
        in_seconds(edge.travel_duration.as_ref())
    };
    let (mut prefix, mut periods) = (0, Vec::new());
    for (route, guard) in plan.routes.iter().zip(&problem.guards) {
        assert_eq!(route.guard_id, guard.id);
        let mut now = 0;
        let stops: Vec<_> = route.prefix.iter().chain(&route.cycle).collect();
        let back = route.cycle.first().expect("patrols never end");
        for (index, stop) in stops.iter().enumerate() {
            if index == route.prefix.len() {
                prefix = prefix.max(now);
            }
            assert_eq!(in_seconds(stop.arrival_offset.as_ref()), now, "{route:?}");
            now += in_seconds(stop.stay_duration.as_ref());
            let next = stops.get(index + 1).copied().unwrap_or(back);
            if route.cycle.len() > 1 || index < route.prefix.len() {
                now += travel(&stop.vertex_id, &next.vertex_id);
            }
        }
        periods.push(now - in_seconds(back.arrival_offset.as_ref()));
    }
    assert_eq!(in_seconds(plan.prefix_duration.as_ref()), prefix);
    let period = in_seconds(plan.period_duration.as_ref());
    for one in periods {
        assert_eq!(period % one, 0, "everything comes again after {period} s");
    }
    assert!(verify(&server, &problem, plan).await.valid);
}

#[tokio::test]
async fn every_strategy_answers_and_keeps_its_word() {
    let server = Server::start(&[]).await;
    for strategy in ["auto", "mcts", "mcts-uc", "iterative"] {
        let options = SolveOptions {
            strategy: strategy.into(),
            ..iterations(500, 3)
        };
        let problem = chase(3, 6);
        let answer = ask(&server, problem.clone(), options).await;
        assert_eq!(report(&answer).strategy, strategy);
        let plan = answer.plan.as_ref().expect("standing is a patrol");
        let objective = report(&answer).objective.as_ref().unwrap();
        let verdict = verify(&server, &problem, plan).await;
        assert_eq!(verdict.objective.as_ref(), Some(objective), "{strategy}");
        let evaluation = answer.evaluation.as_ref().expect("there was time");
        let escape = 1.0 - evaluation.capture_probability;
        assert!((escape - objective.levels[0]).abs() < 1e-12, "{strategy}");
    }
}

#[tokio::test]
async fn what_counts_is_what_the_objective_says() {
    let server = Server::start(&[]).await;
    let problem = PatrolProblem {
        tick_duration: Some(stratagem_integration_tests::problems::millis(500)),
        objective: Some(PatrolObjective {
            worst_idleness_weight: 2,
            ..Default::default()
        }),
        ..fence(6, 2, 1)
    };
    let answer = ask(&server, problem, iterations(3_000, 0)).await;
    let objective = report(&answer).objective.as_ref().unwrap();
    let worst = objective.terms.iter().find(|t| t.name == "worst_idleness");
    // Levels count ticks, terms seconds: a tick is half a second.
    assert_eq!(objective.levels, [2.0 * 2.0 * worst.unwrap().value]);
}

#[tokio::test]
async fn the_same_seed_walks_the_same_rounds() {
    let server = Server::start(WITHOUT_CACHE).await;
    for problem in [fence(9, 2, 2), chase(4, 8)] {
        let plan = async || {
            let answer = ask(&server, problem.clone(), iterations(2_000, 5)).await;
            assert!(report(&answer).reproducible, "{:?}", answer.report);
            assert!(answer.plan.is_some());
            (answer.plan, answer.evaluation)
        };
        assert_eq!(plan().await, plan().await);
    }
}

#[tokio::test]
async fn equal_requests_share_an_answer() {
    let server = Server::start(&[]).await;
    let first = ask(&server, fence(9, 2, 2), iterations(1_000, 1)).await;
    let second = ask(&server, fence(9, 2, 2), iterations(1_000, 1)).await;
    assert!(!report(&first).shared && report(&second).shared);
    assert_eq!(
        (first.plan, first.evaluation),
        (second.plan, second.evaluation)
    );
}

#[tokio::test]
async fn validation_only_plans_nothing() {
    let server = Server::start(&[]).await;
    let options = SolveOptions {
        validate_only: true,
        ..Default::default()
    };
    let answer = ask(&server, fence(9, 2, 2), options).await;
    assert_eq!((&answer.plan, &answer.evaluation), (&None, &None));
    assert_eq!(report(&answer).stop_reason(), StopReason::Validated);
}

#[tokio::test]
async fn a_target_that_is_reached_ends_the_search() {
    let server = Server::start(&[]).await;
    let options = SolveOptions {
        target: Some(stratagem_proto::v1::ObjectiveTarget { levels: vec![0.9] }),
        ..budget(20_000)
    };
    let answer = ask(&server, chase(5, 30), options).await;
    assert_eq!(report(&answer).stop_reason(), StopReason::Target);
}
