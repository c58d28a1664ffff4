//! Levels with pitfalls.

use super::simulating::{end, game};
use stratagem_integration_tests::Server;
use stratagem_integration_tests::heists::{ring, row, simulate};
use stratagem_integration_tests::patience::wait_for;
use stratagem_integration_tests::problems::iterations;
use stratagem_proto::v1::{
    DesignHeistRequest, DesignHeistResponse, HeistCosts, HeistEnding, HeistRules, HeistTrapKind,
    HeistWorld, SimulateHeistRequest, SolveReport, SolveStatus, StopReason,
};

const SOME: i64 = 20_000;

fn design(world: HeistWorld, traps: i32) -> DesignHeistRequest {
    DesignHeistRequest {
        problem: Some(world),
        options: Some(iterations(SOME, 0)),
        trap_count: Some(traps),
        ..Default::default()
    }
}

async fn ask(server: &Server, request: DesignHeistRequest) -> DesignHeistResponse {
    let mut client = server.heist().await;
    let call = client.design_heist(request);
    wait_for("a level", call).await.unwrap().into_inner()
}

fn report(answer: &DesignHeistResponse) -> &SolveReport {
    answer.report.as_ref().expect("reports are always there")
}

#[tokio::test]
async fn levels_catch_whom_nobody_helps_and_help_is_enough() {
    let server = Server::start(&[]).await;
    for kinds in [HeistTrapKind::Cameras, HeistTrapKind::Guards] {
        let request = DesignHeistRequest {
            trap_kind: kinds.into(),
            ..design(ring(), 1)
        };
        let answer = ask(&server, request).await;
        assert_eq!(report(&answer).status(), SolveStatus::Optimal, "{answer:?}");
        let level = answer.plan.as_ref().expect("there are two ways");
        let [trap] = &level.traps[..] else {
            panic!("one trap: {level:?}");
        };
        assert_eq!(trap.by_id, "trap_1");
        let analysis = answer.analysis.as_ref().expect("what it is like");
        assert_eq!(analysis.pitfalls[0].room_id, trap.room_id);
        assert_eq!(analysis.difficulty, Some(1));
        let help = analysis.help.as_ref().expect("help is known");
        assert_eq!(help.interventions, level.help);
        assert_eq!(level.missing_trap_count, 0);
        let world = level.world.clone().unwrap();
        let alone = game(&server, simulate(world.clone())).await;
        assert_eq!(end(&alone).ending(), HeistEnding::Caught);
        assert_eq!(
            (&end(&alone).by_id, &end(&alone).room_id),
            (&trap.by_id, &trap.room_id)
        );
        let helped = SimulateHeistRequest {
            interventions: level.help.clone(),
            ..simulate(world)
        };
        let helped = game(&server, helped).await;
        assert_eq!(end(&helped).ending(), HeistEnding::Won);
        assert_eq!(end(&helped).cost, i64::from(level.help_cost));
        let objective = report(&answer).objective.as_ref().unwrap();
        assert_eq!(objective.levels, [0.0, -f64::from(level.help_cost)]);
    }
}

#[tokio::test]
async fn what_is_missing_and_what_cannot_be_is_told() {
    let server = Server::start(&[]).await;
    let answer = ask(&server, design(ring(), 2)).await;
    let level = answer.plan.as_ref().expect("one trap is possible");
    assert_eq!((level.traps.len(), level.missing_trap_count), (1, 1));
    let objective = report(&answer).objective.as_ref().unwrap();
    assert_eq!(objective.levels[0], 1.0, "one is missing");
    let explanation = report(&answer).explanation.as_ref().expect("why");
    assert_eq!(explanation.summary, "1 of 2 traps were placed.");
    let codes: Vec<_> = explanation
        .reasons
        .iter()
        .map(|it| (&*it.code, it.proved))
        .collect();
    // The room of the artifact, then the other way back.
    assert_eq!(codes[0], ("ROOM_UNAVOIDABLE", true), "{codes:?}");
    assert!(
        codes[1..]
            .iter()
            .all(|it| *it == ("NOT_ALL_AT_ONCE", false)),
        "{codes:?}"
    );
    // There is one way only.
    let answer = ask(&server, design(row(4), 1)).await;
    assert_eq!(report(&answer).status(), SolveStatus::Infeasible);
    assert!(answer.plan.is_none());
    let explanation = report(&answer).explanation.as_ref().expect("why");
    let codes = explanation.reasons.iter().map(|it| it.code.as_str());
    assert!(codes.eq(["ROOM_UNAVOIDABLE"; 3]), "{explanation:?}");
    let unplayed = DesignHeistRequest {
        simulate: Some(false),
        ..design(ring(), 1)
    };
    let answer = ask(&server, unplayed).await;
    let level = answer.plan.as_ref().expect("Algorithm 1 finds one");
    assert!(level.help.is_empty() && level.traps.len() == 1);
}

