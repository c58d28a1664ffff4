//! Mixtures: who knows all patrols, but not the draw, is caught as often as is said.

use super::streaming::busy;
use super::{check, example};
use crate::mistakes::mistakes;
use prost::Message as _;
use stratagem_integration_tests::Server;
use stratagem_integration_tests::patience::{in_some_try, wait_for};
use stratagem_integration_tests::patrols::{
    chase, corridor, fence, judge_mixture, mix, mixture, patrol, round, stop,
};
use stratagem_integration_tests::problems::{budget, iterations};
use stratagem_integration_tests::raw::{self, frame};
use stratagem_proto::v1::{
    EvaluatePatrolRequest, MixPatrolsRequest, MixPatrolsResponse, PatrolMixture, PatrolPlan,
    PatrolProblem, SolveOptions, SolveStatus, StopReason, any_plan,
};
use tonic::Code;

async fn ask(server: &Server, request: MixPatrolsRequest) -> MixPatrolsResponse {
    let mut client = server.patrol().await;
    let answer = wait_for("an answer", client.mix_patrols(request)).await;
    answer.unwrap().into_inner()
}

async fn verdict(
    server: &Server,
    problem: &PatrolProblem,
    mixture: &PatrolMixture,
) -> stratagem_proto::v1::VerifyPlanResponse {
    let kind = any_plan::Kind::PatrolMixture(mixture.clone());
    check(server, problem, kind).await.unwrap()
}

/// A patrol that goes to a room of a corridor and stays there.
fn patrol_to(room: usize) -> PatrolPlan {
    let ids: Vec<String> = (0..room).map(|n| format!("p{n}")).collect();
    let way: Vec<&str> = ids.iter().map(String::as_str).collect();
    let mut route = round("g0", &way);
    route.prefix = std::mem::take(&mut route.cycle);
    route.cycle = vec![stop(&format!("p{room}"), 1)];
    patrol(vec![route])
}

#[tokio::test]
async fn luck_catches_more_of_those_who_know_than_any_patrol() {
    let server = Server::start(&[]).await;
    let problem = example(&server, "patrol/gallery").await;
    let answer = ask(&server, mix(problem.clone(), iterations(100_000, 1))).await;
    let report = answer.report.as_ref().unwrap();
    assert!([SolveStatus::Optimal, SolveStatus::Feasible].contains(&report.status()));
    let found = answer.plan.as_ref().expect("there is a mixture");
    let sum: f64 = found.parts.iter().map(|part| part.probability).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{sum}");
    let evaluation = answer.evaluation.as_ref().expect("there was time");
    let floor = evaluation.floor_probability;
    let objective = report.objective.as_ref().unwrap();
    assert!((1.0 - floor - objective.levels[0]).abs() < 1e-12);
    assert_eq!(objective.terms[0].name, "escape");
    assert_eq!(evaluation.plans.len(), found.parts.len());
    for alone in &evaluation.plans {
        assert!(alone.floor_probability < floor, "{alone:?} is not random");
    }
    // Nobody wants anything on the stairs.
    let wanted = evaluation
        .vertices
        .iter()
        .filter(|v| v.vertex_id != "stairs");
    let least = wanted.map(|v| v.capture_probability).fold(1.0, f64::min);
    assert_eq!(least, floor);
    if let Some(bound) = &report.bound {
        assert!(bound.levels[0] <= objective.levels[0]);
    }
    let verdict = verdict(&server, &problem, found).await;
    assert!(verdict.valid, "{verdict:?}");
    let level = verdict.objective.unwrap().levels[0];
    assert!((level - objective.levels[0]).abs() < 1e-12);
    let mut client = server.patrol().await;
    let judged = client.evaluate_patrol(judge_mixture(&problem, found));
    let judged = wait_for("an evaluation", judged)
        .await
        .unwrap()
        .into_inner();
    assert_eq!(judged.evaluation, None);
    let judged = judged.mixture_evaluation.unwrap();
    assert!((judged.floor_probability - floor).abs() < 1e-12);
    assert_eq!(judged.worst_vertex_id, evaluation.worst_vertex_id);
}

#[tokio::test]
async fn each_step_is_a_mixture_with_a_higher_floor() {
    let server = Server::start(&[]).await;
    in_some_try("a mixture before a better one", async |seed| {
        let levels = levels(&server, iterations(120_000, seed)).await;
        assert!(levels.is_sorted_by(|a, b| a >= b), "{levels:?}");
        levels.first() > levels.last()
    })
    .await;
}

