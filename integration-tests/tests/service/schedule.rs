//! The schedule planner from outside.

use crate::command_line::run_at_with_input;
use prost_types::Duration;
use stratagem_integration_tests::Server;
use stratagem_integration_tests::problems::iterations;
use stratagem_integration_tests::projects::{project, sword};
use stratagem_proto::v1::{
    AnyPlan, AnyProblem, RenderPlanRequest, SchedulePlan, ScheduleProblem, ScheduleProjectRequest,
    ScheduleProjectResponse, SolveOptions, SolveStatus, StopReason, VerifyPlanRequest, any_plan,
    any_problem,
};

async fn ask(server: &Server, request: ScheduleProjectRequest) -> ScheduleProjectResponse {
    let answer = server.schedule().await.schedule_project(request).await;
    answer.expect("it is valid").into_inner()
}

/// Two jobs of 8 and 4 that do not fit side by side, in PSPLIB's form: 12 in all.
const PROJECT: &str = "\
file with basedata            : small.bas
PRECEDENCE RELATIONS:
jobnr.    #modes  #successors   successors
   1        1          2           2   3
   2        1          1           4
   3        1          1           4
   4        1          0
************************************************************************
REQUESTS/DURATIONS:
jobnr. mode duration  R 1  R 2
------------------------------------------------------------------------
  1      1     0       0    0
  2      1     8       7    0
  3      1     4       6    0
  4      1     0       0    0
************************************************************************
RESOURCEAVAILABILITIES:
  R 1  R 2
   12   13
************************************************************************
";

fn minutes(minutes: i64) -> Duration {
    Duration {
        seconds: minutes * 60,
        nanos: 0,
    }
}

#[tokio::test]
async fn the_shortest_schedule_is_proved() {
    let server = Server::start(&[]).await;
    let answer = ask(&server, project(sword(), SolveOptions::default())).await;
    let report = answer.report.expect("reports are always there");
    assert_eq!(report.status(), SolveStatus::Optimal);
    assert_eq!(report.stop_reason(), StopReason::Proved);
    assert_eq!(report.gap, Some(0.0));
    let objective = report.objective.expect("there is a plan");
    assert_eq!(objective.levels, [35.0 * 60.0]);
    assert_eq!(report.bound.expect("it is proved").levels, objective.levels);
    let plan = answer.plan.expect("it is feasible");
    assert_eq!(plan.makespan_offset, Some(minutes(35)));
    assert!(plan.activities.iter().all(|it| it.mode_id == "1"));
    let join = &plan.activities[2];
    assert_eq!(join.activity_id, "join");
    assert_eq!(join.start_offset, Some(minutes(30)));
}

#[tokio::test]
async fn requirements_that_conflict_are_named() {
    let server = Server::start(&[]).await;
    let mut problem = sword();
    problem.deadline_offset = Some(minutes(34));
    let answer = ask(&server, project(problem, SolveOptions::default())).await;
    assert_eq!(answer.plan, None);
    let report = answer.report.expect("reports are always there");
    assert_eq!(report.status(), SolveStatus::Infeasible);
    let explanation = report.explanation.expect("there is no plan");
    let reasons = explanation.reasons.iter();
    let reasons: Vec<_> = reasons.map(|it| (&*it.code, &*it.message)).collect();
    assert_eq!(
        reasons,
        [
            ("PROJECT_DEADLINE", "everything ends by 34 min"),
            ("CAPACITY", "\"smith\" has 2"),
            ("MINIMAL_LAG", "\"join\" starts after \"hilt\" ends"),
        ]
    );
    let summary = "These 3 requirements cannot be satisfied together; without any one of them the \
                   others can.";
    assert_eq!(explanation.summary, summary);
}

#[tokio::test]
async fn a_stream_improves_and_ends_with_the_report() {
    let server = Server::start(&[]).await;
    let request = project(sword(), SolveOptions::default());
    let stream = server
        .schedule()
        .await
        .stream_schedule_project(request)
        .await;
    let mut stream = stream.expect("it is valid").into_inner();
    let mut levels = Vec::new();
    let mut last = None;
    while let Some(step) = stream.message().await.expect("it goes on") {
        let event = step.event.as_ref().expect("steps have one");
        levels.extend(event.objective.iter().map(|it| it.levels[0]));
        last = Some(step);
    }
    let last = last.expect("there is a step");
    assert!(levels.is_sorted_by(|one, next| one >= next), "{levels:?}");
    assert!(last.plan.is_some() && last.report.is_some());
}

