//! Narratives: plans that hold, reasons why there is none, and stories that have begun.

mod groups;
mod lines;
mod reasons;
mod rehearsing;
mod streaming;
mod underway;

use stratagem_integration_tests::Server;
use stratagem_integration_tests::patience::wait_for;
use stratagem_integration_tests::problems::{budget, iterations, millis};
use stratagem_integration_tests::stories::{in_millis, quest, quest_of_players, scenes, schedule};
use stratagem_proto::v1::{
    AnyPlan, AnyProblem, GetExampleRequest, NarrativeDetail, NarrativePlan, NarrativeProblem,
    ScheduleNarrativeRequest, ScheduleNarrativeResponse, SolveOptions, SolveStatus, StopReason,
    VerifyPlanRequest, VerifyPlanResponse, any_plan, any_problem,
};

async fn ask(server: &Server, request: ScheduleNarrativeRequest) -> ScheduleNarrativeResponse {
    let mut client = server.narrative().await;
    let answer = wait_for("an answer", client.schedule_narrative(request)).await;
    answer.unwrap().into_inner()
}

async fn verify(
    server: &Server,
    problem: &NarrativeProblem,
    plan: &NarrativePlan,
) -> VerifyPlanResponse {
    let request = VerifyPlanRequest {
        problem: Some(AnyProblem {
            kind: Some(any_problem::Kind::Narrative(problem.clone())),
        }),
        plan: Some(AnyPlan {
            kind: Some(any_plan::Kind::Narrative(plan.clone())),
        }),
    };
    let mut client = server.planning().await;
    let answer = wait_for("a verdict", client.verify_plan(request)).await;
    answer.unwrap().into_inner()
}

fn status(answer: &ScheduleNarrativeResponse) -> (SolveStatus, StopReason) {
    let report = answer.report.as_ref().expect("reports are always there");
    (report.status(), report.stop_reason())
}

fn plan_of(answer: &ScheduleNarrativeResponse) -> &NarrativePlan {
    let plan = answer.plan.as_ref();
    plan.unwrap_or_else(|| panic!("no plan: {answer:?}"))
}

fn enough() -> SolveOptions {
    iterations(1_000_000, 0)
}

const PROVED: (SolveStatus, StopReason) = (SolveStatus::Optimal, StopReason::Proved);
const IMPOSSIBLE: (SolveStatus, StopReason) = (SolveStatus::Infeasible, StopReason::Proved);

#[tokio::test]
async fn the_way_is_chosen_by_what_was_seen() {
    let server = Server::start(&[]).await;
    let answer = ask(&server, schedule(quest(), enough())).await;
    assert_eq!(status(&answer), PROVED, "{answer:?}");
    assert!(answer.conflict.is_none() && answer.relaxations.is_empty());
    let plan = plan_of(&answer);
    assert!(verify(&server, &quest(), plan).await.valid);
    // Every search from 10 to 60 s has a policy, and each policy only where it is safe.
    let mut covered = Vec::new();
    for policy in &plan.policies {
        let [pick] = policy.picks.as_slice() else {
            panic!("one choice, one pick: {policy:?}");
        };
        assert!(policy.dispatch.is_some() && !policy.ranges.is_empty());
        let (from, to) = match policy.outcomes.as_slice() {
            [] => (10_000, 60_000),
            [seen] => (
                in_millis(seen.lower.as_ref()),
                in_millis(seen.upper.as_ref()),
            ),
            more => panic!("one link is seen: {more:?}"),
        };
        match pick.option_id.as_str() {
            "horse" => assert!(to <= 32_000, "{policy:?}"),
            "foot" => assert!(from >= 19_000, "{policy:?}"),
            other => panic!("there is no way {other}"),
        }
        covered.push((from, to));
    }
    covered.sort_unstable();
    assert_eq!(covered.first().unwrap().0, 10_000);
    assert!(covered.is_sorted_by(|before, after| after.0 <= before.1 + 1));
    assert_eq!(covered.iter().map(|seen| seen.1).max(), Some(60_000));
}

#[tokio::test]
async fn a_plan_that_somebody_changed_is_refused() {
    let server = Server::start(&[]).await;
    let answer = ask(&server, schedule(quest(), enough())).await;
    let mut plan = plan_of(&answer).clone();
    plan.policies.pop();
    let verdict = verify(&server, &quest(), &plan).await;
    assert!(!verdict.valid);
    let codes: Vec<_> = verdict.violations.iter().map(|v| v.code.as_str()).collect();
    assert_eq!(codes, ["UNCOVERED"], "{verdict:?}");
}

