//! One task more in a plan that is kept.

use crate::asking::{ask, solved, verify};
use crate::command_line::run_at_with_input;
use crate::mistakes::mistakes;
use serde_json::{Value, json};
use stratagem_integration_tests::problems::{impossible, iterations, row, scattered};
use stratagem_integration_tests::{Server, patience::wait_for};
use stratagem_proto::EXAMPLES;
use stratagem_proto::v1::{
    AllocationPlan, AllocationProblem, InsertTaskRequest, InsertTaskResponse,
};
use tonic::Status;

async fn insert(
    server: &Server,
    problem: &AllocationProblem,
    plan: &AllocationPlan,
    task_id: &str,
    insertions_max: i32,
) -> Result<InsertTaskResponse, Status> {
    let request = InsertTaskRequest {
        problem: Some(problem.clone()),
        plan: Some(plan.clone()),
        task_id: task_id.into(),
        max_insertions: (insertions_max != 0).then_some(insertions_max),
    };
    let mut client = server.allocation().await;
    let answer = wait_for("an answer", client.insert_task(request)).await?;
    Ok(answer.into_inner())
}

/// A plan without its first task, and the id of that.
async fn all_but_one(server: &Server, problem: &AllocationProblem) -> (AllocationPlan, String) {
    let answer = ask(server, problem.clone(), iterations(200, 1)).await;
    let (mut plan, _) = solved(answer.unwrap());
    let gone = plan.routes[0].stops.remove(0);
    // As early as possible again.
    for stop in plan.routes.iter_mut().flat_map(|route| &mut route.stops) {
        stop.start_offset = None;
    }
    plan.routes.retain(|route| !route.stops.is_empty());
    (plan, gone.task_id)
}

#[tokio::test]
async fn places_are_ranked_and_the_plan_of_the_first_is_valid_at_its_cost() {
    let server = Server::start(&[]).await;
    let problem = scattered(7, 3, 25);
    let (kept, task) = all_but_one(&server, &problem).await;
    let answer = insert(&server, &problem, &kept, &task, 100).await.unwrap();
    // Before each of 24 stops, or last with each of 3 agents.
    assert_eq!(answer.insertions.len(), 27);
    let level = |of: &Option<stratagem_proto::v1::Objective>| of.clone().unwrap().levels;
    let ranked = answer
        .insertions
        .iter()
        .map(|place| level(&place.objective));
    assert!(ranked.is_sorted_by(|one, two| one <= two));
    let plan = answer.plan.unwrap();
    assert!(!plan.unserved_task_ids.contains(&task));
    let verdict = verify(&server, &problem, &plan).await.unwrap();
    assert!(verdict.valid, "{verdict:?}");
    assert_eq!(verdict.objective, answer.insertions[0].objective);
    let without = verify(&server, &problem, &kept).await.unwrap();
    assert_eq!(without.objective, answer.kept_objective);
    let few = insert(&server, &problem, &kept, &task, 0).await.unwrap();
    assert_eq!(few.insertions, answer.insertions[..10]);
}

#[tokio::test]
async fn where_there_is_no_place_the_reasons_are_told() {
    let server = Server::start(&[]).await;
    let problem = impossible();
    let task = &problem.tasks[1].id;
    let nobody = AllocationPlan::default();
    let answer = insert(&server, &problem, &nobody, task, 0).await.unwrap();
    assert!(answer.insertions.is_empty() && answer.plan.is_none());
    let reasons = answer.explanation.unwrap().reasons;
    assert!(!reasons.is_empty());
    assert!(
        reasons
            .iter()
            .all(|one| one.subject_id == *task && one.proved)
    );
}

#[tokio::test]
async fn what_cannot_be_asked_is_told_by_field() {
    let server = Server::start(&[]).await;
    let problem = row();
    let (kept, task) = all_but_one(&server, &problem).await;
    let there = kept.routes[0].stops[0].task_id.clone();
    let mut broken = kept.clone();
    broken.routes.push(kept.routes[0].clone());
    let cases = [
        (&kept, "nobody knows it", 0, ("task_id", "UNKNOWN")),
        (&kept, &*there, 0, ("task_id", "CONTRADICTION")),
        (&kept, &*task, 101, ("max_insertions", "OUT_OF_RANGE")),
        (&broken, &*task, 0, ("plan.routes[1]", "AGENT_REPEATED")),
    ];
    for (plan, task, most, wanted) in cases {
        let status = insert(&server, &problem, plan, task, most).await;
        let found = mistakes(&status.unwrap_err());
        let found = found.first().map(|(field, code)| (&**field, &**code));
        assert_eq!(found, Some(wanted));
    }
    let status = insert(&server, &problem, &broken, "nobody", 101).await;
    let found = mistakes(&status.unwrap_err());
    let fields: Vec<&str> = found.iter().map(|(field, _)| &**field).collect();
    assert_eq!(
        fields,
        ["max_insertions", "task_id"],
        "all that is known before the rules are checked"
    );
    let mut client = server.allocation().await;
    let call = client.insert_task(InsertTaskRequest::default());
    let status = wait_for("a refusal", call).await.unwrap_err();
    let wanted = ["problem", "task_id"].map(|field| (field.into(), "REQUIRED".into()));
    assert_eq!(mistakes(&status), wanted);
}

#[tokio::test]
async fn the_command_line_shows_places_and_prints_the_plan() {
    let server = Server::start(&[]).await;
    // Nobody does anything yet.
    let plan = json!({"routes": []}).to_string();
    let of = ["allocation", "insert", "example:tavern", "-", "--task"];
    let tavern = EXAMPLES
        .iter()
        .find(|example| example.name == "allocation/tavern");
    let example: Value = serde_json::from_str(tavern.unwrap().json).unwrap();
    let task = example["tasks"][0]["id"].as_str().unwrap();
    let table = run_at_with_input(&server, &[&of[..], &[task]].concat(), &plan).with_code(0);
    assert!(table.stdout.contains("COSTS MORE"), "{}", table.stdout);
    let answer = [&of[..], &[task, "--max-insertions", "1", "-o", "json"]].concat();
    let answer = run_at_with_input(&server, &answer, &plan)
        .with_code(0)
        .json();
    assert_eq!(answer["insertions"].as_array().unwrap().len(), 1);
    assert_eq!(answer["plan"]["routes"][0]["stops"][0]["task_id"], task);
    run_at_with_input(&server, &[&of[..], &["nobody knows it"]].concat(), &plan).with_code(5);
}
