//! Plans from outside: what they are worth, and the rules that they break.

use super::{evaluate, verify};
use crate::mistakes::mistakes;
use stratagem_integration_tests::Server;
use stratagem_integration_tests::patrols::{fence, patrol, round, stop};
use stratagem_integration_tests::problems::millis;
use stratagem_proto::v1::{PatrolPlan, PatrolProblem};
use tonic::Code;

const ONCE_ROUND: [&str; 4] = ["p0", "p1", "p2", "p3"];

#[tokio::test]
async fn a_plan_of_the_callers_is_worth_what_one_can_count() {
    let server = Server::start(&[]).await;
    // One guard goes round four posts; who needs a second is seen at two of four moments.
    let problem = fence(4, 1, 1);
    let plan = patrol(vec![round("g0", &ONCE_ROUND)]);
    let judged = evaluate(&server, &problem, &plan).await.unwrap();
    let evaluation = judged.evaluation.unwrap();
    assert_eq!(evaluation.capture_probability, 0.5);
    assert_eq!(evaluation.predictability, 1.0, "it always goes on");
    assert_eq!(evaluation.worst_idleness_duration, Some(millis(3_000)));
    assert_eq!(evaluation.best_response.unwrap().capture_probability, 0.0);
    for (watched, id) in evaluation.vertices.iter().zip(ONCE_ROUND) {
        assert_eq!(watched.vertex_id, id);
        assert_eq!(watched.capture_probability, 0.5);
        assert_eq!(watched.worst_idleness_duration, Some(millis(3_000)));
        assert_eq!(watched.mean_idleness_duration, Some(millis(1_500)));
    }
}

#[tokio::test]
async fn where_nobody_ever_looks_idleness_has_no_number() {
    let server = Server::start(&[]).await;
    let mut route = round("g0", &[]);
    route.cycle = vec![stop("p0", 1)];
    let plan = patrol(vec![route]);
    let judged = evaluate(&server, &fence(4, 1, 1), &plan).await.unwrap();
    let evaluation = judged.evaluation.unwrap();
    assert_eq!(evaluation.capture_probability, 0.25);
    assert_eq!(evaluation.worst_idleness_duration, None);
    assert_eq!(evaluation.vertices[1].mean_idleness_duration, None);
    let verdict = verify(&server, &fence(4, 1, 1), &plan).await;
    let objective = verdict.objective.expect("it is valid");
    let terms: Vec<_> = objective
        .terms
        .iter()
        .map(|t| (&*t.name, t.value))
        .collect();
    assert_eq!(terms, [("escape", 0.75)]);
}

/// Code and place of each rule that a plan breaks, as both methods report them.
async fn broken(server: &Server, problem: &PatrolProblem, plan: &PatrolPlan) -> Vec<String> {
    let verdict = verify(server, problem, plan).await;
    assert!(!verdict.valid && verdict.objective.is_none());
    let found = verdict.violations.iter();
    let found: Vec<_> = found.map(|v| format!("{} {}", v.field, v.code)).collect();
    let status = evaluate(server, problem, plan).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    let found_too = mistakes(&status).into_iter().map(|(field, reason)| {
        let field = field.strip_prefix("plan").expect("it is about the plan");
        format!("{} {reason}", field.trim_start_matches('.'))
    });
    assert_eq!(found_too.collect::<Vec<_>>(), found);
    for violation in &verdict.violations {
        let words = &violation.message;
        assert!(
            !words.contains("vertex 0") && !words.contains("route 0"),
            "{words}"
        );
    }
    found
}

