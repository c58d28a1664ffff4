//! Invalid requests about heists: each mistake by its field, all in one answer.

use crate::mistakes::mistakes;
use stratagem_integration_tests::Server;
use stratagem_integration_tests::heists::{burglar, errand, plan, simulate, surprise};
use stratagem_integration_tests::patience::wait_for;
use stratagem_integration_tests::problems::iterations;
use stratagem_proto::v1::{
    DesignHeistRequest, HeistCosts, HeistIntervention, HeistInterventionVerb, HeistRules,
    HeistWorld, SimulateHeistRequest,
};
use tonic::Status;

/// Fields and reasons, as in `problem.world.rooms REQUIRED`.
fn field_reasons(status: &Status) -> Vec<String> {
    let list = mistakes(status).into_iter();
    list.map(|(field, why)| format!("{field} {why}")).collect()
}

/// A way to spoil a world, and what is to be said about it.
type Case = (fn(&mut HeistWorld), &'static [&'static str]);

const CASES: [Case; 8] = [
    (
        |world| world.doors[0].b_room_id = "cellar".into(),
        &["problem.doors[0].b_room_id UNKNOWN"],
    ),
    (
        |world| world.doors[1].key_ids.clear(),
        &["problem.key_ids[0] FITS_NOTHING"],
    ),
    (
        |world| world.containers[0].item_ids.clear(),
        &["problem.artifact_ids[0] NOWHERE"],
    ),
    (
        |world| world.containers[0].item_ids = vec!["hook".into()],
        &[
            "problem.containers[0].item_ids[0] WRONG_KIND",
            "problem.artifact_ids[0] NOWHERE",
        ],
    ),
    (
        |world| world.containers[1].item_ids.push("idol".into()),
        &["problem.containers[1].item_ids[1] DUPLICATE"],
    ),
    (
        |world| {
            let mut guard = burglar(world).clone();
            guard.room_id = "cellar".into();
            world.guards.push(guard);
        },
        &[
            "problem.guards[0].id REQUIRED",
            "problem.guards[0].room_id UNKNOWN",
            "problem.guards[0].goal REQUIRED",
        ],
    ),
    (
        |world| {
            let belief = burglar(world)
                .belief
                .as_mut()
                .expect("the burglar has a belief");
            let again = belief.states[0].clone();
            belief.states.push(again);
            belief.known_ids = vec!["hook".into()];
        },
        &[
            "problem.burglar.belief.states[1].id DUPLICATE",
            "problem.burglar.belief.known_ids[0] WRONG_KIND",
        ],
    ),
    (
        |world| *world = HeistWorld::default(),
        &["problem.rooms REQUIRED", "problem.burglar REQUIRED"],
    ),
];

#[tokio::test]
async fn each_mistake_is_told_by_its_field_whatever_is_asked() {
    let server = Server::start(&[]).await;
    let mut client = server.heist().await;
    for (spoil, wanted) in CASES {
        let mut world = surprise(3);
        spoil(&mut world);
        let request = plan(errand(world.clone()), iterations(10, 0));
        let call = client.plan_burglar(request);
        let refused = wait_for("a refusal", call).await.unwrap_err();
        let inside: Vec<_> = wanted
            .iter()
            .map(|it| it.replace("problem.", "problem.world."))
            .collect();
        assert_eq!(field_reasons(&refused), inside);
        let call = client.simulate_heist(simulate(world.clone()));
        let refused = wait_for("a refusal", call).await.unwrap_err();
        assert_eq!(field_reasons(&refused), wanted);
        let request = DesignHeistRequest {
            problem: Some(world),
            ..Default::default()
        };
        let call = client.design_heist(request);
        let refused = wait_for("a refusal", call).await.unwrap_err();
        assert_eq!(field_reasons(&refused), wanted);
    }
}

#[tokio::test]
async fn rules_and_what_the_player_does_are_checked() {
    let server = Server::start(&[]).await;
    let mut client = server.heist().await;
    let deed = |tick, verb: HeistInterventionVerb, target: &str| HeistIntervention {
        tick,
        verb: verb.into(),
        target_id: target.into(),
    };
    let request = SimulateHeistRequest {
        rules: Some(HeistRules {
            replan: 7,
            costs: Some(HeistCosts {
                door: Some(-1),
                ..Default::default()
            }),
            max_ticks: Some(100_001),
        }),
        interventions: vec![
            deed(-1, HeistInterventionVerb::Lock, "d1"),
            deed(0, HeistInterventionVerb::Unspecified, "d1"),
            deed(0, HeistInterventionVerb::SwitchOff, "d1"),
            deed(0, HeistInterventionVerb::Trigger, "ghost"),
            deed(0, HeistInterventionVerb::Open, "key"),
        ],
        ..simulate(surprise(3))
    };
    let call = client.simulate_heist(request);
    let refused = wait_for("a refusal", call).await.unwrap_err();
    let wanted = [
        "rules.replan ENUM_UNKNOWN",
        "rules.costs.door OUT_OF_RANGE",
        "rules.max_ticks OUT_OF_RANGE",
        "interventions[1].verb REQUIRED",
        "interventions[0].tick OUT_OF_RANGE",
        "interventions[2].target_id WRONG_KIND",
        "interventions[3].target_id UNKNOWN",
        "interventions[4].target_id WRONG_KIND",
    ];
    assert_eq!(field_reasons(&refused), wanted);
}

#[tokio::test]
async fn what_level_is_wanted_is_checked() {
    let server = Server::start(&[]).await;
    let mut client = server.heist().await;
    let request = DesignHeistRequest {
        problem: Some(surprise(3)),
        trap_count: Some(33),
        trap_kind: 4,
        max_help_cost: Some(-1),
        simulate: Some(false),
        ..Default::default()
    };
    let call = client.design_heist(request.clone());
    let refused = wait_for("a refusal", call).await.unwrap_err();
    let wanted = [
        "trap_count OUT_OF_RANGE",
        "max_help_cost OUT_OF_RANGE",
        "trap_kind CONTRADICTION",
    ];
    assert_eq!(field_reasons(&refused), wanted);
    let request = DesignHeistRequest {
        trap_kind: 5,
        trap_count: Some(1),
        max_help_cost: None,
        ..request
    };
    let call = client.design_heist(request);
    let refused = wait_for("a refusal", call).await.unwrap_err();
    assert_eq!(field_reasons(&refused), ["trap_kind ENUM_UNKNOWN"]);
}
