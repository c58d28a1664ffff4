//! The schedule planner from outside.

use crate::command_line::run_at_with_input;
use crate::mistakes::mistakes;
use prost_types::Duration;
use stratagem_integration_tests::Server;
use stratagem_integration_tests::patience::{eventually, in_some_try, wait_for};
use stratagem_integration_tests::problems::{budget, iterations};
use stratagem_integration_tests::projects::{project, sword};
use stratagem_proto::v1::{
    AnyPlan, AnyProblem, RenderPlanRequest, ScheduleActivity, ScheduleDemand, ScheduleMode,
    SchedulePlan, SchedulePrecedence, ScheduleProblem, ScheduleProjectRequest,
    ScheduleProjectResponse, ScheduleResource, ScheduledActivity, SolveOptions, SolveStatus,
    StopReason, VerifyPlanRequest, any_plan, any_problem,
};
use tonic::Code;

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

/// All steps of a streamed search.
async fn steps(server: &Server, request: ScheduleProjectRequest) -> Vec<ScheduleProjectResponse> {
    let mut client = server.schedule().await;
    let stream = client.stream_schedule_project(request).await;
    let mut stream = stream.expect("it is valid").into_inner();
    let mut steps = Vec::new();
    while let Some(step) = stream.message().await.expect("it goes on") {
        steps.push(step);
    }
    steps
}

/// A project of 150 activities, whose first plans are far from the best.
fn large() -> ScheduleProblem {
    let numbers = (0..150_i64).map(|index| (index, index * 7_919 % 13));
    let activities = numbers.map(|(index, random)| ScheduleActivity {
        id: index.to_string(),
        modes: vec![ScheduleMode {
            work_duration: Some(minutes(1 + random)),
            demands: vec![ScheduleDemand {
                resource_id: "smith".into(),
                amount: Some(1 + (random * 5 % 4) as i32),
            }],
            ..ScheduleMode::default()
        }],
        ..ScheduleActivity::default()
    });
    let precedences = (1..150_i64).map(|to| SchedulePrecedence {
        from_activity_id: (to - 1 - to * 31 % to.min(9)).to_string(),
        to_activity_id: to.to_string(),
        ..SchedulePrecedence::default()
    });
    ScheduleProblem {
        activities: activities.collect(),
        precedences: precedences.collect(),
        resources: vec![ScheduleResource {
            id: "smith".into(),
            capacity: Some(5),
            ..ScheduleResource::default()
        }],
        ..ScheduleProblem::default()
    }
}

#[tokio::test]
async fn a_stream_improves_and_ends_with_the_report() {
    let server = Server::start(&[]).await;
    in_some_try("at least two plans are seen", async |seed| {
        let steps = steps(&server, project(large(), iterations(2_000, seed))).await;
        let costs = steps.iter().filter_map(|step| {
            let event = step.event.as_ref().expect("steps have one");
            let is_new = step.plan.is_some() && !event.heartbeat;
            is_new.then(|| event.objective.as_ref().expect("of a plan").levels[0])
        });
        let costs: Vec<f64> = costs.collect();
        let (last, before) = steps.split_last().expect("there is a step");
        let report = last.report.as_ref().expect("the last one has it");
        let objective = report.objective.as_ref().expect("there is a plan");
        assert_eq!(costs.last(), objective.levels.first());
        assert!(before.iter().all(|step| step.report.is_none()));
        // The last message has the best plan again.
        let improved = &costs[..costs.len() - 1];
        assert!(improved.is_sorted_by(|one, next| one > next), "{costs:?}");
        improved.len() >= 2
    })
    .await;
}

#[tokio::test]
async fn a_previous_plan_is_offered_first() {
    let server = Server::start(&[]).await;
    let found = ask(&server, project(sword(), SolveOptions::default())).await;
    let mut plan = found.plan.expect("it is feasible");
    plan.activities.reverse();
    for (id, mode) in [("gone", ""), ("hilt", "gone")] {
        plan.activities.push(ScheduledActivity {
            activity_id: id.into(),
            start_offset: Some(minutes(0)),
            mode_id: mode.into(),
            ..ScheduledActivity::default()
        });
    }
    let mut request = project(sword(), iterations(1, 0));
    request.previous_plan = Some(plan);
    let steps = steps(&server, request).await;
    let event = steps.last().and_then(|step| step.event.as_ref());
    // It is optimal: nothing replaces it.
    assert_eq!(event.expect("steps have one").found_by, "previous plan");
}

#[tokio::test]
async fn a_server_that_goes_gives_the_best_so_far() {
    let server = Server::start(&[]).await;
    let mut client = server.schedule().await;
    let call = client.stream_schedule_project(project(large(), budget(60_000)));
    let mut stream = call.await.expect("it is valid").into_inner();
    let first = wait_for("a first step", stream.message()).await;
    let mut last = first.expect("it goes on");
    server.terminate();
    while let Some(step) = wait_for("a step", stream.message())
        .await
        .expect("it goes on")
    {
        last = Some(step);
    }
    let last = last.expect("there is a step");
    let report = last.report.expect("the last one has it");
    assert_eq!(report.stop_reason(), StopReason::Draining);
    assert!(last.plan.is_some());
}

#[tokio::test]
async fn a_stream_that_is_dropped_frees_its_slot() {
    let server = Server::start(&[]).await;
    let busy = async |slots: f64| {
        eventually(&format!("{slots} slots are busy"), async || {
            let metrics = server.metrics().await;
            (metrics.sum("stratagem_busy_slots") == slots).then_some(())
        })
        .await;
    };
    let mut client = server.schedule().await;
    let call = client.stream_schedule_project(project(large(), budget(60_000)));
    let stream = call.await.expect("it is valid");
    busy(1.0).await;
    drop(stream);
    busy(0.0).await;
}

#[tokio::test]
async fn all_mistakes_come_in_one_answer() {
    let server = Server::start(&[]).await;
    let mut problem = sword();
    problem.activities[0].modes[0].work_duration = None;
    problem.activities[1].modes[0].demands[0].resource_id = "king".into();
    problem.precedences[0].to_activity_id = "blade".into();
    problem.resources[0].capacity = Some(-1);
    let call = server.schedule().await;
    let call = { call }
        .schedule_project(project(problem, budget(1_000)))
        .await;
    let status = call.expect_err("it is invalid");
    assert_eq!(status.code(), Code::InvalidArgument);
    let mut found = mistakes(&status);
    found.sort();
    let expected = [
        ("problem.activities[0].modes[0].work_duration", "REQUIRED"),
        (
            "problem.activities[1].modes[0].demands[0].resource_id",
            "UNKNOWN",
        ),
        ("problem.precedences[0].to_activity_id", "SELF_LOOP"),
        ("problem.resources[0].capacity", "OUT_OF_RANGE"),
    ];
    let expected = expected.map(|(field, code)| (field.to_owned(), code.to_owned()));
    assert_eq!(found, expected);
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
    assert!(drawn.stdout.contains("13 of 12"), "{}", drawn.stdout);
    let wrong = PROJECT.replace("7    0", "seven 0");
    let run = run_at_with_input(&server, &plan, &wrong).with_code(5);
    assert!(run.stderr.contains("stdin:13:"), "{}", run.stderr);
}