#[tokio::test]
async fn a_previous_plan_is_offered_first() {
    let server = Server::start(&[]).await;
    let found = ask(&server, project(sword(), SolveOptions::default())).await;
    let mut request = project(sword(), iterations(1, 0));
    let mut plan = found.plan.clone().expect("it is feasible");
    plan.activities.reverse();
    let mut gone = plan.activities[0].clone();
    gone.activity_id = "gone".into();
    plan.activities.push(gone);
    request.previous_plan = Some(plan);
    let answer = ask(&server, request).await;
    assert_eq!(answer.plan, found.plan);
}

fn of_any_planner(
    problem: ScheduleProblem,
    plan: SchedulePlan,
) -> (Option<AnyProblem>, Option<AnyPlan>) {
    let kind = Some(any_problem::Kind::Schedule(problem));
    let problem = Some(AnyProblem { kind });
    let kind = Some(any_plan::Kind::Schedule(plan));
    (problem, Some(AnyPlan { kind }))
}

#[tokio::test]
async fn plans_are_checked_and_drawn_whatever_made_them() {
    let server = Server::start(&[]).await;
    let found = ask(&server, project(sword(), SolveOptions::default())).await;
    let mut plan = found.plan.expect("it is feasible");
    let (problem, good) = of_any_planner(sword(), plan.clone());
    let mut planning = server.planning().await;
    let request = VerifyPlanRequest {
        problem: problem.clone(),
        plan: good,
    };
    let verdict = planning.verify_plan(request).await.expect("it is readable");
    let verdict = verdict.into_inner();
    assert!(verdict.valid);
    assert_eq!(verdict.objective.expect("it is valid").levels, [2_100.0]);
    plan.activities[2].start_offset = Some(minutes(0));
    let (_, bad) = of_any_planner(sword(), plan);
    let request = VerifyPlanRequest {
        problem: problem.clone(),
        plan: bad.clone(),
    };
    let verdict = planning.verify_plan(request).await.expect("it is readable");
    let violations = verdict.into_inner().violations;
    let codes: Vec<_> = violations
        .iter()
        .map(|it| (&*it.code, &*it.field))
        .collect();
    let late = ("LAG_TOO_SHORT", "activities[2]");
    assert_eq!(codes, [late, late, ("OVERLOAD", "activities")]);
    let text = "breaks the precedence from \"blade\" to \"join\": the lag is ";
    assert!(violations[0].message.starts_with(text), "{violations:?}");
    let request = RenderPlanRequest {
        problem,
        plan: bad,
        ..RenderPlanRequest::default()
    };
    let picture = planning.render_plan(request).await.expect("it is drawn");
    assert!(picture.into_inner().picture.starts_with("<svg"));
}

#[tokio::test]
async fn the_command_line_plans_files_of_others() {
    let server = Server::start(&[]).await;
    let plan = ["schedule", "plan", "-", "--iterations", "1000"];
    let json = run_at_with_input(&server, &[&plan[..], &["-o", "json"]].concat(), PROJECT);
    let answer = json.with_code(0).json();
    assert_eq!(answer["plan"]["makespan_offset"], "12s");
    let table = run_at_with_input(&server, &plan, PROJECT).with_code(0);
    assert!(table.stdout.contains("makespan 12s"), "{}", table.stdout);
    let stream = [&plan[..], &["--stream", "-o", "ndjson", "--quiet"]].concat();
    let steps = run_at_with_input(&server, &stream, PROJECT);
    let steps = steps.with_code(0).json_lines();
    let last = steps.last().expect("there is a step");
    assert_eq!(last["report"]["status"], "SOLVE_STATUS_OPTIMAL");
    let drawn = run_at_with_input(&server, &["schedule", "render", "-"], PROJECT).with_code(0);
    assert!(
        drawn.stdout.contains("peaks: R1 13 of 12"),
        "{}",
        drawn.stdout
    );
    let wrong = PROJECT.replace("7    0", "seven 0");
    let run = run_at_with_input(&server, &plan, &wrong).with_code(5);
    assert!(run.stderr.contains("stdin:13:"), "{}", run.stderr);
}
