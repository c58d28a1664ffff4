//! Invalid requests for patrols: each mistake by its field, all in one answer.

use super::generate;
use crate::mistakes::mistakes;
use stratagem_integration_tests::Server;
use stratagem_integration_tests::patience::wait_for;
use stratagem_integration_tests::patrols::{edge, fence, guard, mix, vary, vertex};
use stratagem_integration_tests::problems::{iterations, millis};
use stratagem_proto::v1::{
    EvaluatePatrolRequest, GeneratePatrolRequest, PatrolMotion, PatrolProblem, SolveOptions,
};

/// A way to spoil a problem, and what is to be said about it.
type Case = (
    fn(&mut PatrolProblem),
    &'static [(&'static str, &'static str)],
);

const CASES: [Case; 10] = [
    (
        |problem| {
            problem
                .edges
                .retain(|edge| edge.to_vertex_id != "p3" && edge.from_vertex_id != "p3");
        },
        &[("problem.vertices[3]", "DISCONNECTED")],
    ),
    (
        |problem| problem.guards[1].start_vertex_id = "moat".into(),
        &[("problem.guards[1].start_vertex_id", "UNKNOWN")],
    ),
    (
        |problem| {
            problem.vertices[0].weight = Some(f64::NAN);
            problem.vertices[1].weight = Some(-1.0);
        },
        &[
            ("problem.vertices[0].weight", "NOT_FINITE"),
            ("problem.vertices[1].weight", "OUT_OF_RANGE"),
        ],
    ),
    (
        |problem| {
            problem
                .vertices
                .iter_mut()
                .for_each(|vertex| vertex.weight = Some(0.0));
        },
        &[("problem.vertices", "ALL_ZERO")],
    ),
    (
        |problem| problem.edges[2].travel_duration = Some(millis(-1_000)),
        &[("problem.edges[2].travel_duration", "OUT_OF_RANGE")],
    ),
    (
        |problem| problem.edges.push(edge("p1", "p0")),
        &[("problem.edges[5]", "DUPLICATE")],
    ),
    (
        |problem| {
            let intruder = problem.intruder.as_mut().unwrap();
            intruder.exclusive = true;
            intruder.penetration_duration = Some(millis(0));
        },
        &[("problem.intruder.penetration_duration", "OUT_OF_RANGE")],
    ),
    (
        |problem| problem.guards = (0..17).map(|one| guard(&format!("g{one}"), "p0")).collect(),
        &[("problem.guards", "TOO_MANY")],
    ),
    (
        |problem| {
            problem.vertices[4].id = "p0".into();
            problem.guards[1].id = "g0".into();
        },
        // And what led to the old id leads nowhere.
        &[
            ("problem.vertices[4].id", "DUPLICATE"),
            ("problem.edges[3].to_vertex_id", "UNKNOWN"),
            ("problem.edges[4].from_vertex_id", "UNKNOWN"),
            ("problem.guards[1].id", "DUPLICATE"),
        ],
    ),
    (
        |problem| {
            problem.vertices.clear();
            problem.edges.clear();
            problem.guards.clear();
            problem.intruder.as_mut().unwrap().motion = PatrolMotion::Unspecified.into();
        },
        &[
            ("problem.vertices", "REQUIRED"),
            ("problem.guards", "REQUIRED"),
            ("problem.intruder.motion", "REQUIRED"),
        ],
    ),
];

#[tokio::test]
async fn every_mistake_is_told_by_its_field_by_all_methods() {
    let server = Server::start(&[]).await;
    let mut client = server.patrol().await;
    for (spoil, wanted) in CASES {
        let mut problem = fence(5, 2, 1);
        spoil(&mut problem);
        let options = iterations(100, 0);
        let call = client.generate_patrol(generate(problem.clone(), options.clone()));
        let unary = wait_for("a refusal", call).await.unwrap_err();
        let call = client.stream_generate_patrol(generate(problem.clone(), options));
        let streamed = wait_for("a refusal", call).await.unwrap_err();
        let judge = EvaluatePatrolRequest {
            problem: Some(problem.clone()),
            plan: Some(Default::default()),
            mixture: None,
        };
        let call = client.evaluate_patrol(judge);
        let judged = wait_for("a refusal", call).await.unwrap_err();
        let mixed = client.mix_patrols(mix(problem.clone(), iterations(100, 0)));
        let mixed = wait_for("a refusal", mixed).await.unwrap_err();
        let call = client.stream_mix_patrols(mix(problem.clone(), iterations(100, 0)));
        let mixed_steps = wait_for("a refusal", call).await.unwrap_err();
        let call = client.vary_patrols(vary(problem, iterations(100, 0)));
        let varied = wait_for("a refusal", call).await.unwrap_err();
        for status in [unary, streamed, judged, mixed, mixed_steps, varied] {
            let found = mistakes(&status);
            let found = found.iter().map(|(f, r)| (&**f, &**r));
            // The plan that is judged has no routes.
            let found: Vec<_> = found.filter(|it| it.0 != "plan.routes").collect();
            assert_eq!(found, wanted, "{}", status.message());
        }
    }
    // And after all that, it still works.
    let request = generate(fence(5, 2, 1), iterations(100, 0));
    wait_for("an answer", client.generate_patrol(request))
        .await
        .unwrap();
}

#[tokio::test]
async fn empty_requests_lack_what_is_required() {
    let server = Server::start(&[]).await;
    let mut client = server.patrol().await;
    let call = client.generate_patrol(GeneratePatrolRequest::default());
    let status = wait_for("a refusal", call).await.unwrap_err();
    assert_eq!(mistakes(&status), [("problem".into(), "REQUIRED".into())]);
    let call = client.evaluate_patrol(EvaluatePatrolRequest::default());
    let status = wait_for("a refusal", call).await.unwrap_err();
    let wanted = ["problem", "plan"].map(|field| (field.into(), "REQUIRED".into()));
    assert_eq!(mistakes(&status), wanted);
}

#[tokio::test]
async fn a_hundred_mistakes_are_listed_and_all_are_counted() {
    let server = Server::start(&[]).await;
    let problem = PatrolProblem {
        vertices: (0..150).map(|_| vertex("")).collect(),
        edges: Vec::new(),
        guards: Vec::new(),
        ..fence(5, 1, 1)
    };
    let options = SolveOptions::default();
    let mut client = server.patrol().await;
    let call = client.generate_patrol(generate(problem, options));
    let status = wait_for("a refusal", call).await.unwrap_err();
    assert_eq!(mistakes(&status).len(), 100);
    assert!(
        status.message().contains("151 mistakes"),
        "{}",
        status.message()
    );
}
