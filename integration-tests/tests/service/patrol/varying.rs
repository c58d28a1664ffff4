//! Several patrols that differ.

use super::streaming::busy;
use super::{evaluate, verify};
use crate::mistakes::mistakes;
use stratagem_integration_tests::Server;
use stratagem_integration_tests::patience::wait_for;
use stratagem_integration_tests::patrols::{chase, fence, vary};
use stratagem_integration_tests::problems::{budget, iterations};
use stratagem_proto::v1::{
    PatrolVariant, SolveOptions, SolveStatus, StopReason, VaryPatrolsRequest, VaryPatrolsResponse,
};

async fn ask(server: &Server, request: VaryPatrolsRequest) -> VaryPatrolsResponse {
    let mut client = server.patrol().await;
    let answer = wait_for("an answer", client.vary_patrols(request)).await;
    answer.unwrap().into_inner()
}

fn captures(variants: &[PatrolVariant]) -> Vec<f64> {
    let capture = |one: &PatrolVariant| one.evaluation.as_ref().unwrap().capture_probability;
    variants.iter().map(capture).collect()
}

#[tokio::test]
async fn as_many_patrols_as_are_wanted_differ_and_are_good() {
    let server = Server::start(&[]).await;
    let problem = fence(9, 2, 3);
    let request = VaryPatrolsRequest {
        min_distance: Some(0.3),
        ..vary(problem.clone(), iterations(100_000, 1))
    };
    let answer = ask(&server, request).await;
    let report = answer.report.as_ref().unwrap();
    assert!([SolveStatus::Optimal, SolveStatus::Feasible].contains(&report.status()));
    let variants = &answer.plans;
    assert_eq!(variants.len(), 3, "the default");
    let captures = captures(variants);
    assert!(captures.is_sorted_by(|a, b| a >= b), "{captures:?}");
    let objective = report.objective.as_ref().unwrap();
    let names: Vec<&str> = objective.terms.iter().map(|t| &*t.name).collect();
    assert_eq!(names, ["missing_plans", "worst_cost", "cost_sum"]);
    let worst = 1.0 - captures[2];
    let sum: f64 = captures.iter().map(|share| 1.0 - share).sum();
    for (level, wanted) in objective.levels.iter().zip([0.0, worst, sum]) {
        assert!((level - wanted).abs() < 1e-12, "{objective:?} {captures:?}");
    }
    for variant in variants {
        let plan = variant.plan.as_ref().unwrap();
        assert!(verify(&server, &problem, plan).await.valid);
        let judged = evaluate(&server, &problem, plan).await.unwrap();
        assert_eq!(judged.evaluation, variant.evaluation);
        assert!(variant.distance.unwrap() >= 0.3, "{:?}", variant.distance);
    }
}

#[tokio::test]
async fn one_patrol_has_no_other_to_differ_from() {
    let server = Server::start(&[]).await;
    let request = VaryPatrolsRequest {
        plan_count: Some(1),
        ..vary(fence(15, 3, 4), iterations(20_000, 1))
    };
    let answer = ask(&server, request).await;
    assert_eq!(answer.plans.len(), 1);
    assert_eq!(answer.plans[0].distance, None);
    assert_eq!(answer.report.unwrap().status(), SolveStatus::Optimal);
}

#[tokio::test]
async fn plans_are_streamed_first_more_of_them_then_better_ones() {
    let server = Server::start(&[]).await;
    let mut client = server.patrol().await;
    let request = vary(chase(4, 8), iterations(100_000, 2));
    let call = client.stream_vary_patrols(request).await;
    let mut stream = call.unwrap().into_inner();
    let (mut levels, mut counts, mut last) = (Vec::new(), Vec::new(), None);
    while let Some(step) = wait_for("a step", stream.message()).await.unwrap() {
        assert!(last.is_none(), "nothing follows the report");
        let objective = step.event.as_ref().unwrap().objective.clone();
        if !step.plans.is_empty() {
            counts.push(step.plans.len());
            levels.push(objective.expect("plans have one").levels);
        }
        if step.report.is_some() {
            last = Some(step);
        }
    }
    let last = last.expect("a report");
    assert_eq!(last.plans.len(), 3);
    assert_eq!(captures(&last.plans).len(), 3, "each is judged");
    assert!(counts.is_sorted() && counts[0] < 3, "{counts:?}");
    assert!(levels.is_sorted_by(|a, b| a >= b), "{levels:?}");
}

#[tokio::test]
async fn numbers_out_of_range_are_mistakes() {
    let server = Server::start(&[]).await;
    let mut client = server.patrol().await;
    for (plan_count, distance_min, wanted) in [
        (Some(17), None, &[("plan_count", "OUT_OF_RANGE")][..]),
        (None, Some(1.5), &[("min_distance", "OUT_OF_RANGE")]),
        (
            Some(-1),
            Some(f64::NAN),
            &[
                ("plan_count", "OUT_OF_RANGE"),
                ("min_distance", "NOT_FINITE"),
            ],
        ),
    ] {
        let request = VaryPatrolsRequest {
            plan_count,
            min_distance: distance_min,
            ..vary(fence(5, 2, 1), iterations(100, 0))
        };
        let status = wait_for("a refusal", client.vary_patrols(request)).await;
        let found = mistakes(&status.unwrap_err());
        let found: Vec<_> = found.iter().map(|(f, r)| (&**f, &**r)).collect();
        assert_eq!(found, wanted);
    }
}

#[tokio::test]
async fn who_no_longer_wants_several_patrols_frees_the_slot() {
    let server = Server::start(&[]).await;
    let mut client = server.patrol().await;
    let call = client.stream_vary_patrols(vary(chase(12, 60), budget(60_000)));
    let stream = call.await.unwrap();
    busy(&server, 1.0).await;
    drop(stream);
    busy(&server, 0.0).await;
    let options = SolveOptions {
        validate_only: true,
        ..Default::default()
    };
    let checked = ask(&server, vary(chase(12, 60), options)).await;
    assert!(checked.plans.is_empty());
    assert_eq!(checked.report.unwrap().stop_reason(), StopReason::Validated);
}
