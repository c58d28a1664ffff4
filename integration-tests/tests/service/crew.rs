//! The crew planner from outside.

mod checking;
mod lines;
mod moves;

use crate::mistakes::mistakes;
use stratagem_integration_tests::Server;
use stratagem_integration_tests::crews::{assign, row};
use stratagem_integration_tests::problems::iterations;
use stratagem_proto::v1::{
    AssignCrewRequest, AssignCrewResponse, CrewPlan, CrewPoint, CrewProblem, GetExampleRequest,
    GetServerInfoRequest, SolveOptions, SolveStatus, StopReason, any_problem,
};
use tonic::{Code, Status};

/// Fields and reasons, as in `problem.nodes REQUIRED`.
fn named_mistakes(status: &Status) -> Vec<String> {
    let list = mistakes(status).into_iter();
    list.map(|(field, why)| format!("{field} {why}")).collect()
}

/// The example of the paper.
async fn ship(server: &Server) -> CrewProblem {
    let request = GetExampleRequest {
        name: "crew/ship".into(),
    };
    let answer = server.about().await.get_example(request).await.unwrap();
    match answer.into_inner().problem.unwrap().kind.unwrap() {
        any_problem::Kind::Crew(ship) => ship,
        other => panic!("{other:?}"),
    }
}

async fn ask(server: &Server, request: AssignCrewRequest) -> AssignCrewResponse {
    let answer = server.crew().await.assign_crew(request).await;
    answer.unwrap().into_inner()
}

/// Seconds and damage of the points for 1, 2, ... players.
fn points(plan: &CrewPlan) -> Vec<Vec<(i64, f64)>> {
    let point = |point: &CrewPoint| {
        let time = point.worst_duration.unwrap();
        assert_eq!(time.nanos, 0);
        (time.seconds, point.worst_damage)
    };
    let fronts = plan.events[0].fronts.iter();
    fronts
        .map(|front| front.points.iter().map(point).collect())
        .collect()
}

#[tokio::test]
async fn the_published_fronts_come_back_with_routes_and_reasons() {
    let server = Server::start(&[]).await;
    let mut request = assign(ship(&server).await, SolveOptions::default());
    request.max_ties = 5;
    let answer = ask(&server, request).await;
    let report = answer.report.unwrap();
    assert_eq!(report.status(), SolveStatus::Optimal);
    assert_eq!(report.stop_reason(), StopReason::Proved);
    let plan = answer.plan.unwrap();
    let wanted = [vec![(13, 1.0)], vec![(12, 1.0)], vec![(13, 1.0)], vec![]];
    assert_eq!(points(&plan), wanted);
    let fronts = &plan.events[0].fronts;
    let alone = &fronts[0].points[0].roles[0];
    assert_eq!((&*alone.player_id, &*alone.tool_id), ("p1", "t1"));
    assert_eq!(alone.fetch_node_ids, ["n0", "n2", "n4", "n3", "n1", "n20"]);
    assert_eq!(alone.carry_node_ids, ["n20", "n19", "n18"]);
    assert_eq!(alone.walk_duration.unwrap().seconds, 7);
    assert_eq!(alone.walk_damage, 1.0);
    let three = &fronts[2].points[0];
    assert!(three.dominated_by_fewer_players);
    assert_eq!((three.ties.len(), three.has_more_ties), (1, false));
    let reason = fronts[3].empty_reason.as_ref().unwrap();
    assert_eq!(
        (&*reason.code, reason.shortfall),
        ("TOO_FEW_TOOLS", Some(1.0))
    );
    assert!(fronts[..3].iter().all(|front| front.empty_reason.is_none()));
}

#[tokio::test]
async fn the_limit_of_damage_and_coming_back_are_as_asked_for() {
    let server = Server::start(&[]).await;
    let mut problem = ship(&server).await;
    problem.max_damage_kind = 0;
    let answer = ask(&server, assign(problem.clone(), SolveOptions::default())).await;
    let wanted = [
        vec![(11, 2.0), (13, 1.0)],
        vec![(12, 1.0)],
        vec![(13, 1.0)],
        vec![],
    ];
    assert_eq!(points(&answer.plan.unwrap()), wanted);
    // A player that runs through the fire comes to it twice.
    problem.allow_revisits = Some(false);
    let answer = ask(&server, assign(problem, SolveOptions::default())).await;
    let wanted = [vec![(13, 1.0)], vec![(12, 1.0)], vec![(13, 1.0)], vec![]];
    assert_eq!(points(&answer.plan.unwrap()), wanted);
}

/// The request with the published program.
fn programmed(problem: CrewProblem) -> AssignCrewRequest {
    let mut options = iterations(100_000, 0);
    options.strategy = "milp".into();
    assign(problem, options)
}

/// Whether the server was built with the solver of the published program.
async fn has_solver(server: &Server) -> bool {
    let mut about = server.about().await;
    let info = about.get_server_info(GetServerInfoRequest {}).await;
    let methods = info.unwrap().into_inner().methods;
    let crew = methods.iter().find(|m| m.name.ends_with("/AssignCrew"));
    let mut strategies = crew.expect("it is offered").strategies.iter();
    let listed = strategies.any(|strategy| strategy.name == "milp");
    // `./test` sets it where it builds the solver, so that no test is skipped by mistake.
    let expected = std::env::var_os("SOLVER_EXPECTED").is_some();
    assert!(listed || !expected, "the server does not list its solver");
    listed
}

