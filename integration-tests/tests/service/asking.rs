//! What the other files ask for again and again.

use stratagem_integration_tests::problems::{allocate, budget};
use stratagem_integration_tests::{Server, patience::wait_for};
use stratagem_proto::v1::{
    AllocateTasksResponse, AllocationPlan, AllocationProblem, AnyPlan, AnyProblem, SolveOptions,
    SolveReport, VerifyPlanRequest, VerifyPlanResponse, any_plan, any_problem,
};
use tonic::{Status, Streaming};
use tonic_types::StatusExt as _;

/// The unary call, on a connection of its own.
pub(crate) async fn ask(
    server: &Server,
    problem: AllocationProblem,
    options: SolveOptions,
) -> Result<AllocateTasksResponse, Status> {
    let mut client = server.allocation().await;
    let answer = client.allocate_tasks(allocate(problem, options));
    Ok(wait_for("an answer", answer).await?.into_inner())
}

/// Plan and report of an answer that must have both.
pub(crate) fn solved(answer: AllocateTasksResponse) -> (AllocationPlan, SolveReport) {
    let report = answer.report.expect("reports are always there");
    let plan = answer.plan;
    let plan = plan.unwrap_or_else(|| panic!("no plan: {report:?}"));
    (plan, report)
}

/// The reason of an error; empty where there is none.
pub(crate) fn reason(status: &Status) -> String {
    let info = status.get_details_error_info();
    info.map_or_else(String::new, |info| info.reason)
}

/// The result of the service's own checker for a plan.
pub(crate) async fn verify(
    server: &Server,
    problem: &AllocationProblem,
    plan: &AllocationPlan,
) -> Result<VerifyPlanResponse, Status> {
    let request = VerifyPlanRequest {
        problem: Some(AnyProblem {
            kind: Some(any_problem::Kind::Allocation(problem.clone())),
        }),
        plan: Some(AnyPlan {
            kind: Some(any_plan::Kind::Allocation(plan.clone())),
        }),
    };
    let mut client = server.planning().await;
    let answer = wait_for("a verdict", client.verify_plan(request)).await?;
    Ok(answer.into_inner())
}

/// A problem without end, small enough to be searched fast.
pub(crate) fn unbounded() -> AllocationProblem {
    stratagem_integration_tests::problems::scattered(1, 3, 30)
}

/// A stream that holds a slot until it is dropped: it yields to no call that has more time.
pub(crate) async fn occupied(server: &Server) -> Streaming<AllocateTasksResponse> {
    let mut client = server.allocation().await;
    let call = client.stream_allocate_tasks(allocate(unbounded(), budget(60_000)));
    let mut steps = wait_for("a stream", call).await.unwrap().into_inner();
    let first = wait_for("a first plan", steps.message()).await.unwrap();
    first.expect("the search goes on");
    steps
}

/// How many connections ended in this way.
pub(crate) async fn outcomes(server: &Server, outcome: &str) -> f64 {
    let metrics = server.metrics().await;
    metrics.sum_where("stratagem_connection_total", &[("outcome", outcome)])
}
