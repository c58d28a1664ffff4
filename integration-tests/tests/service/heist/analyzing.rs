//! What there is to be known about levels and games.

use super::simulating::{end, game};
use crate::mistakes::mistakes;
use stratagem_integration_tests::Server;
use stratagem_integration_tests::heists::{ring, row, simulate, surprise, watched};
use stratagem_integration_tests::patience::wait_for;
use stratagem_integration_tests::problems::iterations;
use stratagem_proto::v1::{
    AnalyzeHeistRequest, AnalyzeHeistResponse, HeistAim, HeistAnalysis, HeistCamera,
    HeistDefinitionKind, HeistEnding, HeistHelpKind, HeistIntervention, HeistInterventionVerb,
    HeistVerdict, HeistWorld, SimulateHeistRequest, SolveStatus, StopReason,
};

const SOME: i64 = 50_000;

fn analyze(world: HeistWorld) -> AnalyzeHeistRequest {
    AnalyzeHeistRequest {
        problem: Some(world),
        options: Some(iterations(SOME, 0)),
        ..Default::default()
    }
}

async fn ask(server: &Server, request: AnalyzeHeistRequest) -> AnalyzeHeistResponse {
    let mut client = server.heist().await;
    let call = client.analyze_heist(request);
    wait_for("an analysis", call).await.unwrap().into_inner()
}

async fn known(server: &Server, request: AnalyzeHeistRequest) -> HeistAnalysis {
    let answer = ask(server, request).await;
    let report = answer.report.expect("reports are always there");
    assert_eq!(report.status(), SolveStatus::Optimal, "{report:?}");
    answer.analysis.expect("what is known")
}

/// A ring with a camera on one of the two ways, of which the burglar does not know.
fn trapped() -> HeistWorld {
    let mut world = ring();
    let camera = |room: &str| HeistCamera {
        id: format!("eye_{room}"),
        room_id: room.into(),
        active: None,
    };
    world.cameras = vec![camera("r1")];
    world
}

#[tokio::test]
async fn a_level_is_explained_rated_and_helped() {
    let server = Server::start(&[]).await;
    let analysis = known(&server, analyze(trapped())).await;
    let [pitfall] = &analysis.pitfalls[..] else {
        panic!("one pitfall: {analysis:?}");
    };
    assert_eq!((pitfall.room_id.as_str(), pitfall.step), ("r1", 1));
    assert_eq!(pitfall.unknown[0].by_id, "eye_r1");
    let unhelped = analysis.unhelped_end.as_ref().expect("how it ends");
    let alone = game(&server, simulate(trapped())).await;
    assert_eq!(unhelped, end(&alone));
    let holds = |kind: HeistDefinitionKind, n: i32| {
        let mut all = analysis.definitions.iter();
        let it = all.find(|it| it.kind() == kind && it.n == n);
        it.map(|it| it.verdict())
    };
    assert_eq!(holds(HeistDefinitionKind::F, 1), Some(HeistVerdict::Yes));
    let prime = |n| holds(HeistDefinitionKind::FPrime, n);
    assert_eq!(prime(0), Some(HeistVerdict::No));
    assert_eq!(prime(1), Some(HeistVerdict::Yes));
    assert_eq!(
        (analysis.difficulty, analysis.difficulty_above),
        (Some(1), Some(0))
    );
    let help = analysis.help.as_ref().expect("what helps");
    assert_eq!(help.kind(), HeistHelpKind::Cheapest);
    assert_eq!((help.cost, help.cost_bound), (1, Some(1)));
    let helped = SimulateHeistRequest {
        interventions: help.interventions.clone(),
        ..simulate(trapped())
    };
    let helped = game(&server, helped).await;
    assert_eq!(end(&helped).ending(), HeistEnding::Won);
    assert_eq!(end(&helped).cost, 1);
}

#[tokio::test]
async fn each_hint_tells_more_and_the_last_one_is_the_deed() {
    let server = Server::start(&[]).await;
    let analysis = known(&server, analyze(trapped())).await;
    let grades: Vec<i32> = analysis.hints.iter().map(|hint| hint.grade).collect();
    assert_eq!(grades, [1, 2, 3, 4]);
    let [count, place, target, deed] = &analysis.hints[..] else {
        panic!("four hints");
    };
    let first = &analysis.help.as_ref().unwrap().interventions[0];
    assert_eq!(
        (count.intervention_count, place.tick),
        (1, Some(first.tick))
    );
    assert_eq!(place.room_ids.len(), 2, "a door is between two rooms");
    assert_eq!(target.target_id, first.target_id);
    assert_eq!((deed.verb, &deed.target_id), (first.verb, &first.target_id));
    assert!(analysis.hints.iter().all(|hint| !hint.message.is_empty()));
}