#[tokio::test]
async fn a_stream_ends_with_the_answer_of_the_unary_method() {
    let server = Server::start(&[]).await;
    let request = DesignHeistRequest {
        problem: Some(ring()),
        options: Some(iterations(SOME, 1)),
        trap_count: Some(1),
        ..Default::default()
    };
    let mut client = server.heist().await;
    let mut stream = client
        .stream_design_heist(request)
        .await
        .unwrap()
        .into_inner();
    let mut last = None;
    while let Some(step) = wait_for("a step", stream.message()).await.unwrap() {
        last = Some(step);
    }
    let last = last.expect("a last message");
    let unary = DesignHeistRequest {
        options: Some(iterations(SOME, 1)),
        ..design(ring(), 1)
    };
    let unary = ask(&server, unary).await;
    assert_eq!(last.plan, unary.plan);
    assert!(last.analysis.is_some() && last.analysis == unary.analysis);
    let report = last.report.expect("the last one has the report");
    assert_eq!(report.stop_reason(), StopReason::Proved);
}

#[tokio::test]
async fn what_cannot_be_is_bounded_before_it_is_proved() {
    let server = Server::start(&[]).await;
    // One game is played: enough for no proof about help.
    let request = DesignHeistRequest {
        options: Some(iterations(1, 0)),
        ..design(ring(), 3)
    };
    let answer = ask(&server, request).await;
    let report = report(&answer);
    assert_eq!(report.stop_reason(), StopReason::IterationLimit);
    let bound = report.bound.as_ref().expect("two traps cannot be");
    assert_eq!((bound.levels[0], bound.method.as_str()), (2.0, "sets"));
}

#[tokio::test]
async fn a_level_costs_to_play_what_it_was_made_for() {
    let server = Server::start(&[]).await;
    let mut world = ring();
    world.costs = Some(HeistCosts {
        door: Some(3),
        ..Default::default()
    });
    let answer = ask(&server, design(world.clone(), 1)).await;
    let level = answer.plan.expect("there are two ways");
    assert_eq!(level.help_cost, 2, "the camera is cheaper than a door");
    let dear = DesignHeistRequest {
        rules: Some(HeistRules {
            costs: Some(HeistCosts {
                camera: Some(5),
                ..Default::default()
            }),
            ..Default::default()
        }),
        ..design(world, 1)
    };
    let level = ask(&server, dear).await.plan.expect("there are two ways");
    assert_eq!(level.help_cost, 3, "a door, as the world says");
    let costs = level.world.as_ref().unwrap().costs.expect("its own");
    assert_eq!(
        (costs.door, costs.camera, costs.container),
        (Some(3), Some(5), Some(1))
    );
    let helped = SimulateHeistRequest {
        interventions: level.help.clone(),
        ..simulate(level.world.unwrap())
    };
    let helped = game(&server, helped).await;
    assert_eq!(end(&helped).cost, 3);
}

#[tokio::test]
async fn the_example_for_designers_has_room_for_two_traps() {
    let server = Server::start(&[]).await;
    let lighthouse = super::example(&server, "heist/lighthouse").await;
    let answer = ask(&server, design(lighthouse.world.unwrap(), 3)).await;
    assert_eq!(report(&answer).status(), SolveStatus::Optimal);
    let level = answer.plan.as_ref().expect("two wings, two ways each");
    let mut rooms: Vec<_> = level.traps.iter().map(|it| &*it.room_id).collect();
    rooms.sort_unstable();
    assert_eq!(rooms, ["lamp_gallery", "net_gallery"]);
    assert!(!level.help.is_empty());
}
