//! Several events at once, and real moves beside what could have been.

use super::{ask, named_mistakes, ship};
use stratagem_integration_tests::Server;
use stratagem_integration_tests::crews::assign;
use stratagem_proto::v1::{
    AnyPlan, AnyProblem, CompareCrewMovesRequest, CompareCrewMovesResponse, CrewMove, CrewRole,
    SolveOptions, SolveStatus, VerifyPlanRequest, any_plan, any_problem,
};
use tonic::{Code, Status};

#[tokio::test]
async fn several_events_share_players_and_tools() {
    let server = Server::start(&[]).await;
    let mut problem = ship(&server).await;
    let mut leak = problem.events[0].clone();
    leak.id = "leak".into();
    leak.node_id = "n24".into();
    leak.rank = 1;
    problem.events.push(leak);
    let answer = ask(&server, assign(problem.clone(), SolveOptions::default())).await;
    let report = answer.report.unwrap();
    assert_eq!(
        (report.status(), report.gap),
        (SolveStatus::Optimal, Some(0.0))
    );
    let mut found = answer.plan.unwrap();
    let joint = found.joint.as_ref().unwrap();
    assert!(joint.complete && !joint.points.is_empty());
    for point in &joint.points {
        let events: Vec<_> = point.teams.iter().map(|team| &*team.event_id).collect();
        assert_eq!(events, ["fire", "leak"]);
        assert_eq!(point.least_duration, point.worst_duration);
        let roles = point.teams.iter().flat_map(|team| &team.roles);
        let mut tools: Vec<_> = roles.map(|role| &role.tool_id).collect();
        tools.sort();
        assert!(tools.windows(2).all(|two| two[0] != two[1]));
    }
    let check = async |plan| {
        let request = VerifyPlanRequest {
            problem: Some(AnyProblem {
                kind: Some(any_problem::Kind::Crew(problem.clone())),
            }),
            plan: Some(AnyPlan {
                kind: Some(any_plan::Kind::Crew(plan)),
            }),
        };
        let answer = server.planning().await.verify_plan(request).await;
        answer.unwrap().into_inner()
    };
    assert!(check(found.clone()).await.valid);
    let point = &mut found.joint.as_mut().unwrap().points[0];
    point.teams[1].roles = point.teams[0].roles.clone();
    let broken = check(found).await.violations;
    let role = "joint.points[0].teams[1].roles[0]";
    let at = broken
        .iter()
        .any(|it| it.code == "JOINT_ROLE" && it.field == role);
    assert!(at, "{broken:?}");
}

#[tokio::test]
async fn with_one_tool_the_event_of_lower_rank_is_done() {
    let server = Server::start(&[]).await;
    let mut problem = ship(&server).await;
    problem.tools.truncate(1);
    let mut leak = problem.events[0].clone();
    leak.id = "leak".into();
    problem.events[0].rank = 7;
    problem.events.push(leak);
    let answer = ask(&server, assign(problem, SolveOptions::default())).await;
    let joint = answer.plan.unwrap().joint.unwrap();
    let teams: Vec<_> = joint.points.iter().map(|it| &it.teams).collect();
    assert!(
        teams
            .iter()
            .all(|it| it.len() == 1 && it[0].event_id == "leak")
    );
}

/// What a player does with a tool, and how long the player stands still.
fn moved(who: &str, tool: &str, [fetch, carry]: [&[u8]; 2], idle_seconds: i64) -> CrewMove {
    let way = |way: &[u8]| way.iter().map(|node| format!("n{node}")).collect();
    let mut it = CrewMove {
        role: Some(CrewRole {
            player_id: who.into(),
            tool_id: tool.into(),
            fetch_node_ids: way(fetch),
            carry_node_ids: way(carry),
            ..CrewRole::default()
        }),
        ..CrewMove::default()
    };
    let mut idle = it.idle_duration.unwrap_or_default();
    idle.seconds = idle_seconds;
    it.idle_duration = Some(idle);
    it
}

async fn compare(
    server: &Server,
    moves: Vec<CrewMove>,
) -> Result<CompareCrewMovesResponse, Status> {
    let request = CompareCrewMovesRequest {
        problem: Some(ship(server).await),
        event_id: String::new(),
        moves,
    };
    let answer = server.crew().await.compare_crew_moves(request).await?;
    Ok(answer.into_inner())
}

#[tokio::test]
async fn time_lost_is_told_by_its_reasons() {
    let server = Server::start(&[]).await;
    // Table 1's player, who stands still for 2 s and takes a step to and fro.
    let way: [&[u8]; 2] = [&[0, 2, 4, 3, 1, 20], &[20, 1, 20, 19, 18]];
    let found = compare(&server, vec![moved("p1", "t1", way, 2)])
        .await
        .unwrap();
    // 5 + 4 s on foot, 2 s still, 6 s of work.
    assert_eq!(found.worst_duration.unwrap().seconds, 17);
    assert_eq!(found.worst_damage, 1.0);
    let loss = found.time_loss.unwrap();
    let seconds = |it: Option<_>| -> i64 {
        let it: prost_types::Duration = it.unwrap();
        it.seconds
    };
    // One player needs 13 s; two need 12.
    assert_eq!(seconds(loss.least_duration), 12);
    assert_eq!(seconds(loss.way_duration), 4);
    assert_eq!(seconds(loss.role_duration), 0);
    assert_eq!(seconds(loss.number_duration), 1);
    let damage = found.damage_loss.unwrap();
    assert_eq!((damage.least_damage, damage.way_damage), (1.0, 0.0));
    assert_eq!(found.movers[0].player_id, "p1");
    assert_eq!(seconds(found.movers[0].walk_duration), 11);
    assert_eq!(seconds(found.movers[0].least_duration), 7);
}

#[tokio::test]
async fn moves_that_cannot_be_are_mistakes() {
    let server = Server::start(&[]).await;
    let good: [&[u8]; 2] = [&[0, 2, 4, 3, 1, 20], &[20, 19, 18]];
    let jump: [&[u8]; 2] = [&[36, 24], &[24, 18]];
    let moves = vec![
        moved("p1", "t1", good, 0),
        moved("p1", "t3", good, 0),
        moved("p4", "t2", jump, 0),
    ];
    let status = compare(&server, moves).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
    let wanted = ["moves[1].role DUPLICATE", "moves[2].role STEP_IMPOSSIBLE"];
    assert_eq!(named_mistakes(&status), wanted);
    let mut nameless = moved("p9", "t1", good, -1);
    nameless.role.as_mut().unwrap().tool_id.clear();
    let status = compare(&server, vec![nameless]).await.unwrap_err();
    let wanted = [
        "moves[0].role.tool_id REQUIRED",
        "moves[0].idle_duration OUT_OF_RANGE",
        "moves[0].role.player_id UNKNOWN",
    ];
    assert_eq!(named_mistakes(&status), wanted);
    let status = compare(&server, Vec::new()).await.unwrap_err();
    assert_eq!(named_mistakes(&status), ["moves REQUIRED"]);
}