#[tokio::test]
async fn the_examples_are_as_their_descriptions_say() {
    let server = Server::start(&[]).await;
    for (name, wanted) in [
        ("narrative/dragon", SolveStatus::Optimal),
        ("narrative/vote", SolveStatus::Infeasible),
        ("narrative/tonight", SolveStatus::Infeasible),
        ("narrative/evening", SolveStatus::Optimal),
    ] {
        let request = GetExampleRequest { name: name.into() };
        let example = server.about().await.get_example(request).await.unwrap();
        let kind = example.into_inner().problem.unwrap().kind.unwrap();
        let any_problem::Kind::Narrative(problem) = kind else {
            panic!("{name} is of another planner");
        };
        let feasibility = NarrativeProblem {
            objective: None,
            ..problem
        };
        let answer = ask(&server, schedule(feasibility.clone(), enough())).await;
        assert_eq!(status(&answer).0, wanted, "{name}");
        if let Some(plan) = &answer.plan {
            assert!(verify(&server, &feasibility, plan).await.valid, "{name}");
        }
    }
}

#[tokio::test]
async fn a_makespan_is_proved_and_a_limit_leaves_a_bound() {
    let server = Server::start(&[]).await;
    let answer = ask(&server, schedule(scenes(9), enough())).await;
    assert_eq!(status(&answer), PROVED, "{answer:?}");
    let report = answer.report.as_ref().unwrap();
    let makespan = in_millis(plan_of(&answer).makespan_offset.as_ref());
    let objective = report.objective.as_ref().expect("something counts");
    assert_eq!(objective.levels, [makespan as f64 / 1_000.0]);
    assert!(verify(&server, &scenes(9), plan_of(&answer)).await.valid);
}

#[tokio::test]
async fn validation_only_plans_nothing() {
    let server = Server::start(&[]).await;
    let options = SolveOptions {
        validate_only: true,
        ..Default::default()
    };
    let answer = ask(&server, schedule(quest(), options)).await;
    assert_eq!(answer.plan, None);
    assert_eq!(status(&answer).1, StopReason::Validated);
}

/// [`quest`] without a choice: it bears a search of 0 to 32 s.
fn ride_only() -> NarrativeProblem {
    let mut problem = quest();
    problem.choices.clear();
    problem.events.retain(|event| !event.id.starts_with("walk"));
    problem.links.truncate(4);
    problem.contingent_links[0].upper = Some(millis(30_000));
    problem
}

#[tokio::test]
async fn details_are_told_when_asked_for() {
    let server = Server::start(&[]).await;
    let detailed = |problem, detail| ScheduleNarrativeRequest {
        detail: Some(detail),
        ..schedule(problem, enough())
    };
    let stretches = NarrativeDetail {
        with_stretches: true,
        ..Default::default()
    };
    let answer = ask(&server, detailed(ride_only(), stretches)).await;
    let [stretch] = plan_of(&answer).stretches.as_slice() else {
        panic!("one contingent link: {answer:?}");
    };
    assert_eq!(stretch.link_id, "search");
    let shortest = in_millis(stretch.shortest_duration.as_ref());
    let longest = in_millis(stretch.longest_duration.as_ref());
    assert_eq!((shortest, longest), (0, 32_000));
    let silent = NarrativeDetail {
        with_conflict: Some(false),
        max_relaxations: Some(0),
        ..Default::default()
    };
    let answer = ask(&server, detailed(quest_of_players(), silent)).await;
    assert_eq!(status(&answer), IMPOSSIBLE);
    assert!(answer.conflict.is_none() && answer.relaxations.is_empty());
}

#[tokio::test]
async fn absurd_deadlines_are_answered_in_time() {
    let server = Server::start(&[]).await;
    // From a millisecond to a day, which is the most.
    for ms in [1, 86_400_000] {
        let answer = ask(&server, schedule(quest(), budget(ms))).await;
        let (status, _) = status(&answer);
        assert!(
            matches!(status, SolveStatus::Optimal | SolveStatus::Unknown),
            "{ms} ms: {answer:?}"
        );
    }
    let horizon = NarrativeProblem {
        horizon_offset: Some(millis(0)),
        ..quest()
    };
    let answer = ask(&server, schedule(horizon, enough())).await;
    assert_eq!(status(&answer), IMPOSSIBLE, "nobody is home at once");
}
