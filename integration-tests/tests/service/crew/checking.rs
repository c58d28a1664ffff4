//! Fronts from outside are checked by code that did not make them; large ships end in time.

use super::{ask, ship};
use stratagem_integration_tests::Server;
use stratagem_integration_tests::crews::{assign, row};
use stratagem_integration_tests::patience::wait_for;
use stratagem_integration_tests::problems::budget;
use stratagem_proto::v1::{
    AnyPlan, AnyProblem, CrewPlan, CrewProblem, SolveOptions, VerifyPlanRequest,
    VerifyPlanResponse, any_plan, any_problem,
};
use tonic::{Code, Status};

async fn check(
    server: &Server,
    problem: &CrewProblem,
    plan: CrewPlan,
) -> Result<VerifyPlanResponse, Status> {
    let request = VerifyPlanRequest {
        problem: Some(AnyProblem {
            kind: Some(any_problem::Kind::Crew(problem.clone())),
        }),
        plan: Some(AnyPlan {
            kind: Some(any_plan::Kind::Crew(plan)),
        }),
    };
    let answer = server.planning().await.verify_plan(request).await?;
    Ok(answer.into_inner())
}

/// A way to spoil a plan, and what is to be said about it.
type Case = (fn(&mut CrewPlan), &'static str, &'static str);

const CASES: [Case; 7] = [
    (
        |plan| plan.events[0].fronts[0].points[0].worst_damage = 0.0,
        "CLAIM_WRONG",
        "events[0].fronts[0].points[0].roles",
    ),
    (
        |plan| {
            let role = &mut plan.events[0].fronts[0].points[0].roles[0];
            role.fetch_node_ids.remove(1);
        },
        "WAY_BROKEN",
        "events[0].fronts[0].points[0].roles[0]",
    ),
    (
        |plan| plan.events[0].fronts[2].points[0].dominated_by_fewer_players = false,
        "FEWER_WRONG",
        "events[0].fronts[2].points[0]",
    ),
    (
        |plan| {
            let point = &mut plan.events[0].fronts[2].points[0];
            point.ties[0].roles = point.roles.clone();
        },
        "ASSIGNMENT_REPEATED",
        "events[0].fronts[2].points[0].ties[0].roles",
    ),
    (
        |plan| {
            let roles = &mut plan.events[0].fronts[1].points[0].roles;
            roles[1] = roles[0].clone();
        },
        "TAKEN",
        "events[0].fronts[1].points[0].roles[1]",
    ),
    (
        |plan| {
            let points = &mut plan.events[0].fronts[0].points;
            points.push(points[0].clone());
        },
        "POINT_DOMINATED",
        "events[0].fronts[0].points[1]",
    ),
    (
        |plan| drop(plan.events[0].fronts.pop()),
        "FRONT_COUNT",
        "events[0].fronts",
    ),
];

#[tokio::test]
async fn a_plan_of_ours_is_valid_and_each_broken_rule_is_told() {
    let server = Server::start(&[]).await;
    let problem = ship(&server).await;
    let mut request = assign(problem.clone(), SolveOptions::default());
    request.max_ties = 1;
    let plan = ask(&server, request).await.plan.unwrap();
    let good = check(&server, &problem, plan.clone()).await.unwrap();
    assert!(good.valid && good.violations.is_empty());
    assert_eq!(good.objective.unwrap().levels, [0.0]);
    for (spoil, code, field) in CASES {
        let mut plan = plan.clone();
        spoil(&mut plan);
        let answer = check(&server, &problem, plan).await.unwrap();
        assert!(!answer.valid);
        let mut broken = answer.violations.iter();
        let found = broken.any(|one| one.code == code && one.field == field);
        assert!(found, "{code} at {field}: {:?}", answer.violations);
    }
}

#[tokio::test]
async fn a_plan_that_names_what_there_is_not_is_a_mistake() {
    let server = Server::start(&[]).await;
    let problem = row(3);
    let request = assign(problem.clone(), SolveOptions::default());
    let mut plan = ask(&server, request).await.plan.unwrap();
    plan.events[0].fronts[1].player_count = 1;
    let role = &mut plan.events[0].fronts[0].points[0].roles[0];
    role.player_id = "zoe".into();
    role.carry_node_ids.push(String::new());
    let status = check(&server, &problem, plan).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    let found: Vec<_> = super::named_mistakes(&status);
    let point = "plan.crew.events[0].fronts[0].points[0]";
    let at = found
        .iter()
        .any(|it| *it == format!("{point}.roles[0].player_id UNKNOWN"));
    assert!(at, "{found:?}");
    let count = "plan.crew.events[0].fronts[1].player_count CONTRADICTION";
    assert!(found.iter().any(|it| it == count), "{found:?}");
}

/// As large and as hard as is allowed: arcs in both directions between rooms with close numbers,
/// each with its own time and damage.
fn large() -> CrewProblem {
    let mut problem = row(2_000);
    problem.arcs.clear();
    for from in 0..2_000_usize {
        for by in [1, 7, 31, 101, 503] {
            let to = (from + by) % 2_000;
            let mut arc = row(2).arcs.remove(0);
            arc.from_node_id = format!("n{from}");
            arc.to_node_id = format!("n{to}");
            arc.fetch_damage = (from * 7_919 % 1_009) as f64;
            arc.carry_damage = (to * 104_729 % 997) as f64;
            let mut time = arc.walk_duration.unwrap_or_default();
            time.seconds = 1 + (from * by % 977) as i64;
            arc.walk_duration = Some(time);
            problem.arcs.push(arc);
        }
    }
    for number in 0..62 {
        let mut player = problem.players[0].clone();
        player.id = format!("p{number}");
        player.node_id = format!("n{}", number * 31);
        problem.players.push(player);
        let mut tool = problem.tools[0].clone();
        tool.id = format!("t{number}");
        tool.node_id = format!("n{}", number * 17 + 3);
        problem.tools.push(tool);
    }
    problem
}

#[tokio::test]
async fn the_largest_ship_ends_by_its_deadline() {
    let server = Server::start(&[]).await;
    let request = assign(large(), budget(200));
    let answer = wait_for("the answer", ask(&server, request)).await;
    let report = answer.report.unwrap();
    // Whatever it came to, it says so.
    assert_eq!(answer.plan.is_some(), report.objective.is_some());
    assert!(report.bound.is_none() || answer.plan.is_some());
}