#[tokio::test]
async fn who_needs_no_help_who_cannot_be_helped_and_who_can_be_spoiled() {
    let server = Server::start(&[]).await;
    let kind = |analysis: &HeistAnalysis| analysis.help.as_ref().unwrap().kind();
    let easy = known(&server, analyze(row(3))).await;
    assert_eq!(kind(&easy), HeistHelpKind::Needless);
    assert!(easy.hints.is_empty() && easy.pitfalls.is_empty());
    assert_eq!(easy.difficulty, Some(0));
    let broke = AnalyzeHeistRequest {
        max_help_cost: Some(0),
        ..analyze(trapped())
    };
    let broke = known(&server, broke).await;
    assert_eq!(kind(&broke), HeistHelpKind::None);
    assert_eq!(broke.help.as_ref().unwrap().cost_bound, None);
    let mut off = watched(3, 1, false);
    off.cameras[0].active = Some(false);
    let spoiled = AnalyzeHeistRequest {
        aim: HeistAim::Capture.into(),
        ..analyze(off)
    };
    let spoiled = known(&server, spoiled).await;
    let help = spoiled.help.as_ref().unwrap();
    assert_eq!(help.cost, 2, "a camera is switched on");
    assert_eq!(
        help.interventions[0].verb(),
        HeistInterventionVerb::SwitchOn
    );
    let wrong = known(&server, analyze(surprise(3))).await;
    let [surprise] = &wrong.surprises[..] else {
        panic!("one surprise: {wrong:?}");
    };
    assert_eq!(
        (surprise.subject_id.as_str(), surprise.refusal.as_str()),
        ("d2", "IS_LOCKED")
    );
}

#[tokio::test]
async fn a_game_under_way_is_helped_from_there_on() {
    let server = Server::start(&[]).await;
    let whole = known(&server, analyze(trapped())).await;
    let help = whole.help.unwrap().interventions;
    let under_way = AnalyzeHeistRequest {
        interventions: help.clone(),
        tick: help[0].tick,
        ..analyze(trapped())
    };
    let analysis = known(&server, under_way).await;
    assert!(analysis.definitions.is_empty(), "it is no level any more");
    assert_eq!(analysis.help.unwrap().kind(), HeistHelpKind::Needless);
    let end = analysis.unhelped_end.unwrap();
    assert_eq!((end.ending(), end.cost), (HeistEnding::Won, 1));
    let late = AnalyzeHeistRequest {
        tick: 5,
        ..analyze(trapped())
    };
    let late = known(&server, late).await;
    assert_eq!(late.help.unwrap().kind(), HeistHelpKind::None);
}

#[tokio::test]
async fn stopped_early_it_tells_what_it_knows() {
    let server = Server::start(&[]).await;
    let request = AnalyzeHeistRequest {
        options: Some(iterations(3, 0)),
        ..analyze(trapped())
    };
    let answer = ask(&server, request.clone()).await;
    let report = answer.report.as_ref().unwrap();
    assert_eq!(report.status(), SolveStatus::Feasible);
    assert_eq!(report.stop_reason(), StopReason::IterationLimit);
    assert!(report.objective.as_ref().unwrap().levels[0] > 0.0, "open");
    let analysis = answer.analysis.as_ref().unwrap();
    assert_eq!(analysis.pitfalls.len(), 1);
    let again = ask(&server, request).await;
    assert_eq!(again.analysis, answer.analysis, "the same again");
}

#[tokio::test]
async fn mistakes_are_told_by_field() {
    let server = Server::start(&[]).await;
    let request = AnalyzeHeistRequest {
        interventions: vec![HeistIntervention {
            tick: 3,
            verb: HeistInterventionVerb::Lock.into(),
            target_id: "nothing".into(),
        }],
        tick: 2,
        aim: 7,
        max_help_cost: Some(-1),
        ..analyze(trapped())
    };
    let mut client = server.heist().await;
    let status = client.analyze_heist(request).await.unwrap_err();
    let mut fields: Vec<_> = mistakes(&status).into_iter().map(|it| it.0).collect();
    fields.sort();
    let expected = [
        "aim",
        "interventions[0].target_id",
        "interventions[0].tick",
        "max_help_cost",
    ];
    assert_eq!(fields, expected);
}