#[tokio::test]
async fn broken_rules_are_told_with_their_place_in_the_plan() {
    let server = Server::start(&[]).await;
    let problem = fence(4, 2, 1);
    let good = || round("g1", &ONCE_ROUND);
    let with = |one| patrol(vec![one, good()]);
    let mut jump = round("g0", &["p0", "p2"]);
    jump.prefix = vec![stop("p0", 0), stop("p3", 1)];
    for (plan, wanted) in [
        (with(round("g0", &[])), "routes[0].cycle CYCLE_EMPTY"),
        (with(round("g0", &["p0"])), "routes[0].cycle CYCLE_INSTANT"),
        (with(round("g0", &["p1", "p0"])), "routes[0] START_WRONG"),
        (
            with(round("g0", &["p0", "p1", "p2"])),
            "routes[0].cycle[0] NO_EDGE",
        ),
        (
            // The order of routes is the caller's.
            patrol(vec![good(), round("g0", &["p1", "p2"])]),
            "routes[1] START_WRONG",
        ),
    ] {
        assert_eq!(broken(&server, &problem, &plan).await, [wanted]);
    }
    let wanted = ["routes[0].cycle[1] NO_EDGE", "routes[0].cycle[0] NO_EDGE"];
    assert_eq!(broken(&server, &problem, &with(jump)).await, wanted);
}

#[tokio::test]
async fn rules_that_a_problem_adds_are_kept() {
    let server = Server::start(&[]).await;
    let waiting = {
        let mut route = round("g0", &ONCE_ROUND);
        route.cycle[2] = stop("p2", 1);
        patrol(vec![route])
    };
    let still = PatrolProblem {
        allow_staying: Some(false),
        ..fence(4, 1, 1)
    };
    let found = broken(&server, &still, &waiting).await;
    assert_eq!(found, ["routes[0].cycle[2] STAY_FORBIDDEN"]);
    let mut pausing = fence(4, 1, 1);
    pausing.vertices[2].pause_duration = Some(millis(2_000));
    let found = broken(&server, &pausing, &waiting).await;
    assert_eq!(found, ["routes[0].cycle[2] PAUSE_SHORT"]);
    let mut leaky = fence(4, 1, 1);
    leaky.vertices[3].gap_duration = Some(millis(5_000));
    let found = broken(&server, &leaky, &waiting).await;
    assert_eq!(found, [" GAP_MISSING"]);
    let narrow = PatrolProblem {
        allow_passing: Some(false),
        ..fence(4, 2, 1)
    };
    let mut back = round("g1", &["p0", "p3", "p2", "p1"]);
    // Round the other way, a tick later: they meet on an edge.
    back.cycle[0] = stop("p0", 2);
    let mut there = round("g0", &ONCE_ROUND);
    there.cycle[0] = stop("p0", 1);
    let found = broken(&server, &narrow, &patrol(vec![there, back])).await;
    assert_eq!(found, [" PASSING_FORBIDDEN"]);
}

#[tokio::test]
async fn plans_that_cannot_be_of_the_problem_are_mistakes() {
    let server = Server::start(&[]).await;
    let problem = fence(4, 2, 1);
    let (one, two) = (round("g0", &ONCE_ROUND), round("g1", &ONCE_ROUND));
    let mut fine = one.clone();
    fine.cycle[1].stay_duration = Some(millis(500));
    let mut back = one.clone();
    back.cycle[1].stay_duration = Some(millis(-1_000));
    let routes = "plan.routes";
    for (plan, wanted) in [
        (vec![one.clone()], vec![format!("{routes} REQUIRED")]),
        (
            vec![one.clone(), one.clone()],
            vec![
                format!("{routes}[1].guard_id DUPLICATE"),
                format!("{routes} REQUIRED"),
            ],
        ),
        (
            vec![one.clone(), two.clone(), one.clone()],
            vec![format!("{routes} TOO_MANY")],
        ),
        (
            vec![one.clone(), round("g2", &["p0", "p9"])],
            vec![
                format!("{routes}[1].guard_id UNKNOWN"),
                format!("{routes}[1].cycle[1].vertex_id UNKNOWN"),
                format!("{routes} REQUIRED"),
            ],
        ),
        (
            vec![fine, two.clone()],
            vec![format!("{routes}[0].cycle[1].stay_duration TOO_PRECISE")],
        ),
        (
            vec![back, two],
            vec![format!("{routes}[0].cycle[1].stay_duration OUT_OF_RANGE")],
        ),
    ] {
        let status = evaluate(&server, &problem, &patrol(plan))
            .await
            .unwrap_err();
        let found = mistakes(&status).into_iter();
        let found: Vec<_> = found.map(|(field, why)| format!("{field} {why}")).collect();
        assert_eq!(found, wanted);
    }
}
