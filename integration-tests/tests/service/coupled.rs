//! Allocation where tasks are coupled and agents rest.

use crate::asking::{ask, solved, verify};
use crate::command_line::run_at;
use stratagem_integration_tests::problems::iterations;
use stratagem_integration_tests::{Server, patience::wait_for};
use stratagem_proto::v1::{
    AllocationProblem, GetExampleRequest, InsertTaskRequest, SolveOptions, SolveStatus, any_problem,
};
use tonic::Code;
use tonic_types::StatusExt as _;

/// The example with pickups, a bell that takes two, a bridge that has to be repaired, and breaks.
async fn supply(server: &Server) -> AllocationProblem {
    let request = GetExampleRequest {
        name: "allocation/supply".into(),
    };
    let mut client = server.about().await;
    let answer = wait_for("an example", client.get_example(request)).await;
    let example = answer.unwrap().into_inner();
    match example.problem.and_then(|problem| problem.kind) {
        Some(any_problem::Kind::Allocation(problem)) => problem,
        other => panic!("no problem of allocation: {other:?}"),
    }
}

#[tokio::test]
async fn couplings_are_kept_and_plans_are_checked() {
    let server = Server::start(&[]).await;
    let problem = supply(&server).await;
    let answer = ask(&server, problem.clone(), iterations(500, 1)).await;
    let (plan, report) = solved(answer.unwrap());
    assert_eq!(report.status(), SolveStatus::Feasible);
    assert_eq!(plan.unserved_task_ids, [""; 0]);
    let start = |task: &str| {
        let mut stops = plan.routes.iter().flat_map(|route| &route.stops);
        stops
            .find(|s| s.task_id == task)
            .and_then(|s| s.start_offset)
    };
    assert!(start("lift the bell").is_some());
    assert_eq!(start("lift the bell"), start("hold the bell"));
    let verdict = verify(&server, &problem, &plan).await.unwrap();
    assert!(verdict.valid, "{verdict:?}");
    let terms = report.objective.iter().flat_map(|o| &o.terms);
    let terms: Vec<&str> = terms.map(|t| &t.name[..]).collect();
    assert!(
        terms.contains(&"preferences") && terms.contains(&"balance"),
        "{terms:?}"
    );
}

#[tokio::test]
async fn trees_refuse_couplings_by_name() {
    let server = Server::start(&[]).await;
    let options = SolveOptions {
        strategy: "mcts".into(),
        ..iterations(10, 1)
    };
    let refused = ask(&server, supply(&server).await, options).await;
    let refused = refused.unwrap_err();
    assert!(
        format!("{refused:?}").contains("mcts") && refused.code() != Code::Internal,
        "{refused:?}"
    );
}

#[tokio::test]
async fn a_task_that_goes_with_others_is_not_inserted_alone() {
    let server = Server::start(&[]).await;
    let request = InsertTaskRequest {
        problem: Some(supply(&server).await),
        plan: None,
        task_id: "load salt".into(),
        max_insertions: None,
    };
    let mut client = server.allocation().await;
    let refused = wait_for("an answer", client.insert_task(request)).await;
    let refused = refused.unwrap_err();
    assert_eq!(refused.code(), Code::InvalidArgument);
    let details = refused.get_error_details();
    let mistakes = details.bad_request().expect("mistakes are listed");
    let text = &mistakes.field_violations[0].description;
    let wanted = "is not done without \"unload salt\": ";
    assert!(text.starts_with(wanted), "{text}");
}

#[tokio::test]
async fn pictures_show_breaks() {
    let server = Server::start(&[]).await;
    let allocate = [
        "allocation",
        "plan",
        "example:supply",
        "--iterations",
        "2000",
    ];
    let run = run_at(&server, &allocate).with_code(0);
    assert!(run.stdout.contains("~~ break"), "{}", run.stdout);
}
