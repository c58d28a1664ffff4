//! What is refused, with its place.

use super::{State, state, worlds};
use stratagem_proto::v1::{self as pb, session_update::Change, session_view};

fn refused(change: impl FnOnce(&mut pb::HeistSessionState)) -> Vec<(String, &'static str)> {
    let (_, world) = worlds()
        .into_iter()
        .find(|(_, world)| !world.guards.is_empty())
        .unwrap();
    let given = pb::HeistSessionState {
        reactions: Some(pb::HeistReactions::default()),
        ..state(world)
    };
    let mut given = State::new(given).unwrap().snapshot();
    change(&mut given);
    let wrong = State::new(given).map(drop).unwrap_err();
    let list = wrong.into_list().into_iter();
    list.map(|mistake| (mistake.field, mistake.code.name()))
        .collect()
}

/// There is one mistake.
fn check_one(found: &[(String, &'static str)], field: &str, code: &'static str) {
    assert_eq!(found, [(field.to_owned(), code)]);
}

#[test]
fn what_contradicts_the_world_is_refused() {
    check_one(
        &refused(|it| it.tick_count = 1_001),
        "tick_count",
        "OUT_OF_RANGE",
    );
    check_one(
        &refused(|it| it.courses[1].agent_id = it.courses[0].agent_id.clone()),
        "courses[1].agent_id",
        "DUPLICATE",
    );
    check_one(
        &refused(|it| it.courses[0].removed = true),
        "courses[0].removed",
        "CONTRADICTION",
    );
    check_one(
        &refused(|it| it.courses[1].alert = pb::HeistAlert::Chasing.into()),
        "courses[1].alert_room_id",
        "REQUIRED",
    );
    check_one(
        &refused(|it| {
            let room = it.problem.as_ref().unwrap().rooms[0].id.clone();
            it.courses[0].remaining_room_ids = vec![room];
        }),
        "courses[0].remaining_room_ids",
        "CONTRADICTION",
    );
    check_one(
        &refused(|it| it.courses[0].undecided = pb::HeistReplanReason::Moved.into()),
        "courses[0].undecided",
        "CONTRADICTION",
    );
}

#[test]
fn what_contradicts_itself_is_refused() {
    check_one(
        &refused(|it| {
            let own = pb::HeistAgentPosition {
                agent_id: it.courses[1].agent_id.clone(),
                room_id: it.problem.as_ref().unwrap().rooms[0].id.clone(),
                at_id: String::new(),
            };
            it.courses[1].believed_positions = vec![own];
        }),
        "courses[1].believed_positions[0]",
        "CONTRADICTION",
    );
    check_one(
        &refused(|it| it.courses[1].has_no_plan = true),
        "courses[1].has_no_plan",
        "CONTRADICTION",
    );
    check_one(
        &refused(|it| it.item_place_ids.truncate(1)),
        "item_place_ids",
        "WRONG_SIZE",
    );
    check_one(
        &refused(|it| it.courses[1].mistaken_camera_ids = vec!["nothing".into()]),
        "courses[1].mistaken_camera_ids[0]",
        "UNKNOWN",
    );
}

#[test]
fn updates_with_mistakes_change_nothing() {
    let (_, world) = worlds()
        .into_iter()
        .find(|(_, world)| !world.guards.is_empty())
        .unwrap();
    let session = State::new(state(world.clone())).unwrap();
    let elsewhere = world
        .containers
        .iter()
        .find(|it| it.room_id != world.rooms[0].id);
    let changes = pb::HeistChanges {
        positions: vec![
            pb::HeistAgentPosition {
                agent_id: world.guards[0].id.clone(),
                room_id: world.rooms[0].id.clone(),
                at_id: elsewhere.unwrap().id.clone(),
            },
            pb::HeistAgentPosition {
                agent_id: "no one".into(),
                room_id: "nowhere".into(),
                at_id: "nothing".into(),
            },
        ],
        removed_guard_ids: vec!["burglar".into()],
        noises: vec![pb::HeistNoise {
            room_id: "nowhere".into(),
            door_count: None,
        }],
        interventions: vec![pb::HeistIntervention {
            tick: 0,
            verb: pb::HeistInterventionVerb::Trigger.into(),
            target_id: world.doors[0].id.clone(),
        }],
        tick_count: None,
    };
    let update = pb::SessionUpdate {
        change: Some(Change::Heist(changes)),
        ..pb::SessionUpdate::default()
    };
    let wrong = session.updated(update).map(drop).unwrap_err().into_list();
    let found: Vec<(&str, &str)> = wrong
        .iter()
        .map(|mistake| (mistake.field.as_str(), mistake.code.name()))
        .collect();
    let expected = [
        ("heist.positions[0].at_id", "ELSEWHERE"),
        ("heist.positions[1].agent_id", "UNKNOWN"),
        ("heist.positions[1].room_id", "UNKNOWN"),
        ("heist.positions[1].at_id", "UNKNOWN"),
        ("heist.removed_guard_ids[0]", "WRONG_KIND"),
        ("heist.noises[0].room_id", "UNKNOWN"),
        ("heist.interventions[0].target_id", "WRONG_KIND"),
    ];
    assert_eq!(found, expected);
    let view = session.view();
    assert!(view.complete);
    let Some(session_view::Plan::Heist(game)) = view.plan else {
        panic!("it shows a game");
    };
    assert_eq!((game.tick_count, game.ticks.len()), (0, 0));
}