#[tokio::test]
async fn the_published_program_is_solved_where_it_is_listed_and_refused_elsewhere() {
    let server = Server::start(&[]).await;
    let request = programmed(ship(&server).await);
    let answer = server.crew().await.assign_crew(request).await;
    if has_solver(&server).await {
        answer.unwrap();
        return;
    }
    let status = answer.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    assert!(status.message().contains("options.strategy"), "{status}");
    assert!(
        status.message().contains("without the feature milp"),
        "{status}"
    );
}

#[tokio::test]
async fn the_published_program_says_the_same_about_the_published_ship() {
    let server = Server::start(&[]).await;
    if !has_solver(&server).await {
        return;
    }
    for damage_limit_kind in [0, 2] {
        let mut problem = ship(&server).await;
        problem.max_damage_kind = damage_limit_kind;
        let auto = ask(&server, assign(problem.clone(), SolveOptions::default())).await;
        let milp = ask(&server, programmed(problem)).await;
        let report = milp.report.unwrap();
        assert_eq!(report.status(), SolveStatus::Optimal);
        assert_eq!(report.strategy, "milp");
        let (auto, milp) = (auto.plan.unwrap(), milp.plan.unwrap());
        assert_eq!(points(&auto), points(&milp));
        let reasons = |plan: &CrewPlan| {
            let fronts = plan.events[0].fronts.iter();
            let reasons = fronts.map(|front| front.empty_reason.clone());
            reasons.collect::<Vec<_>>()
        };
        assert_eq!(reasons(&auto), reasons(&milp));
    }
}

#[tokio::test]
async fn what_the_published_program_cannot_say_is_an_error() {
    let server = Server::start(&[]).await;
    if !has_solver(&server).await {
        return;
    }
    let refused = async |request: AssignCrewRequest| {
        let status = server.crew().await.assign_crew(request).await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument);
        status.message().to_owned()
    };
    let ship = ship(&server).await;
    let mut ties = programmed(ship.clone());
    ties.max_ties = 1;
    let message = refused(ties).await;
    assert!(
        message.contains("other assignments of the same point"),
        "{message}"
    );
    let mut once = ship.clone();
    once.allow_revisits = Some(false);
    let message = refused(programmed(once)).await;
    assert!(message.contains("come to no vertex twice"), "{message}");
    let mut several = ship.clone();
    several.events.push(several.events[0].clone());
    several.events[1].id = "again".into();
    let message = refused(programmed(several)).await;
    assert!(message.contains("several events"), "{message}");
    let mut fine = ship;
    fine.max_damage = Some(1.999_999);
    fine.arcs[0].fetch_damage = 0.000_001;
    let message = refused(programmed(fine)).await;
    assert!(message.contains("damages that add up to"), "{message}");
}

#[tokio::test]
async fn the_same_request_has_the_same_answer_and_is_shared() {
    let server = Server::start(&[]).await;
    let request = assign(row(5), iterations(1, 0));
    let first = ask(&server, request.clone()).await;
    let second = ask(&server, request).await;
    assert_eq!(first.plan, second.plan);
    assert!(second.report.unwrap().shared);
}

#[tokio::test]
async fn that_nobody_can_do_it_is_an_answer_with_reasons() {
    let server = Server::start(&[]).await;
    let mut problem = row(4);
    problem.max_damage = Some(0.5);
    let answer = ask(&server, assign(problem, SolveOptions::default())).await;
    let report = answer.report.unwrap();
    assert_eq!(report.status(), SolveStatus::Infeasible);
    assert_eq!(report.stop_reason(), StopReason::Proved);
    let reasons = report.explanation.unwrap().reasons;
    let found: Vec<_> = reasons.iter().map(|it| (&*it.code, it.shortfall)).collect();
    assert_eq!(
        found,
        [("TOO_HARMFUL", Some(0.5)), ("TOO_HARMFUL", Some(0.5))]
    );
    assert!(
        reasons
            .iter()
            .all(|it| it.proved && it.subject_id == "leak")
    );
}

#[tokio::test]
async fn a_request_that_is_only_checked_has_no_plan() {
    let server = Server::start(&[]).await;
    let options = SolveOptions {
        validate_only: true,
        ..SolveOptions::default()
    };
    let answer = ask(&server, assign(row(3), options)).await;
    assert_eq!(answer.plan, None);
    let report = answer.report.unwrap();
    assert_eq!(report.stop_reason(), StopReason::Validated);
}

#[tokio::test]
async fn every_mistake_is_told_with_its_field() {
    let server = Server::start(&[]).await;
    let mut problem = row(3);
    problem.arcs[1].to_node_id = "n9".into();
    problem.tools[0].node_id.clear();
    problem.max_damage = Some(f64::NAN);
    let mut request = assign(problem, SolveOptions::default());
    request.max_ties = -1;
    let status = server.crew().await.assign_crew(request).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    let wanted = [
        "problem.tools[0].node_id REQUIRED",
        "problem.max_damage NOT_FINITE",
        "max_ties OUT_OF_RANGE",
        "problem.arcs[1].to_node_id UNKNOWN",
    ];
    assert_eq!(named_mistakes(&status), wanted);
}