/// What the steps of a stream say that they miss, checked; that of the last one is the last.
async fn levels(server: &Server, options: SolveOptions) -> Vec<f64> {
    let problem = corridor(6, 3);
    let mut client = server.patrol().await;
    let call = client.stream_mix_patrols(mix(problem.clone(), options));
    let mut stream = call.await.unwrap().into_inner();
    let (mut levels, mut last) = (Vec::new(), None);
    while let Some(step) = wait_for("a step", stream.message()).await.unwrap() {
        assert!(last.is_none(), "nothing follows the report");
        let event = step.event.as_ref().unwrap();
        if let (Some(mixture), None) = (&step.plan, &step.report) {
            let level = event.objective.as_ref().unwrap().levels[0];
            let checked = verdict(server, &problem, mixture).await;
            assert!((checked.objective.unwrap().levels[0] - level).abs() < 1e-12);
            levels.push(level);
        }
        if step.report.is_some() {
            last = Some(step);
        }
    }
    let last = last.expect("a report");
    let best = last.report.unwrap().objective.unwrap().levels[0];
    let floor = last.evaluation.expect("there was time").floor_probability;
    assert!((1.0 - floor - best).abs() < 1e-12);
    levels.push(best);
    levels
}

#[tokio::test]
async fn no_more_plans_are_mixed_than_are_wanted() {
    let server = Server::start(&[]).await;
    for plans_max in [1, 2] {
        let request = MixPatrolsRequest {
            max_plans: Some(plans_max),
            ..mix(corridor(9, 2), iterations(20_000, 1))
        };
        let answer = ask(&server, request).await;
        let parts = answer.plan.unwrap().parts.len();
        assert!((1..=plans_max as usize).contains(&parts), "{parts}");
    }
}

#[tokio::test]
async fn the_floor_of_two_who_stand_is_what_one_can_count() {
    let server = Server::start(&[]).await;
    let problem = corridor(2, 0);
    let both = mixture(vec![(0.25, patrol_to(0)), (0.75, patrol_to(1))]);
    let mut client = server.patrol().await;
    let call = client.evaluate_patrol(judge_mixture(&problem, &both));
    let judged = wait_for("an evaluation", call).await.unwrap().into_inner();
    let judged = judged.mixture_evaluation.unwrap();
    assert_eq!(judged.floor_probability, 0.25);
    assert_eq!(judged.worst_vertex_id, "p0");
    let captures: Vec<f64> = judged
        .vertices
        .iter()
        .map(|v| v.capture_probability)
        .collect();
    assert_eq!(captures, [0.25, 0.75]);
    let alone: Vec<_> = judged
        .plans
        .iter()
        .map(|p| {
            (
                p.capture_probability,
                &*p.worst_vertex_id,
                p.floor_probability,
            )
        })
        .collect();
    assert_eq!(alone, [(1.0, "p1", 0.0), (0.0, "p0", 0.0)]);
}

#[tokio::test]
async fn rules_that_a_mixture_breaks_are_told_by_plan_and_place() {
    let server = Server::start(&[]).await;
    let problem = corridor(3, 0);
    let mut jumps = patrol_to(2);
    jumps.routes[0].prefix.remove(1);
    let wrong = mixture(vec![(0.5, patrol_to(1)), (0.4, jumps)]);
    let verdict = verdict(&server, &problem, &wrong).await;
    assert!(!verdict.valid && verdict.objective.is_none());
    let wanted = [
        ("parts", "SHARES"),
        ("parts[1].plan.routes[0].cycle[0]", "NO_EDGE"),
    ];
    let found: Vec<_> = verdict
        .violations
        .iter()
        .map(|v| (&*v.field, &*v.code))
        .collect();
    assert_eq!(found, wanted);
    assert!(verdict.violations[0].message.contains("0.9"), "{verdict:?}");
    let mut client = server.patrol().await;
    let call = client.evaluate_patrol(judge_mixture(&problem, &wrong));
    let status = wait_for("a refusal", call).await.unwrap_err();
    let wanted = wanted.map(|(field, code)| (format!("mixture.{field}"), code.to_owned()));
    assert_eq!(mistakes(&status), wanted);
}

#[tokio::test]
async fn mixtures_that_cannot_be_read_are_mistakes() {
    let server = Server::start(&[]).await;
    let problem = corridor(3, 0);
    let parts = "mixture.parts";
    let unknown = patrol(vec![round("g7", &["p0"])]);
    let mut no_plan = mixture(vec![(0.5, patrol_to(0)), (0.5, patrol_to(1))]);
    no_plan.parts[1].plan = None;
    for (wrong, wanted) in [
        (PatrolMixture::default(), vec![format!("{parts} REQUIRED")]),
        (no_plan, vec![format!("{parts}[1].plan REQUIRED")]),
        (
            mixture(vec![
                (0.0, patrol_to(0)),
                (-1.0, patrol_to(1)),
                (f64::NAN, patrol_to(2)),
            ]),
            vec![
                format!("{parts}[1].probability OUT_OF_RANGE"),
                format!("{parts}[2].probability NOT_FINITE"),
                format!("{parts}[0].probability OUT_OF_RANGE"),
            ],
        ),
        (
            mixture(vec![(1.0, unknown)]),
            vec![
                format!("{parts}[0].plan.routes[0].guard_id UNKNOWN"),
                format!("{parts}[0].plan.routes REQUIRED"),
            ],
        ),
        (
            mixture(vec![(1.0 / 65.0, patrol_to(0)); 65]),
            vec![format!("{parts} TOO_MANY")],
        ),
    ] {
        let mut client = server.patrol().await;
        let call = client.evaluate_patrol(judge_mixture(&problem, &wrong));
        let status = wait_for("a refusal", call).await.unwrap_err();
        let found = mistakes(&status).into_iter();
        let found: Vec<_> = found.map(|(field, why)| format!("{field} {why}")).collect();
        assert_eq!(found, wanted);
        let kind = any_plan::Kind::PatrolMixture(wrong);
        let status = check(&server, &problem, kind).await.unwrap_err();
        assert_eq!(mistakes(&status).len(), wanted.len());
        assert!(mistakes(&status)[0].0.starts_with("plan.patrol_mixture"));
    }
}

