//! Plans that are being carried out when something changes.

use super::{evaluate, report, verify};
use stratagem_integration_tests::Server;
use stratagem_integration_tests::patience::wait_for;
use stratagem_integration_tests::patrols::{fence, generate, patrol, round};
use stratagem_integration_tests::problems::iterations;
use stratagem_proto::v1::{
    GeneratePatrolRequest, PatrolPlan, PatrolProblem, PatrolRoute, SolveOptions,
};

/// Three guards go round twelve posts, four apart. The one at p8 dies.
fn survivors() -> (PatrolProblem, Vec<PatrolRoute>, PatrolPlan) {
    let mut problem = fence(12, 2, 5);
    problem.guards[1].start_vertex_id = "p4".into();
    let posts: Vec<String> = (0..12).map(|post| format!("p{post}")).collect();
    let posts: Vec<&str> = posts.iter().map(String::as_str).collect();
    let from = |first: usize| [&posts[first..], &posts[..first]].concat();
    let going_on = vec![round("g0", &posts), round("g1", &from(4))];
    // In the plan both begin elsewhere.
    let routes = [
        round("g0", &from(7)),
        round("g2", &from(8)),
        round("g1", &from(11)),
    ];
    (problem, going_on, patrol(routes.to_vec()))
}

#[tokio::test]
async fn survivors_go_on_with_their_rounds_at_first_and_are_never_worse_off() {
    let server = Server::start(&[]).await;
    let (problem, going_on, previous) = survivors();
    let request = GeneratePatrolRequest {
        previous_plan: Some(previous.clone()),
        ..generate(problem.clone(), iterations(2_000, 1))
    };
    let mut client = server.patrol().await;
    let call = client.stream_generate_patrol(request).await;
    let mut stream = call.unwrap().into_inner();
    let mut plans = Vec::new();
    while let Some(step) = wait_for("a step", stream.message()).await.unwrap() {
        plans.extend(step.plan);
    }
    let without = evaluate(&server, &problem, &patrol(going_on))
        .await
        .unwrap();
    let without = without.evaluation.unwrap().capture_probability;
    for plan in &plans {
        assert!(verify(&server, &problem, plan).await.valid);
        let judged = evaluate(&server, &problem, plan).await.unwrap();
        assert!(judged.evaluation.unwrap().capture_probability >= without);
    }
    assert!(!plans.is_empty());
}

#[tokio::test]
async fn an_answer_without_a_previous_plan_is_not_shared_with_one_that_has_it() {
    let server = Server::start(&[]).await;
    let (problem, _, previous) = survivors();
    // One rollout finds little.
    let options = SolveOptions {
        strategy: "mcts".into(),
        ..iterations(1, 1)
    };
    let request = |previous_plan| GeneratePatrolRequest {
        previous_plan,
        ..generate(problem.clone(), options.clone())
    };
    let mut client = server.patrol().await;
    let mut levels = Vec::new();
    for previous in [None, Some(previous)] {
        let call = client.generate_patrol(request(previous));
        let answer = wait_for("an answer", call).await.unwrap().into_inner();
        levels.push(report(&answer).objective.as_ref().unwrap().levels[0]);
    }
    assert!(levels[1] < levels[0], "{levels:?}");
}
