//! Sessions of heists: what agents do, learn and plan, tick by tick.

use crate::calls::{Caller, Place, mistakes, settings};
use crate::games::Game;
use crate::sessions::{named, updates};
use serde_json::{Value, json};

/// A row of rooms: the burglar in the first one wants the idol in the last one, where a guard
/// stays.
fn row(rooms: usize) -> Value {
    let room = |index: usize| format!("r{index}");
    let doors = 1..rooms;
    let door = |index: usize| json!({"id": format!("d{index}"), "a_room_id": room(index - 1), "b_room_id": room(index)});
    let last = room(rooms - 1);
    json!({
        "problem": {
            "rooms": (0..rooms).map(|index| json!({"id": room(index)})).collect::<Vec<_>>(),
            "doors": doors.map(door).collect::<Vec<_>>(),
            "containers": [{"id": "case", "room_id": last, "item_ids": ["idol"]}],
            "artifact_ids": ["idol"],
            "burglar": {"room_id": "r0"},
            "guards": [{"id": "guard", "room_id": last, "goal": {"visit_room_ids": [last]}}],
        },
        "reactions": {"search_ticks": 2},
    })
}

/// The room of an agent.
fn room<'a>(view: &'a Value, agent: &str) -> &'a str {
    let positions = view["heist"]["positions"].as_array();
    let mut positions = positions.into_iter().flatten();
    let found = positions.find(|position| position["agent_id"] == agent);
    found.map_or("", |position| {
        position["room_id"].as_str().unwrap_or_default()
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guard_comes_to_a_noise_and_goes_back() {
    let mut state = row(6);
    state["rules"] = json!({"replan": "HEIST_REPLAN_ON_INCONSISTENCY"});
    let (mut game, first) = Game::new("heist", state).await;
    assert_eq!(first["complete"], json!(true), "{first}");
    assert_eq!(
        first["heist"]["intents"][0]["plan"]["steps"][0]["target_id"],
        "d1"
    );
    let lock = json!({"verb": "HEIST_INTERVENTION_VERB_LOCK", "target_id": "d1"});
    let noise = json!({"room_id": "r3", "door_count": 2});
    let changes = json!({"interventions": [lock], "noises": [noise]});
    let view = game.after("0.1s", changes).await;
    let alerted = json!([{
        "guard_id": "guard", "alert": "HEIST_ALERT_SUSPICIOUS", "room_id": "r3",
    }]);
    assert_eq!(view["heist"]["alerted_guards"], alerted, "{view}");
    assert_eq!(
        view["heist"]["ticks"][0]["interventions"][0]["changed"],
        json!(true)
    );
    let view = game.after("0.2s", json!({"tick_count": 4})).await;
    assert_eq!(room(&view, "guard"), "r3", "{view}");
    let ticks = view["heist"]["ticks"].as_array().map(Vec::len);
    assert_eq!((ticks, &view["heist"]["tick_count"]), (Some(5), &json!(5)));
    // The burglar has found its only door locked, and waits.
    assert_eq!(room(&view, "burglar"), "r0");
    let view = game.after("0.3s", json!({"tick_count": 7})).await;
    assert_eq!(view["heist"]["alerted_guards"], Value::Null, "{view}");
    assert_eq!(room(&view, "guard"), "r5", "{view}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn updates_are_played_once_and_snapshots_go_on() {
    let (game, _) = Game::new("heist", row(5)).await;
    let play = json!({"heist": {"tick_count": 2}, "sequence": 1});
    let request = updates("play", std::slice::from_ref(&play));
    let one = game.caller.answer("UpdateSession", &request).await;
    let again = game.caller.answer("UpdateSession", &request).await;
    assert_eq!(again["view"], one["view"]);
    assert_eq!(one["view"]["heist"]["tick_count"], json!(2));
    let snapshot = game.snapshot("other").await;
    let other = game.caller.answer("CreateSession", &snapshot).await;
    let parts = ["tick_count", "positions", "intents", "alerted_guards"];
    for part in parts {
        assert_eq!(
            other["view"]["heist"][part], one["view"]["heist"][part],
            "{part}"
        );
    }
    let mut next = play;
    next["sequence"] = json!(2);
    let mut views = Vec::new();
    for id in ["play", "other"] {
        let request = updates(id, std::slice::from_ref(&next));
        let answer = game.caller.answer("UpdateSession", &request).await;
        views.push(answer["view"]["heist"].clone());
    }
    assert_eq!(views[0]["end"], views[1]["end"]);
    assert_eq!(views[0]["positions"], views[1]["positions"]);
    // A guard that is gone sees nothing: the burglar wins.
    let gone = json!({"removed_guard_ids": ["guard"], "tick_count": 16});
    let both = [3, 4].map(|sequence| json!({"heist": gone, "sequence": sequence}));
    let answer = game
        .caller
        .answer("UpdateSession", &updates("play", &both))
        .await;
    let end = &answer["view"]["heist"]["end"];
    assert_eq!(end["ending"], "HEIST_ENDING_WON", "{answer}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_heist_goes_on_after_its_server() {
    let place = Place::new();
    let config = place.settings();
    let caller = Caller::new(config.clone()).await;
    let (mut game, _) = Game::create(caller, "heist", row(6)).await;
    let away = json!({"agent_id": "guard", "room_id": "r1"});
    game.after("1s", json!({"positions": [away]})).await;
    let before = game.caller.answer("GetSession", &named("play")).await;
    game.caller = Place::again(&config, game.caller).await;
    let after = game.caller.answer("GetSession", &named("play")).await;
    assert_eq!(after["snapshot"], before["snapshot"]);
    assert_eq!(after["view"]["heist"], before["view"]["heist"]);
    let view = game.after("2s", json!({"tick_count": 3})).await;
    let end = &view["heist"]["end"];
    assert_eq!(
        (&end["ending"], &end["by_id"]),
        (&json!("HEIST_ENDING_CAUGHT"), &json!("guard"))
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_does_not_fit_a_heist_is_named() {
    let caller = Caller::new(settings()).await;
    let mut state = row(3);
    state["courses"] = json!([{"agent_id": "thief"}, {"agent_id": "burglar", "removed": true}]);
    state["problem"]["guards"][0]["room_id"] = json!("r9");
    let request = json!({"session_id": "wrong", "heist": state});
    let status = caller.ask("CreateSession", &request).await.unwrap_err();
    let found = mistakes(&status);
    for field in [
        "problem.guards[0].room_id",
        "courses[0].agent_id",
        "courses[1].removed",
    ] {
        let field = format!("heist.{field}");
        assert!(
            found.iter().any(|it| it.contains(&field)),
            "{field} {found:?}"
        );
    }
    let (mut game, _) = Game::create(caller, "heist", row(3)).await;
    let view = game.update(json!({"patrol": {}})).await;
    assert_eq!(view["refused"][0]["mistakes"][0]["reason"], "WRONG_KIND");
    let view = game
        .after("1s", json!({"noises": [{"room_id": "cellar"}]}))
        .await;
    let mistake = &view["refused"][0]["mistakes"][0];
    assert_eq!(mistake["field"], "heist.noises[0].room_id", "{view}");
    assert_eq!(
        view["heist"]["tick_count"],
        Value::Null,
        "nothing was played: {view}"
    );
}