#[tokio::test]
async fn requests_for_mixtures_say_how_many_plans() {
    let server = Server::start(&[]).await;
    let mut client = server.patrol().await;
    for plans_max in [-1, 65, i32::MAX] {
        let request = MixPatrolsRequest {
            max_plans: Some(plans_max),
            ..mix(fence(5, 2, 1), iterations(100, 0))
        };
        let status = wait_for("a refusal", client.mix_patrols(request)).await;
        let wanted = [("max_plans".to_owned(), "OUT_OF_RANGE".to_owned())];
        assert_eq!(mistakes(&status.unwrap_err()), wanted);
    }
    for plan_iteration_limit in [-1, i64::MAX] {
        let request = MixPatrolsRequest {
            max_plan_iterations: Some(plan_iteration_limit),
            ..mix(fence(5, 2, 1), iterations(100, 0))
        };
        let status = wait_for("a refusal", client.mix_patrols(request)).await;
        let wanted = [("max_plan_iterations".to_owned(), "OUT_OF_RANGE".to_owned())];
        assert_eq!(mistakes(&status.unwrap_err()), wanted);
    }
    let both = EvaluatePatrolRequest {
        plan: Some(patrol_to(0)),
        ..judge_mixture(&corridor(3, 0), &mixture(vec![(1.0, patrol_to(0))]))
    };
    let status = wait_for("a refusal", client.evaluate_patrol(both)).await;
    let wanted = [("mixture".to_owned(), "CONTRADICTION".to_owned())];
    assert_eq!(mistakes(&status.unwrap_err()), wanted);
}

#[tokio::test]
async fn equal_requests_share_a_mixture_and_others_do_not() {
    let server = Server::start(&[]).await;
    let request = |plans_max| MixPatrolsRequest {
        max_plans: plans_max,
        ..mix(corridor(7, 1), iterations(5_000, 1))
    };
    let shared = async |plans_max| {
        let answer = ask(&server, request(plans_max)).await;
        answer.report.unwrap().shared
    };
    assert!(!shared(Some(2)).await && shared(Some(2)).await);
    assert!(
        !shared(Some(3)).await,
        "another number of plans is another answer"
    );
    let options = SolveOptions {
        validate_only: true,
        ..Default::default()
    };
    let checked = ask(&server, mix(corridor(7, 1), options)).await;
    assert_eq!(checked.plan, None);
    assert_eq!(checked.report.unwrap().stop_reason(), StopReason::Validated);
}

#[tokio::test]
async fn another_limit_for_each_plan_of_a_mixture_is_another_answer() {
    let server = Server::start(&[]).await;
    for plan_iteration_limit in [None, Some(100), Some(300)] {
        let request = MixPatrolsRequest {
            max_plans: Some(2),
            max_plan_iterations: plan_iteration_limit,
            // Nothing is proved before the iterations are over.
            ..mix(chase(5, 10), iterations(2_000, 1))
        };
        let report = ask(&server, request).await.report.unwrap();
        assert!(!report.shared, "limit {plan_iteration_limit:?}");
        assert!((1..=2_000).contains(&report.iterations), "{report:?}");
    }
}

#[tokio::test]
async fn who_no_longer_wants_a_mixture_frees_the_slot() {
    let server = Server::start(&[]).await;
    let mut client = server.patrol().await;
    let call = client.stream_mix_patrols(mix(chase(12, 60), budget(60_000)));
    let stream = call.await.unwrap();
    busy(&server, 1.0).await;
    drop(stream);
    busy(&server, 0.0).await;
    let unbounded = MixPatrolsRequest {
        // By default a fast machine has tried everything before the deadline.
        max_plan_iterations: Some(1_000_000_000),
        ..mix(chase(6, 20), budget(60_000))
    };
    let body = frame(&unbounded.encode_to_vec());
    let path = "/stratagem.v1.PatrolService/MixPatrols";
    let call = raw::call(server.address, path, &[("grpc-timeout", "900m")], body);
    let answer = wait_for("an answer", call).await.unwrap();
    assert_eq!(answer.status().code(), Code::Ok, "best so far, in time");
    let answer: MixPatrolsResponse = answer.message();
    assert_eq!(answer.report.unwrap().stop_reason(), StopReason::Deadline);
}
